import type { FailedSignIns } from '../../../accounts/audit/index.ts'
import { AcceptInvitation, acceptInvitation } from '../../../accounts/members/index.ts'
import { SignInByLink, signInByLink, signInWithCode } from '../../../accounts/people/index.ts'
import type { AttemptKind } from '../../../accounts/rate-limits/index.ts'
import {
  listMyWorkspaces,
  MyWorkspaces,
  NewSession,
  readSession,
  type SecondFactorWanted,
  Session,
  SignedIn,
  SignIn,
  type SignInClient,
  SignInWithCode,
  signIn,
  signOut,
} from '../../../accounts/sessions/index.ts'
import type { Keyring } from '../../../platform/encryption.ts'
import type { Database } from '../../../platform/postgres/client.ts'
import { type Authenticator, sessionCookieFor, signOutAnswer } from '../../auth.ts'
import type { RateLimiter } from '../../limits/rate-limit.ts'
import { type Answer, type Call, type Operation, operation, publicOperation } from '../../operation.ts'

const tag = 'Sessions'

export interface AuthRouteDeps {
  sql: Database
  limiter: RateLimiter
  failedSignIns: FailedSignIns
  authenticator: Authenticator
  keyring: Keyring | null
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
  keyring,
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
      'Returns a session token for `Authorization: Bearer`. The response also sets the token as a cookie: `__Host-session` over https, otherwise `session`. For an account with a second factor, the response contains `secondFactor` and a ticket instead. Send the ticket to `sign-in/second-factor`.',
    access: 'anyone',
    body: SignIn,
    example: { email: 'owner@example.com', password: 'correct horse battery staple' },
    answers: { 200: signInDeclaration },
    errors: {
      unauthorized: 'no account has this email address and password.',
      forbidden:
        'the account is in no workspace or is disabled, or an API key was sent. API keys cannot call this operation.',
      rate_limited: 'too many attempts for this address. Wait for `Retry-After` seconds.',
    },
    handle: async call => {
      const visitor = visitorOf(call)
      const admitAttempt = (email: string) => limiter.admitSignIn(email, visitor.address)
      return signInAnswer(await signIn(sql, call.body, visitor, admitAttempt, failedSignIns), secure)
    },
  }),
  publicOperation({
    method: 'POST',
    path: '/v1/auth/sign-in/second-factor',
    id: 'signInWithCode',
    tag,
    summary: 'Sign in with the second factor',
    description:
      'Completes a sign-in that returned a ticket. Each code of the app works once. After ten wrong codes within an hour, only a recovery code is accepted (429 otherwise). All code attempts are rate limited like sign-in attempts, but counted separately.',
    access: 'anyone',
    body: SignInWithCode,
    example: { ticket: 'tkt_bm90IGEgcmVhbCB0aWNrZXQsIG9ubHkgYW4gZXhhbXBsZQ', code: '123456' },
    answers: { 200: { description: 'A session of 30 days.', schema: NewSession, example: exampleNewSession } },
    errors: {
      unauthorized: 'the code is wrong, or the ticket is not valid any more.',
      forbidden: 'the account is in no workspace, or an API key was sent. API keys cannot call this operation.',
      unprocessable: 'the second factor cannot be read, or the accepted invitation is not valid any more.',
      rate_limited:
        'too many wrong codes, or too many attempts from this address. Wait for `Retry-After` seconds. After too many wrong codes you can also use a recovery code.',
    },
    handle: async call => {
      const visitor = visitorOf(call)
      const admitAttempt = (email: string | null, kind?: AttemptKind) =>
        limiter.admitSignIn(email, visitor.address, kind)
      return signInAnswer(await signInWithCode(sql, keyring, call.body, visitor, admitAttempt, failedSignIns), secure)
    },
  }),
  publicOperation({
    method: 'POST',
    path: '/v1/auth/sign-in/link',
    id: 'signInByLink',
    tag,
    summary: 'Sign in with a link',
    description:
      'Signs in with a link that the operator creates with `user sign-in-link`. The link works once and expires after 10 minutes. The response is the same as for `sign-in`, including the cookie and the second factor. Returns 422 if the link is unknown, used, replaced or expired.',
    access: 'anyone',
    body: SignInByLink,
    example: { token: 'sgn_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw' },
    answers: { 200: signInDeclaration },
    errors: {
      unauthorized: 'the password of the account was changed, or the account was disabled, during this call.',
      forbidden: 'the account is in no workspace, or an API key was sent. API keys cannot call this operation.',
      unprocessable: 'the link is unknown, used, replaced or expired.',
      rate_limited: 'too many attempts. Wait for `Retry-After` seconds.',
    },
    handle: async call => {
      const visitor = visitorOf(call)
      const admitAttempt = (email: string | null) => limiter.admitSignIn(email, visitor.address)
      return signInAnswer(await signInByLink(sql, call.body, visitor, admitAttempt), secure)
    },
  }),
  publicOperation({
    method: 'POST',
    path: '/v1/auth/accept-invitation',
    id: 'acceptInvitation',
    tag,
    summary: 'Accept an invitation',
    description:
      'Adds a new account to the team and signs it in like `sign-in`. If the invited address already has an account, that account joins the team. Its holder is signed in and omits `password`, or sends the password of the account (401 otherwise). Attempts count towards the sign-in limit per 10 minutes. `workspace` is the joined workspace. A person with several workspaces sends its ID in `X-Workspace-Id`. Returns 422 if the link is unknown, used, withdrawn or expired.',
    access: 'anyone',
    body: AcceptInvitation,
    example: {
      token: 'inv_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw',
      name: 'Ben Agent',
      password: 'correct horse battery staple',
    },
    answers: { 200: signInDeclaration },
    errors: {
      unauthorized: 'the address already has an account, and the password is wrong.',
      forbidden:
        'you are signed in with an address that was not invited, the account is disabled, or an API key was sent. API keys cannot call this operation.',
      unprocessable: 'the link is unknown, used, withdrawn or expired.',
      rate_limited: 'too many attempts for this address. Wait for `Retry-After` seconds.',
    },
    handle: async call => {
      const visitor = visitorOf(call)
      const admitAttempt = (email: string | null) => limiter.admitSignIn(email, visitor.address)
      const session = async () => (await authenticator.activeSession(call.request))?.row ?? null
      return signInAnswer(
        await acceptInvitation(sql, call.body, {
          client: visitor,
          admitAttempt,
          findSession: session,
          byMail,
          failedSignIns,
        }),
        secure,
      )
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/auth/session',
    id: 'readSession',
    verb: readSession,
    runsWithoutConnection: true,
    tag,
    summary: 'Read your session',
    description:
      'Returns who calls, in which workspace and with which role. For an access token, `token` names it, and `expiresAt` is its expiry.',
    answers: {
      200: {
        description: 'The person, the workspace and the role of this call.',
        schema: Session,
        example: { ...example, token: null },
      },
    },
    args: ({ credential }) => [credential!.row, credential!.membership!],
  }),
  operation({
    method: 'GET',
    path: '/v1/auth/workspaces',
    id: 'listMyWorkspaces',
    verb: listMyWorkspaces,
    runsWithoutConnection: true,
    tag,
    summary: 'List your workspaces',
    description: 'Returns the workspaces that you can name in `X-Workspace-Id`. An access token acts in one.',
    answers: {
      200: {
        description: 'All workspaces of the signed-in person.',
        schema: MyWorkspaces,
        example: { data: [{ ...example.workspace, role: example.role }] },
      },
    },
    args: ({ credential }) => [credential!.row],
  }),
  publicOperation({
    method: 'POST',
    path: '/v1/auth/sign-out',
    id: 'signOut',
    tag,
    summary: 'Sign out',
    description: 'Ends the session immediately.',
    access: 'session',
    answers: { 204: { description: 'The session has ended.' } },
    handle: async call => {
      await signOut(sql, call.session!, call)
      return signOutAnswer(secure)
    },
  }),
]

