/** What a provider calls back with: whether it is from it, what it tells, and where each part of that goes. */
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
  /** What every callback of this provider is answered. */
  answer: { contentType: string; body: string }
  /** In words, each for something that could not be understood. */
  notUnderstood: string[]
}

/** Requires the header with the signature, before the body is read. 401 (DomainError) where it is missing. */
export const requireSignature = (settings: ChannelSettings, { kind }: CalledChannel, headers: Headers): void => {
  const name = settings.providers[kind].callbacks?.signatureHeader
  if (name !== undefined && !headers.has(name)) throw notSigned()
}

/** Whether the signature of the provider holds over the callback. */
export const isSigned = (settings: ChannelSettings, { channel, request }: Callback): boolean => {
  const { callbacks, credentials } = withCredentials(channel, settings)
  return callbacks.verify(request, credentials)
}

/** 401: the signature is missing, or is not the provider's. */
export const notSigned = () =>
  new DomainError(
    'unauthorized',
    'The signature is missing, or is not that of the provider over this body and address.',
  )

/**
 * Records all that a signed callback tells, and only then has its answer. `onItems` is called with the number of things it
 * tells before any is recorded, and may throw. Told again, it changes nothing more: where a part could not be recorded for
 * now, all of it fails, and is to come again.
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
  // A wish comes first: nothing of ours may answer to the message that tells it.
  const first = await record(sql, channel, wishes)
  const second = await record(sql, channel, others)
  // Whoever becomes known by that message was nobody whose wish could be recorded before it; the others become known now.
  const third = await record(sql, channel, first.ofNobody, enrolling)
  const faults = [first, second, third].flatMap(recorded => recorded.notUnderstood)
  return { answer: callbacks.answer, notUnderstood: [...notUnderstood, ...faults].slice(0, maxNotUnderstood) }
}

/** Of one callback; the rest is more of the same. */
const maxNotUnderstood = 20

/** What a provider that asks whether we are there is answered. 403 (DomainError) where it does not know us. */
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
    // Nothing is wrong with what was sent: it is to come again once the operator has seen to the key.
    if (error instanceof NoCredentials) throw tryLater('internal_error', error.message, 60)
    throw error
  }
}

/** An item of a callback; a message is ready to be recorded, and was read once. */
type Item = Exclude<CallbackItem, { kind: 'message' }> | (Incoming & { kind: 'message' })

type Wish = Extract<Item, { kind: 'preference' }>

type Message = Extract<Item, { kind: 'message' }>

const isMessage = (item: Item): item is Message => item.kind === 'message'

const isWish = (item: Item): item is Wish => item.kind === 'preference'

/** Reads the messages among the items, in turns with whatever else this process has to do. */
const takenIn = async ({ workspaceId, id: channelId, kind }: CalledChannel, items: CallbackItem[]): Promise<Item[]> => {
  const told = items.flatMap(item => (item.kind === 'message' ? [item] : []))
  const messages = await takeIn(told.map(message => ({ ...message, workspaceId, channelId, channelKind: kind })))
  let next = 0
  return items.map(item => (item.kind === 'message' ? { ...messages[next++]!, kind: 'message' as const } : item))
}

/** A provider may tell of a message that asks for messages again as a wish besides: that is noted once, by the message. */
const inTurn = (items: Item[]): { wishes: Wish[]; others: Item[] } => {
  const resuming = new Set(items.flatMap(item => (isMessage(item) && item.reading.resumes ? [item.handle] : [])))
  const wishes = items.filter(isWish).filter(({ wants, handle }) => wants === 'stop' || !resuming.has(handle))
  return { wishes, others: items.filter(item => !isWish(item)) }
}

interface Recorded {
  /** What can never be recorded, in words. */
  notUnderstood: string[]
  /** Those that tell of somebody who is no customer. */
  ofNobody: Item[]
}

/** Whether somebody who wants nothing becomes a customer by saying so. */
interface RecordOptions {
  enrols: boolean
}

const enrolling: RecordOptions = { enrols: true }

/** Throws for what may be recorded when it comes again. */
const record = async (
  sql: Sql,
  channel: CalledChannel,
  items: Item[],
  options: RecordOptions = { enrols: false },
): Promise<Recorded> => {
  const others = items.filter(item => !isMessage(item))
  const [written, done] = await Promise.all([
    // Their order counts: they are a conversation.
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

/** A value, or what it would break, will be the same each time it comes. */
const liesInTheValue = (error: unknown): boolean => {
  const state = sqlState(error) ?? ''
  return state.startsWith('22') || state.startsWith('23')
}
