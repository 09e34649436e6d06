/**
 * Sends one message: checks whether it may still be sent, calls the provider, and derives the outcome from the
 * response.
 */

import { recordChanges } from '../../core/changes/index.ts'
import { clock } from '../../platform/clock.ts'
import { type Sql, transaction } from '../../platform/postgres/client.ts'
import { enqueueMail } from '../../queue/tasks.ts'
import {
  apiUrlOf,
  type ChannelSettings,
  decryptCredentials,
  markConnected,
  markFailing,
  NoCredentials,
  type Provider,
  type Providers,
  pauseChannel,
  redactCredentials,
  type SendError,
  type SendResult,
  statusUrlOf,
} from '../channels/index.ts'
import { erased } from './erase.ts'
import { optedOut } from './opted-out.ts'
import {
  channelDisconnected,
  type DeferredMessage,
  type DueMessage,
  deferMessages,
  type MessageSettlement,
  type RetriedMessage,
  retryMessages,
  settleMessages,
} from './sql.ts'
import { applyEarlyStatuses } from './statuses.ts'
import type { ProviderMessage } from './statuses-sql.ts'

/** Outcome of an attempt to send: settled, due again later, or left to another process. */
export type SendOutcome = (MessageSettlement | RetriedMessage | DeferredMessage) & { sideEffect?: SideEffect }

/** Side effect of an attempt on the customer or the channel. */
export type SideEffect =
  /** The customer opted out at the provider, or another customer with the same address has opted out. */
  | { kind: 'opts out'; reason: string }
  /** The provider rejects our credentials. The channel pauses for `afterMs` and then tries a single message. */
  | { kind: 'fails'; detail: string; afterMs: number }
  /** The provider asked to slow down. */
  | { kind: 'pauses'; afterMs: number }
  /** The provider accepts our credentials again. */
  | { kind: 'works' }

/** Settings needed to reach providers. */
export type ProviderSettings = Omit<ChannelSettings, 'providers'>

/** Default for providers that need no settings. */
const defaultSettings: ProviderSettings = {
  keyring: null,
  publicUrl: () => '',
  hasPublicUrl: false,
  providerUrls: {},
}

/** Provider timeout in milliseconds. */
export const sendTimeoutMs = 30_000
/** Maximum number of times a message is put off after a temporary error. The next temporary error fails it. */
const maxRetries = 5
/** Backoff in milliseconds when the provider gives no delay. Doubles with each attempt, within these bounds. */
const retryDelayMs = { min: 1000, max: 300_000 }
/**
 * Backoff in milliseconds of the channel when the provider rejects our credentials. The message waits until the
 * provider accepts them, or the channel is disconnected.
 */
const authBackoffMs = { min: 30_000, max: 900_000 }
const maxDetail = 500

/**
 * Sends one message to its provider, unless it may no longer be sent. The check uses the state at sending time, however
 * old the message is. If an earlier attempt has started and its outcome is unknown, the message becomes `unknown`. It is
 * sent again only if the provider deduplicates by our id.
 */
export const sendMessage = async (
  message: DueMessage,
  providers: Providers,
  signal: AbortSignal,
  timeoutMs = sendTimeoutMs,
  providerSettings: ProviderSettings = defaultSettings,
): Promise<SendOutcome> => {
  if (!isKnownKind(message, providers)) return deferToOthers(message)
  const provider: Provider = providers[message.channelKind]
  if (message.sendStarted && !provider.capabilities.isIdempotent) return settlement(message, [interrupted])
  const skipped = skipReason(message, provider)
  if (skipped !== null)
    return { ...settlement(message, [{ status: 'skipped', detail: skipped }]), ...optOutSideEffect(message) }
  const settings = { ...providerSettings, providers }
  try {
    const credentials = decryptCredentials(settings.keyring, message.credentials, message)
    const { id, handle, text, template, sandboxDelivery, channelId, channelKind: kind, traceparent } = message
    const options = {
      credentials,
      apiUrl: apiUrlOf(provider, settings),
      statusUrl: statusUrlOf({ kind, channelId, id }, settings),
      sandboxDelivery,
      timeoutMs,
      signal,
      traceparent,
    }
    const outbound = { id, handle, text, template: provider.capabilities.templates ? template : null }
    const result = await withTimeout(provider.send(outbound, options), timeoutMs)
    return toOutcome(redactResult(result, credentials), message, provider)
  } catch (error) {
    if (error instanceof NoCredentials) return credentialsRejected(error.message, message)
    throw error
  }
}

