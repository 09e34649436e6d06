import { type Static, Type } from '@sinclair/typebox'
import { Id, Nullable, Time } from '../schema.ts'

const DeliveryStatus = Type.Union(
  (['pending', 'retrying', 'delivered', 'failed'] as const).map(status => Type.Literal(status)),
  { description: '`pending`: the first attempt is not finished; `retrying`: another attempt follows.' },
)

export const Delivery = Type.Object(
  {
    id: Id,
    eventId: Id,
    eventType: Type.String(),
    status: DeliveryStatus,
    attempts: Type.Integer(),
    statusCode: Nullable(Type.Integer({ description: 'Of the last attempt; null when there was no answer.' })),
    error: Nullable(Type.String({ description: 'Why the last attempt failed; null when it did not.' })),
    durationMs: Nullable(Type.Integer()),
    createdAt: Time,
    lastAttemptAt: Nullable(Time),
    nextAttemptAt: Nullable(Time),
  },
  { $id: 'Delivery' },
)
export type Delivery = Static<typeof Delivery>

export const DeliveryList = Type.Object({ data: Type.Array(Delivery) }, { $id: 'DeliveryList' })

export const DeliveryDetail = Type.Object(
  {
    ...Delivery.properties,
    request: Type.Object({
      headers: Type.Record(Type.String(), Type.String(), {
        description: 'Of the last attempt; empty before the first.',
      }),
      body: Type.String({ description: 'The raw body, as it was signed.' }),
    }),
    attemptLog: Type.Array(
      Type.Object({
        at: Time,
        statusCode: Nullable(Type.Integer()),
        error: Nullable(Type.String()),
        durationMs: Type.Integer(),
        responseBody: Nullable(Type.String({ description: 'The first KiB.' })),
      }),
    ),
  },
  { $id: 'DeliveryDetail' },
)
export type DeliveryDetail = Static<typeof DeliveryDetail>
