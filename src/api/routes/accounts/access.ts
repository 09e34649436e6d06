/** Routes for account access: password reset by e-mail, e-mail confirmation, and the second factor. */

import {
  BeginTotp,
  beginTotp,
  ConfirmEmail,
  ConfirmTotp,
  confirmEmail,
  confirmTotp,
  DescribeLink,
  ForgotPassword,
  forgotPassword,
  LinkDescription,
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
} from '../../../accounts/people/index.ts'
import type { AttemptKind } from '../../../accounts/rate-limits/index.ts'
import { describeLink } from '../../../accounts/single-sign-on/index.ts'
import type { Keyring } from '../../../platform/encryption.ts'
import type { Database } from '../../../platform/postgres/client.ts'
import type { RateLimiter } from '../../limits/rate-limit.ts'
import { type Operation, publicOperation } from '../../operation.ts'
import { linkErrors, noKey, visitorOf } from './auth.ts'

const tag = 'Account'

export interface AccessRouteDeps {
  sql: Database
  limiter: RateLimiter
  /** Encrypts second factors. */
  keyring: Keyring | null
}

export const accessRoutes = ({ sql, limiter, keyring }: AccessRouteDeps): Operation[] => {
  const admitAttemptOf =
    ({ address }: { address: string }) =>
    (email: string | null, kind?: AttemptKind) =>
      limiter.admitSignIn(email, address, kind)
  return [
    publicOperation({
      method: 'POST',
      path: '/v1/auth/forgot-password',
      id: 'forgotPassword',
      tag,
      summary: 'Request a password reset link',
      description:
        'Sends a password reset link by e-mail. The link works once and expires after 1 hour. The response is the same for addresses with and without an account. If no mail is configured, the operator of the service is notified.',
      access: 'anyone',
      body: ForgotPassword,
      example: { email: 'owner@example.com' },
      answers: { 202: { description: 'The link is sent if the account exists.' } },
      errors: {
        ...noKey,
        rate_limited: 'too many attempts for this address. Wait for `Retry-After` seconds.',
      },
      handle: async call => {
        await forgotPassword(sql, call.body, admitAttemptOf(call))
        return { status: 202 }
      },
    }),
    publicOperation({
      method: 'POST',
      path: '/v1/auth/reset-password',
      id: 'resetPassword',
      tag,
      summary: 'Reset the password with an e-mailed link',
      description:
        'Sets a new password and ends every session and access token of the account. The second factor stays. Returns 422 if the link is unknown, used, replaced or expired.',
      access: 'anyone',
      body: ResetPassword,
      example: {
        token: 'rst_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw',
        password: 'correct horse battery staple',
      },
      answers: { 204: { description: 'The password is changed. Sign in with the new password.' } },
      errors: linkErrors('the link is unknown, used, replaced or expired.'),
      handle: async call => {
        await resetPassword(sql, call.body, visitorOf(call), admitAttemptOf(call))
        return { status: 204 }
      },
    }),
    publicOperation({
      method: 'POST',
      path: '/v1/auth/confirm-email',
      id: 'confirmEmail',
      tag,
      summary: 'Confirm the e-mail address with an e-mailed link',
      description: 'Confirms the e-mail address of the account. Returns 422 if the link is unknown, used or expired.',
      access: 'anyone',
      body: ConfirmEmail,
      example: { token: 'cnf_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw' },
      answers: { 204: { description: 'The address is confirmed.' } },
      errors: linkErrors('the link is unknown, used or expired.'),
      handle: async call => {
        await confirmEmail(sql, call.body, call, admitAttemptOf(call))
        return { status: 204 }
      },
    }),
    publicOperation({
      method: 'POST',
      path: '/v1/auth/link',
      id: 'describeLink',
      tag,
      summary: 'Read what a link is for',
      description:
        'Returns the address and the workspace of an invitation link, or the address of a confirmation link or of a link for single sign-on, without using it. Returns 422 if the link is unknown, used, withdrawn or expired.',
      access: 'anyone',
      body: DescribeLink,
      example: { token: 'inv_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw' },
      answers: {
        200: {
          description: 'The purpose of the link.',
          schema: LinkDescription,
          example: { purpose: 'invitation', email: 'ben@example.com', workspace: 'Oak & Lamp' },
        },
      },
      errors: linkErrors('the link is unknown, used, withdrawn or expired.'),
      handle: async call => ({ status: 200, body: await describeLink(sql, call.body, admitAttemptOf(call)) }),
    }),
    publicOperation({
      method: 'GET',
      path: '/v1/auth/totp',
      id: 'readTotp',
      tag,
      summary: 'Read your second factor',
      access: 'session',
      answers: {
        200: {
          description: 'The state of the second factor.',
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
      summary: 'Start the setup of a second factor',
      description:
        'Returns a secret for an authenticator app. Sign-in requires a code only after `confirm` has accepted one. Another call creates another secret. Returns 422 if the password is wrong or a second factor is already in use. A wrong password counts as a sign-in attempt.',
      access: 'session',
      body: BeginTotp,
      example: { password: 'correct horse battery staple' },
      answers: {
        200: {
          description: 'The new secret.',
          schema: NewTotp,
          example: {
            secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
            uri: 'otpauth://totp/Customer%20Engagement%20Service:owner%40example.com?issuer=Customer%20Engagement%20Service&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
          },
        },
      },
      errors: {
        unprocessable:
          'the password is wrong, a second factor is already in use, or the service has no encryption key.',
        rate_limited: 'too many attempts. Wait for `Retry-After` seconds.',
      },
      handle: async call => ({
        status: 200,
        body: await beginTotp(sql, keyring, call.session!.row, call.body, visitorOf(call), admitAttemptOf(call)),
      }),
    }),
    publicOperation({
      method: 'POST',
      path: '/v1/auth/totp/confirm',
      id: 'confirmTotp',
      tag,
      summary: 'Activate the second factor',
      description:
        'Checks a code of the app and activates the second factor. Ends your other sessions. Sign-in then requires a code. Returns 422 if the code is wrong.',
      access: 'session',
      body: ConfirmTotp,
      example: { code: '123456' },
      answers: {
        200: {
          description: 'The second factor is active. The response contains the recovery codes.',
          schema: RecoveryCodes,
          example: exampleRecoveryCodes,
        },
      },
      errors: {
        unprocessable: 'the code is wrong, or no setup was started.',
        rate_limited: 'too many wrong codes. Wait for `Retry-After` seconds.',
      },
      handle: async call => ({
        status: 200,
        body: await confirmTotp(sql, keyring, call.session!.row, call.body, call),
      }),
    }),
    publicOperation({
      method: 'POST',
      path: '/v1/auth/totp/recovery-codes',
      id: 'renewRecoveryCodes',
      tag,
      summary: 'Replace your recovery codes',
      description:
        'Returns ten new recovery codes. The previous codes stop working immediately. Requires the password and a code of the app or a recovery code. Returns 422 if either is wrong.',
      access: 'session',
      body: RenewRecoveryCodes,
      example: { password: 'correct horse battery staple', code: '123456' },
      answers: {
        200: { description: 'The new recovery codes.', schema: RecoveryCodes, example: exampleRecoveryCodes },
      },
      errors: {
        unprocessable: 'the password or the code is wrong, or no second factor is in use.',
        rate_limited: 'too many attempts. Wait for `Retry-After` seconds.',
      },
      handle: async call => ({
        status: 200,
        body: await renewRecoveryCodes(
          sql,
          keyring,
          call.session!.row,
          call.body,
          visitorOf(call),
          admitAttemptOf(call),
        ),
      }),
    }),
    publicOperation({
      method: 'DELETE',
      path: '/v1/auth/totp',
      id: 'removeTotp',
      tag,
      summary: 'Remove your second factor',
      description:
        'Removes the second factor of your account. Requires the password and a code. Returns 422 if either is wrong. Returns 422 if one of your workspaces requires a second factor.',
      access: 'session',
      body: RemoveTotp,
      example: { password: 'correct horse battery staple', code: '123456' },
      answers: { 204: { description: 'The second factor is removed. Sign-in does not require a code any more.' } },
      errors: {
        unprocessable: 'the password or the code is wrong, no second factor is in use, or a workspace requires one.',
        rate_limited: 'too many attempts. Wait for `Retry-After` seconds.',
      },
      handle: async call => {
        await removeTotp(sql, keyring, call.session!.row, call.body, visitorOf(call), admitAttemptOf(call))
        return { status: 204 }
      },
    }),
  ]
}

const exampleRecoveryCodes: RecoveryCodes = {
  recoveryCodes: Array.from({ length: 10 }, (_, index) => `abcd-efgh-jkmn-pqr${index === 0 ? 'z' : index + 1}`),
}
