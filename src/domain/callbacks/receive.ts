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
import { receiveMessages, receivePreference } from '../inbound/index.ts'
import { recordStatuses } from '../messages/index.ts'
import { readingOf } from '../opt-out-words/index.ts'

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

/**
 * Records all that a callback tells, and only then has its answer. 401 (DomainError) where the provider did not sign it.
 * Told again, it changes nothing more: where a part could not be recorded for now, all of it fails, and is to come again.
 */
export const receiveCallback = async (
  sql: Sql,
  settings: ChannelSettings,
  { channel, request }: Callback,
): Promise<CallbackOutcome> => {
  const { callbacks, credentials } = withCredentials(channel, settings)
  if (!callbacks.verify(request, credentials)) throw notSigned()
  const { items, notUnderstood } = callbacks.read(request, credentials)
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

const notSigned = () =>
  new DomainError(
    'unauthorized',
    'The signature is missing, or is not that of the provider over this body and address.',
  )

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

type Wish = Extract<CallbackItem, { kind: 'preference' }>

type Message = Extract<CallbackItem, { kind: 'message' }>

const isMessage = (item: CallbackItem): item is Message => item.kind === 'message'

const isWish = (item: CallbackItem): item is Wish => item.kind === 'preference'

/** A provider may tell of a message that asks for messages again as a wish besides: that is noted once, by the message. */
const inTurn = (items: CallbackItem[]): { wishes: Wish[]; others: CallbackItem[] } => {
  const resuming = new Set(
    items.flatMap(item => (item.kind === 'message' && readingOf(item.text).resumes ? [item.handle] : [])),
  )
  const wishes = items.filter(isWish).filter(({ wants, handle }) => wants === 'stop' || !resuming.has(handle))
  return { wishes, others: items.filter(item => !isWish(item)) }
}

interface Recorded {
  /** What can never be recorded, in words. */
  notUnderstood: string[]
  /** Those that tell of somebody who is no customer. */
  ofNobody: CallbackItem[]
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
  items: CallbackItem[],
  options: RecordOptions = { enrols: false },
): Promise<Recorded> => {
  const others = items.filter(item => !isMessage(item))
  const [written, done] = await Promise.all([
    recordMessages(sql, channel, items.filter(isMessage)),
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

/** Their order counts: they are a conversation. */
const recordMessages = (sql: Sql, { workspaceId, id: channelId, kind }: CalledChannel, messages: Message[]) =>
  receiveMessages(
    sql,
    messages.map(message => ({ ...message, workspaceId, channelId, channelKind: kind })),
  )

const recordOne = async (
  sql: Sql,
  { workspaceId, id: channelId }: CalledChannel,
  item: Exclude<CallbackItem, Message>,
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
