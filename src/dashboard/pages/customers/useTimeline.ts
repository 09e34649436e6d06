import { hooks } from '../../api/client.ts'
import { cursorPagination, pageSize } from '../../api/pages.ts'

/** Queries the timeline of a customer, newest first. The header and the timeline share the request. */
export const useTimeline = (customerId: string) =>
  hooks.useInfiniteQuery(
    'get',
    '/v1/customers/{id}/timeline',
    { params: { path: { id: customerId }, query: { limit: pageSize } } },
    cursorPagination,
  )
