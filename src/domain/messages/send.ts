/**
 * Sends one message: checks whether it may still be sent, calls the provider, and derives the outcome from the
 * response.
 */

import { type Sql, transaction } from '../../db/client.ts'
import { clock } from '../../platform/clock.ts'
import {
  apiUrlOf,
  type ChannelSettings,
  markFailing,
  markWorking,
  NoCredentials,
  openCredentials,
  type Provider,
  type Providers,
  pauseChannel,
  type SendError,
  type SendResult,
  statusUrlOf,
  withoutCredentials,
} from '../channels/index.ts'
import { noteChanges } from '../stream/index.ts'
import { sendMailSoon } from '../tasks.ts'
import { erased } from './erase.ts'
import { optedOut } from './opted-out.ts'
import {
  channelDisconnected,
  type DueMessage,
  type Left,
  leaveMessages,
  type MessageSettlement,
  type PutOff,
  putOffMessages,
  settleMessages,
} from './sql.ts'
import { takeEarlyStatuses } from './statuses.ts'
import type { ProvidersMessage } from './statuses-sql.ts'

/** Outcome of an attempt to send: settled, due again later, or left to another process. */
export type Handled = (MessageSettlement | PutOff | Left) & { aside?: Aside }

/** Side effect of an attempt on the customer or the channel. */
export type Aside =
  /** The customer opted out at the provider, or another customer with the same address has opted out. */
  | { kind: 'opts out'; reason: string }
  /** The provider rejects our credentials. The channel pauses for `afterMs` and then tries a single message. */
  | { kind: 'fails'; detail: string; afterMs: number }
  /** The provider asked to slow down. */
  | { kind: 'rests'; afterMs: number }
  /** The provider accepts our credentials again. */
  | { kind: 'works' }

/** Settings needed to reach providers. */
export type Reach = Omit<ChannelSettings, 'providers'>

/** Default for providers that need no settings. */
const nowhere: Reach = {
  seals: null,
  publicUrl: () => '',
  hasPublicUrl: false,
  providerUrls: { WHATSAPP_API_URL: '', TWILIO_API_URL: '' },
}

/** Provider timeout in milliseconds. */
export const sendTimeoutMs = 30_000
/** Maximum number of times a message is put off after a temporary error. The next temporary error fails it. */
const maxPutOff = 5
/** Backoff in milliseconds when the provider gives no delay. Doubles with each attempt, within these bounds. */
const putOffMs = { min: 1000, max: 300_000 }
/**
 * Backoff in milliseconds of the channel when the provider rejects our credentials. The message waits until the
 * provider accepts them, or the channel is disconnected.
 */
const refusedUsMs = { min: 30_000, max: 900_000 }
const maxDetail = 500

/**
 * Sends one message to its provider, unless it may no longer be sent. The check uses the state at sending time, however
 * old the message is. If an earlier attempt was begun and its outcome is unknown, the message becomes `unknown`. It is
 * sent again only if the provider deduplicates by our id.
 */
export const sendMessage = async (
  message: DueMessage,
  providers: Providers,
  signal: AbortSignal,
  timeoutMs = sendTimeoutMs,
  reach: Reach = nowhere,
): Promise<Handled> => {
  if (!isKnown(message, providers)) return leftToOthers(message)
  const provider: Provider = providers[message.channelKind]
  if (message.begun && !provider.capabilities.knowsOurIds) return settlement(message, [nobodyKnows])
  const skipped = skippedBecause(message, provider)
  if (skipped !== null)
    return { ...settlement(message, [{ status: 'skipped', detail: skipped }]), ...goesWith(message) }
  const settings = { ...reach, providers }
  try {
    const credentials = openCredentials(reach.seals, message.credentials, message)
    const { id, handle, text, template, sandboxDelivery, channelId, channelKind: kind } = message
    const handover = {
      credentials,
      apiUrl: apiUrlOf(provider, settings),
      statusUrl: statusUrlOf({ kind, channelId, id }, settings),
      sandboxDelivery,
      timeoutMs,
      signal,
    }
    const outbound = { id, handle, text, template: provider.capabilities.templates ? template : null }
    const result = await withinTime(provider.send(outbound, handover), timeoutMs)
    return followsFrom(withoutSecrets(result, credentials), message, provider)
  } catch (error) {
    if (error instanceof NoCredentials) return refusesUs(error.message, message)
    throw error
  }
}

