import { type Static, Type } from '@sinclair/typebox'
import { described, Id, message, Nullable, Time } from '../schema.ts'

export const SignIn = Type.Object(
  {
    email: Type.String({
      minLength: 3,
      maxLength: 320,
      description: 'E-mail address of the account.',
      ...message('Must be the e-mail address of an account, such as ana@example.com.'),
    }),
    password: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'Of the account.',
      ...message('Must be the password, a text of 1 to 1000 characters.'),
    }),
  },
  { additionalProperties: false, $id: 'SignIn' },
)
export type SignIn = Static<typeof SignIn>

const User = Type.Object(
  {
    id: described(Id, 'The person, in all workspaces the same.'),
    email: described(Type.String(), 'With which they sign in.'),
    name: described(Type.String(), 'What they are called.'),
  },
  { description: 'Who is signed in.' },
)
const Workspace = Type.Object(
  { id: described(Id, 'The workspace, for X-Workspace-Id.'), name: described(Type.String(), 'What it is called.') },
  { description: 'The workspace that calls are for.' },
)
const Role = Type.Union([Type.Literal('owner'), Type.Literal('agent')], {
  description: 'What the person may do there.',
})

export const Session = Type.Object(
  { expiresAt: described(Time, 'When the session ends by itself.'), user: User, workspace: Workspace, role: Role },
  { $id: 'Session', description: 'Who is signed in, in which workspace, and until when.' },
)
export type Session = Static<typeof Session>

export const NewSession = Type.Object(
  {
    token: Type.String({ description: 'Sent as `Authorization: Bearer <token>`. Shown only here.' }),
    ...Session.properties,
  },
  { $id: 'NewSession' },
)
export type NewSession = Static<typeof NewSession>

export const OwnSession = Type.Object(
  {
    id: described(Id, 'The session.'),
    createdAt: described(Time, 'When the person signed in.'),
    lastSeenAt: Type.String({
      format: 'date-time',
      description: 'When it was used last; up to two minutes behind. A session that was not used for 7 days is over.',
    }),
    address: Nullable(
      Type.String({ description: 'The network address it was opened from; null where that was not kept yet.' }),
    ),
    userAgent: Nullable(
      Type.String({ description: 'What the browser or program that opened it says it is, up to 300 characters.' }),
    ),
    current: Type.Boolean({ description: 'The session that this call was made with.' }),
  },
  { $id: 'OwnSession', description: 'A session as the person whose it is sees it.' },
)
export type OwnSession = Static<typeof OwnSession>
export const SecondFactorWanted = Type.Object(
  {
    secondFactor: Type.Literal(true, { description: 'Always true: a code is wanted.' }),
    ticket: Type.String({ description: 'For `POST /v1/auth/sign-in/second-factor`, within ten minutes.' }),
  },
  { $id: 'SecondFactorWanted', description: 'The password was right; this account asks for a code besides.' },
)
export type SecondFactorWanted = Static<typeof SecondFactorWanted>

export const SignedIn = Type.Union([NewSession, SecondFactorWanted], {
  $id: 'SignedIn',
  description: 'A session, or where the account has a second factor what is needed to get one.',
})
export type SignedIn = Static<typeof SignedIn>

export const Code = Type.String({
  minLength: 6,
  maxLength: 40,
  description: 'The six digits that the app shows, or a recovery code.',
  ...message('Must be the six digits that the app shows, or a recovery code.'),
})

export const SignInWithCode = Type.Object(
  {
    ticket: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Of the answer to the password.',
      ...message('Must be the ticket that signing in with the password was answered with.'),
    }),
    code: Code,
  },
  { additionalProperties: false, $id: 'SignInWithCode' },
)
export type SignInWithCode = Static<typeof SignInWithCode>

export const MyWorkspaces = Type.Object(
  {
    data: Type.Array(Type.Object({ ...Workspace.properties, role: Role }), {
      description: 'The one joined first in front: the one meant where X-Workspace-Id is not sent.',
    }),
  },
  { $id: 'MyWorkspaces' },
)
export type MyWorkspaces = Static<typeof MyWorkspaces>
