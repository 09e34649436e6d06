import { List } from '../../../core/schema.ts'
import { Attention, listAttention } from '../../../insights/alerts/index.ts'
import { type Operation, operation } from '../../operation.ts'

export const attentionRoutes = (): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/attention',
    id: 'listAttention',
    verb: listAttention,
    tag: 'Activity',
    summary: 'List alerts',
    description:
      'Returns the current problems of the workspace, at most 50. Alerts are sorted by kind, the most severe first. Within a kind, the oldest alert comes first.',
    answers: {
      200: {
        description: 'The current alerts. Empty if no action is needed.',
        schema: List(Attention),
        example: { data: [example] },
      },
    },
    args: () => [],
  }),
]

const example: Attention = {
  kind: 'endpoint_failing',
  since: '2026-03-01T13:40:00.000Z',
  title: '“shop.example.com” is failing: HTTP 503.',
  detail: 'The last 37 attempts failed. 1,204 deliveries are retrying. The next attempt is in 4 minutes.',
  subject: { type: 'webhook', id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7a01' },
}
