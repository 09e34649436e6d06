/** Reads the records of traces through the API. */
import type { QueryClient } from '@tanstack/react-query'
import { api, Failure, hooks, type Schemas } from '../api/client.ts'

const pageSize = 100
/** Time in milliseconds for which the endpoints are cached. */
const cacheMs = 60_000

export type Reader = ReturnType<typeof createReader>

/** Reads records through the same cache as the pages. */
export const createReader = (queries: QueryClient, owner: boolean) => ({
  owner,
  event: (id: string) => queries.fetchQuery(hooks.queryOptions('get', '/v1/events/{id}', { params: { path: { id } } })),
  run: (id: string) => queries.fetchQuery(hooks.queryOptions('get', '/v1/runs/{id}', { params: { path: { id } } })),
  message: (id: string) =>
    queries.fetchQuery(hooks.queryOptions('get', '/v1/messages/{id}', { params: { path: { id } } })),
  /** Returns the name of a template. Null if it was removed. */
  templateName: async (id: string): Promise<string | null> => {
    const options = hooks.queryOptions('get', '/v1/templates/{id}', { params: { path: { id } } })
    return (await orNull(queries.fetchQuery({ ...options, staleTime: cacheMs })))?.name ?? null
  },
  /** Returns the name of a member, or the address without one. Null if the member is unknown. */
  memberName: async (userId: string): Promise<string | null> => {
    const options = hooks.queryOptions('get', '/v1/members', { params: { query: { limit: pageSize } } })
    const { data } = await queries.fetchQuery({ ...options, staleTime: cacheMs })
    const member = data.find(one => one.userId === userId)
    return (member && (member.name || member.email)) ?? null
  },
  outbound: (id: string) =>
    queries.fetchQuery(hooks.queryOptions('get', '/v1/outbound-events/{id}', { params: { path: { id } } })),
  delivery: (id: string, deliveryId: string) =>
    queries.fetchQuery(
      hooks.queryOptions('get', '/v1/webhooks/{id}/deliveries/{deliveryId}', { params: { path: { id, deliveryId } } }),
    ),
  /** The trace is shown without the names of the endpoints if they cannot be loaded. */
  endpoints: async (): Promise<Record<string, Schemas['Webhook']>> => {
    const options = hooks.queryOptions('get', '/v1/webhooks', {})
    const response = await queries.fetchQuery({ ...options, staleTime: cacheMs }).catch(() => null)
    return Object.fromEntries((response?.data ?? []).map(endpoint => [endpoint.id, endpoint]))
  },
  statusEvents: (cursor: string | null) =>
    fetchList(queries, ['/v1/outbound-events', 'message.status', cursor], () =>
      api.GET('/v1/outbound-events', {
        params: { query: { type: 'message.status', limit: pageSize, ...(cursor !== null && { cursor }) } },
      }),
    ),
  receivedEvents: () =>
    fetchList(queries, ['/v1/outbound-events', 'message.received'], () =>
      api.GET('/v1/outbound-events', { params: { query: { type: 'message.received', limit: pageSize } } }),
    ),
  messagesByRun: (runId: string) =>
    fetchList(queries, ['/v1/messages', 'run', runId], () =>
      api.GET('/v1/messages', { params: { query: { runId, limit: pageSize } } }),
    ),
  messagesByConversation: (id: string) =>
    fetchList(queries, ['/v1/conversations/{id}/messages', id], () =>
      api.GET('/v1/conversations/{id}/messages', { params: { path: { id }, query: { limit: pageSize } } }),
    ),
  timeline: (id: string) =>
    fetchList(queries, ['/v1/customers/{id}/timeline', id], () =>
      api.GET('/v1/customers/{id}/timeline', { params: { path: { id }, query: { limit: pageSize } } }),
    ),
  orNull,
})

/** A record that is no longer stored is a gap in the trace, not an error. */
const orNull = <T>(request: Promise<T>): Promise<T | null> =>
  request.catch(error => {
    if (error instanceof Failure && error.status === 404) return null
    throw error
  })

/** Uses separate cache keys, because the pages cache lists in another shape. */
const fetchList = <Page>(
  queries: QueryClient,
  [path, ...rest]: [string, ...unknown[]],
  load: () => Promise<{ data?: Page }>,
): Promise<Page> =>
  queries.fetchQuery({ queryKey: ['trace', path, ...rest], queryFn: async () => (await load()).data as Page })
