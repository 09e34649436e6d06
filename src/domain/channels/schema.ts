import { type Static, Type } from '@sinclair/typebox'
import { Id, message, Time } from '../schema.ts'

const Kind = Type.Literal('sandbox', {
  description:
    '`sandbox`: a provider inside the service. It delivers every message at once, except to numbers that end in 0000: those fail.',
  ...message('Must be "sandbox".'),
})

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
