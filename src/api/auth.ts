/**
 * Resolves an API key, a session or an access token to a Caller (contract 2.1, contract 2.3, contract 2.13). Only this
 * file knows the headers and cookies of credentials.
 */

import { KeyVerifier } from '../accounts/api-keys/index.ts'
import {
  chooseMembership,
  findSession,
  type Membership,
  type SessionRow,
  touchSessions,
  UseBuffer,
} from '../accounts/sessions/index.ts'
import {
  type AccessTokenRow,
  accessTokenPrefix,
  findToken,
  isWellFormed,
  touchTokens,
} from '../accounts/tokens/index.ts'
import { findWorkspacesHere } from '../accounts/workspace-access/index.ts'
import type { Caller, CallerToken } from '../core/context.ts'
import { DomainError } from '../core/errors.ts'
import { hashSecret } from '../core/secrets.ts'
import { findAccessError, type Rule, tokenNotAllowed } from '../core/verb.ts'
import { Batcher, type BatcherOptions, Failed } from '../platform/micro-batch.ts'
import { cellOf, hasOtherCells, WorkspaceMoving } from '../platform/postgres/cells.ts'
import type { Database } from '../platform/postgres/client.ts'
import { isRoutedByWorkspace } from './routed-requests.ts'

/** The holder of a valid credential. */
export interface Identity {
  caller: Caller
  /** The session or access token of a person. Null for an API key. */
  credential: Credential | null
}

export interface ActiveSession {
  row: SessionRow
  token: string
  /** Membership in which the call acts. Null without one, and for a call that concerns only the person. */
  membership: Membership | null
}

/** An access token that has not expired. */
export interface ActiveToken {
  row: AccessTokenRow
  token: string
  /** Membership in which the call acts. Null if the call names another workspace. */
  membership: Membership | null
}

/** Credential of a person. */
export type Credential = ActiveSession | ActiveToken

const isToken = (credential: Credential): credential is ActiveToken => 'access' in credential.row

/** Returns the session. Returns null for an access token. */
export const sessionOf = (credential: Credential | null): ActiveSession | null =>
  credential === null || isToken(credential) ? null : credential

/**
 * Names of the session cookie, for https and for http. Browsers accept `__Host-session` over https from this host
 * alone. Other hosts of the domain can set `session`, so that name is not read behind https.
 */
const sessionCookies = ['__Host-session', 'session'] as const

const sessionCookie = (secure: boolean): string => (secure ? sessionCookies[0] : sessionCookies[1])

const isHttps = (origin: string): boolean => origin.startsWith('https:')

export class Authenticator {
  readonly keys: KeyVerifier
  /** Times of last use of sessions and access tokens. */
  readonly uses: { sessions: UseBuffer; tokens: UseBuffer }
  readonly #lookups: Batcher<Lookup, Found<SessionRow> | null>
  readonly #tokenLookups: Batcher<Lookup, Found<AccessTokenRow> | null>
  readonly #chores: Database
  readonly #sql: Database