/** Returns the reason why a message must not be sent now; null if it may be sent. */
export const skippedBecause = (message: DueMessage, { capabilities }: Provider): string | null => {
  if (message.channelStatus === 'disconnected') return channelDisconnected
  if (message.erased) return erased
  if ((message.optedOut || message.addressStop !== null) && !isReply(message)) return optedOut
  if (message.marketing && !message.optedIn)
    return 'no_opt_in: The template is for marketing, and the customer has not opted in.'
  return isOutsideWindow(message, capabilities.freeFormWindowHours, capabilities.templates) ? windowClosed : null
}

/** An opt-out from an address applies to every customer with that address, until an owner lifts it. */
const goesWith = ({ channelStatus, optedOut, erased, addressStop: reason }: DueMessage): { aside?: Aside } =>
  channelStatus === 'disconnected' || erased || optedOut || reason === null
    ? {}
    : { aside: { kind: 'opts out', reason } }

/** A person's plain reply is sent if the customer opened the conversation, even if they have opted out. */
const isReply = ({ sentBy, isTemplate, customerOpened }: DueMessage): boolean =>
  sentBy === 'user' && !isTemplate && customerOpened === true

const windowClosed = 'window_closed: The time in which anything may be written to the customer is over.'

/** Messages by a person are left to the provider to judge: they were within the window when written. */
const isOutsideWindow = (message: DueMessage, hours: number | null, takesTemplates: boolean): boolean => {
  if (hours === null || message.sentBy === 'user' || (takesTemplates && message.template !== null)) return false
  return message.sinceInboundMs === null || message.sinceInboundMs >= hours * 3_600_000
}

/**
 * Returns whether this process knows the channel kind of the message. A newer release that runs in parallel may know
 * more kinds.
 */
export const isKnown = ({ channelKind }: DueMessage, providers: Providers): boolean =>
  Object.hasOwn(providers, channelKind)

/** Milliseconds for which a message of an unknown kind is left to processes that know it. */
const unknownKindWaitMs = 15_000

const leftToOthers = ({ workspaceId, id }: DueMessage): Left => ({ workspaceId, id, leftMs: unknownKindWaitMs })

/** Limits the wait, so that a provider that ignores its timeout does not block the messages after this one. */
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

/** Removes credentials from the texts of a result, because a provider may echo them. */
const withoutSecrets = (result: SendResult, credentials: unknown): SendResult => {
  if (credentials === null) return result
  const clean = (text: string) => withoutCredentials(text, credentials).slice(0, maxDetail)
  switch (result.kind) {
    case 'accepted':
      return result
    case 'unknown':
      return { ...result, detail: clean(result.detail) }
    case 'refused':
      return { ...result, error: { ...result.error, detail: clean(result.error.detail) } }
  }
}

const followsFrom = (result: SendResult, message: DueMessage, provider: Provider): Handled => {
  switch (result.kind) {
    case 'accepted':
      return accepted(result, message, provider)
    case 'unknown':
      return settlement(message, [{ status: 'unknown', detail: result.detail }])
    case 'refused':
      return afterRefusal(result.error, message)
  }
}

const accepted = (
  { providerMessageId, statuses }: Extract<SendResult, { kind: 'accepted' }>,
  message: DueMessage,
  { callbacks }: Provider,
): Handled => ({
  ...settlement(message, [{ status: 'sent', detail: null }, ...statuses], providerMessageId),
  ...(callbacks !== null && { calledBack: { channelId: message.channelId } }),
  ...(message.channelStatus === 'failing' && { aside: { kind: 'works' } as const }),
})

const afterRefusal = (error: SendError, message: DueMessage): Handled => {
  const { workspaceId, id, putOff } = message
  if (error.class === 'auth') return refusesUs(detailOf(error), message)
  const mayBeLater = isForLater(error) && (putOff < maxPutOff || asksForRest(error))
  if (!mayBeLater) return failed(error, message)
  const wait = error.retryAfterMs ?? putOffMs.min * 2 ** putOff
  const afterMs = Math.min(Math.max(wait, putOffMs.min), putOffMs.max)
  return { workspaceId, id, putOff, afterMs, ...(asksForRest(error) && { aside: { kind: 'rests', afterMs } as const }) }
}

