import { type Static, Type } from '@sinclair/typebox'
import { described, Id, Nullable, Time } from '../schema.ts'

const DeliveryStatus = Type.Union(
  (['pending', 'retrying', 'delivered', 'failed'] as const).map(status => Type.Literal(status)),
  { description: '`pending`: the first attempt is not finished; `retrying`: another attempt follows.' },
)

export const Delivery = Type.Object(
  {
    id: described(
      Id,
      'The delivery: one event for one endpoint, the same at each attempt. In `X-Service-Delivery` of each of them.',
    ),
    eventId: described(Id, 'The outbound event that is delivered, by which a receiver knows it again.'),
    eventType: described(Type.String(), 'The type of the event, as in `X-Service-Event`.'),
    status: DeliveryStatus,
    attempts: described(Type.Integer(), 'How many attempts were made so far.'),
    statusCode: Nullable(Type.Integer({ description: 'Of the last attempt; null when there was no answer.' })),
    error: Nullable(Type.String({ description: 'Why the last attempt failed; null when it did not.' })),
    durationMs: described(
      Nullable(Type.Integer()),
      'How long the last attempt took, in milliseconds; null before the first.',
    ),
    createdAt: described(Time, 'When the event was handed out to this endpoint.'),
    lastAttemptAt: described(Nullable(Time), 'When the last attempt began; null before the first.'),
    nextAttemptAt: described(Nullable(Time), 'When the next attempt is due; null where none follows.'),
  },
  { $id: 'Delivery' },
)
export type Delivery = Static<typeof Delivery>

export const DeliveryList = Type.Object(
  { data: Type.Array(Delivery, { description: 'The deliveries, newest first.' }) },
  { $id: 'DeliveryList' },
)

export const DeliveryDetail = Type.Object(
  {
    ...Delivery.properties,
    request: Type.Object(
      {
        headers: Type.Record(Type.String(), Type.String(), {
          description: 'Of the last attempt; empty before the first.',
        }),
        body: Type.String({ description: 'The raw body, as it was signed.' }),
      },
      { description: 'What was sent.' },
    ),
    attemptLog: Type.Array(
      Type.Object({
        at: described(Time, 'When the attempt began.'),
        statusCode: described(
          Nullable(Type.Integer()),
          'The status that was answered; null where there was no answer.',
        ),
        error: described(Nullable(Type.String()), 'Why it failed; null where it did not.'),
        durationMs: described(Type.Integer(), 'How long it took, in milliseconds.'),
        responseBody: Nullable(Type.String({ description: 'The first KiB.' })),
      }),
      { description: 'Every attempt, the first in front.' },
    ),
  },
  { $id: 'DeliveryDetail' },
)
export type DeliveryDetail = Static<typeof DeliveryDetail>
