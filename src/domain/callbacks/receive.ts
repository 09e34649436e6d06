/** Receives provider callbacks: verifies the signature, parses the items and records them. */
import { Failed } from '../../db/batch.ts'
import { type Sql, sqlState } from '../../db/client.ts'
import {
  type CallbackItem,
  type CallbackRequest,
  type CalledChannel,
  type ChannelSettings,
  NoCredentials,
  openCredentials,
} from '../channels/index.ts'
import { DomainError, TryLaterError, tryLater } from '../errors.ts'
import { type Incoming, receiveMessages, receivePreference, takeIn } from '../inbound/index.ts'
import { recordStatuses } from '../messages/index.ts'

export interface Callback {
  channel: CalledChannel
  request: CallbackRequest
}

export interface CallbackOutcome {
  /** The response that this provider expects to every callback. */
  answer: { contentType: string; body: string }
  /** One sentence for each item that could not be understood. */
  notUnderstood: string[]
}

/** Requires the signature header, before the body is read. 401 (DomainError) if it is missing. */
export const requireSignature = (settings: ChannelSettings, { kind }: CalledChannel, headers: Headers): void => {
  const name = settings.providers[kind].callbacks?.signatureHeader
  if (name !== undefined && !headers.has(name)) throw notSigned()
}

/** Returns whether the provider's signature is valid for the callback. */
export const isSigned = (settings: ChannelSettings, { channel, request }: Callback): boolean => {
  const { callbacks, credentials } = withCredentials(channel, settings)
  return callbacks.verify(request, credentials)
}

/** Returns the 401 error for a missing or invalid signature. */
export const notSigned = () =>
  new DomainError(
    'unauthorized',
    'The signature is missing, or is not that of the provider over this body and address.',
  )

/**
 * Records all items of a signed callback, then returns the response. `onItems` is called with the number of items
 * before any is recorded, and can throw. Recording is idempotent. If an item cannot be recorded now, the whole callback
 * fails and the provider must send it again.
 */
export const receiveCallback = async (
  sql: Sql,
  settings: ChannelSettings,
  { channel, request }: Callback,
  onItems: (items: number) => void = () => {},
): Promise<CallbackOutcome> => {
  const { callbacks, credentials } = withCredentials(channel, settings)
  const { items: told, notUnderstood } = callbacks.read(request, credentials)
  onItems(told.length)
  const items = await takenIn(channel, told)
  const { wishes, others } = inTurn(items)
  // Opt-outs are recorded first, so that no automation answers the message that contains one.
  const first = await record(sql, channel, wishes)
  const second = await record(sql, channel, others)
  // Records preferences of people who were unknown in the first pass. Some became customers by their message; the
  // others are enrolled here.
  const third = await record(sql, channel, first.ofNobody, enrolling)
  const faults = [first, second, third].flatMap(recorded => recorded.notUnderstood)
  return { answer: callbacks.answer, notUnderstood: [...notUnderstood, ...faults].slice(0, maxNotUnderstood) }
}

/** Maximum number of sentences per callback. */
const maxNotUnderstood = 20

/** Returns the response to a provider's verification request. 403 (DomainError) if the token is not ours. */
export const challengeAnswer = (settings: ChannelSettings, channel: CalledChannel, query: URLSearchParams): string => {
  const { callbacks, credentials } = withCredentials(channel, settings)
  const answer = callbacks.challenge?.(query, credentials) ?? null
  if (answer === null)
    throw new DomainError('forbidden', 'This is not how the provider of the channel asks whether we are there.')
  return answer
}

const withCredentials = ({ kind, workspaceId, id, credentials: sealed }: CalledChannel, settings: ChannelSettings) => {
  const { callbacks } = settings.providers[kind]
  if (callbacks === null) throw new Error(`nobody calls back channels of the kind ${kind}`)
  try {
    return { callbacks, credentials: openCredentials(settings.seals, sealed, { workspaceId, channelId: id }) }
  } catch (error) {
    // The callback itself is valid. The provider must retry it until the operator has fixed the key.
    if (error instanceof NoCredentials) throw tryLater('internal_error', error.message, 60)
    throw error
  }
}

