import { type Static, Type } from '@sinclair/typebox'
import { type OutboundEventType, outboundEventTypes } from '../outbound-events/index.ts'
import { Id, message, Nullable, PageQuery, Time } from '../schema.ts'

const statuses = ['pending', 'retrying', 'delivered', 'failed'] as const

const DeliveryStatus = Type.Union(
  statuses.map(status => Type.Literal(status)),
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

export const DeliveryList = Type.Object(
  {
    data: Type.Array(Delivery),
    nextCursor: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Where the query asked for anything: send it as `cursor` for the next page; null at the end.',
      }),
    ),
  },
  { $id: 'DeliveryList' },
)
export type DeliveryList = Static<typeof DeliveryList>

export const DeliveryQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(
    Type.Union(
      statuses.map(status => Type.Literal(status)),
      { description: 'Only those of this status.', ...message(`Must be one of ${statuses.join(', ')}.`) },
    ),
  ),
  eventType: Type.Optional(
    Type.Union(
      outboundEventTypes.map(type => Type.Literal<OutboundEventType>(type)),
      {
        description: 'Only those of events of this type.',
        ...message(`Must be one of ${outboundEventTypes.join(', ')}.`),
      },
    ),
  ),
})
export type DeliveryQuery = Static<typeof DeliveryQuery>

/** The body of sending an outbound event again. */
export const SendAgain = Type.Object(
  {
    webhookId: Type.String({
      format: 'uuid',
      description: 'The endpoint it is to go to.',
      ...message('Must be a UUID.'),
    }),
  },
  { additionalProperties: false, $id: 'SendAgain' },
)
export type SendAgain = Static<typeof SendAgain>

export const WebhookHealth = Type.Object(
  {
    state: Type.Union(
      (['healthy', 'failing', 'held', 'off'] as const).map(state => Type.Literal(state)),
      {
        description:
          '`failing`: every attempt since `since` failed. `held`: deliveries wait until it is released. `off`: it is switched off.',
      },
    ),
    since: Time,
    lastSuccessAt: Nullable(Time),
    lastFailure: Nullable(
      Type.Object({
        at: Time,
        statusCode: Nullable(Type.Integer()),
        error: Nullable(Type.String({ description: 'In words, as in the delivery.' })),
      }),
    ),
    waiting: Type.Integer({ description: 'Deliveries that wait for an attempt, counted up to 10,000.' }),
    nextAttemptAt: Nullable(
      Type.String({ format: 'date-time', description: 'Null where nothing waits, or nothing is attempted.' }),
    ),
    last50: Type.Array(
      Type.Object({
        deliveryId: Id,
        eventType: Type.String(),
        at: Time,
        status: DeliveryStatus,
        statusCode: Nullable(Type.Integer()),
        error: Nullable(Type.String()),
        durationMs: Type.Integer(),
      }),
      { description: 'The newest deliveries that were attempted, each with its last attempt, newest first.' },
    ),
    p50Ms: Nullable(Type.Integer({ description: 'Half of them took no longer; null where there are none.' })),
    p95Ms: Nullable(Type.Integer({ description: 'Nineteen of twenty took no longer; null where there are none.' })),
  },
  { $id: 'WebhookHealth' },
)
export type WebhookHealth = Static<typeof WebhookHealth>

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
