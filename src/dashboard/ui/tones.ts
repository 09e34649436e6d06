/** Color of every status, by the record that has it. A status that the document adds does not compile without one. */
import type { Schemas } from '../api/client.ts'
import type { Tone } from './Status.tsx'

type Tones<Status extends string> = Readonly<Record<Status, Tone>>

const delivery: Tones<NonNullable<Schemas['Destination']['status']>> = {
  pending: 'moving',
  retrying: 'care',
  delivered: 'done',
  failed: 'failed',
  dropped: 'off',
}

const outboundEvent: Tones<Schemas['OutboundEvent']['status']> = {
  failed: 'failed',
  retrying: 'care',
  waiting: 'moving',
  delivered: 'done',
  none: 'off',
}

const message: Tones<Schemas['Message']['status']> = {
  queued: 'moving',
  sent: 'moving',
  delivered: 'done',
  read: 'done',
  failed: 'failed',
  skipped: 'off',
  unknown: 'care',
  received: 'off',
}

const run: Tones<Schemas['Run']['status']> = {
  active: 'moving',
  waiting: 'moving',
  done: 'done',
  failed: 'failed',
  stopped: 'off',
}

const channel: Tones<Schemas['Channel']['status']> = { connected: 'done', failing: 'failed', disconnected: 'off' }

const campaign: Tones<Schemas['Campaign']['status']> = {
  draft: 'off',
  scheduled: 'moving',
  running: 'moving',
  paused: 'care',
  completed: 'done',
  cancelled: 'off',
}

const recipient: Tones<
  Schemas['CampaignRecipient']['outcome'] | 'delivered' | 'read' | 'failed' | 'replied' | 'sale' | 'opted_out'
> = {
  pending: 'moving',
  queued: 'moving',
  sent: 'moving',
  delivered: 'done',
  read: 'done',
  failed: 'failed',
  replied: 'done',
  sale: 'done',
  opted_out: 'off',
  skipped: 'off',
  unknown: 'care',
}

const verdict: Tones<Schemas['WorkflowOutcome']['verdict']> = {
  started: 'done',
  switched_off: 'off',
  never_published: 'off',
  not_run_for_customer: 'off',
}

const endpoint: Tones<Schemas['WebhookHealth']['state']> = {
  healthy: 'done',
  failing: 'failed',
  held: 'care',
  off: 'off',
}

const recovery: Tones<Schemas['Recovery']['status']> = { running: 'moving', completed: 'done', cancelled: 'off' }

const consent: Tones<Schemas['Consent']['kind']> = { opt_in: 'done', opt_out: 'care', lift: 'off' }

const alert: Tones<Schemas['Attention']['kind']> = {
  sending_held: 'failed',
  work_paused: 'failed',
  endpoint_failing: 'failed',
  channel_failing: 'failed',
  events_rejected: 'failed',
  runs_failing: 'failed',
  event_type_unhandled: 'care',
  deliveries_waiting: 'care',
  allowance_nearly_full: 'care',
  customers_waiting: 'care',
  token_expiring: 'care',
}

/** Outcomes of steps. All others are `done`. */
const step: Partial<Record<string, Tone>> = { waiting: 'moving', skipped: 'off', failed: 'failed', timeout: 'off' }

export const tones = {
  delivery,
  outboundEvent,
  message,
  run,
  channel,
  campaign,
  recipient,
  verdict,
  endpoint,
  recovery,
  consent,
  alert,
  step,
}

/** Returns the color of a status that the document does not list, for example from a newer server, as `off`. */
export const getTone = (map: Readonly<Record<string, Tone>>, status: string): Tone =>
  Object.hasOwn(map, status) ? map[status]! : 'off'
