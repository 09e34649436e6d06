import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { described, Id, message, Nullable, Time } from '../schema.ts'
import { type ChannelKind, channelKinds, providers, type SandboxDelivery } from './providers/index.ts'

const Kind = Type.Union(
  channelKinds.map(kind => Type.Literal(kind)),
  {
    description: channelKinds.map(kind => `\`${kind}\`: ${providers[kind].description}`).join(' '),
    ...message(`Must be ${channelKinds.map(kind => `"${kind}"`).join(' or ')}.`),
  },
)

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  ...message('Must be a text of 1 to 100 characters.'),
})

const deliveries: SandboxDelivery[] = ['delivered', 'read', 'failed', 'manual']

const Sandbox = Type.Object(
  {
    delivery: Type.Union(
      deliveries.map(one => Type.Literal(one)),
      {
        description:
          'Result of messages: `delivered`, `read` or `failed` immediately, or no result until you report one (`manual`). Messages to numbers that end in 0000 always fail.',
        ...message(`Must be one of ${deliveries.join(', ')}.`),
      },
    ),
  },
  {
    additionalProperties: false,
    description: 'Behavior of a sandbox, which simulates a provider and sends nothing.',
    ...message('Must be an object with the field delivery.'),
  },
)

const needsCredentials = (kind: ChannelKind): boolean => providers[kind].credentials.type !== 'null'

/** Returns the schema of `{credentials}` for a kind, or null if it has none. */
export const credentialsOf = (kind: ChannelKind): TSchema | null =>
  needsCredentials(kind) ? Type.Object({ credentials: providers[kind].credentials }) : null

const pascal = (kind: string): string =>
  kind
    .split('_')
    .map(word => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

const connecting = (kind: ChannelKind): TSchema =>
  Type.Object(
    {
      kind: Type.Literal(kind, {
        description: 'Kind of the channel.',
        ...message(`Must be ${channelKinds.map(one => `"${one}"`).join(' or ')}.`),
      }),
      name: described(Name, 'Name of the channel.'),
      ...(needsCredentials(kind) && { credentials: providers[kind].credentials }),
      ...(kind === 'sandbox' && { sandbox: Type.Optional(Sandbox) }),
    },
    { additionalProperties: false, $id: `Connect${pascal(kind)}`, description: providers[kind].description },
  )

export interface ConnectChannel {
  kind: ChannelKind
  name: string
  /** Validated against the schema of the provider. */
  credentials?: unknown
  sandbox?: { delivery: SandboxDelivery }
}

/** Union of all kinds, each with its credentials. */
export const ConnectChannel = Type.Unsafe<ConnectChannel>(
  Type.Union(channelKinds.map(connecting), { $id: 'ConnectChannel' }),
)

/** The schema of the credentials depends on the kind, so it is checked after the channel is loaded. */
export const ChangeChannel = Type.Object(
  {
    name: Type.Optional(described(Name, 'Name of the channel.')),
    credentials: Type.Optional(
      Type.Unsafe<Record<string, unknown>>(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description:
              'All credentials, as in the request that connects a channel of this kind. They replace the current credentials.',
            ...message('Must be an object with all credentials of the channel.'),
          },
        ),
      ),
    ),
    sandbox: Type.Optional(described(Sandbox, 'Only allowed for a sandbox.')),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    $id: 'ChangeChannel',
    ...message('Must hold at least one of name, credentials and sandbox.'),
  },
)
export type ChangeChannel = Static<typeof ChangeChannel>

const statuses = ['connected', 'failing', 'disconnected'] as const

export const Channel = Type.Object(
  {
    id: described(Id, 'ID of the channel.'),
    kind: Kind,
    name: described(Type.String(), 'Name of the channel.'),
    number: Nullable(
      Type.String({ description: 'Number of the channel at the provider: a phone number, or the ID of one.' }),
    ),
    status: Type.Union(
      statuses.map(status => Type.Literal(status)),
      {
        description:
          '`failing`: the provider rejects requests of the service; `statusDetail` contains the error. `disconnected`: permanently disconnected.',
      },
    ),
    statusDetail: described(
      Nullable(Type.String()),
      'Error message of the provider. Null while the provider accepts requests.',
    ),
    inboundUrl: Nullable(
      Type.String({
        description: 'URL to which the provider must send messages and statuses. Null if the channel does not use one.',
      }),
    ),
    sandbox: described(Nullable(Sandbox), 'Behavior of the sandbox. Null for other kinds of channels.'),
    createdAt: described(Time, 'Time when the channel was connected.'),
    updatedAt: described(Time, 'Time of the last change.'),
  },
  { $id: 'Channel', description: 'A connection to a messaging provider. Responses never contain its credentials.' },
)
export type Channel = Static<typeof Channel>

export const ChannelTest = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the provider accepts the credentials.' }),
    detail: Type.String({ description: 'Response of the provider, in words.' }),
  },
  { $id: 'ChannelTest' },
)
export type ChannelTest = Static<typeof ChannelTest>
