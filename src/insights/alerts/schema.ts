import { type Static, Type } from '@sinclair/typebox'
import { Time, withDescription } from '../../core/schema.ts'

/** Alert kinds, most severe first. Lists are sorted in this order. */
export const alertKinds = [
  'sending_held',
  'work_paused',
  'endpoint_failing',
  'deliveries_waiting',
  'allowance_nearly_full',
  'channel_failing',
  'events_rejected',
  'customers_waiting',
  'runs_failing',
  'token_expiring',
  'event_type_unhandled',
] as const

export const Attention = Type.Object(
  {
    kind: Type.Union(
      alertKinds.map(kind => Type.Literal(kind)),
      {
        description:
          '`sending_held`: the service sends nothing, because its database was restored from a backup. `work_paused`: the operator of the service has paused deliveries, messages, runs or campaigns of the workspace. `endpoint_failing`: an endpoint fails, or was held because it failed for five days. `deliveries_waiting`: deliveries are waiting for an endpoint that is held or slow. `allowance_nearly_full`: most events of the month are used. `channel_failing`: the provider of a channel rejects requests of the service. `events_rejected`: events were rejected in the last 24 hours. `customers_waiting`: customers have received no answer. `runs_failing`: runs of a workflow failed in the last 24 hours. `token_expiring`: an access token expires within seven days. `event_type_unhandled`: events of a type started nothing in the last 24 hours, and no enabled and published workflow handles the type.',
      },
    ),
    since: withDescription(Time, 'Time when the problem began. For an allowance: start of the counting period.'),
    title: Type.String({ description: 'The problem in one sentence, for people.' }),
    detail: Type.String({ description: 'Severity and consequences, in one or two sentences.' }),
    subject: Type.Object(
      {
        type: Type.Union(
          (
            [
              'workspace',
              'webhook',
              'allowance',
              'channel',
              'not_accepted',
              'conversation',
              'workflow',
              'access_token',
              'event_type',
            ] as const
          ).map(type => Type.Literal(type)),
          { description: 'Type of the affected record.' },
        ),
        id: Type.String({
          description:
            'ID of the record. For `customers_waiting`: the conversation with the longest wait. For an allowance: its name, `monthlyEvents`. For rejected events: the newest entry with the most frequent message. For an event type: the type.',
        }),
      },
      { description: 'Affected record.' },
    ),
  },
  { $id: 'Attention', description: 'A problem that requires action.' },
)
export type Attention = Static<typeof Attention>
