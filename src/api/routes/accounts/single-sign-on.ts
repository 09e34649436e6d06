/** Routes for single sign-on with an OpenID Connect provider (contract 2.15). */

import type { FailedSignIns } from '../../../accounts/audit/index.ts'
import type { AttemptKind } from '../../../accounts/rate-limits/index.ts'
import { SignedIn } from '../../../accounts/sessions/index.ts'
import {
  ConfirmIdentity,
  completeSso,
  confirmIdentity,
  endSsoSessions,
  LinkIdentity,
  linkIdentity,
  MailIdentityLink,
  mailIdentityLink,
  OwnIdentity,
  readIdentity,
  SsoCallback,
  SsoResult,
  type SsoSettings,
  SsoStart,
  SsoState,
  ssoMinutes,
  startSso,
  UnlinkIdentity,
  unlinkIdentity,
} from '../../../accounts/single-sign-on/index.ts'
import { DomainError, invalidRequest } from '../../../core/errors.ts'
import type { Database } from '../../../platform/postgres/client.ts'
import { ssoCookieFor, ssoSecretOf } from '../../auth.ts'
import type { RateLimiter } from '../../limits/rate-limit.ts'
import { type Call, type Operation, publicOperation } from '../../operation.ts'
import { exampleNewSession, linkErrors, noKey, signInAnswer, visitorOf } from './auth.ts'

const tag = 'Sessions'
/** Maximum bytes of a logout token with its field name. */
const maxLogoutBytes = 16 * 1024

export interface SsoRouteDeps {
  sql: Database
  limiter: RateLimiter
  failedSignIns: FailedSignIns
  /** Null if no identity provider is configured. */
  sso: SsoSettings | null
  /** True if the service is reached by https. */
  secure: boolean
}

