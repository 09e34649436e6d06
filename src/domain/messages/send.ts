/** Sending one message: what is asked of its provider, and what follows from the answer. */
import type { Sql } from '../../db/client.ts'
import type { Providers, SendError, SendResult } from '../channels/index.ts'
import {
  type DueMessage,
  type Left,
  leaveMessages,
  type MessageSettlement,
  type PutOff,
  putOffMessages,
  settleMessages,
} from './sql.ts'

/** What follows from an attempt to send: it is settled, due again later, or left to another process. */
export type Handled = MessageSettlement | PutOff | Left

/** Milliseconds that a provider has to answer. */
export const sendTimeoutMs = 30_000
/** After a provider has said "later" so often, it is not asked again. */
const maxPutOff = 5
/** Milliseconds to the next try where the provider does not say: doubled each time, within bounds. */
const putOffMs = { min: 1000, max: 300_000 }

/**
 * Hands one message to its provider, unless the customer has opted out by now: the moment of sending decides, however
 * long ago the message was written. One that was begun before by somebody who never said what became of it stays where
 * it is, and is sent again only where the provider knows it by our id.
 */
export const sendMessage = async (
  message: DueMessage,
  providers: Providers,
  signal: AbortSignal,
  timeoutMs = sendTimeoutMs,
): Promise<Handled> => {
  if (!isKnown(message, providers)) return leftToOthers(message)
  const provider = providers[message.channelKind]
  if (message.begun && !provider.capabilities.knowsOurIds) return settlement(message, [nobodyKnows])
  if (message.optedOut) return settlement(message, [{ status: 'skipped', detail: 'The customer has opted out.' }])
  const { id, handle, text } = message
  // Of the kinds there are, none asks for credentials.
  const handedOver = provider.send({ id, handle, text }, { credentials: null, timeoutMs, signal })
  return followsFrom(await withinTime(handedOver, timeoutMs), message)
}

/** Whether this process knows the message's kind of channel: a newer release may run beside it, and know more. */
export const isKnown = ({ channelKind }: DueMessage, providers: Providers): boolean =>
  Object.hasOwn(providers, channelKind)

/** For so long a message of an unknown kind is left to processes that know it. */
const unknownKindWaitMs = 15_000

const leftToOthers = ({ workspaceId, id }: DueMessage): Left => ({ workspaceId, id, leftMs: unknownKindWaitMs })

/** A provider that does not keep to its time must not keep the place of the messages behind. */
const withinTime = async (handedOver: Promise<SendResult>, timeoutMs: number): Promise<SendResult> => {
  const { promise: over, resolve } = Promise.withResolvers<SendResult>()
  const detail = `The provider did not answer within ${timeoutMs / 1000} seconds.`
  const timer = setTimeout(() => resolve({ kind: 'unknown', detail }), timeoutMs)
  try {
    return await Promise.race([handedOver, over])
  } finally {
    clearTimeout(timer)
  }
}

const nobodyKnows = {
  status: 'unknown',
  detail: 'It was being sent when the service stopped; nobody knows whether it arrived.',
} as const

const followsFrom = (result: SendResult, message: DueMessage): Handled => {
  switch (result.kind) {
    case 'accepted':
      return settlement(message, [{ status: 'sent', detail: null }, ...result.statuses], result.providerMessageId)
    case 'unknown':
      return settlement(message, [{ status: 'unknown', detail: result.detail }])
    case 'refused':
      return afterRefusal(result.error, message)
  }
}

const afterRefusal = (error: SendError, message: DueMessage): Handled => {
  const { workspaceId, id, putOff } = message
  if (!isForLater(error) || putOff >= maxPutOff)
    return settlement(message, [{ status: 'failed', detail: error.detail }])
  const wait = error.retryAfterMs ?? putOffMs.min * 2 ** putOff
  return { workspaceId, id, putOff, afterMs: Math.min(Math.max(wait, putOffMs.min), putOffMs.max) }
}

const isForLater = ({ class: kind }: SendError): boolean => kind === 'retry' || kind === 'rate'

const settlement = (
  { workspaceId, id }: DueMessage,
  statuses: MessageSettlement['statuses'],
  providerMessageId: string | null = null,
): MessageSettlement => ({ workspaceId, id, providerMessageId, statuses })

/**
 * Records what followed for a batch of messages; safe to repeat. Answers the ids of those that somebody else holds
 * locked, and of which nothing was recorded yet.
 */
export const settle = async (sql: Sql, outcomes: Handled[]): Promise<Set<string>> => {
  const settled = outcomes.filter(outcome => 'statuses' in outcome)
  const later = outcomes.filter(outcome => 'afterMs' in outcome)
  const left = outcomes.filter(outcome => 'leftMs' in outcome)
  const locked = [
    later.length > 0 ? await putOffMessages(sql, later) : [],
    left.length > 0 ? await leaveMessages(sql, left) : [],
    settled.length > 0 ? await settleMessages(sql, settled) : [],
  ]
  return new Set(locked.flatMap(ids => [...ids]))
}
