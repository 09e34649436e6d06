import type { Database } from '../../db/client.ts'
import { AcceptInvitation, acceptInvitation } from '../../domain/members/index.ts'
import {
  listMyWorkspaces,
  MyWorkspaces,
  NewSession,
  readSession,
  Session,
  SignIn,
  signIn,
  signOut,
  type Visitor,
} from '../../domain/sessions/index.ts'
import { forgottenSessionCookies, sessionCookieFor } from '../auth.ts'
import { type Answer, type Call, type Operation, operation, publicOperation } from '../operation.ts'
import type { RateLimiter } from '../rate-limit.ts'

const tag = 'Sessions'

export interface AuthRouteDeps {
  sql: Database
  limiter: RateLimiter
  /** The service is reached by https: the cookie is for https alone. */
  secure: boolean
}

export const authRoutes = ({ sql, limiter, secure }: AuthRouteDeps): Operation[] => [
  publicOperation({
    method: 'POST',
    path: '/v1/auth/sign-in',
    id: 'signIn',
    tag,
    summary: 'Sign in',
    description:
      'The token is for `Authorization: Bearer`; the same answer sets it as a cookie: `__Host-session` behind https, else `session`.',
    access: 'anyone',
    body: SignIn,
    example: { email: 'owner@example.com', password: 'correct horse battery staple' },
    answers: {
      200: {
        description: 'A session of 30 days, and of 7 without use.',
        schema: NewSession,
        example: exampleNewSession,
      },
    },
    errors: {
      unauthorized: 'no account has this e-mail address and password.',
      forbidden: 'the account is in no workspace; or an API key was sent, which reaches nothing here.',
      rate_limited: 'too many tries for this address. Wait for `Retry-After` seconds.',
    },
    handle: async call => {
      const visitor = visitorOf(call)
      const admitTry = (email: string) => limiter.admitSignIn(email, visitor.address)
      return signedIn(await signIn(sql, call.body, visitor, admitTry), secure)
    },
  }),
  publicOperation({
    method: 'POST',
    path: '/v1/auth/accept-invitation',
    id: 'acceptInvitation',
    tag,
    summary: 'Accept an invitation',
    description:
      'Joins the team with a new account; where the invited address has an account already, with that one, and `password` must be its password (401 otherwise). Signs in like `sign-in`, whose tries per 10 minutes count here too; `workspace` is the one just joined, which a person of several workspaces names in `X-Workspace-Id`. A link that is unknown, used, taken back or expired is 422.',
    access: 'anyone',
    body: AcceptInvitation,
    example: {
      token: 'inv_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw',
      name: 'Ben Agent',
      password: 'correct horse battery staple',
    },
    answers: {
      200: {
        description: 'A session of 30 days, and of 7 without use.',
        schema: NewSession,
        example: exampleNewSession,
      },
    },
    errors: {
      unauthorized: 'the address has an account, and this is not its password.',
      forbidden: 'an API key was sent, which reaches nothing here.',
      unprocessable: 'the link is unknown, was used or taken back, or has expired.',
      rate_limited: 'too many tries for this address. Wait for `Retry-After` seconds.',
    },
    handle: async call => {
      const visitor = visitorOf(call)
      const admitTry = (email: string) => limiter.admitSignIn(email, visitor.address)
      return signedIn(await acceptInvitation(sql, call.body, visitor, admitTry), secure)
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
    handle: async ({ session }) => {
      await signOut(sql, session!.token)
      return { status: 204, cookies: forgottenSessionCookies(secure) }
    },
  }),
]

/** The session as the body for those who send it themselves, and as a cookie for browsers. */
const signedIn = (session: NewSession, secure: boolean): Answer => ({
  status: 200,
  body: session,
  cookies: [sessionCookieFor(session.token, session.expiresAt, secure)],
})

/** From where a call comes, and how long anybody waits for its answer. */
export const visitorOf = ({ address, request }: Pick<Call<unknown, unknown>, 'address' | 'request'>): Visitor => ({
  address,
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
