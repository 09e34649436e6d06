import type { RefusalLog } from '../../domain/refusals/index.ts'
import { Whole } from '../../domain/schema.ts'
import { SearchQuery, SearchResult, search } from '../../domain/search/index.ts'
import { type Operation, operation } from '../operation.ts'

export const searchRoutes = ({ refusals }: { refusals: RefusalLog }): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/search',
    id: 'search',
    verb: search,
    tag: 'Activity',
    summary: 'Search for a record',
    description:
      'The records that an id, a number or the beginning of a name leads to, at most 20; a record that is named as a whole comes first. A delivery, which owners find, is followed by its endpoint. A refusal is found by the `request_id` that the newest of its kind was answered with. Somebody who was erased is not found.',
    query: SearchQuery,
    answers: {
      200: { description: 'What was found.', schema: Whole(SearchResult), example: { data: [example] } },
    },
    given: ({ query }) => [refusals, query],
  }),
]

const example: SearchResult = {
  type: 'customer',
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e02',
  title: 'Ana Beispiel',
  detail: 'Customer, +4915112345678',
}
