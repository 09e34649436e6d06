/** Routes for account access: password reset by e-mail, e-mail confirmation, and the second factor. */
import type { Database } from '../../db/client.ts'
import {
  BeginTotp,
  beginTotp,
  ConfirmEmail,
  ConfirmTotp,
  confirmEmail,
  confirmTotp,
  ForgotPassword,
  forgotPassword,
  NewTotp,
  RecoveryCodes,
  RemoveTotp,
  RenewRecoveryCodes,
  ResetPassword,
  readTotp,
  removeTotp,
  renewRecoveryCodes,
  resetPassword,
  Totp,
} from '../../domain/accounts/index.ts'
import type { Apart } from '../../domain/rate-limits/index.ts'
import type { Seals } from '../../domain/sealing.ts'
import { type Operation, publicOperation } from '../operation.ts'
import type { RateLimiter } from '../rate-limit.ts'
import { visitorOf } from './auth.ts'

const tag = 'Account'

export interface AccessRouteDeps {
  sql: Database
  limiter: RateLimiter
  /** Encrypts second factors. */
  seals: Seals | null
}

export const accessRoutes = ({ sql, limiter, seals }: AccessRouteDeps): Operation[] => {
  const triesOf =
    ({ address }: { address: string }) =>
    (email: string | null, apart?: Apart) =>
      limiter.admitSignIn(email, address, apart)
  return [
    publicOperation({
      method: 'POST',
      path: '/v1/auth/forgot-password',
      id: 'forgotPassword',
      tag,
      summary: 'Have a link to another password mailed',
      description:
        'The answer is the same whether the address has an account or not. The link is good once, for an hour. Where no mail is set up, whoever runs the service is told.',
      access: 'anyone',
      body: ForgotPassword,
      example: { email: 'owner@example.com' },
      answers: { 202: { description: 'If there is such an account, its holder is written to.' } },
      errors: {
        unauthorized: 'an API key was sent, and is none.',
        forbidden: 'an API key was sent, which reaches nothing here.',
        rate_limited: 'too many tries for this address. Wait for `Retry-After` seconds.',
      },
      handle: async call => {
        await forgotPassword(sql, call.body, triesOf(call))
        return { status: 202 }
      },
    }),
    publicOperation({
      method: 'POST',
      path: '/v1/auth/reset-password',
      id: 'resetPassword',
      tag,
      summary: 'Choose another password by a mailed link',
      description:
        'Every session of the account ends. A link that is unknown, used, replaced or expired is 422. The second factor stays.',
      access: 'anyone',
      body: ResetPassword,
      example: {
        token: 'rst_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw',
        password: 'correct horse battery staple',
      },
      answers: { 204: { description: 'Sign in with the new password.' } },
      errors: {
        unauthorized: 'an API key was sent, and is none.',
        forbidden: 'an API key was sent, which reaches nothing here.',
        unprocessable: 'the link is unknown, was used or replaced, or has expired.',
        rate_limited: 'too many tries. Wait for `Retry-After` seconds.',
      },
      handle: async call => {
        await resetPassword(sql, call.body, visitorOf(call), triesOf(call))
        return { status: 204 }
      },
    }),
    publicOperation({
      method: 'POST',
      path: '/v1/auth/confirm-email',
      id: 'confirmEmail',
      tag,
      summary: 'Confirm the e-mail address by a mailed link',
      description: 'A link that is unknown, used or expired is 422.',
      access: 'anyone',
      body: ConfirmEmail,
      example: { token: 'cnf_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw' },
      answers: { 204: { description: 'The address is confirmed.' } },
      errors: {
        unauthorized: 'an API key was sent, and is none.',
        forbidden: 'an API key was sent, which reaches nothing here.',
        unprocessable: 'the link is unknown, was used, or has expired.',
        rate_limited: 'too many tries. Wait for `Retry-After` seconds.',
      },
      handle: async call => {
        await confirmEmail(sql, call.body, call, triesOf(call))
        return { status: 204 }
      },
    }),
    publicOperation({
      method: 'GET',
      path: '/v1/auth/totp',
      id: 'readTotp',
      tag,
      summary: 'Read my second factor',
      access: 'session',
      answers: {
        200: {
          description: 'Whether signing in asks for a code.',
          schema: Totp,
          example: { enabled: true, since: '2026-03-01T09:30:00.000Z', recoveryCodesLeft: 10 },
        },
      },
      handle: async ({ session }) => ({ status: 200, body: await readTotp(sql, session!.row) }),
    }),
    publicOperation({
      method: 'POST',
      path: '/v1/auth/totp',
      id: 'beginTotp',
      tag,
      summary: 'Begin to set up a second factor',
      description:
        'A secret for an authenticator app. Signing in asks for no code before `confirm` was shown one; asking again makes another secret. A wrong password is 422 and counts as a try to sign in. 422 where a second factor is in use.',
      access: 'session',
      body: BeginTotp,
      example: { password: 'correct horse battery staple' },
      answers: {
        200: {
          description: 'A new secret.',
          schema: NewTotp,
          example: {
            secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
            uri: 'otpauth://totp/Customer%20Engagement%20Service:owner%40example.com?issuer=Customer%20Engagement%20Service&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
          },
        },
      },
      errors: {
        unprocessable: 'the password is wrong, a second factor is in use, or the service has no key to keep one under.',
        rate_limited: 'too many tries. Wait for `Retry-After` seconds.',
      },
      handle: async call => ({
        status: 200,
        body: await beginTotp(sql, seals, call.session!.row, call.body, visitorOf(call), triesOf(call)),
      }),
    }),
    publicOperation({
      method: 'POST',
      path: '/v1/auth/totp/confirm',
      id: 'confirmTotp',
      tag,
      summary: 'Put the second factor to use',
      description:
        'Shows that the app makes the right codes. My other sessions end, and signing in asks for a code from now on. A wrong code is 422.',
      access: 'session',
      body: ConfirmTotp,
      example: { code: '123456' },
      answers: {
        200: {
          description: 'It is in use.',
          schema: RecoveryCodes,
          example: exampleRecoveryCodes,
        },
      },
      errors: {
        unprocessable: 'the code is wrong, or nothing was begun.',
        rate_limited: 'too many wrong codes. Wait for `Retry-After` seconds.',
      },
      handle: async call => ({
        status: 200,
        body: await confirmTotp(sql, seals, call.session!.row, call.body, call),
      }),
    }),
    publicOperation({
      method: 'POST',
      path: '/v1/auth/totp/recovery-codes',
      id: 'renewRecoveryCodes',
      tag,
      summary: 'Replace my recovery codes',
      description:
        'Answers ten new recovery codes. The codes before stop working immediately. Requires the password and a code of the app or a recovery code; a wrong one of either is 422.',
      access: 'session',
      body: RenewRecoveryCodes,
      example: { password: 'correct horse battery staple', code: '123456' },
      answers: {
        200: { description: 'The new recovery codes.', schema: RecoveryCodes, example: exampleRecoveryCodes },
      },
      errors: {
        unprocessable: 'the password or the code is wrong, or no second factor is in use.',
        rate_limited: 'too many tries. Wait for `Retry-After` seconds.',
      },
      handle: async call => ({
        status: 200,
        body: await renewRecoveryCodes(sql, seals, call.session!.row, call.body, visitorOf(call), triesOf(call)),
      }),
    }),
    publicOperation({
      method: 'DELETE',
      path: '/v1/auth/totp',
      id: 'removeTotp',
      tag,
      summary: 'Remove my second factor',
      description:
        'Wants the password and a code; either being wrong is 422, and so is a workspace of mine that asks its members for a second factor.',
      access: 'session',
      body: RemoveTotp,
      example: { password: 'correct horse battery staple', code: '123456' },
      answers: { 204: { description: 'Signing in asks for no code any more.' } },
      errors: {
        unprocessable: 'the password or the code is wrong, no second factor is in use, or a workspace asks for one.',
        rate_limited: 'too many tries. Wait for `Retry-After` seconds.',
      },
      handle: async call => {
        await removeTotp(sql, seals, call.session!.row, call.body, visitorOf(call), triesOf(call))
        return { status: 204 }
      },
    }),
  ]
}

const exampleRecoveryCodes: RecoveryCodes = {
  recoveryCodes: Array.from({ length: 10 }, (_, n) => `abcd-efgh-jkmn-pqr${n === 0 ? 'z' : n + 1}`),
}
