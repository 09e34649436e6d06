import { type Static, Type } from '@sinclair/typebox'
import { errorMessage, Nullable, Time, withDescription } from '../../core/schema.ts'
import { timeZoneMessage } from '../../core/time-zone.ts'
import { Code } from '../sessions/index.ts'
import { AlertEmail, alertEmails } from '../users/index.ts'

export const localeMessage = 'Must be a language tag such as de, de-AT or pt-BR.'

/**
 * Password that confirms a change of the caller's own account. It has no minimum length: older passwords were accepted
 * under other rules.
 */
export const CurrentPassword = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'Current password of the account.',
  ...errorMessage('Must be the password of your account, a text of 1 to 1000 characters.'),
})

export const ChangePassword = Type.Object(
  {
    currentPassword: CurrentPassword,
    newPassword: Type.String({
      minLength: 12,
      maxLength: 1000,
      description: 'New password. Must not be among the most common passwords.',
      ...errorMessage('Must have 12 to 1000 characters.'),
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
        description: 'Name of the person.',
        ...errorMessage('Must be a text of 1 to 100 characters that is not all white space.'),
      }),
    ),
    locale: Type.Optional(
      Nullable(
        Type.String({
          minLength: 2,
          maxLength: 35,
          description: 'Language tag (BCP 47). The response uses the canonical spelling. Null removes the value.',
          ...errorMessage(localeMessage),
        }),
      ),
    ),
    timezone: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 64,
          // Rejects offsets such as +01:00, which are not names of time zones.
          pattern: '^[A-Za-z]',
          description: 'IANA name of a time zone. Null removes the value.',
          ...errorMessage(timeZoneMessage),
        }),
      ),
    ),
    mutedEmails: Type.Optional(
      Type.Array(AlertEmail, {
        maxItems: alertEmails.length,
        uniqueItems: true,
        description: 'Alert emails that the person does not want. Replaces the list.',
        ...errorMessage(`Must be a list without repeats of: ${alertEmails.join(', ')}.`),
      }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    $id: 'ChangeUser',
    ...errorMessage('Must contain at least one of name, locale, timezone and mutedEmails.'),
  },
)
export type ChangeUser = Static<typeof ChangeUser>

export const DeleteUser = Type.Object({ password: CurrentPassword }, { additionalProperties: false, $id: 'DeleteUser' })
export type DeleteUser = Static<typeof DeleteUser>

export const ForgotPassword = Type.Object(
  {
    email: Type.String({
      minLength: 3,
      maxLength: 320,
      description: 'E-mail address of the account.',
      ...errorMessage('Must be the e-mail address of an account, such as ana@example.com.'),
    }),
  },
  { additionalProperties: false, $id: 'ForgotPassword' },
)
export type ForgotPassword = Static<typeof ForgotPassword>

/** Token of a link that was mailed or shown. */
export const LinkToken = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Token from the link: the part after `#token=`.',
  ...errorMessage('Must be the token of the link, which follows #token= in its URL.'),
})

export const ResetPassword = Type.Object(
  {
    token: LinkToken,
    password: Type.String({
      description: 'New password.',
      ...errorMessage('Must be the new password, a text.'),
    }),
  },
  { additionalProperties: false, $id: 'ResetPassword' },
)
export type ResetPassword = Static<typeof ResetPassword>

export const ConfirmEmail = Type.Object({ token: LinkToken }, { additionalProperties: false, $id: 'ConfirmEmail' })
export type ConfirmEmail = Static<typeof ConfirmEmail>

export const DescribeLink = Type.Object({ token: LinkToken }, { additionalProperties: false, $id: 'DescribeLink' })
export type DescribeLink = Static<typeof DescribeLink>

export const LinkDescription = Type.Object(
  {
    purpose: Type.Union([Type.Literal('invitation'), Type.Literal('confirmation'), Type.Literal('identity')], {
      description: 'Purpose of the link. `identity`: links single sign-on to the account.',
    }),
    email: Type.String({ description: 'Invited address, address to confirm, or address of the account.' }),
    workspace: withDescription(
      Nullable(Type.String()),
      'Name of the workspace of an invitation. Null for other links.',
    ),
  },
  { $id: 'LinkDescription', description: 'Purpose of a link that was not used yet.' },
)
export type LinkDescription = Static<typeof LinkDescription>

export const SignInByLink = Type.Object({ token: LinkToken }, { additionalProperties: false, $id: 'SignInByLink' })
export type SignInByLink = Static<typeof SignInByLink>

export const Totp = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether sign-in requires a code.' }),
    since: withDescription(Nullable(Time), 'Time when the second factor was enabled. Null if there is none.'),
    recoveryCodesLeft: Type.Integer({
      description: 'Number of unused recovery codes, at most 10. `POST /v1/auth/totp/recovery-codes` replaces them.',
    }),
  },
  { $id: 'Totp', description: 'Second factor of the caller.' },
)
export type Totp = Static<typeof Totp>

export const BeginTotp = Type.Object({ password: CurrentPassword }, { additionalProperties: false, $id: 'BeginTotp' })
export type BeginTotp = Static<typeof BeginTotp>

export const NewTotp = Type.Object(
  {
    secret: Type.String({
      description: 'Secret in base32, to type into an authenticator app. Only returned in this response.',
    }),
    uri: Type.String({ description: 'URI with the scheme `otpauth://`, to show as a QR code.' }),
  },
  { $id: 'NewTotp' },
)
export type NewTotp = Static<typeof NewTotp>

export const ConfirmTotp = Type.Object({ code: Code }, { additionalProperties: false, $id: 'ConfirmTotp' })
export type ConfirmTotp = Static<typeof ConfirmTotp>

export const RecoveryCodes = Type.Object(
  {
    recoveryCodes: Type.Array(Type.String(), {
      description:
        'Ten codes. Each can replace a code of the app once. Only returned in this response. Store them on another device than the app.',
    }),
  },
  { $id: 'RecoveryCodes' },
)
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const RemoveTotp = Type.Object(
  { password: CurrentPassword, code: Code },
  { additionalProperties: false, $id: 'RemoveTotp' },
)
export type RemoveTotp = Static<typeof RemoveTotp>

export const RenewRecoveryCodes = Type.Object(
  { password: CurrentPassword, code: Code },
  { additionalProperties: false, $id: 'RenewRecoveryCodes' },
)
export type RenewRecoveryCodes = Static<typeof RenewRecoveryCodes>
