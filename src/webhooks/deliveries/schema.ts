import { type Static, Type } from '@sinclair/typebox'
import { errorMessage, Id, literals, Nullable, rangeQuery, Time, withDescription } from '../../core/schema.ts'
import { type OutboundEventType, outboundEventTypes } from '../outbound-events/index.ts'

const statuses = ['pending', 'retrying', 'delivered', 'failed'] as const

const DeliveryStatus = Type.Union(
  statuses.map(status => Type.Literal(status)),
  { description: '`pending`: the first attempt is not finished. `retrying`: another attempt follows.' },
)

export const Delivery = Type.Object(
  {
    id: withDescription(
      Id,
      'ID of the delivery of one event to one endpoint. It is the same for every attempt and is sent in `X-Service-Delivery`.',
    ),
    eventId: withDescription(Id, 'ID of the delivered outbound event. Receivers use it to detect duplicates.'),
    eventType: Type.Unsafe<string>(
      withDescription(literals(outboundEventTypes), 'Type of the event, as in `X-Service-Event`.'),
    ),
    status: DeliveryStatus,
    attempts: withDescription(Type.Integer(), 'Number of attempts so far.'),
    statusCode: Nullable(
      Type.Integer({ description: 'HTTP status of the last attempt. Null if no response was received.' }),
    ),
    error: Nullable(
      Type.String({
        description:
          'Why the last attempt failed, or why the delivery was skipped after a restore. Null if it did not fail.',
      }),
    ),
    durationMs: withDescription(
      Nullable(Type.Integer()),
      'Duration of the last attempt in milliseconds. Null before the first attempt.',
    ),
    createdAt: withDescription(Time, 'Time when the delivery to this endpoint was created.'),
    lastAttemptAt: withDescription(Nullable(Time), 'Start of the last attempt. Null before the first attempt.'),
    nextAttemptAt: withDescription(Nullable(Time), 'Time of the next attempt. Null if none follows.'),
  },
  { $id: 'Delivery' },
)
export type Delivery = Static<typeof Delivery>

export const DeliveryList = Type.Object(
  {
    data: Type.Array(Delivery, { description: 'Deliveries, newest first.' }),
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Value of `cursor` for the next page. Null on the last page.',
    }),
  },
  { $id: 'DeliveryList' },
)
export type DeliveryList = Static<typeof DeliveryList>

export const DeliveryQuery = Type.Object({
  ...rangeQuery().properties,
  status: Type.Optional(
    Type.Union(
      statuses.map(status => Type.Literal(status)),
      { description: 'Only deliveries with this status.', ...errorMessage(`Must be one of ${statuses.join(', ')}.`) },
    ),
  ),
  eventType: Type.Optional(
    Type.Union(
      outboundEventTypes.map(type => Type.Literal<OutboundEventType>(type)),
      {
        description: 'Only deliveries of events of this type.',
        ...errorMessage(`Must be one of ${outboundEventTypes.join(', ')}.`),
      },
    ),
  ),
  statusCode: Type.Optional(
    Type.String({
      pattern: '^([1-5]([0-9]{2}|xx)|none)$',
      description:
        'Only deliveries whose last attempt was answered with this HTTP status, for example `500` or `5xx`. `none`: the last attempt had no response.',
      ...errorMessage('Must be a status such as 500, a class such as 5xx, or none.'),
    }),
  ),
  error: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Only deliveries whose `error` contains this text, ignoring case.',
      ...errorMessage('Must be a text of 1 to 200 characters.'),
    }),
  ),
})
export type DeliveryQuery = Static<typeof DeliveryQuery>

/** Request body for sending an outbound event again. */
export const SendAgain = Type.Object(
  {
    webhookId: Type.String({
      format: 'uuid',
      description: 'ID of the endpoint to send the event to.',
      ...errorMessage('Must be a UUID.'),
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
          '`failing`: every attempt since `since` failed. `held`: deliveries are held until the endpoint is released. `off`: the endpoint is switched off.',
      },
    ),
    since: withDescription(Time, 'Time when the current state began.'),
    lastSuccessAt: withDescription(Nullable(Time), 'Time of the last successful delivery. Null if there was none.'),
    lastFailure: withDescription(
      Nullable(
        Type.Object({
          at: withDescription(Time, 'Start of the attempt.'),
          statusCode: withDescription(
            Nullable(Type.Integer()),
            'HTTP status of the response. Null if no response was received.',
          ),
          error: Nullable(Type.String({ description: 'Error in words, as in the delivery.' })),
        }),
      ),
      'Last failed attempt. Null if no attempt failed.',
    ),
    waiting: Type.Integer({
      description:
        'Number of deliveries that are waiting for an attempt, counted up to 10,000. A healthy endpoint can also have a backlog.',
    }),
    waitingSince: withDescription(
      Nullable(Time),
      'Time of the event of the oldest waiting delivery. Null if no delivery is waiting. As `since` of a recovery, this time covers all deliveries that are waiting for another attempt.',
    ),
    nextAttemptAt: Nullable(
      Type.String({
        format: 'date-time',
        description: 'Time of the next attempt. Null if no delivery is waiting or no attempts are made.',
      }),
    ),
    last50: Type.Array(
      Type.Object({
        deliveryId: withDescription(Id, 'ID of the delivery.'),
        eventType: Type.Unsafe<string>(withDescription(literals(outboundEventTypes), 'Type of the event.')),
        at: withDescription(Time, 'Start of the last attempt.'),
        status: withDescription(DeliveryStatus, 'Current status of the delivery.'),
        statusCode: withDescription(
          Nullable(Type.Integer()),
          'HTTP status of the response. Null if no response was received.',
        ),
        error: withDescription(Nullable(Type.String()), 'Why the attempt failed, in words. Null if it did not fail.'),
        durationMs: withDescription(Type.Integer(), 'Duration of the attempt in milliseconds.'),
      }),
      { description: 'Newest attempted deliveries, each with its last attempt, newest first.' },
    ),
    p50Ms: Nullable(
      Type.Integer({ description: 'Median duration of these attempts in milliseconds. Null if there are none.' }),
    ),
    p95Ms: Nullable(
      Type.Integer({ description: '95th percentile of the duration in milliseconds. Null if there are none.' }),
    ),
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
          description: 'Headers of the last attempt. Empty before the first attempt.',
        }),
        body: Type.String({ description: 'Raw body, as it was signed.' }),
      },
      { description: 'Request that was sent.' },
    ),
    attemptLog: Type.Array(
      Type.Object({
        at: withDescription(Time, 'Start of the attempt.'),
        statusCode: withDescription(
          Nullable(Type.Integer()),
          'HTTP status of the response. Null if no response was received.',
        ),
        error: withDescription(Nullable(Type.String()), 'Why the attempt failed. Null if it did not fail.'),
        durationMs: withDescription(Type.Integer(), 'Duration in milliseconds.'),
        responseBody: Nullable(
          Type.String({
            description:
              'First KiB of the response body. Null if there was none, and after it was deleted by retention.',
          }),
        ),
      }),
      { description: 'All attempts, oldest first.' },
    ),
  },
  { $id: 'DeliveryDetail' },
)
export type DeliveryDetail = Static<typeof DeliveryDetail>
