import { type Static, Type } from '@sinclair/typebox'
import { dateTime, errorMessage, Id, Nullable, Time, withDescription } from '../../core/schema.ts'
import { Events } from '../endpoints/index.ts'

/** The body of POST /v1/webhooks/{id}/recoveries. */
export const StartRecovery = Type.Object(
  {
    since: dateTime('Only events at this time or later.'),
    until: Type.Optional(dateTime('Only events at this time or earlier. Defaults to now.')),
    of: Type.Optional(
      Type.Union([Type.Literal('failed'), Type.Literal('missing'), Type.Literal('all')], {
        description:
          '`failed`: deliveries that failed or are waiting for another attempt. `missing`: events that happened while the endpoint was disabled, did not exist or did not subscribe to their type. `all`: both. Defaults to `failed`.',
        ...errorMessage('Must be one of failed, missing, all.'),
      }),
    ),
    events: Type.Optional(
      withDescription(
        Events,
        'Only events of these types. Defaults to all types for failed deliveries, and to the subscribed types of the endpoint for missing ones.',
      ),
    ),
    preview: Type.Optional(
      Type.Boolean({
        description: 'true returns the number of deliveries and the estimated duration without starting the recovery.',
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
      description: 'Number of deliveries that the recovery would make.',
    }),
    byType: Type.Array(
      Type.Object({
        type: withDescription(Type.String(), 'Event type.'),
        deliveries: Type.Integer({ description: 'Number of deliveries of this type.' }),
      }),
      { description: 'Number of deliveries by event type. Types without deliveries are left out.' },
    ),
    estimatedSeconds: Type.Integer({
      description:
        'Estimated duration in seconds, from the rate limit, the concurrency limit and the recent latency of the endpoint.',
    }),
  },
  { $id: 'RecoveryPreview' },
)
export type RecoveryPreview = Static<typeof RecoveryPreview>

export const Recovery = Type.Object(
  {
    id: withDescription(Id, 'ID of the recovery.'),
    webhookId: withDescription(Id, 'ID of the endpoint.'),
    since: withDescription(Time, 'Start of the range. Includes deliveries of events at this time or later.'),
    until: withDescription(Time, 'End of the range. Includes deliveries of events at this time or earlier.'),
    of: withDescription(
      Type.Union([Type.Literal('failed'), Type.Literal('missing'), Type.Literal('all')]),
      'Deliveries that the recovery makes, as given.',
    ),
    events: Type.Unsafe<string[] | null>(
      withDescription(Nullable(Type.Array(Events.items)), 'Event types, as given. Null if none were given.'),
    ),
    status: withDescription(
      Type.Union([Type.Literal('running'), Type.Literal('completed'), Type.Literal('cancelled')]),
      '`running`: until all deliveries were attempted. `cancelled`: stopped before that by a person, with its endpoint, or after a restore.',
    ),
    total: Type.Integer({
      description: 'Number of deliveries to make, counted when the recovery started.',
    }),
    done: Type.Integer({
      description: 'Number of these deliveries that were attempted, regardless of the result.',
    }),
    createdAt: withDescription(Time, 'Time of creation.'),
    finishedAt: withDescription(Nullable(Time), 'Time of completion or cancellation. Null before that.'),
  },
  { $id: 'Recovery' },
)
export type Recovery = Static<typeof Recovery>