/** Returns the reason why a message must not be sent now; null if it may be sent. */
export const skipReason = (message: DueMessage, { capabilities }: Provider): string | null => {
  if (message.channelStatus === 'disconnected') return channelDisconnected
  if (message.erased) return erased
  if ((message.optedOut || message.addressOptOut !== null) && !isReply(message)) return optedOut
  if (message.marketing && !message.optedIn)
    return 'no_opt_in: The template is for marketing, and the customer has not opted in.'
  return isOutsideWindow(message, capabilities.freeFormWindowHours, capabilities.templates) ? windowClosed : null
}

/** An opt-out from an address applies to every customer with that address, until an owner lifts it. */
const optOutSideEffect = ({
  channelStatus,
  optedOut,
  erased,
  addressOptOut: reason,
}: DueMessage): { sideEffect?: SideEffect } =>
  channelStatus === 'disconnected' || erased || optedOut || reason === null
    ? {}
    : { sideEffect: { kind: 'opts out', reason } }

/** A person's plain reply is sent if the customer opened the conversation, even if they have opted out. */
const isReply = ({ sentBy, isTemplate, customerOpened }: DueMessage): boolean =>
  sentBy === 'user' && !isTemplate && customerOpened === true

const windowClosed = 'window_closed: The messaging window of the provider has closed.'

/** Excludes messages by a person, which were within the window when written. The provider decides about them. */
const isOutsideWindow = (message: DueMessage, hours: number | null, takesTemplates: boolean): boolean => {
  if (hours === null || message.sentBy === 'user' || (takesTemplates && message.template !== null)) return false
  return message.sinceInboundMs === null || message.sinceInboundMs >= hours * 3_600_000
}

/**
 * Returns whether this process knows the channel kind of the message. A newer release that runs in parallel may know
 * more kinds.
 */
export const isKnownKind = ({ channelKind }: DueMessage, providers: Providers): boolean =>
  Object.hasOwn(providers, channelKind)

/** Milliseconds for which a message of an unknown kind is left to processes that know it. */
const unknownKindWaitMs = 15_000

const deferToOthers = ({ workspaceId, id }: DueMessage): DeferredMessage => ({
  workspaceId,
  id,
  leftMs: unknownKindWaitMs,
})

/** Limits the wait, so that a provider that ignores its timeout does not block the messages after this one. */
const withTimeout = async (sending: Promise<SendResult>, timeoutMs: number): Promise<SendResult> => {
  const { promise: timedOut, resolve } = Promise.withResolvers<SendResult>()
  const detail = `The provider did not answer within ${timeoutMs / 1000} seconds.`
  const timer = setTimeout(() => resolve({ kind: 'unknown', detail }), timeoutMs)
  try {
    return await Promise.race([sending, timedOut])
  } finally {
    clearTimeout(timer)
  }
}

const interrupted = {
  status: 'unknown',
  detail: 'The service stopped while it sent the message. The message may have arrived.',
} as const

/** Removes credentials from the texts of a result, because a provider may echo them. */
const redactResult = (result: SendResult, credentials: unknown): SendResult => {
  if (credentials === null) return result
  const clean = (text: string) => redactCredentials(text, credentials).slice(0, maxDetail)
  switch (result.kind) {
    case 'accepted':
      return result
    case 'unknown':
      return { ...result, detail: clean(result.detail) }
    case 'refused':
      return { ...result, error: { ...result.error, detail: clean(result.error.detail) } }
  }
}

const toOutcome = (result: SendResult, message: DueMessage, provider: Provider): SendOutcome => {
  switch (result.kind) {
    case 'accepted':
      return accepted(result, message, provider)
    case 'unknown':
      return settlement(message, [{ status: 'unknown', detail: result.detail }])
    case 'refused':
      return afterRejection(result.error, message)
  }
}

const accepted = (
  { providerMessageId, statuses }: Extract<SendResult, { kind: 'accepted' }>,
  message: DueMessage,
  { callbacks }: Provider,
): SendOutcome => ({
  ...settlement(message, [{ status: 'sent', detail: null }, ...statuses], providerMessageId),
  ...(callbacks !== null && { callbackChannel: { channelId: message.channelId } }),
  ...(message.channelStatus === 'failing' && { sideEffect: { kind: 'works' } as const }),
})

const afterRejection = (error: SendError, message: DueMessage): SendOutcome => {
  const { workspaceId, id, retries } = message
  if (error.class === 'auth') return credentialsRejected(detailWithCode(error), message)
  const canRetry = isRetryable(error) && (retries < maxRetries || hasRequestedDelay(error))
  if (!canRetry) return failed(error, message)
  const wait = error.retryAfterMs ?? retryDelayMs.min * 2 ** retries
  const afterMs = Math.min(Math.max(wait, retryDelayMs.min), retryDelayMs.max)
  return {
    workspaceId,
    id,
    retries,
    afterMs,
    ...(hasRequestedDelay(error) && { sideEffect: { kind: 'pauses', afterMs } as const }),
  }
}