/** Errors of an operation that no API key can call. */
export const noKey = {
  unauthorized: 'an API key was sent, and it is not valid.',
  forbidden: 'an API key was sent. API keys cannot call this operation.',
}

/** Errors of an operation that uses a link. `unprocessable` describes an invalid one. */
export const linkErrors = (unprocessable: string) => ({
  ...noKey,
  unprocessable,
  rate_limited: 'too many attempts. Wait for `Retry-After` seconds.',
})

/** Returns the session as the body for API clients, and as a cookie for browsers. */
export const signInAnswer = (session: NewSession | SecondFactorWanted, secure: boolean): Answer => ({
  status: 200,
  body: session,
  ...('token' in session && { cookies: [sessionCookieFor(session.token, session.expiresAt, secure)] }),
})

/** Returns the origin of a call, and a signal that aborts when the client disconnects. */
export const visitorOf = ({
  address,
  request,
  requestId,
}: Pick<Call<unknown, unknown>, 'address' | 'request' | 'requestId'>): SignInClient => ({
  address,
  requestId,
  signal: request.signal,
  userAgent: request.headers.get('user-agent'),
})

const example: Omit<NewSession, 'token'> = {
  expiresAt: '2026-03-31T09:30:00.000Z',
  user: {
    id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b01',
    email: 'owner@example.com',
    name: 'Ana Owner',
  },
  workspace: { id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b02', name: 'My workspace' },
  role: 'owner',
}

export const exampleNewSession: NewSession = { token: 'ses_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw', ...example }

const signInDeclaration = {
  description: 'A session of 30 days; or a ticket, where the account has a second factor.',
  schema: SignedIn,
  example: exampleNewSession,
}
