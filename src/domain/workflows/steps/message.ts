/** Decides whether a message of a run can be sent, and on which channel. Shared by the steps that send. Pure. */
import { Type } from '@sinclair/typebox'
import { message } from '../../schema.ts'
import type { Effect } from '../effects.ts'
import type { ChannelOfRun, SeenFacts } from '../facts.ts'
import type { Passed, Visit } from './step.ts'

export const ChannelId = Type.Optional(
  Type.String({
    format: 'uuid',
    description:
      'ID of the channel. Defaults to the channel that was connected first. Publishing is rejected if the workspace has no such channel. If the channel is removed later, the message is skipped.',
    ...message('Must be the id of a channel, a UUID.'),
  }),
)

/** Content of a message and the template that it needs. */
export interface Written {
  text: string
  template: Extract<Effect, { kind: 'queue_message' }>['template']
}

/**
 * Returns the result of a step that sends: the message is queued, or skipped with a reason in the trace.
 *
 * If there is an address and a text, a skipped message is also stored. Sending checks all of this again.
 */
export const queued = (written: Written, wanted: string | undefined, next: string | null, visit: Visit): Passed => {
  const to = whereTo(wanted, visit.facts)
  if (typeof to === 'string') return { outcome: 'skipped', detail: { reason: to }, next }
  if (written.text.trim() === '') return { outcome: 'skipped', detail: { reason: 'no_text' }, next }
  const reason = whyNot(written, to, visit)
  const effect: Effect = {
    kind: 'queue_message',
    channelId: to.id,
    handle: to.address,
    ...written,
    skipped: reason && sentences[reason],
  }
  return reason === null
    ? { outcome: 'queued', effects: [effect], next }
    : { outcome: 'skipped', detail: { reason }, effects: [effect], next }
}

const whereTo = (wanted: string | undefined, { channels }: SeenFacts) => {
  const living = channels.filter(({ connected }) => connected)
  const channel = wanted === undefined ? living[0] : living.find(({ id }) => id === wanted.toLowerCase())
  if (channel === undefined) return 'no_channel'
  return channel.address === null ? 'no_address' : { ...channel, address: channel.address }
}

const sentences = {
  plan: 'The plan does not include workflows.',
  opted_out: 'The customer has opted out.',
  no_opt_in: 'The customer has not opted in.',
  window_closed: 'The time in which anything may be written to the customer is over.',
}

const whyNot = ({ template }: Written, channel: ChannelOfRun, { facts, now }: Visit): keyof typeof sentences | null => {
  if (!facts.plan.workflows) return 'plan'
  if (facts.customer.optedOut) return 'opted_out'
  if (template?.marketing && !facts.customer.optedIn) return 'no_opt_in'
  const passesAlways = template?.provider != null && channel.templates
  return passesAlways || isOpen(channel, now) ? null : 'window_closed'
}

const isOpen = ({ windowHours, windowClosesAt }: ChannelOfRun, now: Date): boolean =>
  windowHours === null || (windowClosesAt !== null && new Date(windowClosesAt) > now)
