import { type Static, Type } from '@sinclair/typebox'
import { Id, message, Time } from '../schema.ts'
import { channelKinds, providers } from './providers/index.ts'

const Kind = Type.Union(
  channelKinds.map(kind => Type.Literal(kind)),
  {
    description: channelKinds.map(kind => `\`${kind}\`: ${providers[kind].description}`).join(' '),
    ...message(`Must be ${channelKinds.map(kind => `"${kind}"`).join(' or ')}.`),
  },
)

export const ConnectChannel = Type.Object(
  {
    kind: Kind,
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '\\S',
      ...message('Must be a text of 1 to 100 characters.'),
    }),
  },
  { additionalProperties: false, $id: 'ConnectChannel' },
)
export type ConnectChannel = Static<typeof ConnectChannel>

export const Channel = Type.Object({ id: Id, kind: Kind, name: Type.String(), createdAt: Time }, { $id: 'Channel' })
export type Channel = Static<typeof Channel>
