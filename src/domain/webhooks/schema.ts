import { type Static, Type } from '@sinclair/typebox'
import { subscribableTypes } from '../outbound-events/index.ts'
import { Id, message, Nullable, Time } from '../schema.ts'
import { problemCodes } from './diagnosis.ts'

const Url = Type.String({
  maxLength: 2048,
  description: 'https, a public host name (no IP address), port 443 or an unreserved port from 1024 up.',
  ...message('Must be an https address with a public host name, at most 2048 characters long.'),
})
const Description = Type.String({
  maxLength: 500,
  description: 'Free label.',
  ...message('Must be a text of at most 500 characters.'),
})
const Events = Type.Array(
  Type.Union(
    subscribableTypes.map(type => Type.Literal(type)),
    message(`Must be one of ${subscribableTypes.join(', ')}.`),
  ),
  {
    minItems: 1,
    uniqueItems: true,
    description: 'Event types to be told of; no repeats.',
    ...message('Must name at least one event type, each only once.'),
  },
)

export const CreateWebhook = Type.Object(
  { url: Url, description: Type.Optional(Nullable(Description)), events: Events },
  { additionalProperties: false, $id: 'CreateWebhook' },
)
export type CreateWebhook = Static<typeof CreateWebhook>

export const ChangeWebhook = Type.Object(
  {
    url: Type.Optional(Url),
    description: Type.Optional(Nullable(Description)),
    events: Type.Optional(Events),
    enabled: Type.Optional(
      Type.Boolean({
        description: 'false holds pending deliveries until it is true again.',
        ...message('Must be true or false.'),
      }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    $id: 'ChangeWebhook',
    ...message('Must hold at least one of url, description, events and enabled.'),
  },
)
export type ChangeWebhook = Static<typeof ChangeWebhook>

export const Webhook = Type.Object(
  {
    id: Id,
    url: Type.String(),
    description: Nullable(Type.String()),
    events: Type.Array(Type.String()),
    enabled: Type.Boolean(),
    created: Time,
    updated: Time,
  },
  { $id: 'Webhook' },
)
export type Webhook = Static<typeof Webhook>

export const WebhookWithSecret = Type.Object(
  {
    ...Webhook.properties,
    secret: Type.String({
      description:
        'Keys the signatures; its UTF-8 bytes, prefix included, are the HMAC key. Shown only in this answer.',
    }),
  },
  { $id: 'WebhookWithSecret' },
)
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

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

/** Well above what is ever delivered, since a body that does not fit its signature is looked into. */
const mostBodyLength = 128 * 1024

export const VerifyWebhook = Type.Object(
  {
    secret: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'The endpoint’s secret, as your receiver has it. It is neither kept nor logged.',
      ...message('Must be the secret, a text of 1 to 500 characters.'),
    }),
    headers: Type.Record(
      Type.String(),
      Type.String({ maxLength: 8192, ...message('Must be a text of at most 8192 characters.') }),
      {
        maxProperties: 100,
        description: 'The headers that came with it, or those that begin with X-Service-. Names in any case.',
        ...message('Must be an object of at most 100 header names and their values.'),
      },
    ),
    body: Type.String({
      maxLength: mostBodyLength,
      description: 'The raw body, as it came in.',
      ...message(`Must be the raw body as a text of at most ${mostBodyLength} characters.`),
    }),
    at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When it came in; now, if left out.',
        ...message('Must be a time such as 2026-03-01T09:30:02Z.'),
      }),
    ),
  },
  { additionalProperties: false, $id: 'VerifyWebhook' },
)
export type VerifyWebhook = Static<typeof VerifyWebhook>

export const Verification = Type.Object(
  {
    valid: Type.Boolean(),
    problems: Type.Array(
      Type.Object({
        code: Type.Union(problemCodes.map(code => Type.Literal(code))),
        message: Type.String({ description: 'What is wrong and what to do about it.' }),
      }),
      { description: 'Empty where it is valid.' },
    ),
    timestamp: Nullable(Type.Integer({ description: '`t` of the header.' })),
    secondsOff: Nullable(
      Type.Integer({ description: 'From `t` to the time of receipt; more than 300 either way is refused.' }),
    ),
    matched: Nullable(Type.Integer({ description: 'Which `v1` fits, counted from 1.' })),
    expected: Nullable(
      Type.String({ description: 'The digest that the secret as given makes of `t`, a dot and the body as given.' }),
    ),
  },
  { $id: 'Verification' },
)
