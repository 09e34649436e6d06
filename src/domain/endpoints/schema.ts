import { type Static, Type } from '@sinclair/typebox'
import { Condition } from '../conditions/index.ts'
import { subscribableTypes } from '../outbound-events/index.ts'
import { ByName, described, Id, message, Nullable, published, Time } from '../schema.ts'

const Url = Type.String({
  maxLength: 2048,
  description: 'https, a public host name (no IP address), port 443 or an unreserved port from 1024 up.',
  ...published({ minLength: 1, pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/]' }),
  ...message('Must be an https address with a public host name, at most 2048 characters long.'),
})
const Description = Type.String({
  maxLength: 500,
  description: 'Free label.',
  ...message('Must be a text of at most 500 characters.'),
})
const EventType = Type.Union(
  subscribableTypes.map(type => Type.Literal(type)),
  {
    $id: 'WebhookEventType',
    description: 'The type of an outbound event, as endpoints subscribe to it.',
    ...message(`Must be one of ${subscribableTypes.join(', ')}.`),
  },
)
const Events = Type.Array(EventType, {
  minItems: 1,
  uniqueItems: true,
  description: 'Event types to be told of; no repeats.',
  ...message('Must name at least one event type, each only once.'),
})

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'What people call it.',
  ...message('Must be a text of 1 to 100 characters that is not all white space.'),
})
const Metadata = ByName(Type.String({ maxLength: 500, ...message('Must be a text of at most 500 characters.') }), {
  maxProperties: 20,
  description: 'Your own notes: at most 20 texts by names of up to 40 characters. Replaced as a whole.',
  ...published({ propertyNames: { minLength: 1, maxLength: 40 } }),
  ...message('Must be an object of at most 20 texts.'),
})
const Headers = ByName(
  Type.String({
    minLength: 1,
    maxLength: 4096,
    ...published({ pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e\\t]*[\\x21-\\x7e])?$' }),
    ...message('Must be a text of 1 to 4096 characters.'),
  }),
  {
    maxProperties: 20,
    description:
      'Headers of your own, sent with every attempt: at most 20, together 16 KiB. Replaced as a whole; their values are in no answer. Not `Host`, `Content-…`, `X-Service-…`, nor what belongs to a single connection.',
    ...published({ propertyNames: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$" } }),
    ...message('Must be an object of at most 20 texts by the names of headers.'),
  },
)
const RatePerSecond = Type.Integer({
  minimum: 1,
  maximum: 1000,
  description: 'The most attempts begun in a second; null for as many as the endpoint bears.',
  ...message('Must be a whole number from 1 to 1000, or null.'),
})
const MaxConcurrency = Type.Integer({
  minimum: 1,
  maximum: 500,
  description: 'Maximum number of deliveries in progress at the same time; null for no limit of yours.',
  ...message('Must be a whole number from 1 to 500, or null.'),
})

const optional = {
  name: Type.Optional(Nullable(Name)),
  description: Type.Optional(Nullable(Description)),
  metadata: Type.Optional(Metadata),
  headers: Type.Optional(Headers),
  ratePerSecond: Type.Optional(Nullable(RatePerSecond)),
  maxConcurrency: Type.Optional(Nullable(MaxConcurrency)),
  filter: Type.Optional(
    described(
      Nullable(Condition),
      'A condition on `data.…`: an event for which it does not hold is passed over. null for none.',
    ),
  ),
}

export const CreateWebhook = Type.Object(
  { url: Url, events: Events, ...optional },
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
        description: 'false holds pending deliveries until it is true again.',
        ...message('Must be true or false.'),
      }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    $id: 'ChangeWebhook',
    ...message(
      'Must hold at least one of url, events, enabled, name, description, metadata, headers, ratePerSecond, maxConcurrency and filter.',
    ),
  },
)
export type ChangeWebhook = Static<typeof ChangeWebhook>

export const Webhook = Type.Object(
  {
    id: described(Id, 'The endpoint.'),
    name: described(Nullable(Type.String()), 'What it is called; null where it has no name.'),
    url: described(Type.String(), 'Where its deliveries go, as it was written.'),
    description: described(Nullable(Type.String()), 'What the team calls it for; null where nothing was said.'),
    events: Type.Unsafe<string[]>(described(Type.Array(EventType), 'The event types it is told of.')),
    enabled: described(Type.Boolean(), 'false: it is switched off, and its pending deliveries are held.'),
    metadata: described(ByName(Type.String()), 'What your systems keep with it.'),
    headers: Type.Array(Type.String(), { description: 'The names of your own headers; no answer has their values.' }),
    ratePerSecond: described(
      Nullable(Type.Integer()),
      'Deliveries a second at most; null where there is no such limit.',
    ),
    maxConcurrency: described(
      Nullable(Type.Integer()),
      'Maximum number of deliveries in progress at the same time; null if the owner set no limit.',
    ),
    filter: Type.Union([Condition, Type.Null()], {
      description: 'A condition on `data.…`; an event for which it does not hold is passed over.',
    }),
    heldAt: Nullable(
      Type.String({ format: 'date-time', description: 'Since when its deliveries wait until it is released.' }),
    ),
    heldBy: Type.Union([Type.Literal('owner'), Type.Literal('service'), Type.Null()], {
      description: '`service`: every attempt of five days had failed.',
    }),
    createdAt: described(Time, 'When it was made.'),
    updatedAt: described(Time, 'When it was last changed.'),
    created: Type.String({
      format: 'date-time',
      deprecated: true,
      description: 'The same as `createdAt`, by its old name.',
    }),
    updated: Type.String({
      format: 'date-time',
      deprecated: true,
      description: 'The same as `updatedAt`, by its old name.',
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
        'Keys the signatures; its UTF-8 bytes, prefix included, are the HMAC key. Shown only in this answer.',
    }),
  },
  { $id: 'WebhookWithSecret' },
)
export type WebhookWithSecret = Static<typeof WebhookWithSecret>
