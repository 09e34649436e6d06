/** Decides whether a message of a run can be sent, and on which channel. Shared by the steps that send. Pure. */
import { Type } from '@sinclair/typebox'
import { errorMessage } from '../../core/schema.ts'
import { isBlank } from '../../core/texts.ts'
import type { Effect, SkipReason } from '../runs/effects.ts'
import type { ReadableFacts, RunChannel } from '../runs/facts.ts'
import type { ContinueResult, StepContext } from './step.ts'

export const ChannelId = Type.Optional(
  Type.String({
    format: 'uuid',
    description:
      'ID of the channel. Defaults to the channel that was connected first. Publishing is rejected if the workspace has no such channel. If the channel is removed later, the message is skipped.',
    ...errorMessage('Must be the id of a channel, a UUID.'),
  }),
)

/** Content of a message and the template that it needs. */
export interface MessageContent {
  text: string
  template: Extract<Effect, { kind: 'queue_message' }>['template']
}

/**
 * Returns the result of a step that sends: the message is queued, or skipped with a reason in the trace.
 *
 * If there is an address and a text, a skipped message is also stored. Sending checks all of this again.
 */
export const queueMessage = (
  content: MessageContent,
  channelId: string | undefined,
  next: string | null,
  context: StepContext,
): ContinueResult => {
  const target = resolveChannel(channelId, context.facts)
  if (typeof target === 'string') return { outcome: 'skipped', detail: { reason: target }, next }
  if (isBlank(content.text)) return { outcome: 'skipped', detail: { reason: 'no_text' }, next }
  const reason = skipReasonOf(content, target, context)
  const effect: Effect = {
    kind: 'queue_message',
    channelId: target.id,
    handle: target.address,
    ...content,
    skipped: reason,
  }
  return reason === null
    ? { outcome: 'queued', effects: [effect], next }
    : { outcome: 'skipped', detail: { reason }, effects: [effect], next }
}

const resolveChannel = (channelId: string | undefined, { channels }: ReadableFacts) => {
  const connectedChannels = channels.filter(({ connected }) => connected)
  const channel =
    channelId === undefined ? connectedChannels[0] : connectedChannels.find(({ id }) => id === channelId.toLowerCase())
  if (channel === undefined) return 'no_channel'
  return channel.address === null ? 'no_address' : { ...channel, address: channel.address }
}

const skipReasonOf = (
  { template }: MessageContent,
  channel: RunChannel,
  { facts, now }: StepContext,
): SkipReason | null => {
  if (!facts.plan.workflows) return 'plan'
  if (facts.customer.optedOut) return 'opted_out'
  if (template?.marketing && !facts.customer.optedIn) return 'no_opt_in'
  const isProviderTemplate = template?.provider != null && channel.templates
  return isProviderTemplate || isWindowOpen(channel, now) ? null : 'window_closed'
}

const isWindowOpen = ({ windowHours, windowClosesAt }: RunChannel, now: Date): boolean =>
  windowHours === null || (windowClosesAt !== null && new Date(windowClosesAt) > now)
