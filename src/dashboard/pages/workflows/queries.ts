/** Queries that several parts of the workflow page share. */
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import type { ReadValues } from '../../ui/list/export.ts'
import { readEach } from '../../ui/list/read-each.ts'
import { toDrawnWorkflow } from './definition/edit.ts'
import type { Workflow } from './definition/types.ts'

/** Polling interval in milliseconds, because other people may change the workflow. */
const pollIntervalMs = 15_000

const workflowQuery = (id: string) => hooks.queryOptions('get', '/v1/workflows/{id}', { params: { path: { id } } })

export const useWorkflow = (id: string) =>
  hooks.useQuery(
    'get',
    '/v1/workflows/{id}',
    { params: { path: { id } } },
    { refetchInterval: pollIntervalMs, select: toDrawnWorkflow },
  )

/** Queries the published version, which new runs use. */
export const usePublished = ({ id, publishedVersion }: Pick<Workflow, 'id' | 'publishedVersion'>) =>
  useVersion(id, publishedVersion)

export const useVersion = (id: string | undefined, version: number | null | undefined) =>
  hooks.useQuery(
    'get',
    '/v1/workflows/{id}/versions/{version}',
    { params: { path: { id: id ?? '', version: version ?? 1 } } },
    // A published version never changes.
    { enabled: id !== undefined && typeof version === 'number', staleTime: Number.POSITIVE_INFINITY },
  )

/** Statistics of the last 7 days of all workflows in a list, by id. */
export const useListStats = (rows: Workflow[]): ReadonlyMap<string, Schemas['WorkflowStats']> =>
  useQueries({
    queries: rows.map(({ id }) => statsQuery(id)),
    combine: results => byId(rows, results),
  })

const statsInit = (id: string) => ({ params: { path: { id }, query: { by: 'day' as const } } })

const statsQuery = (id: string) => hooks.queryOptions('get', '/v1/workflows/{id}/stats', statsInit(id))

/** Reads the statistics of exported workflows. */
export const readStats: ReadValues<Workflow> = async (rows, signal, onProgress) => {
  const read = async ({ id }: Workflow, signal: AbortSignal) =>
    (await api.GET('/v1/workflows/{id}/stats', { ...statsInit(id), signal })).data
  const stats = await readEach(rows, read, signal, onProgress)
  return {
    runs: ({ id }) => stats.get(id)?.last7Days.started,
    failed: ({ id }) => stats.get(id)?.last7Days.failed,
    lastRun: ({ id }) => stats.get(id)?.lastRunAt,
  }
}

/** Published versions of all workflows in a list, by the id of the workflow. */
export const useListVersions = (rows: Workflow[]): ReadonlyMap<string, Schemas['WorkflowVersionWhole']> => {
  const publishedRows = rows.filter(({ publishedVersion }) => publishedVersion !== null)
  return useQueries({
    queries: publishedRows.map(({ id, publishedVersion: version }) => ({
      ...hooks.queryOptions('get', '/v1/workflows/{id}/versions/{version}', {
        params: { path: { id, version: version ?? 1 } },
      }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine: results => byId(publishedRows, results),
  })
}

const byId = <Data>(rows: Workflow[], results: { data: Data | undefined }[]): ReadonlyMap<string, Data> =>
  new Map(rows.flatMap(({ id }, index) => (results[index]?.data ? [[id, results[index].data] as const] : [])))

/** Returns a function that stores a workflow from a response in the cache and refetches the list. */
export const useUpdateCache = (): ((workflow: Workflow) => void) => {
  const queries = useQueryClient()
  return useCallback(
    workflow => {
      const { queryKey } = workflowQuery(workflow.id)
      // A read that began before the change would bring back the previous record.
      void queries.cancelQueries({ queryKey })
      queries.setQueryData(queryKey, workflow)
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/workflows' })
    },
    [queries],
  )
}
