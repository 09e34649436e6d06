import type { Database } from '../../db/client.ts'
import { SignInByLink, signInByLink, signInWithCode } from '../../domain/accounts/index.ts'
import type { FailedSignIns } from '../../domain/audit/index.ts'
import { AcceptInvitation, acceptInvitation } from '../../domain/members/index.ts'
import type { Apart } from '../../domain/rate-limits/index.ts'
import type { Seals } from '../../domain/sealing.ts'
import {
  listMyWorkspaces,
  MyWorkspaces,
  NewSession,
  readSession,
  type SecondFactorWanted,
  Session,
  SignedIn,
  SignIn,
  SignInWithCode,
  signIn,
  signOut,
  type Visitor,
} from '../../domain/sessions/index.ts'
import { type Authenticator, sessionCookieFor, signedOut } from '../auth.ts'
import { type Answer, type Call, type Operation, operation, publicOperation } from '../operation.ts'
import type { RateLimiter } from '../rate-limit.ts'

const tag = 'Sessions'

export interface AuthRouteDeps {
  sql: Database
  limiter: RateLimiter
  failedSignIns: FailedSignIns
  authenticator: Authenticator
  seals: Seals | null
  /** True if e-mail is configured. */
  byMail: boolean
  /** True if the service is reached by https. The cookie is then limited to https. */
  secure: boolean
}

