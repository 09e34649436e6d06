/** Sending one message: whether it may still be sent, what is asked of its provider, and what follows from the answer. */

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

/** What follows from an attempt to send: it is settled, due again later, or left to another process. */
export type Handled = (MessageSettlement | PutOff | Left) & { aside?: Aside }

/** What follows besides, for the customer or for the channel. */
export type Aside =
  /** The customer told the provider that they want nothing from this number, or told us so as somebody else. */
  | { kind: 'opts out'; reason: string }
  /** The provider refuses us: nothing more is handed over for so long, and then one message alone. */
  | { kind: 'fails'; detail: string; afterMs: number }
  /** The provider asked for a rest. */
  | { kind: 'rests'; afterMs: number }
  /** The provider had refused us, and does no more. */
  | { kind: 'works' }

/** How providers are reached. */
export type Reach = Omit<ChannelSettings, 'providers'>

/** For providers that need nothing of it. */
const nowhere: Reach = {
  seals: null,
  publicUrl: () => '',
  hasPublicUrl: false,
  providerUrls: { WHATSAPP_API_URL: '', TWILIO_API_URL: '' },
}

/** Milliseconds that a provider has to answer. */
export const sendTimeoutMs = 30_000
/** After a provider has said "later" so often, it is not asked again. */
const maxPutOff = 5
/** Milliseconds to the next try where the provider does not say: doubled each time, within bounds. */
const putOffMs = { min: 1000, max: 300_000 }
/** The same where it refuses us: the message waits until it does no more, or the channel is disconnected. */
const refusedUsMs = { min: 30_000, max: 900_000 }
const maxDetail = 500

/**
 * Hands one message to its provider, unless it may not be sent any more: the moment of sending decides, however long ago
 * the message was written. One that was begun before by somebody who never said what became of it stays where it is, and
 * is sent again only where the provider knows it by our id.
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

/** Why a message is not to be handed over at this moment; null where it is. */
export const skippedBecause = (message: DueMessage, { capabilities }: Provider): string | null => {
  if (message.channelStatus === 'disconnected') return channelDisconnected
  if (message.erased) return erased
  if ((message.optedOut || message.addressStop !== null) && !isReply(message)) return optedOut
  if (message.marketing && !message.optedIn)
    return 'no_opt_in: The template is for marketing, and the customer has not opted in.'
  return isOutsideWindow(message, capabilities.freeFormWindowHours, capabilities.templates) ? windowClosed : null
}

/** What was said from an address holds for whoever has it now, until an owner lifts it. */
const goesWith = ({ channelStatus, optedOut, erased, addressStop: reason }: DueMessage): { aside?: Aside } =>
  channelStatus === 'disconnected' || erased || optedOut || reason === null
    ? {}
    : { aside: { kind: 'opts out', reason } }

/** What a person writes into a conversation that the customer opened goes, whatever they want of us otherwise. */
const isReply = ({ sentBy, isTemplate, customerOpened }: DueMessage): boolean =>
  sentBy === 'user' && !isTemplate && customerOpened === true

const windowClosed = 'window_closed: The time in which anything may be written to the customer is over.'

/** Of what a person wrote, the provider judges: it was within the window when they did. */
const isOutsideWindow = (message: DueMessage, hours: number | null, takesTemplates: boolean): boolean => {
  if (hours === null || message.sentBy === 'user' || (takesTemplates && message.template !== null)) return false
  return message.sinceInboundMs === null || message.sinceInboundMs >= hours * 3_600_000
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

/** A provider may repeat what it was given. */
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
 * The channel is what rests. The message is only put behind those that were not tried: once the provider takes us again,
 * with other credentials perhaps, it goes at once.
 */
const refusesUs = (detail: string, { workspaceId, id, putOff }: DueMessage): Handled => {
  const afterMs = Math.min(refusedUsMs.min * 2 ** Math.min(putOff, 10), refusedUsMs.max)
  return { workspaceId, id, putOff, afterMs: putOffMs.min, aside: { kind: 'fails', detail, afterMs } }
}

/** With the provider's own code, by which its documentation tells more. */
const detailOf = ({ code, detail }: SendError): string =>
  code === null || detail.includes(code) ? detail : `${detail} (code ${code})`

const isForLater = ({ class: kind }: SendError): boolean => kind === 'retry' || kind === 'rate'

/** That is no fault of the message: it waits as often as it is asked for. */
const asksForRest = ({ class: kind, retryAfterMs }: SendError): boolean => kind === 'rate' && retryAfterMs !== null

const settlement = (
  { workspaceId, id }: DueMessage,
  statuses: MessageSettlement['statuses'],
  providerMessageId: string | null = null,
): MessageSettlement => ({ workspaceId, id, providerMessageId, statuses })

/** Opts a customer out, as whoever owns the customers does. */
export type OptsOut = (
  sql: Sql,
  words: { workspaceId: string; id: string; reason: string; source: 'customer'; channelId: string },
) => Promise<unknown>

/** Carries out what follows besides; safe to repeat. */
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

/** By the commit that says so owners are told, where it is news to them. */
const fail = (sql: Sql, channel: Parameters<typeof markFailing>[1]): Promise<void> =>
  transaction(sql, async tx => {
    const { workspaceId, id } = channel
    if (!(await markFailing(tx, channel))) return
    const since = new Date(clock.now()).toISOString()
    await sendMailSoon(tx, { kind: 'notice', of: 'channel failing', workspaceId, id, since, to: null })
  })

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
