/** Traces from an event to its deliveries, read through the API starting from any of the records. */
import type { QueryClient } from '@tanstack/react-query'
import type { Schemas } from '../api/client.ts'
import { createReader, type Reader } from './reader.ts'

/** Record that the trace starts from. */
export type Subject =
  | { kind: 'event' | 'run' | 'message' | 'outbound_event'; id: string }
  | { kind: 'delivery'; id: string; webhookId: string }

/** Outbound event with the deliveries that the person can see. */
export interface OutboundTrace {
  event: Schemas['OutboundEventDetail']
  deliveries: Record<string, Schemas['Delivery']>
  /** Endpoints by id. */
  endpoints: Record<string, Schemas['Webhook']>
}

export interface MessageTrace {
  message: Schemas['MessageDetail']
  /** Name of the template of an outbound message. Null without a template, or if it was removed. */
  template: string | null
  /** Name of the member who wrote the message. Null without one, or if it is unknown. */
  member: string | null
  outbound: OutboundTrace[]
}

/** Trace: the event, the run it started and their results. null = unknown, or there is none. */
export interface Trace {
  event: Schemas['EventWithOutcomes'] | null
  run: Schemas['Run'] | null
  /** Replies of the customer that the run waited for, by id. */
  replies: Record<string, Schemas['MessageDetail']>
  /** Number of messages of the run that are not in `messageTraces`. */
  moreMessages: number
  messageTraces: MessageTrace[]
  /** Outbound events about something other than a message. */
  outbound: OutboundTrace[]
  /** True if outbound events may be missing, because the search for them stopped early. */
  isIncomplete: boolean
}

/** Limits per trace. More would be hard to read, and each record costs several requests. */
const maxRuns = 4
const maxMessages = 3
const maxReplies = 3
const maxDeliveries = 4
/** Maximum number of pages searched for the outbound events of a message. The API cannot filter them by message. */
const maxPages = 3
/** Maximum number of runs checked as the sender of a message, starting with the latest before it. */
const maxCandidates = 3

export const loadTraces = async (queries: QueryClient, subject: Subject, owner: boolean): Promise<Trace[]> => {
  const reader = createReader(queries, owner)
  switch (subject.kind) {
    case 'event':
      return traceEvent(reader, await reader.event(subject.id))
    case 'run': {
      const run = await reader.run(subject.id)
      return [await traceRun(reader, await reader.orNull(reader.event(run.eventId)), run)]
    }
    case 'message':
      return [await traceMessage(reader, await reader.message(subject.id))]
    case 'outbound_event':
      return [await traceOutbound(reader, await reader.outbound(subject.id))]
    case 'delivery': {
      const delivery = await reader.delivery(subject.webhookId, subject.id)
      return [
        await traceOutbound(reader, withDelivery(await reader.outbound(delivery.eventId), subject.webhookId, delivery)),
      ]
    }
  }
}

/**
 * Replaces the delivery of an endpoint with the one being viewed. With several deliveries, the event names only the
 * newest.
 */
const withDelivery = (
  event: Schemas['OutboundEventDetail'],
  webhookId: string,
  { id, status }: Schemas['Delivery'],
): Schemas['OutboundEventDetail'] => ({
  ...event,
  destinations: event.destinations.map(one =>
    one.webhookId === webhookId ? { ...one, deliveryId: id, status, reason: null } : one,
  ),
})

const traceEvent = async (reader: Reader, event: Schemas['EventWithOutcomes']): Promise<Trace[]> => {
  const runIds = event.outcomes.flatMap(({ verdict, runId }) => (verdict === 'started' && runId ? [runId] : []))
  if (runIds.length === 0) return [{ ...noRun, event, messageTraces: [], outbound: [], isIncomplete: false }]
  const runs = await Promise.all(runIds.slice(0, maxRuns).map(id => reader.orNull(reader.run(id))))
  return Promise.all(runs.map(run => traceRun(reader, event, run)))
}

