import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { errorMessage, Id, Nullable, Time, withDescription } from '../../core/schema.ts'
import { type ChannelKind, channelKinds, providers, type SandboxDelivery } from './providers/index.ts'

export const Kind = Type.Union(
  channelKinds.map(kind => Type.Literal(kind)),
  {
    description: channelKinds
      .map(kind => `\`${kind}\`: ${providers[kind].name}. ${providers[kind].description}`)
      .join(' '),
    ...errorMessage(`Must be ${channelKinds.map(kind => `"${kind}"`).join(' or ')}.`),
  },
)

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  ...errorMessage('Must be a text of 1 to 100 characters.'),
})

const deliveries: SandboxDelivery[] = ['delivered', 'read', 'failed', 'manual', 'rejected']

const Sandbox = Type.Object(
  {
    delivery: Type.Union(
      deliveries.map(one => Type.Literal(one)),
      {
        description:
          'Result of messages: `delivered`, `read` or `failed` immediately, or no result until you report one (`manual`). With `rejected`, the provider rejects every request, and the channel fails. Messages to numbers that end in 0000 always fail.',
        ...errorMessage(`Must be one of ${deliveries.join(', ')}.`),
      },
    ),
  },
  {
    additionalProperties: false,
    description: 'Behavior of a sandbox, which simulates a provider and sends nothing.',
    ...errorMessage('Must be an object with the field delivery.'),
  },
)

const needsCredentials = (kind: ChannelKind): boolean => providers[kind].credentials.type !== 'null'

/** Returns the schema of `{credentials}` for a kind, or null if it has none. */
export const credentialsSchema = (kind: ChannelKind): TSchema | null =>
  needsCredentials(kind) ? Type.Object({ credentials: providers[kind].credentials }) : null

const pascalCase = (kind: string): string =>
  kind
    .split('_')
    .map(word => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

const connectSchema = (kind: ChannelKind): TSchema =>
  Type.Object(
    {
      kind: Type.Literal(kind, {
        description: 'Kind of the channel.',
        ...errorMessage(`Must be ${channelKinds.map(one => `"${one}"`).join(' or ')}.`),
      }),
      name: withDescription(Name, 'Name of the channel.'),
      ...(needsCredentials(kind) && { credentials: providers[kind].credentials }),
      ...(kind === 'sandbox' && { sandbox: Type.Optional(Sandbox) }),
    },
    { additionalProperties: false, $id: `Connect${pascalCase(kind)}`, description: providers[kind].description },
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
  Type.Union(channelKinds.map(connectSchema), { $id: 'ConnectChannel' }),
)

/** The schema of the credentials depends on the kind, so it is checked after the channel is loaded. */
export const ChangeChannel = Type.Object(
  {
    name: Type.Optional(withDescription(Name, 'Name of the channel.')),
    credentials: Type.Optional(
      Type.Unsafe<Record<string, unknown>>(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description:
              'All credentials, as in the request that connects a channel of this kind. They replace the current credentials.',
            ...errorMessage('Must be an object with all credentials of the channel.'),
          },
        ),
      ),
    ),
    sandbox: Type.Optional(withDescription(Sandbox, 'Only allowed for a sandbox.')),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    $id: 'ChangeChannel',
    ...errorMessage('Must contain at least one of name, credentials and sandbox.'),
  },
)
export type ChangeChannel = Static<typeof ChangeChannel>

const statuses = ['connected', 'failing', 'disconnected'] as const

export const Channel = Type.Object(
  {
    id: withDescription(Id, 'ID of the channel.'),
    kind: Kind,
    name: withDescription(Type.String(), 'Name of the channel.'),
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
    statusDetail: withDescription(
      Nullable(Type.String()),
      'Error message of the provider. Null while the provider accepts requests.',
    ),
    inboundUrl: Nullable(
      Type.String({
        description: 'URL to which the provider must send messages and statuses. Null if the channel does not use one.',
      }),
    ),
    sandbox: withDescription(Nullable(Sandbox), 'Behavior of the sandbox. Null for other kinds of channels.'),
    createdAt: withDescription(Time, 'Time when the channel was connected.'),
    updatedAt: withDescription(Time, 'Time of the last change.'),
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
