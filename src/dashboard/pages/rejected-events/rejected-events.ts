/** Queries for rejected requests: the list, and one of them for the side panel. */
import { keepPreviousData } from '@tanstack/react-query'
import { Failure, hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination, listParams } from '../../api/pages.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { type RejectedEventFilters, toRejectedEventQuery } from './filters.ts'

export type RejectedEvent = Schemas['NotAccepted']

export const useRejectedEvents = (filters: RejectedEventFilters) =>
  hooks.useInfiniteQuery('get', '/v1/activity/not-accepted', listParams(toRejectedEventQuery(filters)), {
    ...cursorPagination,
    placeholderData: keepPreviousData,
  })

/** Queries one rejected request. undefined while it loads, null if it is no longer stored. */
export const useRejectedEvent = (id: string) => {
  const query = hooks.useQuery('get', '/v1/activity/not-accepted/{id}', { params: { path: { id } } })
  useLiveRefresh(['not_accepted'], ['/v1/activity/not-accepted/{id}'], news => news.id === id)
  const error: unknown = query.error
  const isDeleted = error instanceof Failure && error.status === 404
  return {
    problem: isDeleted ? null : query.data,
    failure: isDeleted ? null : error,
    retry: () => void query.refetch(),
  }
}