const traceRun = async (
  reader: Reader,
  event: Schemas['EventWithOutcomes'] | null,
  run: Schemas['Run'] | null,
): Promise<Trace> => {
  const ids = run ? await listMessageIds(reader, event, run.id) : []
  const [replies, ...messages] = await Promise.all([
    readReplies(reader, run),
    ...ids.slice(0, maxMessages).map(id => reader.orNull(reader.message(id))),
  ])
  const moreMessages = Math.max(ids.length - maxMessages, 0)
  return { event, run, replies, moreMessages, ...(await findMessageTraces(reader, nonNull(messages))), outbound: [] }
}

/** Returns the first replies that ended waits of the run. */
const readReplies = async (reader: Reader, run: Schemas['Run'] | null): Promise<Trace['replies']> => {
  const ids = (run?.steps ?? []).flatMap(({ outcome, detail }) => {
    const id = outcome === 'reply' ? (detail as { id?: string } | null)?.id : undefined
    return id ? [id] : []
  })
  const found = await Promise.all(ids.slice(0, maxReplies).map(id => reader.orNull(reader.message(id))))
  return Object.fromEntries(nonNull(found).map(message => [message.id, message]))
}

/**
 * Returns the ids in the order in which the run wrote the messages. If the event is no longer stored, they are read by
 * run.
 */
const listMessageIds = async (
  reader: Reader,
  event: Schemas['EventWithOutcomes'] | null,
  runId: string,
): Promise<string[]> =>
  event
    ? event.messages.filter(one => one.runId === runId).map(({ id }) => id)
    : (await reader.messagesByRun(runId)).data.map(({ id }) => id).reverse()

const traceMessage = async (reader: Reader, message: Schemas['MessageDetail']): Promise<Trace> => {
  const [origin, messagePart] = await Promise.all([findOrigin(reader, message), findMessageTraces(reader, [message])])
  return { ...origin, ...messagePart, outbound: [] }
}

const traceOutbound = async (reader: Reader, event: Schemas['OutboundEventDetail']): Promise<Trace> => {
  const outbound = await withDeliveries(reader, event)
  const message = await findMessage(reader, event)
  if (!message) return { ...noRun, messageTraces: [], outbound: [outbound], isIncomplete: false }
  return {
    ...(await findOrigin(reader, message)),
    messageTraces: [{ message, ...(await namesOf(reader, message)), outbound: [outbound] }],
    outbound: [],
    isIncomplete: false,
  }
}

/** Returns the message of an outbound event, searched among the newest of its conversation. */
const findMessage = async (
  reader: Reader,
  { type, data }: Schemas['OutboundEventDetail'],
): Promise<Schemas['MessageDetail'] | null> => {
  if (typeof data.conversationId !== 'string' || !type.startsWith('message.')) return null
  const response = await reader.orNull(reader.messagesByConversation(data.conversationId))
  const found = response?.data.find(message =>
    type === 'message.received'
      ? message.direction === 'inbound' && message.sentAt === data.sentAt && message.text === data.text
      : statusEventIds(message).includes(String(data.providerMessageId)),
  )
  return found ? reader.orNull(reader.message(found.id)) : null
}

/**
 * Returns the ids that `message.status` can use for a message: the provider's id, or ours if no provider accepted it.
 */
const statusEventIds = ({ id, providerMessageId }: Schemas['Message']): string[] =>
  providerMessageId ? [providerMessageId, id] : [id]

type Origin = Pick<Trace, 'event' | 'run' | 'replies' | 'moreMessages'>
const noRun: Origin = { event: null, run: null, replies: {}, moreMessages: 0 }

/** Returns the run that wrote a message, and the event that started the run. */
const findOrigin = async (reader: Reader, message: Schemas['MessageDetail']): Promise<Origin> => {
  if (message.sentBy?.type !== 'workflow') return noRun
  const { sentBy, createdAt, customerId } = message
  const timeline = await reader.orNull(reader.timeline(customerId))
  const candidates = (timeline?.data ?? [])
    .flatMap(item => (item.kind === 'run' && item.workflowId === sentBy.id && item.at <= createdAt ? [item] : []))
    .slice(0, maxCandidates)
  for (const { id, eventId } of candidates) {
    const { data } = await reader.messagesByRun(id)
    if (!data.some(messageTraces => messageTraces.id === message.id)) continue
    const [event, run] = await Promise.all([reader.orNull(reader.event(eventId)), reader.orNull(reader.run(id))])
    return { event, run, replies: await readReplies(reader, run), moreMessages: 0 }
  }
  return noRun
}

