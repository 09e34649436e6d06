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
          'What becomes of the messages handed to it: `delivered`, `read` or `failed` at once, or nothing until it is told (`manual`). To numbers that end in 0000 all fail.',
        ...message(`Must be one of ${deliveries.join(', ')}.`),
      },
    ),
  },
  {
    additionalProperties: false,
    description: 'How a sandbox behaves, which stands for a provider and sends nothing.',
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
        description: 'The kind of channel.',
        ...message(`Must be ${channelKinds.map(one => `"${one}"`).join(' or ')}.`),
      }),
      name: described(Name, 'What the team calls it.'),
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
    name: Type.Optional(described(Name, 'What the team calls it.')),
    credentials: Type.Optional(
      Type.Unsafe<Record<string, unknown>>(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description: 'Whole, as for connecting a channel of its kind; they replace those it had.',
            ...message('Must be an object with all credentials of the channel.'),
          },
        ),
      ),
    ),
    sandbox: Type.Optional(described(Sandbox, 'Of a sandbox alone.')),
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
    id: described(Id, 'The channel.'),
    kind: Kind,
    name: described(Type.String(), 'What the team calls it.'),
    number: Nullable(Type.String({ description: 'Ours, as the provider knows it: a phone number, or the id of one.' })),
    status: Type.Union(
      statuses.map(status => Type.Literal(status)),
      {
        description:
          '`failing`: the provider refuses us, `statusDetail` says with what. `disconnected`: gone for good.',
      },
    ),
    statusDetail: described(
      Nullable(Type.String()),
      'With what the provider refuses us, in its words; null while it does not.',
    ),
    inboundUrl: Nullable(
      Type.String({ description: 'Where the provider is to send messages and statuses; null where none does.' }),
    ),
    sandbox: described(Nullable(Sandbox), 'How it behaves; null for a channel that is no sandbox.'),
    createdAt: described(Time, 'When it was connected.'),
    updatedAt: described(Time, 'When it was last changed.'),
  },
  { $id: 'Channel', description: 'A connection to a messaging provider. Its credentials are in no answer.' },
)
export type Channel = Static<typeof Channel>

export const ChannelTest = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the provider takes our credentials.' }),
    detail: Type.String({ description: 'What it said, in words.' }),
  },
  { $id: 'ChannelTest' },
)
export type ChannelTest = Static<typeof ChannelTest>
