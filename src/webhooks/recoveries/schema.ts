import { type Static, Type } from '@sinclair/typebox'
import { dateTime, errorMessage, Id, Nullable, Time, withDescription } from '../../core/schema.ts'

/** The body of POST /v1/webhooks/{id}/recoveries. */
export const StartRecovery = Type.Object(
  {
    since: dateTime('Only deliveries of events at this time or later.'),
    until: Type.Optional(dateTime('Only deliveries of events at this time or earlier. Defaults to now.')),
    preview: Type.Optional(
      Type.Boolean({
        description: 'true returns the number of deliveries without starting the recovery.',
        ...errorMessage('Must be true or false.'),
      }),
    ),
  },
  { additionalProperties: false, $id: 'StartRecovery' },
)
export type StartRecovery = Static<typeof StartRecovery>

export const RecoveryPreview = Type.Object(
  {
    deliveries: Type.Integer({
      description: 'Number of deliveries in the range that failed or are waiting for another attempt.',
    }),
  },
  { $id: 'RecoveryPreview' },
)
export type RecoveryPreview = Static<typeof RecoveryPreview>

export const Recovery = Type.Object(
  {
    id: withDescription(Id, 'ID of the recovery.'),
    webhookId: withDescription(Id, 'ID of the endpoint whose deliveries are attempted again.'),
    since: withDescription(Time, 'Start of the range. Includes deliveries of events at this time or later.'),
    until: withDescription(Time, 'End of the range. Includes deliveries of events at this time or earlier.'),
    status: withDescription(
      Type.Union([Type.Literal('running'), Type.Literal('completed'), Type.Literal('cancelled')]),
      '`running`: until all deliveries were attempted. `cancelled`: stopped by a person before that.',
    ),
    total: Type.Integer({
      description: 'Number of deliveries in the range that had failed or were waiting when the recovery started.',
    }),
    done: Type.Integer({
      description: 'Number of these deliveries that were attempted again, regardless of the result.',
    }),
    createdAt: withDescription(Time, 'Time of creation.'),
    finishedAt: withDescription(Nullable(Time), 'Time of completion or cancellation. Null before that.'),
  },
  { $id: 'Recovery' },
)
export type Recovery = Static<typeof Recovery>