/** Returns the outbound events of these messages. */
const findMessageTraces = async (
  reader: Reader,
  messages: Schemas['MessageDetail'][],
): Promise<Pick<Trace, 'messageTraces' | 'isIncomplete'>> => {
  const outboundMessages = messages.filter(hasStatusEvents)
  const { found, isIncomplete } =
    outboundMessages.length > 0 ? await findStatusEvents(reader, outboundMessages) : { found: [], isIncomplete: false }
  const receivedEvents = messages.some(({ direction }) => direction === 'inbound')
    ? (await reader.receivedEvents()).data
    : []
  const messageTraces = await Promise.all(
    messages.map(async message => {
      const eventIds = statusEventIds(message)
      const events =
        message.direction === 'inbound'
          ? receivedEvents.filter(
              ({ data }) => data.conversationId === message.conversationId && data.sentAt === message.sentAt,
            )
          : found.filter(({ data }) => eventIds.includes(String(data.providerMessageId)))
      const [names, ...outbound] = await Promise.all([
        namesOf(reader, message),
        ...events.map(async ({ id }) => {
          const event = await reader.orNull(reader.outbound(id))
          return event && withDeliveries(reader, event)
        }),
      ])
      return { message, ...names, outbound: nonNull(outbound).reverse() }
    }),
  )
  return { messageTraces, isIncomplete }
}

/** Returns the names of the template and of the author of a message. */
const namesOf = async (
  reader: Reader,
  { templateId, sentBy }: Schemas['Message'],
): Promise<Pick<MessageTrace, 'template' | 'member'>> => {
  const [template, member] = await Promise.all([
    templateId === null ? null : reader.templateName(templateId),
    sentBy?.type === 'user' ? reader.memberName(sentBy.id) : null,
  ])
  return { template, member }
}

const reportedStatuses: ReadonlySet<Schemas['Message']['status']> = new Set(['delivered', 'read', 'failed'])
const hasStatusEvents = ({ direction, status }: Schemas['Message']): boolean =>
  direction === 'outbound' && reportedStatuses.has(status)

/** Reads the pages newest first and stops at events older than the oldest message. */
const findStatusEvents = async (reader: Reader, messages: Schemas['MessageDetail'][]) => {
  const names = new Set(messages.flatMap(statusEventIds))
  const from = messages.map(({ createdAt }) => createdAt).sort()[0]!
  const found: Schemas['OutboundEvent'][] = []
  let cursor: string | null = null
  for (let page = 0; page < maxPages; page++) {
    const { data, nextCursor }: { data: Schemas['OutboundEvent'][]; nextCursor: string | null } =
      await reader.statusEvents(cursor)
    found.push(...data.filter(event => names.has(String(event.data.providerMessageId))))
    const last = data.at(-1)
    if (nextCursor === null || (last && last.createdAt < from)) return { found, isIncomplete: false }
    cursor = nextCursor
  }
  return { found, isIncomplete: found.length === 0 }
}

/** Loads deliveries for owners only, because agents cannot see them. */
const withDeliveries = async (reader: Reader, event: Schemas['OutboundEventDetail']): Promise<OutboundTrace> => {
  const destinations = reader.owner ? event.destinations.filter(isStored).slice(0, maxDeliveries) : []
  const [endpoints, ...deliveries] = await Promise.all([
    event.destinations.length > 0 ? reader.endpoints() : {},
    ...destinations.map(({ webhookId, deliveryId }) => reader.orNull(reader.delivery(webhookId, deliveryId!))),
  ])
  const byId = Object.fromEntries(nonNull(deliveries).map(delivery => [delivery.id, delivery]))
  return { event, endpoints, deliveries: byId }
}

const isStored = ({ deliveryId, status }: Schemas['Destination']): boolean =>
  deliveryId !== null && status !== null && status !== 'dropped'

const nonNull = <T>(all: (T | null)[]): T[] => all.filter(one => one !== null)
