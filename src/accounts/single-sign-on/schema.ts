import { type Static, Type } from '@sinclair/typebox'
import { errorMessage, Nullable, Time, withDescription } from '../../core/schema.ts'
import { CurrentPassword, LinkToken } from '../people/index.ts'
import { NewSession, SecondFactorWanted } from '../sessions/index.ts'

export const SsoState = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether the operator has configured an identity provider.' }),
    provider: Nullable(Type.String({ description: 'Host name of the identity provider. Null if there is none.' })),
  },
  { $id: 'SsoState' },
)
export type SsoState = Static<typeof SsoState>

export const SsoStart = Type.Object(
  { url: Type.String({ description: 'Page of the identity provider to open in the same browser.' }) },
  { $id: 'SsoStart' },
)
export type SsoStart = Static<typeof SsoStart>

export const SsoCallback = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'Parameter `code` of the redirect.',
      ...errorMessage('Must be the parameter code of the redirect from the identity provider.'),
    }),
    state: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Parameter `state` of the redirect.',
      ...errorMessage('Must be the parameter state of the redirect from the identity provider.'),
    }),
    iss: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description: 'Parameter `iss` of the redirect, if it has one.',
        ...errorMessage('Must be the parameter iss of the redirect from the identity provider.'),
      }),
    ),
  },
  { additionalProperties: false, $id: 'SsoCallback' },
)
export type SsoCallback = Static<typeof SsoCallback>

/** Answer to a first single sign-on, before the holder has linked the identity to the account. */
export const SsoLinkWanted = Type.Object(
  {
    link: Type.Literal(true, { description: 'Always true: the holder must link the identity first.' }),
    ticket: Type.String({ description: 'Ticket for `sso/link` and `sso/link-mail`, valid for ten minutes.' }),
    email: Type.String({ description: 'Address of the account.' }),
    mail: Type.Boolean({ description: 'Whether the service can mail a link instead of the password.' }),
  },
  { $id: 'SsoLinkWanted' },
)
export type SsoLinkWanted = Static<typeof SsoLinkWanted>

export const SsoResult = Type.Union([NewSession, SecondFactorWanted, SsoLinkWanted], { $id: 'SsoResult' })
export type SsoResult = Static<typeof SsoResult>

const Ticket = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Ticket of the sign-in.',
  ...errorMessage('Must be the ticket of the sign-in.'),
})

export const LinkIdentity = Type.Object(
  {
    ticket: Ticket,
    password: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'Password of the account.',
      ...errorMessage('Must be the password of the account, a text of 1 to 1000 characters.'),
    }),
  },
  { additionalProperties: false, $id: 'LinkIdentity' },
)
export type LinkIdentity = Static<typeof LinkIdentity>

export const MailIdentityLink = Type.Object(
  { ticket: Ticket },
  { additionalProperties: false, $id: 'MailIdentityLink' },
)
export type MailIdentityLink = Static<typeof MailIdentityLink>

export const ConfirmIdentity = Type.Object(
  { token: LinkToken },
  { additionalProperties: false, $id: 'ConfirmIdentity' },
)
export type ConfirmIdentity = Static<typeof ConfirmIdentity>

export const UnlinkIdentity = Type.Object(
  { password: CurrentPassword },
  { additionalProperties: false, $id: 'UnlinkIdentity' },
)
export type UnlinkIdentity = Static<typeof UnlinkIdentity>

export const OwnIdentity = Type.Object(
  {
    linked: Type.Boolean({ description: 'Whether the account is linked to the identity provider.' }),
    since: Nullable(withDescription(Time, 'Time when it was linked. Null if it is not.')),
  },
  { $id: 'OwnIdentity' },
)
export type OwnIdentity = Static<typeof OwnIdentity>
