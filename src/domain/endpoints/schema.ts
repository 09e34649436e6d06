import { type Static, Type } from '@sinclair/typebox'
import { subscribableTypes } from '../outbound-events/index.ts'
import { described, Id, message, Nullable, Time } from '../schema.ts'

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
    id: described(Id, 'The endpoint.'),
    url: described(Type.String(), 'Where its deliveries go, as it was written.'),
    description: described(Nullable(Type.String()), 'What the team calls it for; null where nothing was said.'),
    events: described(Type.Array(Type.String()), 'The event types it is told of.'),
    enabled: described(Type.Boolean(), 'false: it is switched off, and its pending deliveries are held.'),
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
