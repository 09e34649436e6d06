import { Page } from '../../../core/schema.ts'
import {
  listNotAccepted,
  NotAccepted,
  type RejectedRequestLog,
  RejectedRequestQuery,
  readNotAccepted,
} from '../../../events/rejected-requests/index.ts'
import { type Operation, operation } from '../../operation.ts'

export const rejectedRequestRoutes = ({ rejectedRequests }: { rejectedRequests: RejectedRequestLog }): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/activity/not-accepted',
    id: 'listNotAccepted',
    verb: listNotAccepted,
    tag: 'Activity',
    summary: 'List rejected events',
    description:
      'Returns rejected events with the exact error message that the sender received, newest first. Repeats of an error within 10 minutes of its first occurrence are one entry with a count. The newest 500 entries of 30 days are kept. Rejected events are not replayed.',
    query: RejectedRequestQuery,
    answers: {
      200: {
        description: 'A page of rejected events.',
        schema: Page(NotAccepted),
        example: { data: [example], nextCursor: null },
      },
    },
    args: ({ query }) => [rejectedRequests, query],
  }),
  operation({
    method: 'GET',
    path: '/v1/activity/not-accepted/:id',
    id: 'readNotAccepted',
    verb: readNotAccepted,
    tag: 'Activity',
    summary: 'Read a rejected event',
    description: 'Returns one entry of the list of rejected events, as long as the list keeps it.',
    answers: { 200: { description: 'The rejected event.', schema: NotAccepted, example } },
    args: ({ params }) => [rejectedRequests, params.id!],
  }),
]

const example: NotAccepted = {
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7f01',
  problemId: '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef',
  firstAt: '2026-03-01T09:30:00.000Z',
  lastAt: '2026-03-01T09:36:12.480Z',
  count: 3,
  sender: 'woocommerce',
  apiKeyId: '01981b7a-12f0-7b3e-8d51-2f6c90a1b3e4',
  method: 'POST',
  path: '/v1/events',
  status: 400,
  code: 'invalid_request',
  message: 'externalId: No customer has this external ID, and an external ID never enrols one.',
  details: { externalId: 'No customer has this external ID, and an external ID never enrols one.' },
  severity: 'error',
  eventId: null,
  sample: {
    type: 'order.created',
    externalId: 'string(6)',
    data: { orderId: 'string(6)', total: 'number', items: [{ sku: 'string(8)' }] },
  },
  suggestions: {},
  requestId: '01981b81-6f40-7c11-8a1e-6c1d0e7f9b02',
}
