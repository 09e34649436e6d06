/** Statuses of campaigns and outcomes of recipients, with their colors. */
import type { Schemas } from '../../api/client.ts'
import type { Tone } from '../../ui/Status.tsx'

export type Campaign = Schemas['Campaign']
export type CampaignStatus = Campaign['status']

export const toneOf: Record<CampaignStatus, Tone> = {
  draft: 'off',
  scheduled: 'moving',
  running: 'moving',
  paused: 'care',
  completed: 'done',
  cancelled: 'off',
}

/** Returns true once the campaign has started. Before that it can be changed and removed. */
export const hasBegun = ({ status }: Campaign): boolean => status !== 'draft' && status !== 'scheduled'

export type Outcome = Schemas['CampaignRecipient']['outcome']
export const outcomes = ['pending', 'queued', 'sent', 'skipped', 'unknown'] as const satisfies Outcome[]

export interface RecipientFilters {
  outcome?: Outcome
}

export const toneOfOutcome: Record<Outcome, Tone> = {
  pending: 'moving',
  queued: 'moving',
  sent: 'done',
  skipped: 'off',
  unknown: 'care',
}

const reasons = [
  'opted_out',
  'no_opt_in',
  'no_address',
  'plan',
  'channel_disconnected',
  'refused',
  'cancelled',
  'template_missing',
] as const
export type Reason = (typeof reasons)[number]

/** Returns true if the reason has a text on this page. */
export const isReason = (code: string): code is Reason => (reasons as readonly string[]).includes(code)

export const recipientFilters = (search: Record<string, unknown>): RecipientFilters => {
  const outcome = outcomes.find(one => one === search.outcome)
  return outcome ? { outcome } : {}
}
