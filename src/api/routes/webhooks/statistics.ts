import { readWebhookStats, WebhookStats, WebhookStatsQuery } from '../../../webhooks/statistics/index.ts'
import { type Operation, operation } from '../../operation.ts'

export const webhookStatsRoutes = (): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/webhooks/:id/stats',
    id: 'readWebhookStats',
    verb: readWebhookStats,
    tag: 'Webhooks',
    summary: 'Read statistics of a webhook endpoint',
    description:
      'Returns attempts and durations for each hour or day, oldest first, and the attempts of the range by status code. Hours and days without attempts are included. Each count is committed in the same transaction as the attempt.',
    query: WebhookStatsQuery,
    answers: { 200: { description: 'The statistics of the endpoint.', schema: WebhookStats, example } },
    args: ({ params, query }) => [params.id!, query],
  }),
]

const example: WebhookStats = {
  data: [{ at: '2026-03-01T09:00:00.000Z', delivered: 120, failed: 1, retried: 3, p50Ms: 48, p95Ms: 210 }],
  codes: [
    { statusCode: 200, count: 120 },
    { statusCode: 503, count: 3 },
    { statusCode: null, count: 1 },
  ],
}
