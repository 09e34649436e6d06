import { type Static, Type } from '@sinclair/typebox'
import { described, Id, message, Time } from '../schema.ts'
import { zoneWanted } from '../time-zone.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  ...message('Must be a text of 1 to 100 characters that is not all white space.'),
})

const Timezone = Type.String({
  minLength: 1,
  maxLength: 64,
  // Rejects offsets such as +01:00, which are not time zones.
  pattern: '^[A-Za-z]',
  description: 'IANA. What a time of day means in workflows for a customer without a time zone of their own.',
  ...message(zoneWanted),
})

export const ChangeWorkspace = Type.Object(
  {
    name: Type.Optional(described(Name, 'What the workspace is called.')),
    timezone: Type.Optional(Timezone),
    requireSecondFactor: Type.Optional(
      Type.Boolean({
        description:
          'Keeps out members without a second factor, from their next request on. An owner who has one may switch it on.',
        ...message('Must be true or false.'),
      }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    $id: 'ChangeWorkspace',
    ...message('Must hold at least one of name, timezone and requireSecondFactor.'),
  },
)
export type ChangeWorkspace = Static<typeof ChangeWorkspace>

export const Workspace = Type.Object(
  {
    id: described(Id, 'The workspace.'),
    name: described(Type.String(), 'What it is called.'),
    timezone: Type.String({ description: 'IANA.' }),
    requireSecondFactor: Type.Boolean({ description: 'Members without a second factor are kept out.' }),
    createdAt: described(Time, 'When it was made.'),
  },
  { $id: 'Workspace' },
)
export type Workspace = Static<typeof Workspace>
