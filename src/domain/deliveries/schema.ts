import { type Static, Type } from '@sinclair/typebox'
import { type OutboundEventType, outboundEventTypes } from '../outbound-events/index.ts'
import { described, Id, literals, message, Nullable, PageQuery, Time } from '../schema.ts'

const statuses = ['pending', 'retrying', 'delivered', 'failed'] as const

const DeliveryStatus = Type.Union(
  statuses.map(status => Type.Literal(status)),
  { description: '`pending`: the first attempt is not finished; `retrying`: another attempt follows.' },
)

export const Delivery = Type.Object(
  {
    id: described(
      Id,
      'The delivery: one event for one endpoint, the same at each attempt. In `X-Service-Delivery` of each of them.',
    ),
    eventId: described(Id, 'The outbound event that is delivered, by which a receiver knows it again.'),
    eventType: Type.Unsafe<string>(
      described(literals(outboundEventTypes), 'The type of the event, as in `X-Service-Event`.'),
    ),
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
  {
    data: Type.Array(Delivery, { description: 'The deliveries, newest first.' }),
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Send it as `cursor` for the next page; null at the end.',
    }),
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

/** Request body for sending an outbound event again. */
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
    since: described(Time, 'Since when it is in this state.'),
    lastSuccessAt: described(Nullable(Time), 'When a receiver last took a delivery; null where none ever did.'),
    lastFailure: described(
      Nullable(
        Type.Object({
          at: described(Time, 'When the attempt began.'),
          statusCode: described(Nullable(Type.Integer()), 'What the receiver answered; null where nothing came.'),
          error: Nullable(Type.String({ description: 'In words, as in the delivery.' })),
        }),
      ),
      'The last attempt that failed; null where none did.',
    ),
    waiting: Type.Integer({
      description: 'Deliveries that wait for an attempt, counted up to 10,000. A healthy endpoint can be far behind.',
    }),
    waitingSince: described(
      Nullable(Time),
      'When the event of the oldest waiting delivery happened; null where nothing waits. As `since` of a recovery it covers all that waits for another attempt.',
    ),
    nextAttemptAt: Nullable(
      Type.String({ format: 'date-time', description: 'Null where nothing waits, or nothing is attempted.' }),
    ),
    last50: Type.Array(
      Type.Object({
        deliveryId: described(Id, 'The delivery.'),
        eventType: Type.Unsafe<string>(described(literals(outboundEventTypes), 'The type of its event.')),
        at: described(Time, 'When its last attempt began.'),
        status: described(DeliveryStatus, 'What has become of it so far.'),
        statusCode: described(Nullable(Type.Integer()), 'What the receiver answered; null where nothing came.'),
        error: described(Nullable(Type.String()), 'Why the attempt failed, in words; null where it did not.'),
        durationMs: described(Type.Integer(), 'How long the attempt took.'),
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
        responseBody: Nullable(
          Type.String({ description: 'The first KiB; null where there was none, and once it is no longer kept.' }),
        ),
      }),
      { description: 'Every attempt, the first in front.' },
    ),
  },
  { $id: 'DeliveryDetail' },
)
export type DeliveryDetail = Static<typeof DeliveryDetail>
