import { Page } from '../../../core/schema.ts'
import type { LimitedPool } from '../../../platform/postgres/limited-pool.ts'
import { Delivery, SendAgain, sendOutboundEvent } from '../../../webhooks/deliveries/index.ts'
import {
  listOutboundEvents,
  OutboundEvent,
  OutboundEventDetail,
  OutboundEventQuery,
  outboundEvents,
  PulledEvents,
  PullQuery,
  type PullWaiters,
  pullOutboundEvents,
  readOutboundEvent,
} from '../../../webhooks/outbound-events/index.ts'
import { type Operation, operation } from '../../operation.ts'
import { readRunnerFor } from '../read-runner.ts'

const tag = 'Webhooks'

export interface OutboundEventRouteDeps {
  reads: LimitedPool
  pullWaiters: PullWaiters
}

export const outboundEventRoutes = ({ reads, pullWaiters }: OutboundEventRouteDeps): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/outbound-events',
    id: 'listOutboundEvents',
    verb: listOutboundEvents,
    tag,
    summary: 'List outbound events',
    description:
      'Returns the events that are sent to subscribed webhook endpoints. Events without a subscribed endpoint are included.',
    query: OutboundEventQuery,
    answers: {
      200: {
        description: 'A page of outbound events.',
        schema: Page(OutboundEvent),
        example: { data: [outboundEvent()], nextCursor: null },
      },
    },
    args: ({ query }) => [query],
  }),
  operation({
    method: 'GET',
    path: '/v1/outbound-events/pull',
    id: 'pullOutboundEvents',
    verb: pullOutboundEvents,
    tag,
    summary: 'Pull outbound events',
    description:
      'Returns the outbound events of the workspace in a stable order, oldest first, with or without an endpoint. Process the events, store `cursor`, and send it as `after` of the next request. No event is skipped or repeated. With `wait`, the response is sent when there is an event, or after that time. Pings are included.',
    query: PullQuery,
    answers: {
      200: {
        description: 'The events, and the cursor for the next request.',
        schema: PulledEvents,
        example: {
          data: [
            {
              id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e08',
              type: 'message.status',
              createdAt: '2026-03-01T09:30:02.050Z',
              workspaceId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e09',
              data: outboundEvents['message.status'].example,
            },
          ],
          cursor: 'AXNMlzoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABNIBmBt-PAB6UZpkHw9cPX4IzBZlqA',
          hasMore: false,
        },
      },
    },
    errors: {
      rate_limited:
        'the caller is over the rate limit, or the person or the workspace has too many waiting requests. Wait for `Retry-After` seconds.',
      unprocessable:
        'events after the cursor were removed, or the database was restored. `details.after` has the oldest available cursor.',
    },
    runsWithoutConnection: true,
    waits: true,
    args: ({ query, request }) => [
      readRunnerFor(request, reads),
      pullWaiters,
      query,
      { signal: request.signal, headOnly: request.method === 'HEAD' },
    ],
    answer: ({ bodies, cursor, hasMore }) => ({
      status: 200,
      text: `{"data":[${bodies.join(',')}],"cursor":"${cursor}","hasMore":${hasMore}}`,
    }),
  }),
  operation({
    method: 'GET',
    path: '/v1/outbound-events/:id',
    id: 'readOutboundEvent',
    verb: readOutboundEvent,
    tag,
    summary: 'Read an outbound event',
    description:
      'Returns the outbound event with the endpoints that it was sent to. For every other endpoint, it gives the reason why not.',
    answers: {
      200: { description: 'The event and its destinations.', schema: OutboundEventDetail, example: detail() },
    },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/outbound-events/:id/send',
    id: 'sendOutboundEvent',
    verb: sendOutboundEvent,
    tag,
    summary: 'Send an outbound event to an endpoint',
    description:
      'Creates a new delivery of the event, whatever the result of earlier deliveries. The endpoint can be newer than the event or not subscribed to its type. The delivery stays pending while the endpoint is disabled or on hold.',
    body: SendAgain,
    example: { webhookId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e05' },
    answers: {
      202: {
        description: 'The new delivery. Read it again to see the result.',
        schema: Delivery,
        example: {
          id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e07',
          eventId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e08',
          eventType: 'message.status',
          status: 'pending',
          attempts: 0,
          statusCode: null,
          error: null,
          durationMs: null,
          createdAt: '2026-03-01T10:30:02.050Z',
          lastAttemptAt: null,
          nextAttemptAt: '2026-03-01T10:30:02.050Z',
        },
      },
    },
    errors: { unprocessable: 'the event is about the endpoint. An endpoint never receives events about itself.' },
    args: ({ params, body }) => [params.id!, body],
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
    webhookIds: ['01981b7e-3c00-7a51-9a64-1f0f5c3d7e05'],
    deliveries: [{ webhookId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e05', status: 'delivered' }],
    passedOver: 1,
    status: 'delivered',
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
