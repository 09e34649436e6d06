import { type Static, Type } from '@sinclair/typebox'
import { message, Nullable } from '../schema.ts'
import { zoneWanted } from '../time-zone.ts'

export const localeWanted = 'Must be a language tag such as de, de-AT or pt-BR.'

/** Of the account as it is, whatever was asked of passwords when it was chosen. */
const PresentPassword = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'The password of the account as it is now.',
  ...message('Must be the password of your account, a text of 1 to 1000 characters.'),
})

export const ChangePassword = Type.Object(
  {
    currentPassword: PresentPassword,
    newPassword: Type.String({
      minLength: 12,
      maxLength: 1000,
      description: 'Must not be among the most common passwords.',
      ...message('Must have 12 to 1000 characters.'),
    }),
  },
  { additionalProperties: false, $id: 'ChangePassword' },
)
export type ChangePassword = Static<typeof ChangePassword>

export const ChangeUser = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '\\S',
        description: 'What the person is called.',
        ...message('Must be a text of 1 to 100 characters that is not all white space.'),
      }),
    ),
    locale: Type.Optional(
      Nullable(
        Type.String({
          minLength: 2,
          maxLength: 35,
          description: 'A language tag (BCP 47); answered as it is written there. Null takes it away.',
          ...message(localeWanted),
        }),
      ),
    ),
    timezone: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 64,
          // An offset such as +01:00 names no zone.
          pattern: '^[A-Za-z]',
          description: 'The name of a time zone, as IANA lists them. Null takes it away.',
          ...message(zoneWanted),
        }),
      ),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    $id: 'ChangeUser',
    ...message('Must hold at least one of name, locale and timezone.'),
  },
)
export type ChangeUser = Static<typeof ChangeUser>

export const DeleteUser = Type.Object({ password: PresentPassword }, { additionalProperties: false, $id: 'DeleteUser' })
export type DeleteUser = Static<typeof DeleteUser>
