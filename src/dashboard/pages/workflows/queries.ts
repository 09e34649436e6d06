/** Queries that several parts of the workflow page share. */
import { useQueryClient } from '@tanstack/react-query'
import { hooks } from '../../api/client.ts'
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

/** Returns a function that stores a workflow from a response in the cache and refetches the list. */
export const useUpdateCache = (): ((workflow: Workflow) => void) => {
  const queries = useQueryClient()
  return workflow => {
    queries.setQueryData(workflowQuery(workflow.id).queryKey, workflow)
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/workflows' })
  }
}
