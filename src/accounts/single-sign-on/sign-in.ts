/** Sign-in at the identity provider (contract 2.15). */

import { createHash, timingSafeEqual } from 'node:crypto'
import type { Role } from '../../core/context.ts'
import { DomainError, retryLater } from '../../core/errors.ts'
import { hashSecret, newSecret } from '../../core/secrets.ts'
import {
  challengeOf,
  type OidcIdentity,
  type OidcProvider,
  OidcRejected,
  OidcUnavailable,
} from '../../platform/oidc.ts'
import { type Sql, transaction } from '../../platform/postgres/client.ts'
import { writeAccountEntries } from '../audit/index.ts'
import { applyRole } from '../members/index.ts'
import type { AdmitAttempt } from '../people/index.ts'
import { hasSecondFactor } from '../second-factors/index.ts'
import {
  accountDisabled,
  createAuditedSession,
  deleteSession,
  deleteTicket,
  issueTicket,
  type SignedIn,
  type SignInClient,
  type SsoIdentity,
  type SsoLogout,
} from '../sessions/index.ts'
import { findUserForSignIn } from '../users/index.ts'
import type { SsoCallback, SsoLinkWanted, SsoResult } from './schema.ts'
import {
  deleteIdentityLink,
  deleteState,
  findIdentity,
  findIdentityAccount,
  insertIdentityLink,
  insertState,
  lockAccount,
  type SsoAccount,
  wasLoggedOut,
} from './sql.ts'

/** Identity provider and what the operator has configured about it. */
export interface SsoSettings {
  provider: OidcProvider
  /** Claim with the role of a person. Null leaves roles to the workspaces. */
  roleClaim: string | null
  /** Returns the URI to which the provider redirects the browser. */
  redirectUri: () => string
  /** True if e-mail is configured. */
  byMail: boolean
  /**
   * Called when the provider fails, or rejects a sign-in or a logout. Anybody can cause rejected logouts, without a
   * limit.
   */
  onFailure: (error: OidcUnavailable | OidcRejected, call: SsoCall) => void
}

export type SsoCall = 'sign-in' | 'logout'

/** Minutes within which a sign-in must be completed, and for which its cookie and its state are kept. */
export const ssoMinutes = 10
const ticketMinutes = 10

/**
 * Starts a sign-in. Returns the page of the provider, and a secret for a cookie of the browser. State, nonce and PKCE
 * verifier are derived from the secret, so only this browser can complete the sign-in and nothing is stored.
 */
export const startSso = async ({ provider, redirectUri, onFailure }: SsoSettings) => {
  const secret = newSecret('sso_')
  const { state, nonce, verifier } = valuesOf(secret)
  const challenge = challengeOf(verifier)
  try {
    return { secret, url: await provider.authorizationUrl({ redirectUri: redirectUri(), state, nonce, challenge }) }
  } catch (error) {
    throw domainErrorOf(error, 'sign-in', onFailure)
  }
}

/**
 * Completes a sign-in. `secret` is the cookie of the browser. Returns a session, or a ticket: for the second factor of the
 * account, or to link a new identity to the account with its verified address. An attempt counts for the network address.
 * No connection is held while the provider answers. An account never changes by its address alone.
 */
export const completeSso = async (
  sql: Sql,
  settings: SsoSettings,
  { code, state, iss }: SsoCallback,
  secret: string | null,
  client: SignInClient & { signal: AbortSignal },
  admitAttempt: AdmitAttempt,
): Promise<SsoResult> => {
  await admitAttempt(null)
  if (secret === null || !isEqual(state, valuesOf(secret).state)) throw notStartedHere()
  const stateHash = hashSecret(state)
  const startedAt = await insertState(sql, stateHash, ssoMinutes * 2)
  if (startedAt === null) throw notStartedHere()
  const callback = new URL(settings.redirectUri())
  callback.search = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) }).toString()
  const claimed = await settings.provider.exchange(callback, valuesOf(secret), client.signal).catch(async error => {
    // The provider may not have seen the code, so the browser can send the same callback again.
    if (error instanceof OidcUnavailable) await deleteState(sql, stateHash)
    throw domainErrorOf(error, 'sign-in', settings.onFailure)
  })
  const result = await signInAs(sql, settings, claimed, client)
  // Checked after the commit: a logout that came earlier is found, and a later one deletes what was opened.
  if (await hasLoggedOut(sql, claimed, startedAt)) {
    await revoke(sql, result, client)
    throw new DomainError('unauthorized', 'The identity provider ended this sign-in. Start it again.')
  }
  return result
}

/** Opens a session of the linked account, or issues a ticket. */
const signInAs = async (
  sql: Sql,
  settings: SsoSettings,
  claimed: OidcIdentity,
  client: SignInClient,
): Promise<SsoResult> => {
  const role = roleOf(claimed, settings.roleClaim)
  const account = await findIdentityAccount(sql, claimed)
  if (!account) return offerLink(sql, settings, claimed, role)
  if (account.isDisabled) throw accountDisabled()
  return transaction(sql, async tx => openSession(tx, { ...account, identity: identityOf(claimed), role }, client))
}

