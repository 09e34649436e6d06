/** Routes for a signed-in person's own account and sessions, also without a workspace. */

import {
  ChangePassword,
  ChangeUser,
  changePassword,
  changeUser,
  DeleteUser,
  deleteAccount,
  readUser,
} from '../../../accounts/people/index.ts'
import { endOtherSessions, endSession, listSessions, OwnSession } from '../../../accounts/sessions/index.ts'
import { User } from '../../../accounts/users/index.ts'
import { Page, PageQuery } from '../../../core/schema.ts'
import { unassignConversations } from '../../../messaging/messages/index.ts'
import type { Database } from '../../../platform/postgres/client.ts'
import { signOutAnswer } from '../../auth.ts'
import type { RateLimiter } from '../../limits/rate-limit.ts'
import { type Operation, publicOperation } from '../../operation.ts'
import { visitorOf } from './auth.ts'

const tag = 'Account'

const tooManyAttempts =
  'the caller has made too many calls or too many password attempts. Wait for `Retry-After` seconds.'

export interface AccountRouteDeps {
  sql: Database
  limiter: RateLimiter
  /** True if the service is reached by https. Cookies are then limited to https. */
  secure: boolean
}

export const accountRoutes = ({ sql, limiter, secure }: AccountRouteDeps): Operation[] => {
  const admitAttemptFrom = (address: string) => (email: string | null) => limiter.admitSignIn(email, address)
  return [
    publicOperation({
      method: 'GET',
      path: '/v1/auth/sessions',
      id: 'listSessions',
      tag,
      summary: 'List your sessions',
      description: 'Returns your active sessions, newest first. Ended sessions are not included.',
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
      summary: 'End all your other sessions',
      description: 'Ends all of your sessions immediately, except the session of this call.',
      access: 'session',
      answers: { 204: { description: 'The other sessions have ended.' } },
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
      summary: 'End one of your sessions',
      description:
        'Ends the session immediately. If it is the session of this call, the effect is the same as signing out.',
      access: 'session',
      answers: { 204: { description: 'The session has ended.' } },
      errors: { not_found: 'you have no such session, or the session has ended.' },
      handle: async call => {
        const { session, params } = call
        await endSession(sql, session!.row, params.id!, call)
        return params.id!.toLowerCase() === session!.row.id ? signOutAnswer(secure) : { status: 204 }
      },
    }),
    publicOperation({
      method: 'POST',
      path: '/v1/auth/password',
      id: 'changePassword',
      tag,
      summary: 'Change your password',
      description:
        'Sets a new password and ends all of your other sessions. Your access tokens stay valid. Returns 422 if the current password is wrong, which counts as a sign-in attempt. Returns 400 if the new password is too short or among the most common.',
      access: 'session',
      body: ChangePassword,
      example: { currentPassword: 'correct horse battery staple', newPassword: 'a quiet river in the north' },
      answers: { 204: { description: 'The password is changed, and the other sessions have ended.' } },
      errors: { unprocessable: 'the current password is wrong.', rate_limited: tooManyAttempts },
      handle: async call => {
        await changePassword(sql, call.session!.row, call.body, visitorOf(call), admitAttemptFrom(call.address))
        return { status: 204 }
      },
    }),
    publicOperation({
      method: 'GET',
      path: '/v1/auth/user',
      id: 'readUser',
      tag,
      summary: 'Read your profile',
      access: 'session',
      answers: { 200: { description: 'The profile of the signed-in person.', schema: User, example: exampleUser } },
      handle: async ({ session }) => ({ status: 200, body: await readUser(sql, session!.row) }),
    }),
    publicOperation({
      method: 'PATCH',
      path: '/v1/auth/user',
      id: 'changeUser',
      tag,
      summary: 'Change your profile',
      description: 'Changes the fields that are given. Null removes `locale` and `timezone`.',
      access: 'session',
      body: ChangeUser,
      example: { name: 'Ana Owner', locale: 'de-AT', timezone: 'Europe/Vienna' },
      answers: { 200: { description: 'The profile after the change.', schema: User, example: exampleUser } },
      handle: async call => ({ status: 200, body: await changeUser(sql, call.session!.row, call.body, call) }),
    }),
    publicOperation({
      method: 'DELETE',
      path: '/v1/auth/user',
      id: 'deleteUser',
      tag,
      summary: 'Delete your account',
      description:
        'Removes you from every workspace and ends all of your sessions and access tokens. Records of your actions stay. Returns 422 if you are the last owner of a workspace. Returns 422 if the password is wrong, which counts as a sign-in attempt.',
      access: 'session',
      body: DeleteUser,
      example: { password: 'correct horse battery staple' },
      answers: { 204: { description: 'The account is deleted.' } },
      errors: {
        unprocessable: 'the password is wrong, or you are the last owner of a workspace.',
        rate_limited: tooManyAttempts,
      },
      handle: async call => {
        await deleteAccount(
          sql,
          call.session!.row,
          call.body,
          visitorOf(call),
          admitAttemptFrom(call.address),
          unassignConversations,
        )
        return signOutAnswer(secure)
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
  mutedEmails: ['monthly_events'],
}

const exampleSession: OwnSession = {
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b0f',
  createdAt: '2026-03-01T09:30:00.000Z',
  lastSeenAt: '2026-03-02T08:00:00.000Z',
  address: '198.51.100.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  current: true,
}
