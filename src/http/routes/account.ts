/** Routes for a signed-in person's own account and sessions, also without a workspace. */
import type { Database } from '../../db/client.ts'
import {
  ChangePassword,
  ChangeUser,
  changePassword,
  changeUser,
  DeleteUser,
  deleteAccount,
  readUser,
} from '../../domain/accounts/index.ts'
import { Page, PageQuery } from '../../domain/schema.ts'
import { endOtherSessions, endSession, listSessions, OwnSession } from '../../domain/sessions/index.ts'
import { User } from '../../domain/users/index.ts'
import { signedOut } from '../auth.ts'
import { type Operation, publicOperation } from '../operation.ts'
import type { RateLimiter } from '../rate-limit.ts'
import { visitorOf } from './auth.ts'

const tag = 'Account'

const tooManyTries =
  'the caller has made too many calls, or too many tries with a password of theirs. Wait for `Retry-After` seconds.'

export interface AccountRouteDeps {
  sql: Database
  limiter: RateLimiter
  /** True if the service is reached by https. Cookies are then limited to https. */
  secure: boolean
}

export const accountRoutes = ({ sql, limiter, secure }: AccountRouteDeps): Operation[] => {
  const admitTryFrom = (address: string) => (email: string | null) => limiter.admitSignIn(email, address)
  return [
    publicOperation({
      method: 'GET',
      path: '/v1/auth/sessions',
      id: 'listSessions',
      tag,
      summary: 'List my sessions',
      description: 'Where I am signed in, the session opened last in front. Those that are over are not among them.',
      access: 'session',
      query: PageQuery,
      answers: {
        200: {
          description: 'A page of sessions.',
          schema: Page(OwnSession),
          example: { data: [exampleSession], nextCursor: null },
        },
      },
      handle: async ({ session, query }) => ({ status: 200, body: await listSessions(sql, session!.row, query) }),
    }),
    publicOperation({
      method: 'DELETE',
      path: '/v1/auth/sessions',
      id: 'endOtherSessions',
      tag,
      summary: 'Sign out everywhere else',
      description: 'All of my sessions end at once, but the one that this call is made with.',
      access: 'session',
      answers: { 204: { description: 'The others have ended.' } },
      handle: async call => {
        await endOtherSessions(sql, call.session!.row, call)
        return { status: 204 }
      },
    }),
    publicOperation({
      method: 'DELETE',
      path: '/v1/auth/sessions/:id',
      id: 'endSession',
      tag,
      summary: 'End one of my sessions',
      description: 'At once. The one that this call is made with ends as by signing out.',
      access: 'session',
      answers: { 204: { description: 'The session has ended.' } },
      errors: { not_found: 'I have no such session, or it has ended.' },
      handle: async call => {
        const { session, params } = call
        await endSession(sql, session!.row, params.id!, call)
        return params.id!.toLowerCase() === session!.row.id ? signedOut(secure) : { status: 204 }
      },
    }),
    publicOperation({
      method: 'POST',
      path: '/v1/auth/password',
      id: 'changePassword',
      tag,
      summary: 'Change my password',
      description:
        'Ends all of my other sessions. A wrong current password is 422 and counts as a try to sign in; a new one that is too short, or among the most common, is 400.',
      access: 'session',
      body: ChangePassword,
      example: { currentPassword: 'correct horse battery staple', newPassword: 'a quiet river in the north' },
      answers: { 204: { description: 'The new password holds, and the other sessions have ended.' } },
      errors: { unprocessable: 'the current password is not mine.', rate_limited: tooManyTries },
      handle: async call => {
        await changePassword(sql, call.session!.row, call.body, visitorOf(call), admitTryFrom(call.address))
        return { status: 204 }
      },
    }),
    publicOperation({
      method: 'GET',
      path: '/v1/auth/user',
      id: 'readUser',
      tag,
      summary: 'Read what I say of myself',
      access: 'session',
      answers: { 200: { description: 'The person whose session this is.', schema: User, example: exampleUser } },
      handle: async ({ session }) => ({ status: 200, body: await readUser(sql, session!.row) }),
    }),
    publicOperation({
      method: 'PATCH',
      path: '/v1/auth/user',
      id: 'changeUser',
      tag,
      summary: 'Change what I say of myself',
      description: 'What is left out stays; `locale` and `timezone` are taken away by null.',
      access: 'session',
      body: ChangeUser,
      example: { name: 'Ana Owner', locale: 'de-AT', timezone: 'Europe/Vienna' },
      answers: { 200: { description: 'The person as changed.', schema: User, example: exampleUser } },
      handle: async call => ({ status: 200, body: await changeUser(sql, call.session!.row, call.body, call) }),
    }),
    publicOperation({
      method: 'DELETE',
      path: '/v1/auth/user',
      id: 'deleteUser',
      tag,
      summary: 'Delete my account',
      description:
        'I leave every workspace, and all of my sessions end. What I did stays. The last owner of a workspace cannot: 422, as is a wrong password, which counts as a try to sign in.',
      access: 'session',
      body: DeleteUser,
      example: { password: 'correct horse battery staple' },
      answers: { 204: { description: 'The account is gone.' } },
      errors: {
        unprocessable: 'the password is not mine, or I am the last owner of a workspace.',
        rate_limited: tooManyTries,
      },
      handle: async call => {
        await deleteAccount(sql, call.session!.row, call.body, visitorOf(call), admitTryFrom(call.address))
        return signedOut(secure)
      },
    }),
  ]
}

const exampleUser: User = {
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b01',
  email: 'owner@example.com',
  name: 'Ana Owner',
  locale: 'de-AT',
  timezone: 'Europe/Vienna',
}

const exampleSession: OwnSession = {
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b0f',
  createdAt: '2026-03-01T09:30:00.000Z',
  lastSeenAt: '2026-03-02T08:00:00.000Z',
  address: '198.51.100.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  current: true,
}
