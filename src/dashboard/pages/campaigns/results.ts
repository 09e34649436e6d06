/** Results of campaigns: deliveries, reads, replies and sales. */
import { useQueries } from '@tanstack/react-query'
import { hooks, type Schemas } from '../../api/client.ts'
import { type Campaign, hasStarted } from './status.ts'

export type Results = Schemas['CampaignResults']

/**
 * Interval in milliseconds between reads of the open campaign while it sends, and of all others. Results still change
 * after the last message. Counting a million recipients takes seconds of processor time, so nobody reads them faster.
 */
const runningPollMs = 15_000
const cacheMs = 60_000

/** Results of the open campaign. */
export const useResults = ({ id, status }: Campaign) =>
  hooks.useQuery(
    'get',
    '/v1/campaigns/{id}/results',
    { params: { path: { id } } },
    { staleTime: runningPollMs, refetchInterval: status === 'running' ? runningPollMs : cacheMs },
  )

/** Outcomes of the open campaign over time. Those of an ended campaign no longer change. */
export const useStats = ({ id, status, finishedAt }: Campaign) =>
  hooks.useQuery(
    'get',
    '/v1/campaigns/{id}/stats',
    { params: { path: { id } } },
    {
      staleTime: runningPollMs,
      refetchInterval: finishedAt !== null ? false : status === 'running' ? runningPollMs : cacheMs,
    },
  )

/** Returns the results of the started campaigns by id. Each campaign is one request. */
export const useResultsById = (campaigns: readonly Campaign[]): ReadonlyMap<string, Results> => {
  const started = campaigns.filter(hasStarted)
  const queries = useQueries({
    queries: started.map(({ id }) => ({
      ...hooks.queryOptions('get', '/v1/campaigns/{id}/results', { params: { path: { id } } }),
      staleTime: cacheMs,
    })),
  })
  return new Map(
    started.flatMap(({ id }, index) => {
      const data = queries[index]?.data
      return data ? [[id, data] as const] : []
    }),
  )
}
