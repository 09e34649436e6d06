/** Receives provider callbacks: verifies the signature, parses the items and records them. */

import { DomainError, RetryLaterError, retryLater } from '../../core/errors.ts'
import { Failed } from '../../platform/micro-batch.ts'
import { type Sql, sqlState } from '../../platform/postgres/client.ts'
import {
  type CallbackChannel,
  type CallbackContent,
  type CallbackItem,
  type CallbackRequest,
  type ChannelSettings,
  decryptCredentials,
  NoCredentials,
} from '../channels/index.ts'
import { type PreparedMessage, prepareMessages, receiveMessages, receivePreference } from '../inbound/index.ts'
import { recordStatuses } from '../messages/index.ts'

export interface Callback {
  channel: CallbackChannel
  request: CallbackRequest
}

export interface CallbackOutcome {
  /** The response that this provider expects to every callback. */
  response: { contentType: string; body: string }
  /** One sentence for each item that could not be understood. */
  rejections: string[]
}

/** Requires the signature header, before the body is read. 401 (DomainError) if it is missing. */
export const requireSignature = (settings: ChannelSettings, { kind }: CallbackChannel, headers: Headers): void => {
  const name = settings.providers[kind].callbacks?.signatureHeader
  if (name !== undefined && !headers.has(name)) throw invalidSignature()
}

/** Returns whether the provider's signature is valid for the callback. */
export const isSigned = (settings: ChannelSettings, { channel, request }: Callback): boolean => {
  const { callbacks, credentials } = withCredentials(channel, settings)
  return callbacks.verify(request, credentials)
}

/** Returns the 401 error for a missing or invalid signature. */
export const invalidSignature = () =>
  new DomainError(
    'unauthorized',
    'The signature is missing, or does not match the body and the URL. Check the credentials of the channel and PUBLIC_URL.',
  )

/** Parses a signed callback. */
export const readCallback = (settings: ChannelSettings, { channel, request }: Callback): CallbackContent => {
  const { callbacks, credentials } = withCredentials(channel, settings)
  return callbacks.read(request, credentials)
}

/**
 * Records all items of a signed callback, then returns the response. `onItems` is called with the number of items
 * before any is recorded, and can throw. Recording is idempotent. If an item cannot be recorded now, the whole callback
 * fails and the provider must send it again.
 */
export const receiveCallback = async (
  sql: Sql,
  settings: ChannelSettings,
  channel: CallbackChannel,
  { items: parsed, rejections }: CallbackContent,
  onItems: (items: number) => void = () => {},
): Promise<CallbackOutcome> => {
  const { response } = callbacksOf(settings, channel)
  onItems(parsed.length)
  const items = await prepareItems(channel, parsed)
  const { preferences, others } = splitPreferences(items)
  // Opt-outs are recorded first, so that no automation answers the message that contains one.
  const first = await record(sql, channel, preferences)
  const second = await record(sql, channel, others)
  // Records preferences of people who were unknown in the first pass. Some became customers by their message; the
  // others are enrolled here.
  const third = await record(sql, channel, first.fromUnknown, withEnrolment)
  const faults = [first, second, third].flatMap(recorded => recorded.rejections)
  return { response, rejections: [...rejections, ...faults].slice(0, maxRejections) }
}

/** Maximum number of sentences per callback. */
const maxRejections = 20

/** Returns the response to a provider's verification request. 403 (DomainError) if the token is not ours. */
export const challengeResponse = (
  settings: ChannelSettings,
  channel: CallbackChannel,
  query: URLSearchParams,
): string => {
  const { callbacks, credentials } = withCredentials(channel, settings)
  const response = callbacks.challenge?.(query, credentials) ?? null
  if (response === null)
    throw new DomainError(
      'forbidden',
      'The request is not a valid verification request of the provider. Check the verify token of the channel.',
    )
  return response
}

const callbacksOf = ({ providers }: ChannelSettings, { kind }: CallbackChannel) => {
  const { callbacks } = providers[kind]
  if (callbacks === null) throw new Error(`channels of the kind ${kind} have no callbacks`)
  return callbacks
}

