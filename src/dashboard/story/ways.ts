/** Traces from an event to its deliveries, read through the API starting from any of the records. */
import type { QueryClient } from '@tanstack/react-query'
import { api, Failure, hooks, type Schemas } from '../api/client.ts'

/** Record that the trace starts from. */
export type Subject =
  | { kind: 'event' | 'run' | 'message' | 'outbound_event'; id: string }
  | { kind: 'delivery'; id: string; webhookId: string }

/** Outbound event with the deliveries that the person can see. */
export interface Told {
  event: Schemas['OutboundEventDetail']
  deliveries: Record<string, Schemas['Delivery']>
  /** Names of the endpoints that have one, by id. */
  names: Record<string, string>
}

export interface Written {
  message: Schemas['MessageDetail']
  told: Told[]
}

/** Trace: the event, the run it started and their results. null = unknown, or there is none. */
export interface Way {
  event: Schemas['EventWithOutcomes'] | null
  run: Schemas['Run'] | null
  written: Written[]
  /** Outbound events about something other than a message. */
  told: Told[]
  /** True if outbound events may be missing, because the search for them stopped early. */
  farBack: boolean
}

/** Limits per trace. More would be hard to read, and each record costs several requests. */
const maxRuns = 4
const maxMessages = 3
const maxDeliveries = 4
/** Maximum number of pages searched for the outbound events of a message. The API cannot filter them by message. */
const maxPages = 3
const pageSize = 100
/** Maximum number of runs checked as the sender of a message, starting with the latest before it. */
const maxCandidates = 3
/** Time in milliseconds for which endpoint names are cached. */
const seldomMs = 60_000

export const waysOf = async (queries: QueryClient, subject: Subject, owner: boolean): Promise<Way[]> => {
  const reader = readerOf(queries, owner)
  switch (subject.kind) {
    case 'event':
      return fromEvent(reader, await reader.event(subject.id))
    case 'run': {
      const run = await reader.run(subject.id)
      return [await fromRun(reader, await reader.maybe(reader.event(run.eventId)), run)]
    }
    case 'message':
      return [await fromMessage(reader, await reader.message(subject.id))]
    case 'outbound_event':
      return [await fromTold(reader, await reader.told(subject.id))]
    case 'delivery': {
      const delivery = await reader.delivery(subject.webhookId, subject.id)
      return [await fromTold(reader, withThis(await reader.told(delivery.eventId), subject.webhookId, delivery))]
    }
  }
}

/**
 * Replaces the delivery of an endpoint with the one being viewed. With several deliveries, the event names only the
 * newest.
 */
const withThis = (
  event: Schemas['OutboundEventDetail'],
  webhookId: string,
  { id, status }: Schemas['Delivery'],
): Schemas['OutboundEventDetail'] => ({
  ...event,
  destinations: event.destinations.map(one =>
    one.webhookId === webhookId ? { ...one, deliveryId: id, status, reason: null } : one,
  ),
})

type Reader = ReturnType<typeof readerOf>

/** Reads records through the same cache as the pages. */
const readerOf = (queries: QueryClient, owner: boolean) => ({
  owner,
  event: (id: string) => queries.fetchQuery(hooks.queryOptions('get', '/v1/events/{id}', { params: { path: { id } } })),
  run: (id: string) => queries.fetchQuery(hooks.queryOptions('get', '/v1/runs/{id}', { params: { path: { id } } })),
  message: (id: string) =>
    queries.fetchQuery(hooks.queryOptions('get', '/v1/messages/{id}', { params: { path: { id } } })),
  told: (id: string) =>
    queries.fetchQuery(hooks.queryOptions('get', '/v1/outbound-events/{id}', { params: { path: { id } } })),
  delivery: (id: string, deliveryId: string) =>
    queries.fetchQuery(
      hooks.queryOptions('get', '/v1/webhooks/{id}/deliveries/{deliveryId}', { params: { path: { id, deliveryId } } }),
    ),
  /** The trace is shown without names if they cannot be loaded. */
  names: async (): Promise<Record<string, string>> => {
    const options = hooks.queryOptions('get', '/v1/webhooks', {})
    const known = await queries.fetchQuery({ ...options, staleTime: seldomMs }).catch(() => null)
    return Object.fromEntries((known?.data ?? []).flatMap(({ id, name }) => (name ? [[id, name]] : [])))
  },
  statuses: (cursor: string | null) =>
    listed(queries, ['/v1/outbound-events', 'message.status', cursor], () =>
      api.GET('/v1/outbound-events', {
        params: { query: { type: 'message.status', limit: pageSize, ...(cursor !== null && { cursor }) } },
      }),
    ),
  received: () =>
    listed(queries, ['/v1/outbound-events', 'message.received'], () =>
      api.GET('/v1/outbound-events', { params: { query: { type: 'message.received', limit: pageSize } } }),
    ),
  writtenBy: (runId: string) =>
    listed(queries, ['/v1/messages', 'run', runId], () =>
      api.GET('/v1/messages', { params: { query: { runId, limit: pageSize } } }),
    ),
  messagesOf: (id: string) =>
    listed(queries, ['/v1/conversations/{id}/messages', id], () =>
      api.GET('/v1/conversations/{id}/messages', { params: { path: { id }, query: { limit: pageSize } } }),
    ),
  timelineOf: (id: string) =>
    listed(queries, ['/v1/customers/{id}/timeline', id], () =>
      api.GET('/v1/customers/{id}/timeline', { params: { path: { id }, query: { limit: pageSize } } }),
    ),
  /** A record that is no longer stored is a gap in the trace, not an error. */
  maybe: <T>(asked: Promise<T>): Promise<T | null> =>
    asked.catch(error => {
      if (error instanceof Failure && error.status === 404) return null
      throw error
    }),
})

