/** Queries for rejected requests: the list, and one of them for the side panel. */
import { Failure, hooks, type Schemas } from '../../api/client.ts'
import { byCursor, listOf } from '../../api/pages.ts'
import { useFresh } from '../../api/useLive.ts'

export type Problem = Schemas['NotAccepted']

export const useProblems = () => hooks.useInfiniteQuery('get', '/v1/activity/not-accepted', listOf({}), byCursor)

/** Queries one rejected request. undefined while it loads, null if it is no longer stored. */
export const useProblem = (id: string) => {
  const query = hooks.useQuery('get', '/v1/activity/not-accepted/{id}', { params: { path: { id } } })
  useFresh(['not_accepted'], ['/v1/activity/not-accepted/{id}'], news => news.id === id)
  const error: unknown = query.error
  const isGone = error instanceof Failure && error.status === 404
  return {
    problem: isGone ? null : query.data,
    failure: isGone ? null : error,
    retry: () => void query.refetch(),
  }
}