const failed = (error: SendError, message: DueMessage): Handled => {
  const detail = detailOf(error)
  return {
    ...settlement(message, [{ status: 'failed', detail }]),
    ...(error.class === 'opted_out' && { aside: { kind: 'opts out', reason: detail } as const }),
  }
}

/**
 * Pauses the channel, not the message. The message only moves behind those that were not tried. When the provider
 * accepts us again, it is sent immediately.
 */
const refusesUs = (detail: string, { workspaceId, id, putOff }: DueMessage): Handled => {
  const afterMs = Math.min(refusedUsMs.min * 2 ** Math.min(putOff, 10), refusedUsMs.max)
  return { workspaceId, id, putOff, afterMs: putOffMs.min, aside: { kind: 'fails', detail, afterMs } }
}

/** Adds the provider's own error code, so that the reader can look it up in the provider's documentation. */
const detailOf = ({ code, detail }: SendError): string =>
  code === null || detail.includes(code) ? detail : `${detail} (code ${code})`

const isForLater = ({ class: kind }: SendError): boolean => kind === 'retry' || kind === 'rate'

/** A requested delay does not count against the message: it waits as often as the provider asks. */
const asksForRest = ({ class: kind, retryAfterMs }: SendError): boolean => kind === 'rate' && retryAfterMs !== null

const settlement = (
  { workspaceId, id }: DueMessage,
  statuses: MessageSettlement['statuses'],
  providerMessageId: string | null = null,
): MessageSettlement => ({ workspaceId, id, providerMessageId, statuses })

/** Opts a customer out. Implemented by the module that owns customers. */
export type OptsOut = (
  sql: Sql,
  words: { workspaceId: string; id: string; reason: string; source: 'customer'; channelId: string },
) => Promise<unknown>

/** Applies the side effect of an attempt; idempotent. */
export const carryOutAside = async (
  sql: Sql,
  aside: Aside,
  message: DueMessage,
  { optOut }: { optOut: OptsOut },
): Promise<void> => {
  const { workspaceId, channelId: id, channelId, customerId } = message
  switch (aside.kind) {
    case 'opts out':
      await optOut(sql, { workspaceId, id: customerId, reason: aside.reason, source: 'customer', channelId })
      return
    case 'fails':
      await fail(sql, { workspaceId, id, detail: aside.detail, afterMs: aside.afterMs })
      return
    case 'rests':
      await pauseChannel(sql, { workspaceId, id, afterMs: aside.afterMs })
      return
    case 'works':
      await markWorking(sql, workspaceId, id)
  }
}

/** Marks the channel as failing and, if it was not failing before, notifies the owners in the same transaction. */
const fail = (sql: Sql, channel: Parameters<typeof markFailing>[1]): Promise<void> =>
  transaction(sql, async tx => {
    const { workspaceId, id } = channel
    if (!(await markFailing(tx, channel))) return
    const since = new Date(clock.now()).toISOString()
    await sendMailSoon(tx, { kind: 'notice', of: 'channel failing', workspaceId, id, since, to: null })
  })

/**
 * Records the outcomes of a batch of messages; idempotent. Returns the ids of messages whose rows are locked by another
 * transaction, and which were not recorded.
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
  const isLocked = new Set(locked.flatMap(ids => [...ids]))
  noteChanges(
    sql,
    'message',
    settled.filter(({ id }) => !isLocked.has(id)),
  )
  const accepted = settled.filter(({ id }) => !isLocked.has(id)).flatMap(asItsProviderCallsIt)
  if (accepted.length > 0) await takeEarlyStatuses(sql, accepted)
  return isLocked
}

const asItsProviderCallsIt = ({ workspaceId, calledBack, providerMessageId }: MessageSettlement): ProvidersMessage[] =>
  calledBack && providerMessageId !== null ? [{ workspaceId, providerMessageId, ...calledBack }] : []
