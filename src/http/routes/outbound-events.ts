import {
  listOutboundEvents,
  OutboundEvent,
  OutboundEventDetail,
  OutboundEventQuery,
  outboundEvents,
  readOutboundEvent,
} from '../../domain/outbound-events/index.ts'
import { Page } from '../../domain/schema.ts'
import { type Operation, operation } from '../operation.ts'

const tag = 'Webhooks'

export const outboundEventRoutes = (): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/outbound-events',
    id: 'listOutboundEvents',
    verb: listOutboundEvents,
    tag,
    summary: 'List what your endpoints are told',
    description: 'Everything that happened in the workspace and is, or would be, told to webhook endpoints.',
    query: OutboundEventQuery,
    answers: {
      200: {
        description: 'A page of outbound events.',
        schema: Page(OutboundEvent),
        example: { data: [outboundEvent()], nextCursor: null },
      },
    },
    given: ({ query }) => [query],
  }),
  operation({
    method: 'GET',
    path: '/v1/outbound-events/:id',
    id: 'readOutboundEvent',
    verb: readOutboundEvent,
    tag,
    summary: 'Read an outbound event',
    description: 'With the endpoints it went to and, for each of the others, why it did not.',
    answers: {
      200: { description: 'The event and its destinations.', schema: OutboundEventDetail, example: detail() },
    },
    given: ({ params }) => [params.id!],
  }),
]

function outboundEvent(): OutboundEvent {
  return {
    id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e08',
    type: 'message.status',
    createdAt: '2026-03-01T09:30:02.050Z',
    fannedOutAt: '2026-03-01T09:30:02.056Z',
    data: outboundEvents['message.status'].example,
    sentTo: 1,
    passedOver: 1,
  }
}

function detail(): OutboundEventDetail {
  return {
    ...outboundEvent(),
    destinations: [
      {
        webhookId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e05',
        url: 'https://hooks.example.com/engagement',
        deliveryId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e07',
        status: 'delivered',
        reason: null,
      },
      {
        webhookId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e06',
        url: 'https://sales.example.com/hook',
        deliveryId: null,
        status: null,
        reason: 'not_subscribed',
      },
    ],
  }
}
