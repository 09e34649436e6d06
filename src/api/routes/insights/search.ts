import { List } from '../../../core/schema.ts'
import type { RejectedRequestLog } from '../../../events/rejected-requests/index.ts'
import { SearchQuery, SearchResult, search } from '../../../insights/search/index.ts'
import { type Operation, operation } from '../../operation.ts'

export const searchRoutes = ({ rejectedRequests }: { rejectedRequests: RejectedRequestLog }): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/search',
    id: 'search',
    verb: search,
    tag: 'Activity',
    summary: 'Search records',
    description:
      'Finds at most 20 records by ID, or by a part of a name or number. Exact matches come first. Only owners find deliveries, and the endpoint of a delivery follows it. A rejected event is found by the `request_id` of its latest occurrence. Erased customers are not found.',
    query: SearchQuery,
    answers: {
      200: { description: 'The records found.', schema: List(SearchResult), example: { data: [example] } },
    },
    args: ({ query }) => [rejectedRequests, query],
  }),
]

const example: SearchResult = {
  type: 'customer',
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e02',
  title: 'Ana Beispiel',
  detail: 'Customer, +4915112345678',
}