/** Uses separate cache keys, because the pages cache lists in another shape. */
const listed = <Page>(
  queries: QueryClient,
  [path, ...rest]: [string, ...unknown[]],
  ask: () => Promise<{ data?: Page }>,
): Promise<Page> =>
  queries.fetchQuery({ queryKey: ['story', path, ...rest], queryFn: async () => (await ask()).data as Page })

const fromEvent = async (reader: Reader, event: Schemas['EventWithOutcomes']): Promise<Way[]> => {
  const runIds = event.outcomes.flatMap(({ verdict, runId }) => (verdict === 'started' && runId ? [runId] : []))
  if (runIds.length === 0) return [{ event, run: null, written: [], told: [], farBack: false }]
  const runs = await Promise.all(runIds.slice(0, maxRuns).map(id => reader.maybe(reader.run(id))))
  return Promise.all(runs.map(run => fromRun(reader, event, run)))
}

const fromRun = async (
  reader: Reader,
  event: Schemas['EventWithOutcomes'] | null,
  run: Schemas['Run'] | null,
): Promise<Way> => {
  const ids = run ? await idsWrittenBy(reader, event, run.id) : []
  const messages = await Promise.all(ids.slice(0, maxMessages).map(id => reader.maybe(reader.message(id))))
  return { event, run, ...(await tellingOf(reader, present(messages))), told: [] }
}

/**
 * Returns the ids in the order in which the run wrote the messages. If the event is no longer stored, they are read by
 * run.
 */
const idsWrittenBy = async (
  reader: Reader,
  event: Schemas['EventWithOutcomes'] | null,
  runId: string,
): Promise<string[]> =>
  event
    ? event.messages.filter(one => one.runId === runId).map(({ id }) => id)
    : (await reader.writtenBy(runId)).data.map(({ id }) => id).reverse()

const fromMessage = async (reader: Reader, message: Schemas['MessageDetail']): Promise<Way> => {
  const [origin, telling] = await Promise.all([originOf(reader, message), tellingOf(reader, [message])])
  return { ...origin, ...telling, told: [] }
}

const fromTold = async (reader: Reader, event: Schemas['OutboundEventDetail']): Promise<Way> => {
  const told = await withDeliveries(reader, event)
  const message = await messageOf(reader, event)
  if (!message) return { event: null, run: null, written: [], told: [told], farBack: false }
  return { ...(await originOf(reader, message)), written: [{ message, told: [told] }], told: [], farBack: false }
}

/** Returns the message of an outbound event, searched among the newest of its conversation. */
const messageOf = async (
  reader: Reader,
  { type, data }: Schemas['OutboundEventDetail'],
): Promise<Schemas['MessageDetail'] | null> => {
  if (typeof data.conversationId !== 'string' || !type.startsWith('message.')) return null
  const known = await reader.maybe(reader.messagesOf(data.conversationId))
  const found = known?.data.find(message =>
    type === 'message.received'
      ? message.direction === 'inbound' && message.sentAt === data.sentAt && message.text === data.text
      : namesOf(message).includes(String(data.providerMessageId)),
  )
  return found ? reader.maybe(reader.message(found.id)) : null
}

