/** Decides whether a message can be sent into a conversation (contract 9.5). Pure. */

import { DomainError } from '../../core/errors.ts'
import type { Capabilities } from '../channels/index.ts'
import type { ConversationState } from '../messages/index.ts'

export type Reason = 'window_closed' | 'opted_out' | 'no_opt_in' | 'channel_disconnected' | 'no_address'

/** The message to send. Without a template it is a plain text. */
export interface Draft {
  template: { marketing: boolean; isApproved: boolean } | null
}

const sentences: Record<Reason, string> = {
  channel_disconnected: 'The channel is disconnected. Messages cannot be sent on it.',
  no_address: 'The customer has no address on this channel.',
  opted_out: 'The customer has opted out. You can only send a plain text, in a conversation that the customer opened.',
  no_opt_in: 'A marketing template requires an opt-in, and the customer has none.',
  window_closed:
    'The messaging window of the provider has closed. Send an approved template, or wait until the customer writes again.',
}

/** Returns the 422 error, with the name of the reason in its details. */
export const sendRejected = (reason: Reason): DomainError =>
  new DomainError('unprocessable', sentences[reason], { reason })

/** Returns the reason to reject the message, or null if it can be sent. */
export const rejectionReason = (
  conversation: ConversationState,
  { template }: Draft,
  capabilities: Capabilities,
): Reason | null => {
  const { channelStatus, handle, optedOut, optedIn, sinceInboundMs, customerOpened } = conversation
  if (channelStatus === 'disconnected') return 'channel_disconnected'
  if (handle === null) return 'no_address'
  if (optedOut && (template !== null || !customerOpened)) return 'opted_out'
  if (template?.marketing && !optedIn) return 'no_opt_in'
  const needsWindow = !(template?.isApproved && capabilities.templates)
  return needsWindow && isWindowClosed(sinceInboundMs, capabilities.freeFormWindowHours) ? 'window_closed' : null
}

const hourMs = 3_600_000

const isWindowClosed = (sinceInboundMs: number | null, hours: number | null): boolean =>
  hours !== null && (sinceInboundMs === null || sinceInboundMs >= hours * hourMs)

/**
 * Returns when the free-form window closes, or null if the provider has none. If the customer never wrote, it closed
 * when the conversation was created.
 */
export const windowClosesAt = (
  { lastInboundAt, createdAt }: { lastInboundAt: Date | null; createdAt: Date },
  hours: number | null,
): Date | null => {
  if (hours === null) return null
  return lastInboundAt === null ? createdAt : new Date(lastInboundAt.getTime() + hours * hourMs)
}
