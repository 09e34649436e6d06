/** What was refused, as far as it was asked for; the list and the panel beside it share it. */
import { useEffect } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { byCursor, listOf, rowsOf } from '../../api/pages.ts'

export type Problem = Schemas['NotAccepted']

export const useProblems = () => hooks.useInfiniteQuery('get', '/v1/activity/not-accepted', listOf({}), byCursor)

/**
 * One of them. The interface reads none by its id, and keeps 500 at most: pages are asked for until it is there. undefined
 * while it is looked for, null where it is no longer kept.
 */
export const useProblem = (id: string) => {
  const query = useProblems()
  const { hasNextPage, isFetching, error, fetchNextPage } = query
  const found = rowsOf(query).rows?.find(problem => problem.id === id)
  const goesOn = !found && hasNextPage && !isFetching && !error
  useEffect(() => {
    if (goesOn) void fetchNextPage()
  }, [goesOn, fetchNextPage])
  const problem = found ?? (query.data && !hasNextPage && !isFetching ? null : undefined)
  return { problem, failure: error, retry: () => void query.refetch() }
}
