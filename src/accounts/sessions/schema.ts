import { type Static, Type } from '@sinclair/typebox'
import { errorMessage, Id, literals, Nullable, Time, withDescription } from '../../core/schema.ts'

export const SignIn = Type.Object(
  {
    email: Type.String({
      minLength: 3,
      maxLength: 320,
      description: 'E-mail address of the account.',
      ...errorMessage('Must be the e-mail address of an account, such as ana@example.com.'),
    }),
    password: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'Password of the account.',
      ...errorMessage('Must be the password, a text of 1 to 1000 characters.'),
    }),
  },
  { additionalProperties: false, $id: 'SignIn' },
)
export type SignIn = Static<typeof SignIn>

const userFields = {
  id: withDescription(Id, 'ID of the person. It is the same in all workspaces.'),
  email: Type.String({ description: 'E-mail address for sign-in.' }),
  name: withDescription(Type.String(), 'Name of the person.'),
}
const signedInUser = { description: 'Person who is signed in.' }
const Workspace = Type.Object(
  {
    id: withDescription(Id, 'ID of the workspace, for the header `X-Workspace-Id`.'),
    name: withDescription(Type.String(), 'Name of the workspace.'),
  },
  { description: 'Workspace that calls apply to.' },
)
const Role = Type.Union([Type.Literal('owner'), Type.Literal('agent')], {
  description: 'Role of the person in the workspace.',
})

/** Access of a token. */
export const TokenAccess = literals(['read', 'write'], {
  $id: 'TokenAccess',
  description: '`read`: only operations with the method `GET`. `write`: all operations that access tokens can call.',
  ...errorMessage('Must be "read" or "write".'),
})
export type TokenAccess = Static<typeof TokenAccess>

const SessionToken = Type.Object(
  {
    id: withDescription(Id, 'ID of the access token.'),
    name: Type.String({ description: 'Name of the access token.' }),
    access: TokenAccess,
  },
  { $id: 'SessionToken', description: 'Access token that a call uses.' },
)

export const Session = Type.Object(
  {
    expiresAt: withDescription(Time, 'Time when the session or access token expires.'),
    user: Type.Object(
      {
        ...userFields,
        email: Nullable(Type.String({ description: 'E-mail address for sign-in. Null for a service account.' })),
      },
      signedInUser,
    ),
    workspace: Workspace,
    role: Role,
    token: Nullable(SessionToken),
  },
  { $id: 'Session', description: 'Person, workspace and expiry of the session or access token of the call.' },
)
export type Session = Static<typeof Session>

export const NewSession = Type.Object(
  {
    token: Type.String({
      description: 'Token to send as `Authorization: Bearer <token>`. Only returned in this response.',
    }),
    expiresAt: withDescription(Time, 'Time when the session expires.'),
    user: Type.Object(userFields, signedInUser),
    workspace: Workspace,
    role: Role,
  },
  { $id: 'NewSession' },
)
export type NewSession = Static<typeof NewSession>

export const OwnSession = Type.Object(
  {
    id: withDescription(Id, 'ID of the session.'),
    createdAt: withDescription(Time, 'Time of sign-in.'),
    lastSeenAt: Type.String({
      format: 'date-time',
      description: 'Time of last use, accurate to two minutes. A session expires after 7 days without use.',
    }),
    address: Nullable(
      Type.String({ description: 'Network address of the sign-in. Null if the session is older than this field.' }),
    ),
    userAgent: Nullable(
      Type.String({ description: 'User agent of the browser or program that signed in, up to 300 characters.' }),
    ),
    current: Type.Boolean({ description: 'Whether this call used the session.' }),
  },
  { $id: 'OwnSession', description: 'A session of the caller.' },
)
export type OwnSession = Static<typeof OwnSession>
export const SecondFactorWanted = Type.Object(
  {
    secondFactor: Type.Literal(true, { description: 'Always true: a code is required.' }),
    ticket: Type.String({ description: 'Ticket for `POST /v1/auth/sign-in/second-factor`. Valid for 10 minutes.' }),
  },
  { $id: 'SecondFactorWanted', description: 'The password was correct, and the account also requires a code.' },
)
export type SecondFactorWanted = Static<typeof SecondFactorWanted>

export const SignedIn = Type.Union([NewSession, SecondFactorWanted], {
  $id: 'SignedIn',
  description: 'A session, or a ticket to get one if the account has a second factor.',
})
export type SignedIn = Static<typeof SignedIn>

export const Code = Type.String({
  minLength: 6,
  maxLength: 40,
  description: 'Six-digit code of the authenticator app, or a recovery code.',
  ...errorMessage('Must be the six digits of the app, or a recovery code.'),
})

export const SignInWithCode = Type.Object(
  {
    ticket: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Ticket from the response to the password.',
      ...errorMessage('Must be the ticket from the response to the sign-in with the password.'),
    }),
    code: Code,
  },
  { additionalProperties: false, $id: 'SignInWithCode' },
)
export type SignInWithCode = Static<typeof SignInWithCode>

export const MyWorkspaces = Type.Object(
  {
    data: Type.Array(Type.Object({ ...Workspace.properties, role: Role }), {
      description:
        'Workspaces of the person, the one joined first at the top. That one is used if `X-Workspace-Id` is not sent.',
    }),
  },
  { $id: 'MyWorkspaces' },
)
export type MyWorkspaces = Static<typeof MyWorkspaces>