  /**
   * Credentials are looked up with the connections that record events, so that event requests need only one pool.
   * `origin` is the public address of the service. Writes with a session cookie are checked against it. `ssoIssuer` is the
   * identity provider whose single sign-on counts. Defaults to null: none.
   */
  constructor(
    { recording: sql, chores }: { recording: Database; chores: Database },
    private readonly origin: string,
    private readonly ssoIssuer: string | null = null,
  ) {
    this.#chores = chores
    this.#sql = sql
    this.keys = new KeyVerifier(sql, chores)
    this.uses = {
      sessions: new UseBuffer(hashes => touchSessions(chores, hashes)),
      tokens: new UseBuffer(hashes => touchTokens(chores, hashes)),
    }
    this.#lookups = new Batcher({
      ...lookupLimits,
      work: findEach(sql, lookup => findSessionIn(sql, lookup)),
    })
    this.#tokenLookups = new Batcher({
      ...lookupLimits,
      work: findEach(sql, lookup => findTokenIn(sql, lookup)),
    })
  }

  /** Returns the identity of the request. Returns null without a credential. Throws 401 for an invalid credential. */
  async identify(request: Request): Promise<Identity | null> {
    const key = request.headers.get('x-api-key')
    if (key !== null) return this.#identifyKey(key)
    const workspaceId = request.headers.get('x-workspace-id')
    const credential = await this.#findCredential(request, workspaceId)
    if (!credential) return null
    const identity = identityInWorkspace(credential, workspaceId, this.ssoIssuer)
    if (isRoutedByWorkspace(request)) await this.#requireHere(identity.caller.workspaceId)
    return identity
  }

  /** Throws WorkspaceMoving if a workspace is in another cell: another call can have found that since the routing. */
  async #requireHere(workspaceId: string): Promise<void> {
    if ((await cellOf(this.#sql, workspaceId)) !== this.#sql) throw new WorkspaceMoving()
  }

  /**
   * Returns the session of the request, also for a person without a workspace. Returns null if the request has none.
   * Throws 403 for a valid access token.
   */
  async activeSession(request: Request): Promise<ActiveSession | null> {
    const credential = await this.credentialOf(request)
    if (credential && isToken(credential)) throw tokenNotAllowed()
    return credential
  }

  /**
   * Returns the session or access token of the request, without a membership of a session. Returns null if the request has
   * neither.
   */
  credentialOf(request: Request): Promise<Credential | null> {
    return this.#findCredential(request, undefined)
  }

  /**
   * Returns the workspace that the person of a request joined first. Returns null for a credential that is missing or not
   * valid. Throws CellUnavailable if the cell of the workspace does not respond.
   */
  async firstWorkspaceOf(request: Request): Promise<string | null> {
    const credential = await this.credentialOf(request).catch((error: unknown) => {
      if (error instanceof DomainError) return null
      throw error
    })
    const membership = credential && (await chooseMembership(this.#sql, credential.row, null))
    return membership?.workspaceId ?? null
  }

  /** Returns the credential of the request with the membership that `Lookup` names. */
  async #findCredential(request: Request, workspaceId: Lookup['workspaceId']): Promise<Credential | null> {
    const authorization = request.headers.get('authorization')
    if (authorization !== null) {
      const token = tokenOf(authorization)
      return isTokenValue(token) ? this.#findToken(token, workspaceId) : this.#findSession(token, workspaceId)
    }
    const cookie = cookieValue(request.headers.get('cookie'), sessionCookie(isHttps(this.origin)))
    if (cookie === null) return null
    if (isKey(cookie)) throw keyInsteadOfSession('and in no cookie')
    if (isTokenValue(cookie)) throw misplacedToken('and in no cookie')
    const isPermitted = isRead(request) || this.#isSameOrigin(request)
    const session = await this.#findSession(cookie, isPermitted ? workspaceId : undefined)
    if (!isPermitted) throw crossOrigin()
    return session
  }

  /**
   * Returns a check whether a workspace is still in this database, and whether this session or access token still has the
   * rights of the rule there. The check uses the connections for background queries.
   */
  accessCheck(token: string, rule: Rule): (workspaceId: string) => Promise<boolean> {
    const find = async (workspaceId: string): Promise<Credential | null> => {
      const lookup = { hash: hashSecret(token), workspaceId }
      if (!isTokenValue(token)) return withToken(await findSessionIn(this.#chores, lookup), token)
      const found = await findTokenIn(this.#chores, lookup)
      return found?.row.isExpired ? null : withToken(found, token)
    }
    return async workspaceId => {
      // After a move, a stream would show no changes here.
      if (!(await findWorkspacesHere(this.#chores, [workspaceId])).has(workspaceId)) return false
      const credential = await find(workspaceId)
      if (!credential?.membership) return false
      return findAccessError(rule, identityInWorkspace(credential, workspaceId, this.ssoIssuer).caller) === null
    }
  }

  async #identifyKey(value: string): Promise<Identity> {
    const key = await this.keys.verify(value)
    if (!key && isTokenValue(value)) throw misplacedToken('without X-API-Key')
    if (!key)
      throw new DomainError(
        'unauthorized',
        value.startsWith('ses_')
          ? 'This is a session token. Send it as Authorization: Bearer, without X-API-Key.'
          : 'This API key is not valid: it is malformed, unknown or revoked. Check the X-API-Key header.',
      )
    const { id, workspaceId, features, allowances } = key
    return { caller: { type: 'api_key', id, workspaceId, plan: { features, allowances } }, credential: null }
  }

  async #findSession(token: string, workspaceId: Lookup['workspaceId']): Promise<ActiveSession> {
    const hash = hashSecret(token)
    const found = await this.#lookups.add({ hash, workspaceId })
    if (!found) throw new DomainError('unauthorized', 'This session is not valid or has ended. Sign in again.')
    this.uses.sessions.record(hash, found.row)
    return { ...found, token }
  }

  async #findToken(token: string, workspaceId: Lookup['workspaceId']): Promise<ActiveToken> {
    const hash = hashSecret(token)
    const found = isWellFormed(token) ? await this.#tokenLookups.add({ hash, workspaceId }) : null
    if (!found)
      throw new DomainError(
        'unauthorized',
        'This access token is not valid: it is malformed, unknown or revoked. Check the header Authorization.',
      )
    if (found.row.isExpired) throw new DomainError('unauthorized', 'This access token has expired. Create a new token.')
    this.uses.tokens.record(hash, found.row)
    return { ...found, token }
  }

  /**
   * Returns whether a browser sent the request from a page of the service. This prevents CSRF: a page on another site can
   * make a browser send the cookie, but it cannot forge the origin. Browsers without `Sec-Fetch-Site` send
   * `Origin`. With https, the URL of the request is that of the proxy, so only the configured origin counts.
   */
  #isSameOrigin(request: Request): boolean {
    const site = request.headers.get('sec-fetch-site')
    if (site !== null) return site === 'same-origin'
    const origin = request.headers.get('origin')
    return origin === this.origin || (!isHttps(this.origin) && origin === new URL(request.url).origin)
  }
}

/** A lookup of a session or an access token by its hash. */
interface Lookup {
  hash: string
  /** Workspace of the membership that is read too. Null for the one joined first, undefined for none. */
  workspaceId: string | null | undefined
}

/** A session or an access token that was found. */
interface Found<Row> {
  row: Row
  membership: Membership | null
}

const findSessionIn = async (sql: Database, { hash, workspaceId }: Lookup): Promise<Found<SessionRow> | null> => {
  const row = await findSession(sql, hash)
  if (!row) return null
  return { row, membership: workspaceId === undefined ? null : await chooseMembership(sql, row, workspaceId) }
}

/** A token has one membership. Returns null if the workspace is closed and the call acts in it. */
const findTokenIn = async (sql: Database, { hash, workspaceId }: Lookup): Promise<Found<AccessTokenRow> | null> => {
  const row = await findToken(sql, hash)
  if (!row) return null
  const own = row.memberships[0]?.workspaceId
  const actsThere = workspaceId === null || (workspaceId !== undefined && workspaceId.toLowerCase() === own)
  if (row.isExpired || !actsThere) return { row, membership: null }
  const membership = await chooseMembership(sql, row, null)
  return membership && { row, membership }
}

/**
 * Looks up each item. With several cells, an item is settled when its own lookup ends, because another one can wait for
 * a cell that does not respond. Otherwise requests of the same tick keep their order.
 */
const findEach =
  <Out>(sql: Database, find: (lookup: Lookup) => Promise<Out>): BatcherOptions<Lookup, Out>['work'] =>
  async (lookups, settleItem) => {
    const settled = (lookup: Lookup) => find(lookup).catch((error: unknown) => new Failed(error))
    if (!hasOtherCells(sql)) return Promise.all(lookups.map(settled))
    await Promise.all(lookups.map(async (lookup, position) => settleItem(position, await settled(lookup))))
    return []
  }

/** Requests of the same tick are looked up together. No result is cached. */
const lookupLimits = { maxSize: 64, concurrency: 4 }

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'

const crossOrigin = (): DomainError =>
  new DomainError(
    'forbidden',
    'A write with the session cookie must come from a page of this service. Other clients must send Authorization: Bearer.',
  )

const withToken = <Row>(found: Found<Row> | null, token: string): (Found<Row> & { token: string }) | null =>
  found && { ...found, token }

/** Returns the person in the requested workspace. Defaults to the workspace that the person joined first. */
const identityInWorkspace = (
  credential: Credential,
  requestedWorkspace: string | null,
  ssoIssuer: string | null,
): Identity => {
  const { userId, hasSecondFactor, ssoIssuers } = credential.row
  if (!credential.membership) throw notInWorkspace(credential, requestedWorkspace)
  const { workspaceId, role, features, allowances, requiresSecondFactor, requiresSso } = credential.membership
  const lacksSecondFactor = requiresSecondFactor && !hasSecondFactor
  const hasSso = ssoIssuer !== null && ssoIssuers.includes(ssoIssuer)
  const lacksSso = requiresSso && !hasSso
  const isBySso = hasSso && !isToken(credential)
  const plan = { features, allowances }
  const token = isToken(credential) && { token: callerTokenOf(credential) }
  return {
    caller: { type: 'user', id: userId, workspaceId, plan, role, lacksSecondFactor, lacksSso, isBySso, ...token },
    credential,
  }
}

const callerTokenOf = ({ row: { id, name, access } }: ActiveToken): CallerToken => ({ id, name, access })

const notInWorkspace = (credential: Credential, requestedWorkspace: string | null): DomainError => {
  if (requestedWorkspace === null)
    return new DomainError('forbidden', 'This account is not a member of any workspace. Ask an owner to invite you.')
  return new DomainError(
    'not_found',
    isToken(credential)
      ? 'This access token belongs to another workspace than X-Workspace-Id. Use a token of that workspace, or omit the header.'
      : 'You are not a member of the workspace in X-Workspace-Id.',
  )
}

/** Returns the `Set-Cookie` value for a new session. */
export const sessionCookieFor = (token: string, expiresAt: string, secure: boolean): string =>
  `${sessionCookie(secure)}=${token}; ${cookieAttributes(secure)}; Expires=${new Date(expiresAt).toUTCString()}`

/**
 * Returns a 204 answer that deletes the session cookie under both names, and everything that the pages stored in the
 * browser.
 */
export const signOutAnswer = (secure: boolean) => ({
  status: 204,
  cookies: sessionCookies
    .filter(name => secure || name === sessionCookie(false))
    .map(name => `${name}=; ${cookieAttributes(secure)}; Max-Age=0`),
  headers: { 'Clear-Site-Data': '"storage"' },
})

/** Names of the cookie that binds a single sign-on to the browser that started it, for https and for http. */
const ssoCookie = (secure: boolean): string => (secure ? '__Host-sso' : 'sso')

/** Returns the `Set-Cookie` value for a single sign-on. Null removes the cookie. */
export const ssoCookieFor = (secret: string | null, maxAgeSeconds: number, secure: boolean): string =>
  `${ssoCookie(secure)}=${secret ?? ''}; ${cookieAttributes(secure)}; Max-Age=${secret === null ? 0 : maxAgeSeconds}`

/** Returns the secret of the single sign-on that this browser started. */
export const ssoSecretOf = (request: Request, secure: boolean): string | null =>
  cookieValue(request.headers.get('cookie'), ssoCookie(secure))

const cookieAttributes = (secure: boolean): string => `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

/** Extracts the session or access token. Throws 401 with an instruction if the value cannot be one. */
const tokenOf = (authorization: string): string => {
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  if (isKey(token ?? authorization.replace(/^\S+ +/, ''))) throw keyInsteadOfSession('without Bearer')
  if (token === undefined)
    throw new DomainError('unauthorized', 'The header Authorization must have the form "Bearer <session token>".')
  return token
}

const isTokenValue = (token: string): boolean => token.startsWith(accessTokenPrefix)

const misplacedToken = (instruction: string): DomainError =>
  new DomainError('unauthorized', `This is an access token. Send it as Authorization: Bearer, ${instruction}.`)

const isKey = (token: string): boolean => token.startsWith('ces_')

const keyInsteadOfSession = (instruction: string): DomainError =>
  new DomainError('unauthorized', `This is an API key. Send it in the header X-API-Key, ${instruction}.`)

/** Returns the first non-empty value of the cookie. */
const cookieValue = (header: string | null, name: string): string | null => {
  for (const pair of header?.split(';') ?? []) {
    const [key, value] = pair.split('=', 2)
    // Browsers send one space. If other white space were removed, a sibling domain could set a cookie that browsers do
    // not take for `__Host-session`.
    if (value && (key === name || key === ` ${name}`)) return value.trim()
  }
  return null
}
