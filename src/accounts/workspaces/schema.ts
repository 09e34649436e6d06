import { type Static, Type } from '@sinclair/typebox'
import { errorMessage, Id, Time, withDescription } from '../../core/schema.ts'
import { timeZoneMessage } from '../../core/time-zone.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  ...errorMessage('Must be a text of 1 to 100 characters that is not all white space.'),
})

const Timezone = Type.String({
  minLength: 1,
  maxLength: 64,
  // Rejects offsets such as +01:00, which are not time zones.
  pattern: '^[A-Za-z]',
  description: 'IANA time zone. Used for times of day in workflows if a customer has no time zone.',
  ...errorMessage(timeZoneMessage),
})

export const ChangeWorkspace = Type.Object(
  {
    name: Type.Optional(withDescription(Name, 'Name of the workspace.')),
    timezone: Type.Optional(Timezone),
    requireSecondFactor: Type.Optional(
      Type.Boolean({
        description:
          'Blocks members without a second factor from their next request. Only an owner who has a second factor can enable this.',
        ...errorMessage('Must be true or false.'),
      }),
    ),
    requireSso: Type.Optional(
      Type.Boolean({
        description:
          'Blocks members without single sign-on from their next request. Only an owner who signed in with single sign-on can enable this.',
        ...errorMessage('Must be true or false.'),
      }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    $id: 'ChangeWorkspace',
    ...errorMessage('Must contain at least one of name, timezone, requireSecondFactor and requireSso.'),
  },
)
export type ChangeWorkspace = Static<typeof ChangeWorkspace>

export const Workspace = Type.Object(
  {
    id: withDescription(Id, 'ID of the workspace.'),
    name: withDescription(Type.String(), 'Name of the workspace.'),
    timezone: Type.String({ description: 'IANA time zone of the workspace.' }),
    requireSecondFactor: Type.Boolean({ description: 'Whether members without a second factor are blocked.' }),
    requireSso: Type.Boolean({ description: 'Whether members without single sign-on are blocked.' }),
    createdAt: withDescription(Time, 'Time of creation.'),
  },
  { $id: 'Workspace' },
)
export type Workspace = Static<typeof Workspace>