/**
 * Returns the ids that `message.status` can use for a message: the provider's id, or ours if no provider accepted it.
 */
const namesOf = ({ id, providerMessageId }: Schemas['Message']): string[] =>
  providerMessageId ? [providerMessageId, id] : [id]

/** Returns the run that wrote a message, and the event that started the run. */
const originOf = async (reader: Reader, message: Schemas['MessageDetail']): Promise<Pick<Way, 'event' | 'run'>> => {
  if (message.sentBy?.type !== 'workflow') return { event: null, run: null }
  const { sentBy, createdAt, customerId } = message
  const timeline = await reader.maybe(reader.timelineOf(customerId))
  const candidates = (timeline?.data ?? [])
    .flatMap(item => (item.kind === 'run' && item.workflowId === sentBy.id && item.at <= createdAt ? [item] : []))
    .slice(0, maxCandidates)
  for (const { id, eventId } of candidates) {
    const { data } = await reader.writtenBy(id)
    if (!data.some(written => written.id === message.id)) continue
    const [event, run] = await Promise.all([reader.maybe(reader.event(eventId)), reader.maybe(reader.run(id))])
    return { event, run }
  }
  return { event: null, run: null }
}

/** Returns the outbound events of these messages. */
const tellingOf = async (
  reader: Reader,
  messages: Schemas['MessageDetail'][],
): Promise<Pick<Way, 'written' | 'farBack'>> => {
  const outbound = messages.filter(toldOfByStatus)
  const { found, farBack } = outbound.length > 0 ? await statusesOf(reader, outbound) : { found: [], farBack: false }
  const received = messages.some(({ direction }) => direction === 'inbound') ? (await reader.received()).data : []
  const written = await Promise.all(
    messages.map(async message => {
      const named = namesOf(message)
      const events =
        message.direction === 'inbound'
          ? received.filter(
              ({ data }) => data.conversationId === message.conversationId && data.sentAt === message.sentAt,
            )
          : found.filter(({ data }) => named.includes(String(data.providerMessageId)))
      const told = await Promise.all(
        events.map(async ({ id }) => {
          const event = await reader.maybe(reader.told(id))
          return event && withDeliveries(reader, event)
        }),
      )
      return { message, told: present(told).reverse() }
    }),
  )
  return { written, farBack }
}

const toldOf: ReadonlySet<Schemas['Message']['status']> = new Set(['delivered', 'read', 'failed'])
const toldOfByStatus = ({ direction, status }: Schemas['Message']): boolean =>
  direction === 'outbound' && toldOf.has(status)

/** Reads the pages newest first and stops at events older than the oldest message. */
const statusesOf = async (reader: Reader, messages: Schemas['MessageDetail'][]) => {
  const names = new Set(messages.flatMap(namesOf))
  const from = messages.map(({ createdAt }) => createdAt).sort()[0]!
  const found: Schemas['OutboundEvent'][] = []
  let cursor: string | null = null
  for (let page = 0; page < maxPages; page++) {
    const { data, nextCursor }: { data: Schemas['OutboundEvent'][]; nextCursor: string | null } =
      await reader.statuses(cursor)
    found.push(...data.filter(event => names.has(String(event.data.providerMessageId))))
    const last = data.at(-1)
    if (nextCursor === null || (last && last.createdAt < from)) return { found, farBack: false }
    cursor = nextCursor
  }
  return { found, farBack: found.length === 0 }
}

/** Loads deliveries for owners only, because agents cannot see them. */
const withDeliveries = async (reader: Reader, event: Schemas['OutboundEventDetail']): Promise<Told> => {
  const wanted = reader.owner ? event.destinations.filter(isKept).slice(0, maxDeliveries) : []
  const [names, ...deliveries] = await Promise.all([
    event.destinations.length > 0 ? reader.names() : {},
    ...wanted.map(({ webhookId, deliveryId }) => reader.maybe(reader.delivery(webhookId, deliveryId!))),
  ])
  return { event, names, deliveries: Object.fromEntries(present(deliveries).map(delivery => [delivery.id, delivery])) }
}

const isKept = ({ deliveryId, status }: Schemas['Destination']): boolean =>
  deliveryId !== null && status !== null && status !== 'dropped'

const present = <T>(all: (T | null)[]): T[] => all.filter(one => one !== null)
