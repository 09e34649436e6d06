import { type Static, Type } from '@sinclair/typebox'
import { Condition } from '../../core/conditions/index.ts'
import { errorMessage, Id, Nullable, publishedKeywords, StringMap, Time, withDescription } from '../../core/schema.ts'
import { subscribableTypes } from '../outbound-events/index.ts'

const Url = Type.String({
  maxLength: 2048,
  description: 'Must use https, a public host name (no IP address), and port 443 or an unreserved port from 1024.',
  ...publishedKeywords({ minLength: 1, pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/]' }),
  ...errorMessage('Must be an https address with a public host name, at most 2048 characters long.'),
})
const Description = Type.String({
  maxLength: 500,
  description: 'Your own description.',
  ...errorMessage('Must be a text of at most 500 characters.'),
})
const EventType = Type.Union(
  subscribableTypes.map(type => Type.Literal(type)),
  {
    $id: 'WebhookEventType',
    description: 'Type of an outbound event. Endpoints subscribe to types.',
    ...errorMessage(`Must be one of ${subscribableTypes.join(', ')}.`),
  },
)
export const Events = Type.Array(EventType, {
  minItems: 1,
  uniqueItems: true,
  description: 'Subscribed event types, without duplicates.',
  ...errorMessage('Must name at least one event type, each only once.'),
})

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Name of the endpoint.',
  ...errorMessage('Must be a text of 1 to 100 characters that is not all white space.'),
})
const Metadata = StringMap(
  Type.String({ maxLength: 500, ...errorMessage('Must be a text of at most 500 characters.') }),
  {
    maxProperties: 20,
    description:
      'Your own metadata: at most 20 texts with names of up to 40 characters. A change replaces all entries.',
    ...publishedKeywords({ propertyNames: { minLength: 1, maxLength: 40 } }),
    ...errorMessage('Must be an object of at most 20 texts.'),
  },
)
const Headers = StringMap(
  Type.String({
    minLength: 1,
    maxLength: 4096,
    ...publishedKeywords({ pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e\\t]*[\\x21-\\x7e])?$' }),
    ...errorMessage('Must be a text of 1 to 4096 characters.'),
  }),
  {
    maxProperties: 20,
    description:
      'Your own headers, sent with every attempt: at most 20, at most 16 KiB in total. A change replaces all headers. Responses never contain their values. Not allowed: `Host`, `Content-…`, `X-Service-…` and connection-specific headers.',
    ...publishedKeywords({ propertyNames: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$" } }),
    ...errorMessage('Must be an object of at most 20 texts by the names of headers.'),
  },
)
const RatePerSecond = Type.Integer({
  minimum: 1,
  maximum: 1000,
  description: 'Maximum number of attempts started per second. Null: limited only by the capacity of the endpoint.',
  ...errorMessage('Must be a whole number from 1 to 1000, or null.'),
})
const MaxConcurrency = Type.Integer({
  minimum: 1,
  maximum: 500,
  description: 'Maximum number of deliveries in progress at the same time. Null: no limit of your own.',
  ...errorMessage('Must be a whole number from 1 to 500, or null.'),
})

const optional = {
  name: Type.Optional(Nullable(Name)),
  description: Type.Optional(Nullable(Description)),
  metadata: Type.Optional(Metadata),
  headers: Type.Optional(Headers),
  ratePerSecond: Type.Optional(Nullable(RatePerSecond)),
  maxConcurrency: Type.Optional(Nullable(MaxConcurrency)),
  filter: Type.Optional(
    withDescription(
      Nullable(Condition),
      'Condition on `data.…`. Events that do not match are not sent to the endpoint. Null: no condition.',
    ),
  ),
}

export const CreateWebhook = Type.Object(
  {
    url: Url,
    events: Events,
    ...optional,
    enabled: Type.Optional(
      Type.Boolean({
        description:
          'Defaults to true. false creates the endpoint disabled: it gets no deliveries until it is enabled.',
        ...errorMessage('Must be true or false.'),
      }),
    ),
  },
  { additionalProperties: false, $id: 'CreateWebhook' },
)
export type CreateWebhook = Static<typeof CreateWebhook>

export const ChangeWebhook = Type.Object(
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    ...optional,
    enabled: Type.Optional(
      Type.Boolean({
        description: 'false holds pending deliveries until the value is true again.',
        ...errorMessage('Must be true or false.'),
      }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    $id: 'ChangeWebhook',
    ...errorMessage(
      'Must contain at least one of url, events, enabled, name, description, metadata, headers, ratePerSecond, maxConcurrency and filter.',
    ),
  },
)
export type ChangeWebhook = Static<typeof ChangeWebhook>

export const Webhook = Type.Object(
  {
    id: withDescription(Id, 'ID of the endpoint.'),
    name: withDescription(Nullable(Type.String()), 'Name of the endpoint. Null if it has no name.'),
    url: withDescription(
      Type.String(),
      'URL that receives the deliveries, as given. An internationalised host name is in its `xn--` form. Other characters beyond ASCII are percent-encoded.',
    ),
    description: withDescription(Nullable(Type.String()), 'Description by the team. Null if none was given.'),
    events: Type.Unsafe<string[]>(withDescription(Type.Array(EventType), 'Subscribed event types.')),
    enabled: withDescription(
      Type.Boolean(),
      'false: the endpoint is switched off, and its pending deliveries are held.',
    ),
    metadata: withDescription(StringMap(Type.String()), 'Metadata that your systems store with the endpoint.'),
    headers: Type.Array(Type.String(), {
      description: 'Names of your own headers. Responses never contain their values.',
    }),
    ratePerSecond: withDescription(
      Nullable(Type.Integer()),
      'Maximum number of deliveries per second. Null: no such limit.',
    ),
    maxConcurrency: withDescription(
      Nullable(Type.Integer()),
      'Maximum number of deliveries in progress at the same time. Null: no limit set by the owner.',
    ),
    filter: Type.Union([Condition, Type.Null()], {
      description: 'Condition on `data.…`. Events that do not match are not sent to the endpoint. Null: no condition.',
    }),
    heldAt: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'Time when the endpoint was held. Deliveries are held until it is released. Null if it is not held.',
      }),
    ),
    heldBy: Type.Union([Type.Literal('owner'), Type.Literal('service'), Type.Null()], {
      description:
        'Whether an owner or the service held the endpoint. `service`: every attempt of five days had failed. Null if it is not held.',
    }),
    createdAt: withDescription(Time, 'Time of creation.'),
    updatedAt: withDescription(Time, 'Time of the last change.'),
    created: Type.String({
      format: 'date-time',
      deprecated: true,
      description: 'Former name of `createdAt`, with the same value.',
    }),
    updated: Type.String({
      format: 'date-time',
      deprecated: true,
      description: 'Former name of `updatedAt`, with the same value.',
    }),
  },
  { $id: 'Webhook' },
)
export type Webhook = Static<typeof Webhook>

export const WebhookWithSecret = Type.Object(
  {
    ...Webhook.properties,
    secret: Type.String({
      description:
        'Signing secret. Its UTF-8 bytes, including the prefix, are the HMAC key. Only returned in this response.',
    }),
  },
  { $id: 'WebhookWithSecret' },
)
export type WebhookWithSecret = Static<typeof WebhookWithSecret>