const failed = (error: SendError, message: DueMessage): SendOutcome => {
  const detail = detailWithCode(error)
  return {
    ...settlement(message, [{ status: 'failed', detail }]),
    ...(error.class === 'opted_out' && { sideEffect: { kind: 'opts out', reason: detail } as const }),
  }
}

/**
 * Pauses the channel, not the message. The message only moves behind those that were not tried. When the provider
 * accepts us again, it is sent immediately.
 */
const credentialsRejected = (detail: string, { workspaceId, id, retries }: DueMessage): SendOutcome => {
  const afterMs = Math.min(authBackoffMs.min * 2 ** Math.min(retries, 10), authBackoffMs.max)
  return { workspaceId, id, retries, afterMs: retryDelayMs.min, sideEffect: { kind: 'fails', detail, afterMs } }
}

/** Adds the provider's own error code, so that the reader can look it up in the provider's documentation. */
const detailWithCode = ({ code, detail }: SendError): string =>
  code === null || detail.includes(code) ? detail : `${detail} (code ${code})`

const isRetryable = ({ class: kind }: SendError): boolean => kind === 'retry' || kind === 'rate'

/** A requested delay does not count against the message: it waits as often as the provider asks. */
const hasRequestedDelay = ({ class: kind, retryAfterMs }: SendError): boolean =>
  kind === 'rate' && retryAfterMs !== null

const settlement = (
  { workspaceId, id }: DueMessage,
  statuses: MessageSettlement['statuses'],
  providerMessageId: string | null = null,
): MessageSettlement => ({ workspaceId, id, providerMessageId, statuses })

/** Opts a customer out. Implemented by the module that owns customers. */
export type OptOutCustomer = (
  sql: Sql,
  words: { workspaceId: string; id: string; reason: string; source: 'customer'; channelId: string },
) => Promise<unknown>

/** Applies the side effect of an attempt; idempotent. */
export const applySideEffect = async (
  sql: Sql,
  sideEffect: SideEffect,
  message: DueMessage,
  { optOut }: { optOut: OptOutCustomer },
): Promise<void> => {
  const { workspaceId, channelId: id, channelId, customerId } = message
  switch (sideEffect.kind) {
    case 'opts out':
      await optOut(sql, { workspaceId, id: customerId, reason: sideEffect.reason, source: 'customer', channelId })
      return
    case 'fails':
      await fail(sql, { workspaceId, id, detail: sideEffect.detail, afterMs: sideEffect.afterMs })
      return
    case 'pauses':
      await pauseChannel(sql, { workspaceId, id, afterMs: sideEffect.afterMs })
      return
    case 'works':
      await markConnected(sql, workspaceId, id)
  }
}

/** Marks the channel as failing and, if it was not failing before, notifies the owners in the same transaction. */
const fail = (sql: Sql, channel: Parameters<typeof markFailing>[1]): Promise<void> =>
  transaction(sql, async tx => {
    const { workspaceId, id } = channel
    if (!(await markFailing(tx, channel))) return
    const since = new Date(clock.now()).toISOString()
    await enqueueMail(tx, { kind: 'notice', of: 'channel failing', workspaceId, id, since, to: null })
  })

/**
 * Records the outcomes of a batch of messages; idempotent. Returns the ids of messages whose rows are locked by another
 * transaction, and which were not recorded.
 */
export const settle = async (sql: Sql, outcomes: SendOutcome[]): Promise<Set<string>> => {
  const settled = outcomes.filter(outcome => 'statuses' in outcome)
  const later = outcomes.filter(outcome => 'afterMs' in outcome)
  const left = outcomes.filter(outcome => 'leftMs' in outcome)
  const locked = [
    later.length > 0 ? await retryMessages(sql, later) : [],
    left.length > 0 ? await deferMessages(sql, left) : [],
    settled.length > 0 ? await settleMessages(sql, settled) : [],
  ]
  const lockedIds = new Set(locked.flatMap(ids => [...ids]))
  recordChanges(
    sql,
    'message',
    settled.filter(({ id }) => !lockedIds.has(id)),
  )
  const accepted = settled.filter(({ id }) => !lockedIds.has(id)).flatMap(toProviderMessage)
  if (accepted.length > 0) await applyEarlyStatuses(sql, accepted)
  return lockedIds
}

const toProviderMessage = ({
  workspaceId,
  callbackChannel,
  providerMessageId,
}: MessageSettlement): ProviderMessage[] =>
  callbackChannel && providerMessageId !== null ? [{ workspaceId, providerMessageId, ...callbackChannel }] : []
