import { Page } from '../../../core/schema.ts'
import {
  ActivityEvent,
  ActivityQuery,
  type ActivitySummary,
  ActivitySummaryList,
  listActivityEvents,
  SummaryQuery,
  summariseActivity,
} from '../../../insights/activity/index.ts'
import { type Operation, operation } from '../../operation.ts'

export const activityRoutes = (): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/activity/events',
    id: 'listActivityEvents',
    verb: listActivityEvents,
    tag: 'Activity',
    summary: 'List events with their results',
    description:
      'Returns every received event, newest first. Each event has the automations that it started, or the reason why none ran. The reason is the one at the time of recording.',
    query: ActivityQuery,
    answers: {
      200: {
        description: 'A page of events.',
        schema: Page(ActivityEvent),
        example: { data: [example], nextCursor: null },
      },
    },
    args: ({ query }) => [query],
  }),
  operation({
    method: 'GET',
    path: '/v1/activity/summary',
    id: 'summariseActivity',
    verb: summariseActivity,
    tag: 'Activity',
    summary: 'Summarize activity by hour or by day',
    description:
      'Returns counts for each hour or day, oldest first. Hours and days without activity are included. Each count is committed in the same transaction as the counted record. Erasing a customer does not change counts. With `group`, it also returns the counts of each event type, channel, endpoint or problem.',
    query: SummaryQuery,
    answers: {
      200: {
        description: 'The requested hours or days.',
        schema: ActivitySummaryList,
        example: { data: [exampleHour] },
      },
    },
    args: ({ query }) => [query],
  }),
]

const exampleHour: ActivitySummary = {
  at: '2026-03-01T09:00:00.000Z',
  events: 1204,
  unhandled: 12,
  refused: 3,
  runsStarted: 411,
  messages: { queued: 411, sent: 409, delivered: 402, read: 120, failed: 2, skipped: 0, unknown: 0, received: 38 },
  deliveries: { delivered: 840, failed: 0, attempts: 851 },
}

const example: ActivityEvent = {
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7c01',
  type: 'Order.Created',
  source: 'api',
  sender: 'custom',
  customerId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e02',
  data: { orderId: 'A-1042', total: 129.9, currency: 'EUR' },
  idempotencyKey: 'order-A-1042-created',
  occurredAt: null,
  createdAt: '2026-03-01T09:30:00.000Z',
  customer: {
    id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e02',
    name: 'Ana Beispiel',
    phone: '+4915112345678',
    externalId: null,
  },
  automations: [],
  reason: 'no_listener',
  explanation: 'No workflow listens for Order.Created. Did you mean order.created (2 automations)?',
  didYouMean: { type: 'order.created', workflows: 2 },
}
