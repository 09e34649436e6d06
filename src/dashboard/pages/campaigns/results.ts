/** Results of campaigns: deliveries, reads, replies and sales. */
import { type QueryState, useQueries } from '@tanstack/react-query'
import { api, hooks, type Schemas } from '../../api/client.ts'
import type { ChartQuery } from '../../ui/charts/series.ts'
import type { ReadValues } from '../../ui/list/export.ts'
import { readEach } from '../../ui/list/read-each.ts'
import { type Campaign, hasStarted } from './status.ts'

export type Results = Schemas['CampaignResults']

/**
 * Interval in milliseconds between reads of a campaign while it sends, and of others. Results still change after the last
 * message. Counting a million recipients takes seconds of processor time, so nobody reads them faster.
 */
const runningPollMs = 15_000
const cacheMs = 60_000

/** Milliseconds after the end of a campaign at which its results are read again: its last messages are delivered then. */
const readsAfterEndMs = [500, 3000, 10_000]

/** Returns the milliseconds until a campaign is read again, or `otherMs` if it does not send and has not ended recently. */
const readsAgain =
  ({ status, finishedAt }: Campaign, otherMs: number | false) =>
  ({ state }: { state: Pick<QueryState, 'dataUpdatedAt' | 'errorUpdatedAt'> }): number | false => {
    if (status === 'running') return runningPollMs
    if (finishedAt === null) return otherMs
    const readAt = Math.max(state.dataUpdatedAt, state.errorUpdatedAt)
    const due = readsAfterEndMs.map(ms => Date.parse(finishedAt) + ms).find(at => at > readAt)
    return due === undefined ? otherMs : Math.max(due - Date.now(), 100)
  }

/** Results of the open campaign. */
export const useResults = (campaign: Campaign) =>
  hooks.useQuery(
    'get',
    '/v1/campaigns/{id}/results',
    { params: { path: { id: campaign.id } } },
    { staleTime: runningPollMs, refetchInterval: readsAgain(campaign, cacheMs) },
  )

/** Outcomes of the open campaign over time. An ended campaign has no new ones, so they are not polled after its end. */
export const useStats = (campaign: Campaign) =>
  hooks.useQuery(
    'get',
    '/v1/campaigns/{id}/stats',
    { params: { path: { id: campaign.id } } },
    { staleTime: runningPollMs, refetchInterval: readsAgain(campaign, campaign.finishedAt === null && cacheMs) },
  )

const resultsQuery = (campaign: Campaign) => ({
  ...hooks.queryOptions('get', '/v1/campaigns/{id}/results', { params: { path: { id: campaign.id } } }),
  staleTime: cacheMs,
  refetchInterval: readsAgain(campaign, false),
})

/** Number of messages that failed after the provider had accepted them. */
export const countFailed = ({ failed }: Results): number => failed.reduce((total, { count }) => total + count, 0)

/** Columns of results: the count and the minimum width in pixels, which the title needs. */
export const resultColumns = [
  ['delivered', (results: Results) => results.delivered, 84],
  ['failed', countFailed, 64],
  ['read', (results: Results) => results.read, 64],
  ['replied', (results: Results) => results.replied, 76],
  ['sale', (results: Results) => results.sales.customers, 70],
] as const

/** Reads the results of exported campaigns. */
export const readResults: ReadValues<Campaign> = async (rows, signal, onProgress) => {
  const read = async ({ id }: Campaign, signal: AbortSignal) =>
    (await api.GET('/v1/campaigns/{id}/results', { params: { path: { id } }, signal })).data
  const results = await readEach(rows.filter(hasStarted), read, signal, onProgress)
  const countWith = (count: (results: Results) => number | null) => (row: Campaign) => {
    const found = results.get(row.id)
    return found && count(found)
  }
  return Object.fromEntries(resultColumns.map(([key, count]) => [key, countWith(count)]))
}

/**
 * Returns the results of the started campaigns by id. Each campaign is one request. `failed` stands for the requests that
 * failed.
 */
export const useResultsById = (
  campaigns: readonly Campaign[],
): { resultsById: ReadonlyMap<string, Results>; failed: ChartQuery | undefined } => {
  const started = campaigns.filter(hasStarted)
  const queries = useQueries({
    queries: started.map(resultsQuery),
  })
  const resultsById = new Map(
    started.flatMap(({ id }, index) => {
      const data = queries[index]?.data
      return data ? [[id, data] as const] : []
    }),
  )
  const failed = queries.filter(({ data, error }) => error && !data)
  const refetch = () => failed.forEach(one => void one.refetch())
  return { resultsById, failed: failed[0] && { error: failed[0].error, refetch } }
}