export const ssoRoutes = ({ sql, limiter, failedSignIns, sso, secure }: SsoRouteDeps): Operation[] => {
  const admitAttemptOf =
    ({ address }: { address: string }) =>
    (email: string | null, kind?: AttemptKind) =>
      limiter.admitSignIn(email, address, kind)
  return [
    publicOperation({
      method: 'GET',
      path: '/v1/auth/sso',
      id: 'readSso',
      tag,
      summary: 'Read whether single sign-on is available',
      access: 'anyone',
      answers: {
        200: {
          description: 'The identity provider.',
          schema: SsoState,
          example: { enabled: true, provider: 'login.example.com' },
        },
      },
      errors: noKey,
      handle: async () => ({
        status: 200,
        body: { enabled: sso !== null, provider: sso && new URL(sso.provider.issuer).host },
      }),
    }),
    publicOperation({
      method: 'POST',
      path: '/v1/auth/sso',
      id: 'startSso',
      tag,
      summary: 'Start a single sign-on',
      description:
        'Returns the page of the identity provider, and sets a cookie that binds the sign-in to this browser for 10 minutes. The provider then redirects the browser to `/sign-in/sso` of the service, with the parameters for `sso/callback`.',
      access: 'anyone',
      answers: {
        200: {
          description: 'The page to open.',
          schema: SsoStart,
          example: { url: 'https://login.example.com/authorize?client_id=engagement' },
        },
      },
      errors: { ...noProvider, ...noKey },
      handle: async () => {
        const { url, secret } = await startSso(required(sso))
        return { status: 200, body: { url }, cookies: [ssoCookieFor(secret, ssoMinutes * 60, secure)] }
      },
    }),
    publicOperation({
      method: 'POST',
      path: '/v1/auth/sso/callback',
      id: 'signInWithSso',
      tag,
      summary: 'Complete a single sign-on',
      description:
        'Takes the parameters of the redirect. Returns a session like `sign-in`; a ticket for the second factor of the account; or, the first time, a ticket to link the identity to the account with its verified address. Works once, and only in the browser that started it. Counts as a sign-in attempt of the network address.',
      access: 'anyone',
      body: SsoCallback,
      example: { code: 'SplxlOBeZQQYbYS6WxSbIA', state: 'af0ifjsldkj' },
      answers: {
        200: {
          description: 'A session of 30 days; or a ticket for the second factor; or a ticket to link the identity.',
          schema: SsoResult,
          example: exampleNewSession,
        },
      },
      errors: {
        ...noProvider,
        unauthorized:
          'the sign-in was not started in this browser, was completed before, took too long, or is not confirmed by the provider.',
        forbidden:
          'no account has the address, the provider has not verified it, the account is linked to another identity or is disabled, or an API key was sent.',
        rate_limited: 'too many attempts from this address. Wait for `Retry-After` seconds.',
      },
      handle: async call => {
        const visitor = { ...visitorOf(call), signal: call.request.signal }
        const secret = ssoSecretOf(call.request, secure)
        const result = await completeSso(sql, required(sso), call.body, secret, visitor, admitAttemptOf(call))
        const cookie = ssoCookieFor(null, 0, secure)
        if ('link' in result) return { status: 200, body: result, cookies: [cookie] }
        const answer = signInAnswer(result, secure)
        return { ...answer, cookies: [...(answer.cookies ?? []), cookie] }
      },
    }),
    publicOperation({
      method: 'POST',
      path: '/v1/auth/sso/link',
      id: 'linkIdentity',
      tag,
      summary: 'Link single sign-on with the password',
      description:
        'Links the identity of a ticket to the account, and signs in. The response is the same as for `sign-in`. Counts as a sign-in attempt.',
      access: 'anyone',
      body: LinkIdentity,
      example: {
        ticket: 'lnk_bm90IGEgcmVhbCB0aWNrZXQsIG9ubHkgYW4gZXhhbXBsZQ',
        password: 'correct horse battery staple',
      },
      answers: {
        200: {
          description: 'A session of 30 days; or a ticket, where the account has a second factor.',
          schema: SignedIn,
          example: exampleNewSession,
        },
      },
      errors: {
        unauthorized: 'the password is wrong, or the ticket is not valid any more.',
        forbidden: 'the account is in no workspace, or an API key was sent.',
        unprocessable: 'the account or the identity is linked already, or the service has no identity provider.',
        rate_limited: 'too many attempts for this address. Wait for `Retry-After` seconds.',
      },
      handle: async call => {
        required(sso)
        const done = await linkIdentity(sql, call.body, visitorOf(call), admitAttemptOf(call), failedSignIns)
        return signInAnswer(done, secure)
      },
    }),
    publicOperation({
      method: 'POST',
      path: '/v1/auth/sso/link-mail',
      id: 'mailIdentityLink',
      tag,
      summary: 'Request a mail that links single sign-on',
      description:
        'Mails a link to the address of the account, for a holder without the password. The link works once and expires after 1 hour. If the address was never confirmed, the mail is a password reset.',
      access: 'anyone',
      body: MailIdentityLink,
      example: { ticket: 'lnk_bm90IGEgcmVhbCB0aWNrZXQsIG9ubHkgYW4gZXhhbXBsZQ' },
      answers: { 202: { description: 'The link is sent, at most five times an hour.' } },
      errors: {
        unauthorized: 'the ticket is not valid any more.',
        forbidden: 'an API key was sent. API keys cannot call this operation.',
        unprocessable: 'the service sends no e-mail, or has no identity provider.',
        rate_limited: 'too many attempts for this address. Wait for `Retry-After` seconds.',
      },
      handle: async call => {
        await mailIdentityLink(sql, required(sso), call.body, admitAttemptOf(call))
        return { status: 202 }
      },
    }),
    publicOperation({
      method: 'POST',
      path: '/v1/auth/sso/confirm',
      id: 'confirmIdentity',
      tag,
      summary: 'Link single sign-on with an e-mailed link',
      description: 'Links the identity. Then sign in with single sign-on.',
      access: 'anyone',
      body: ConfirmIdentity,
      example: { token: 'idl_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw' },
      answers: { 204: { description: 'The identity is linked.' } },
      errors: linkErrors('the link is unknown, used or expired, or the identity is linked already.'),
      handle: async call => {
        await confirmIdentity(sql, call.body, call, admitAttemptOf(call))
        return { status: 204 }
      },
    }),
    publicOperation({
      method: 'GET',
      path: '/v1/auth/sso/identity',
      id: 'readIdentity',
      tag,
      summary: 'Read whether your account has single sign-on',
      access: 'session',
      answers: {
        200: {
          description: 'The link to the identity provider.',
          schema: OwnIdentity,
          example: { linked: true, since: '2026-03-01T09:30:00.000Z' },
        },
      },
      handle: async ({ session }) => ({
        status: 200,
        body: await readIdentity(sql, sso?.provider.issuer ?? null, session!.row),
      }),
    }),
    publicOperation({
      method: 'DELETE',
      path: '/v1/auth/sso/identity',
      id: 'unlinkIdentity',
      tag,
      summary: 'Remove single sign-on from your account',
      description:
        'Removes the link, and ends your other sessions that began with single sign-on. Requires the password. Returns 422 if one of your workspaces requires single sign-on.',
      access: 'session',
      body: UnlinkIdentity,
      example: { password: 'correct horse battery staple' },
      answers: { 204: { description: 'The link is removed.' } },
      errors: {
        unprocessable:
          'the password is wrong, the account is not linked, a workspace requires single sign-on, or the service has no identity provider.',
        rate_limited: 'too many attempts. Wait for `Retry-After` seconds.',
      },
      handle: async call => {
        const { issuer } = required(sso).provider
        await unlinkIdentity(sql, issuer, call.session!.row, call.body, visitorOf(call), admitAttemptOf(call))
        return { status: 204 }
      },
    }),
    publicOperation({
      method: 'POST',
      path: '/v1/auth/sso/logout',
      id: 'endSsoSessions',
      tag: 'Callbacks',
      summary: 'End sessions for the identity provider',
      description:
        'Back-channel logout: the identity provider sends a signed `logout_token`, as a form. Ends the sessions that it names in every process.',
      access: 'anyone',
      raw: { maxBytes: maxLogoutBytes, mediaType: 'application/x-www-form-urlencoded' },
      answers: { 200: { description: 'The sessions have ended.' } },
      errors: {
        invalid_request: 'the body is larger than 16 KiB, or has no `logout_token`.',
        unauthorized: 'the token is not a valid logout token of the identity provider.',
        forbidden: 'an API key was sent. API keys cannot call this operation.',
        unprocessable: noProvider.unprocessable,
      },
      handle: async (call: Call<never, never>, rawBody) => {
        const settings = required(sso)
        const form = new URLSearchParams(new TextDecoder().decode(await rawBody.read(logoutShare, false)))
        const token = form.get('logout_token')
        if (!token) throw invalidRequest({ logout_token: 'Is required, in a form.' })
        await endSsoSessions(sql, settings, token, call)
        return { status: 200 }
      },
    }),
  ]
}

/** Share of the memory for bodies of callbacks that logouts use. It is the id of no workspace. */
const logoutShare = 'single sign-on'

const noProvider = { unprocessable: 'the service has no identity provider.' }

const required = (sso: SsoSettings | null): SsoSettings => {
  if (sso) return sso
  throw new DomainError('unprocessable', 'Single sign-on is not set up. Ask the operator of this service.')
}
