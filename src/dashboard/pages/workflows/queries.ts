/** Queries that several parts of the workflow page share. */
import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useLive, useThrottled } from '../../api/useLive.ts'
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

/** Statistics of a period that the shown rows of a list have read, by id of the workflow. Reads none itself. */
export const useKnownStats = (rows: Workflow[], period: StatsPeriod): ReadonlyMap<string, RunStats> =>
  useQueries({
    queries: rows.map(({ id }) => ({ ...statsQuery(id, period), enabled: false })),
    combine: results =>
      new Map(
        rows.flatMap(({ id }, index) => {
          const data = results[index]?.data
          return data ? [[id, toRunStats(data)] as const] : []
        }),
      ),
  })

/** Reads the statistics of a shown row of a list. */
export const useStats = (id: string, period: StatsPeriod): RunStats | undefined => {
  const { data } = useQuery({ ...statsQuery(id, period), placeholderData: keepPreviousData })
  return data && toRunStats(data)
}

/** Minimum time between two refreshes of the statistics in a list, because each row is a request. */
const statsIntervalMs = 10_000

/** Refetches the statistics of the shown workflows whose runs changed. */
export const useLiveStats = (): void => {
  const queries = useQueryClient()
  const changed = useRef(new Set<unknown>())
  const refresh = useThrottled(() => {
    const ids = changed.current
    changed.current = new Set()
    void queries.invalidateQueries({
      predicate: ({ queryKey: [, path, init] }) =>
        path === '/v1/workflows/{id}/stats' &&
        (ids.has(undefined) || ids.has((init as ReturnType<typeof statsInit>).params.path.id)),
    })
  }, statsIntervalMs)
  // A message without a run stands for messages that were missed.
  useLive(['run'], ({ fields }) => {
    changed.current.add(fields.workflowId)
    refresh()
  })
}

/** Period of the statistics. Without a start it is the last 7 days. */
export interface StatsPeriod {
  since?: string
  until?: string
}

const statsInit = (id: string, period: StatsPeriod) => ({
  params: { path: { id }, query: { by: 'day' as const, ...period } },
})

const statsQuery = (id: string, period: StatsPeriod) =>
  hooks.queryOptions('get', '/v1/workflows/{id}/stats', statsInit(id, period))

/** Runs of a workflow that started in a period, by their current status. */
export interface RunStats {
  started: number
  done: number
  failed: number
  stopped: number
  startedByDay: number[]
  /** The period has more runs than the API counts. */
  isCut: boolean
  lastRunAt: string | null
}

const toRunStats = ({ days = [], period, lastRunAt }: Schemas['WorkflowStats']): RunStats => {
  const total = (count: 'started' | 'done' | 'failed' | 'stopped') => days.reduce((sum, day) => sum + day[count], 0)
  return {
    started: total('started'),
    done: total('done'),
    failed: total('failed'),
    stopped: total('stopped'),
    startedByDay: days.map(({ started }) => started),
    isCut: period?.complete === false,
    lastRunAt,
  }
}

/** Returns a function that reads the statistics of exported workflows. */
export const statsReader =
  (period: StatsPeriod): ReadValues<Workflow> =>
  async (rows, signal, onProgress) => {
    const read = async ({ id }: Workflow, signal: AbortSignal) => {
      const { data } = await api.GET('/v1/workflows/{id}/stats', { ...statsInit(id, period), signal })
      return data && toRunStats(data)
    }
    const stats = await readEach(rows, read, signal, onProgress)
    return {
      runs: ({ id }) => stats.get(id)?.started,
      failed: ({ id }) => stats.get(id)?.failed,
      lastRun: ({ id }) => stats.get(id)?.lastRunAt,
    }
  }

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