const withCredentials = (channel: CallbackChannel, settings: ChannelSettings) => {
  const callbacks = callbacksOf(settings, channel)
  const { workspaceId, id, credentials: encrypted } = channel
  try {
    return { callbacks, credentials: decryptCredentials(settings.keyring, encrypted, { workspaceId, channelId: id }) }
  } catch (error) {
    // The callback itself is valid. The provider must retry it until the operator has fixed the key.
    if (error instanceof NoCredentials) throw retryLater('internal_error', error.message, 60)
    throw error
  }
}

/** An item of a callback. Messages are already prepared for recording. */
type Item = Exclude<CallbackItem, { kind: 'message' }> | (PreparedMessage & { kind: 'message' })

type PreferenceItem = Extract<Item, { kind: 'preference' }>

type MessageItem = Extract<Item, { kind: 'message' }>

const isMessage = (item: Item): item is MessageItem => item.kind === 'message'

const isPreference = (item: Item): item is PreferenceItem => item.kind === 'preference'

/** Prepares the messages among the items. Yields to other work of this process. */
const prepareItems = async (
  { workspaceId, id: channelId, kind }: CallbackChannel,
  items: CallbackItem[],
): Promise<Item[]> => {
  const parsed = items.flatMap(item => (item.kind === 'message' ? [item] : []))
  const messages = await prepareMessages(
    parsed.map(message => ({ ...message, workspaceId, channelId, channelKind: kind })),
  )
  let next = 0
  return items.map(item => (item.kind === 'message' ? { ...messages[next++]!, kind: 'message' as const } : item))
}

/**
 * Drops a resume preference if a message in the same callback already resumes. The message records it, so the ledger
 * gets one entry.
 */
const splitPreferences = (items: Item[]): { preferences: PreferenceItem[]; others: Item[] } => {
  const resuming = new Set(items.flatMap(item => (isMessage(item) && item.reading.resumes ? [item.handle] : [])))
  const preferences = items
    .filter(isPreference)
    .filter(({ wants, handle }) => wants === 'stop' || !resuming.has(handle))
  return { preferences, others: items.filter(item => !isPreference(item)) }
}

interface Recorded {
  /** One sentence for each item that can never be recorded. */
  rejections: string[]
  /** Items of people who are not customers. */
  fromUnknown: Item[]
}

/** Whether a person who opts out becomes a customer by doing so. */
interface RecordOptions {
  canEnrol: boolean
}

const withEnrolment: RecordOptions = { canEnrol: true }

/** Records the items. Throws if an item can be recorded by a later retry. */
const record = async (
  sql: Sql,
  channel: CallbackChannel,
  items: Item[],
  options: RecordOptions = { canEnrol: false },
): Promise<Recorded> => {
  const others = items.filter(item => !isMessage(item))
  const [messageResults, otherResults] = await Promise.all([
    // Recorded in order, because the messages form a conversation.
    receiveMessages(sql, items.filter(isMessage)),
    Promise.allSettled(others.map(item => recordOne(sql, channel, item, options))),
  ])
  const faults = [
    ...messageResults.flatMap(one => (one instanceof Failed ? [one.error] : [])),
    ...otherResults.flatMap(one => (one.status === 'rejected' ? [one.reason] : [])),
  ]
  return {
    rejections: faults.map(reasonFor),
    fromUnknown: others.filter((_, index) => {
      const one = otherResults[index]!
      return one.status === 'fulfilled' && one.value === 'nobody'
    }),
  }
}

const recordOne = async (
  sql: Sql,
  { workspaceId, id: channelId }: CallbackChannel,
  item: Exclude<Item, MessageItem>,
  { canEnrol }: RecordOptions,
): Promise<'recorded' | 'nobody'> => {
  switch (item.kind) {
    case 'status':
      await recordStatuses(sql, { ...item, workspaceId, channelId })
      return 'recorded'
    case 'preference':
      return (await receivePreference(sql, { ...item, workspaceId, channelId }, canEnrol)) ? 'recorded' : 'nobody'
  }
}

const reasonFor = (error: unknown): string => {
  if (error instanceof DomainError && !(error instanceof RetryLaterError)) return error.message
  if (isDataError(error)) return 'A part of it cannot be stored.'
  throw error
}

/** Errors in the data itself (SQLSTATE classes 22 and 23) repeat on every retry. */
const isDataError = (error: unknown): boolean => {
  const state = sqlState(error) ?? ''
  return state.startsWith('22') || state.startsWith('23')
}
