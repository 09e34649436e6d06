/** Results of campaigns: deliveries, reads, replies and sales. */
import { useQueries } from '@tanstack/react-query'
import { hooks, type Schemas } from '../../api/client.ts'
import { type Campaign, hasStarted } from './status.ts'

export type Results = Schemas['CampaignResults']

/** Interval in milliseconds while messages are sent, and the time for which other results count as current. */
const runningPollMs = 5_000
const cacheMs = 60_000

const resultsQuery = ({ id, status }: Campaign) => ({
  ...hooks.queryOptions('get', '/v1/campaigns/{id}/results', { params: { path: { id } } }),
  staleTime: cacheMs,
  refetchInterval: status === 'running' ? runningPollMs : (false as const),
})

export const useResults = (campaign: Campaign) => {
  const { queryKey: _, ...options } = resultsQuery(campaign)
  return hooks.useQuery(
    'get',
    '/v1/campaigns/{id}/results',
    { params: { path: { id: campaign.id } } },
    { staleTime: options.staleTime, refetchInterval: options.refetchInterval },
  )
}

/** Returns the results of the started campaigns by id. Each campaign is one request. */
export const useResultsById = (campaigns: readonly Campaign[]): ReadonlyMap<string, Results> => {
  const started = campaigns.filter(hasStarted)
  const queries = useQueries({ queries: started.map(resultsQuery) })
  return new Map(
    started.flatMap(({ id }, index) => {
      const data = queries[index]?.data
      return data ? [[id, data] as const] : []
    }),
  )
}