/** An item of a callback. Messages are already prepared for recording. */
type Item = Exclude<CallbackItem, { kind: 'message' }> | (Incoming & { kind: 'message' })

type Wish = Extract<Item, { kind: 'preference' }>

type Message = Extract<Item, { kind: 'message' }>

const isMessage = (item: Item): item is Message => item.kind === 'message'

const isWish = (item: Item): item is Wish => item.kind === 'preference'

/** Prepares the messages among the items. Yields to other work of this process. */
const takenIn = async ({ workspaceId, id: channelId, kind }: CalledChannel, items: CallbackItem[]): Promise<Item[]> => {
  const told = items.flatMap(item => (item.kind === 'message' ? [item] : []))
  const messages = await takeIn(told.map(message => ({ ...message, workspaceId, channelId, channelKind: kind })))
  let next = 0
  return items.map(item => (item.kind === 'message' ? { ...messages[next++]!, kind: 'message' as const } : item))
}

/**
 * Drops a resume preference if a message in the same callback already resumes. The message records it, so the ledger
 * gets one entry.
 */
const inTurn = (items: Item[]): { wishes: Wish[]; others: Item[] } => {
  const resuming = new Set(items.flatMap(item => (isMessage(item) && item.reading.resumes ? [item.handle] : [])))
  const wishes = items.filter(isWish).filter(({ wants, handle }) => wants === 'stop' || !resuming.has(handle))
  return { wishes, others: items.filter(item => !isWish(item)) }
}

interface Recorded {
  /** One sentence for each item that can never be recorded. */
  notUnderstood: string[]
  /** Items of people who are not customers. */
  ofNobody: Item[]
}

/** Whether a person who opts out becomes a customer by doing so. */
interface RecordOptions {
  enrols: boolean
}

const enrolling: RecordOptions = { enrols: true }

/** Records the items. Throws if an item can be recorded by a later retry. */
const record = async (
  sql: Sql,
  channel: CalledChannel,
  items: Item[],
  options: RecordOptions = { enrols: false },
): Promise<Recorded> => {
  const others = items.filter(item => !isMessage(item))
  const [written, done] = await Promise.all([
    // Recorded in order, because the messages form a conversation.
    receiveMessages(sql, items.filter(isMessage)),
    Promise.allSettled(others.map(item => recordOne(sql, channel, item, options))),
  ])
  const faults = [
    ...written.flatMap(one => (one instanceof Failed ? [one.error] : [])),
    ...done.flatMap(one => (one.status === 'rejected' ? [one.reason] : [])),
  ]
  return {
    notUnderstood: faults.map(reasonFor),
    ofNobody: others.filter((_, place) => {
      const one = done[place]!
      return one.status === 'fulfilled' && one.value === 'nobody'
    }),
  }
}

const recordOne = async (
  sql: Sql,
  { workspaceId, id: channelId }: CalledChannel,
  item: Exclude<Item, Message>,
  { enrols }: RecordOptions,
): Promise<'recorded' | 'nobody'> => {
  switch (item.kind) {
    case 'status':
      await recordStatuses(sql, { ...item, workspaceId, channelId })
      return 'recorded'
    case 'preference':
      return (await receivePreference(sql, { ...item, workspaceId, channelId }, enrols)) ? 'recorded' : 'nobody'
  }
}

const reasonFor = (error: unknown): string => {
  if (error instanceof DomainError && !(error instanceof TryLaterError)) return error.message
  if (liesInTheValue(error)) return 'The database cannot hold a part of it.'
  throw error
}

/** Errors in the data itself (SQLSTATE classes 22 and 23) repeat on every retry. */
const liesInTheValue = (error: unknown): boolean => {
  const state = sqlState(error) ?? ''
  return state.startsWith('22') || state.startsWith('23')
}