export const authRoutes = ({
  sql,
  limiter,
  failedSignIns,
  authenticator,
  seals,
  byMail,
  secure,
}: AuthRouteDeps): Operation[] => [
  publicOperation({
    method: 'POST',
    path: '/v1/auth/sign-in',
    id: 'signIn',
    tag,
    summary: 'Sign in',
    description:
      'The token is for `Authorization: Bearer`; the same answer sets it as a cookie: `__Host-session` behind https, else `session`. An account with a second factor is answered `secondFactor` and a ticket instead, for `sign-in/second-factor`.',
    access: 'anyone',
    body: SignIn,
    example: { email: 'owner@example.com', password: 'correct horse battery staple' },
    answers: { 200: signedInAnswer },
    errors: {
      unauthorized: 'no account has this e-mail address and password.',
      forbidden:
        'the account is in no workspace, or was switched off; or an API key was sent, which reaches nothing here.',
      rate_limited: 'too many tries for this address. Wait for `Retry-After` seconds.',
    },
    handle: async call => {
      const visitor = visitorOf(call)
      const admitTry = (email: string) => limiter.admitSignIn(email, visitor.address)
      return signedIn(await signIn(sql, call.body, visitor, admitTry, failedSignIns), secure)
    },
  }),
  publicOperation({
    method: 'POST',
    path: '/v1/auth/sign-in/second-factor',
    id: 'signInWithCode',
    tag,
    summary: 'Sign in with the second factor',
    description:
      'Completes a sign-in that was answered with a ticket. A code of the app is good once; after ten wrong ones within an hour only a recovery code goes (429 otherwise). How often codes are tried, of whatever kind, is counted as tries to sign in are, and apart from them.',
    access: 'anyone',
    body: SignInWithCode,
    example: { ticket: 'tkt_bm90IGEgcmVhbCB0aWNrZXQsIG9ubHkgYW4gZXhhbXBsZQ', code: '123456' },
    answers: { 200: { description: 'A session of 30 days.', schema: NewSession, example: exampleNewSession } },
    errors: {
      unauthorized: 'the code is wrong, or the ticket is not good any more.',
      forbidden: 'the account is in no workspace; or an API key was sent, which reaches nothing here.',
      unprocessable: 'the second factor cannot be read, or the invitation that was accepted is not good any more.',
      rate_limited:
        'too many wrong codes, or too many tries from this address. Wait for `Retry-After` seconds, or use a recovery code after the first.',
    },
    handle: async call => {
      const visitor = visitorOf(call)
      const admitTry = (email: string | null, apart?: Apart) => limiter.admitSignIn(email, visitor.address, apart)
      return signedIn(await signInWithCode(sql, seals, call.body, visitor, admitTry, failedSignIns), secure)
    },
  }),
  publicOperation({
    method: 'POST',
    path: '/v1/auth/sign-in/link',
    id: 'signInByLink',
    tag,
    summary: 'Sign in by a link',
    description:
      'For the link that whoever runs the service makes with `user sign-in-link`: good once, for ten minutes. Answers as `sign-in` does, cookie and second factor included. A link that is unknown, used, replaced or expired is 422.',
    access: 'anyone',
    body: SignInByLink,
    example: { token: 'sgn_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw' },
    answers: { 200: signedInAnswer },
    errors: {
      unauthorized: 'the account was given another password, or switched off, at this very moment.',
      forbidden: 'the account is in no workspace; or an API key was sent, which reaches nothing here.',
      unprocessable: 'the link is unknown, was used or replaced, or has expired.',
      rate_limited: 'too many tries. Wait for `Retry-After` seconds.',
    },
    handle: async call => {
      const visitor = visitorOf(call)
      const admitTry = (email: string | null) => limiter.admitSignIn(email, visitor.address)
      return signedIn(await signInByLink(sql, call.body, visitor, admitTry), secure)
    },
  }),
  publicOperation({
    method: 'POST',
    path: '/v1/auth/accept-invitation',
    id: 'acceptInvitation',
    tag,
    summary: 'Accept an invitation',
    description:
      'Joins the team with a new account; where the invited address has an account already, with that one: its holder is signed in and leaves `password` out, or sends its password (401 otherwise). Signs in like `sign-in`, whose tries per 10 minutes count here too; `workspace` is the one just joined, which a person of several workspaces names in `X-Workspace-Id`. A link that is unknown, used, taken back or expired is 422.',
    access: 'anyone',
    body: AcceptInvitation,
    example: {
      token: 'inv_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw',
      name: 'Ben Agent',
      password: 'correct horse battery staple',
    },
    answers: { 200: signedInAnswer },
    errors: {
      unauthorized: 'the address has an account, and this is not its password.',
      forbidden:
        'you are signed in with another address than the one invited, or the account was switched off; or an API key was sent, which reaches nothing here.',
      unprocessable: 'the link is unknown, was used or taken back, or has expired.',
      rate_limited: 'too many tries for this address. Wait for `Retry-After` seconds.',
    },
    handle: async call => {
      const visitor = visitorOf(call)
      const admitTry = (email: string | null) => limiter.admitSignIn(email, visitor.address)
      const session = async () => (await authenticator.livingSession(call.request))?.row ?? null
      return signedIn(
        await acceptInvitation(sql, call.body, { visitor, admitTry, session, byMail, failed: failedSignIns }),
        secure,
      )
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/auth/session',
    id: 'readSession',
    verb: readSession,
    needsNoConnection: true,
    tag,
    summary: 'Who am I',
    answers: {
      200: {
        description: 'The person, the workspace and the role of this session.',
        schema: Session,
        example,
      },
    },
    given: ({ session }) => [session!.row],
  }),
  operation({
    method: 'GET',
    path: '/v1/auth/workspaces',
    id: 'listMyWorkspaces',
    verb: listMyWorkspaces,
    needsNoConnection: true,
    tag,
    summary: 'List the workspaces I am in',
    description: 'What `X-Workspace-Id` may name.',
    answers: {
      200: {
        description: 'Every workspace of this person.',
        schema: MyWorkspaces,
        example: { data: [{ ...example.workspace, role: example.role }] },
      },
    },
    given: ({ session }) => [session!.row],
  }),
  publicOperation({
    method: 'POST',
    path: '/v1/auth/sign-out',
    id: 'signOut',
    tag,
    summary: 'Sign out',
    description: 'The session ends at once.',
    access: 'session',
    answers: { 204: { description: 'The session has ended.' } },
    handle: async call => {
      await signOut(sql, call.session!, call)
      return signedOut(secure)
    },
  }),
]

/** Returns the session as the body for API clients, and as a cookie for browsers. */
const signedIn = (session: NewSession | SecondFactorWanted, secure: boolean): Answer => ({
  status: 200,
  body: session,
  ...('token' in session && { cookies: [sessionCookieFor(session.token, session.expiresAt, secure)] }),
})

/** Returns the origin of a call, and a signal that aborts when the client disconnects. */
export const visitorOf = ({
  address,
  request,
  requestId,
}: Pick<Call<unknown, unknown>, 'address' | 'request' | 'requestId'>): Visitor => ({
  address,
  requestId,
  signal: request.signal,
  userAgent: request.headers.get('user-agent'),
})

const example: Session = {
  expiresAt: '2026-03-31T09:30:00.000Z',
  user: {
    id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b01',
    email: 'owner@example.com',
    name: 'Ana Owner',
  },
  workspace: { id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b02', name: 'My workspace' },
  role: 'owner',
}

const exampleNewSession: NewSession = { token: 'ses_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw', ...example }

const signedInAnswer = {
  description: 'A session of 30 days; or a ticket, where the account has a second factor.',
  schema: SignedIn,
  example: exampleNewSession,
}