/**
 * Returns whether a logout of the provider ended the sign-in. One without a session of the provider counts from the
 * callback, because the person can have signed in there again since an earlier one.
 */
const hasLoggedOut = (sql: Sql, { issuer, subject, session }: OidcIdentity, since: Date): Promise<boolean> =>
  wasLoggedOut(sql, {
    sessionHash: session === null ? null : logoutHashOf({ issuer, subject, session }),
    subjectHash: logoutHashOf({ issuer, subject, session: null }),
    since,
  })

/** Returns the hash under which a logout is recorded. It names the session of the provider, or the subject without one. */
export const logoutHashOf = ({ issuer, subject, session }: SsoLogout): string =>
  hashSecret(JSON.stringify(['logout', issuer, session === null ? { subject } : { session }]))

const revoke = async (sql: Sql, result: SsoResult, request: SignInClient): Promise<void> => {
  if ('token' in result)
    await transaction(sql, async tx => {
      const ended = await deleteSession(tx, hashSecret(result.token))
      await writeAccountEntries(
        tx,
        ended.map(({ userId }) => ({ userId, isByHolder: false, action: 'endSsoSessions', request })),
      )
    })
  else if ('link' in result) await deleteIdentityLink(sql, hashSecret(result.ticket))
  else await deleteTicket(sql, hashSecret(result.ticket))
}

/**
 * Applies the role that the provider claims, and opens a session of the identity, or issues a ticket if the account has
 * a second factor. Locks the account before its workspaces, as its deletion does.
 */
export const openSession = async (
  tx: Sql,
  {
    id,
    passwordHash,
    identity,
    role,
  }: Pick<SsoAccount, 'id' | 'passwordHash'> & { identity: SsoIdentity; role: Role | null },
  client: SignInClient,
): Promise<SignedIn> => {
  await lockAccount(tx, id)
  if (role !== null) await applyRole(tx, { userId: id, role, request: client })
  const account = { id, passwordHash, identity }
  return (await hasSecondFactor(tx, id))
    ? issueTicket(tx, account)
    : createAuditedSession(tx, account, client, 'signInWithSso')
}

/** Returns a ticket with which the holder of the account with the verified address can link the identity. */
const offerLink = async (
  sql: Sql,
  { byMail }: SsoSettings,
  claimed: OidcIdentity,
  role: Role | null,
): Promise<SsoLinkWanted> => {
  const { verifiedEmail, issuer } = claimed
  if (verifiedEmail === null)
    throw new DomainError(
      'forbidden',
      'The identity provider has not verified your email address. Verify it there, and sign in again.',
    )
  const user = await findUserForSignIn(sql, verifiedEmail)
  if (!user)
    throw new DomainError('forbidden', 'No account has your email address. Ask an owner of a workspace to invite you.')
  if (user.isDisabled) throw accountDisabled()
  if ((await findIdentity(sql, user.id, issuer)) !== null)
    throw new DomainError(
      'forbidden',
      'This account is linked to another identity. Sign in with the password, and remove that link first.',
    )
  const ticket = newSecret('lnk_')
  await insertIdentityLink(sql, {
    tokenHash: hashSecret(ticket),
    userId: user.id,
    identity: identityOf(claimed),
    role,
    mailed: false,
    lifetimeMinutes: ticketMinutes,
  })
  return { link: true, ticket, email: user.email, mail: byMail }
}

const identityOf = ({ issuer, subject, session }: OidcIdentity): SsoIdentity => ({ issuer, subject, session })

/** Returns the role in the claim: a text or a list of texts. `owner` wins. Null if it has neither role. */
const roleOf = ({ claims }: OidcIdentity, roleClaim: string | null): Role | null => {
  const value = roleClaim !== null && Object.hasOwn(claims, roleClaim) ? claims[roleClaim] : null
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.includes('owner') ? 'owner' : values.includes('agent') ? 'agent' : null
}

/** Returns the values of a sign-in. They reveal neither the secret nor each other. */
const valuesOf = (secret: string) => {
  const derive = (purpose: string) => createHash('sha256').update(`${purpose}:${secret}`).digest('base64url')
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
}

const isEqual = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.byteLength === b.byteLength && timingSafeEqual(a, b)
}

const notStartedHere = () =>
  new DomainError(
    'unauthorized',
    'This sign-in was not started in this browser, was completed already, or took too long. Start it again.',
  )

/** Returns the error for the caller. The text of the provider goes only to the log. */
export const domainErrorOf = (error: unknown, call: SsoCall, onFailure: SsoSettings['onFailure']): unknown => {
  if (error instanceof OidcUnavailable) {
    onFailure(error, call)
    return retryLater('internal_error', 'The identity provider does not respond.', 5)
  }
  if (!(error instanceof OidcRejected)) return error
  onFailure(error, call)
  return new DomainError(
    'unauthorized',
    call === 'logout'
      ? 'The logout token is not valid for this service.'
      : 'The identity provider did not confirm this sign-in. Start it again.',
  )
}
