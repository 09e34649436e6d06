/** Operations on access tokens (contract 2.13). */

import type { RequestRef } from '../../core/context.ts'
import { DomainError } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { type PageOf, toPage, toPageRequest } from '../../core/pagination.ts'
import type { PageQuery } from '../../core/schema.ts'
import { hashSecret, newSecret } from '../../core/secrets.ts'
import { type Sql, transaction } from '../../platform/postgres/client.ts'
import { writeEntry } from '../audit/index.ts'
import {
  chooseMembership,
  type Membership,
  readMemberships,
  type SessionRow,
  type TokenAccess,
} from '../sessions/index.ts'
import type { AccessToken, CreateAccessToken, CreatedAccessToken } from './schema.ts'
import {
  countActiveTokens,
  deleteToken,
  findWorkspaceName,
  insertToken,
  isSignedIn,
  lockHolder,
  lockMembership,
  selectTokens,
  type TokenRow,
} from './sql.ts'
import { accessTokenPrefix } from './value.ts'

const prefixLength = 12
/** Maximum number of tokens of one person, or of one service account, that have not expired. */
const maxActive = 20
const defaultDays = 90

/** Creates a token of the signed-in person for one of their workspaces. Its value is only returned here. */
export const createAccessToken = async (
  sql: Sql,
  session: SessionRow,
  { name, access, expiresInDays, workspaceId }: CreateAccessToken,
  request: RequestRef,
): Promise<CreatedAccessToken> => {
  const { workspaceId: id, workspaceName } = await findMembership(sql, session, workspaceId)
  return transaction(sql, async tx => {
    const holder = { userId: session.userId, workspaceId: id, sessionId: session.id }
    const { row, token } = await issueAccessToken(tx, { ...holder, name, access, days: expiresInDays })
    await writeEntry(tx, actorOf(session, id, request), {
      action: 'createAccessToken',
      target: { type: 'access_token', id: row.id },
      detail: { name, access, prefix: row.prefix, expiresAt: row.expiresAt.toISOString() },
    })
    return { ...shapeToken(row, workspaceName), token }
  })
}

/** Returns the membership of the workspace. Without an id, returns that of the workspace that the person joined first. */
const findMembership = async (sql: Sql, session: SessionRow, workspaceId?: string): Promise<Membership> => {
  const found = await chooseMembership(sql, session, workspaceId ?? null)
  if (found) return found
  if (workspaceId !== undefined)
    throw new DomainError('not_found', 'You are not a member of the workspace in `workspaceId`.')
  throw new DomainError('forbidden', 'This account is not a member of any workspace. Ask an owner to invite you.')
}

/** Properties of a new token. */
export interface NewToken {
  userId: string
  workspaceId: string
  name: string
  access: TokenAccess
  /** Days until the token expires, at most 365. Defaults to 90. */
  days?: number | undefined
  /** Session that creates the token. Fails with 401 if it has ended. Missing if somebody else creates the token. */
  sessionId?: string
}

/** A new token with its value, which is not stored. */
export interface HeldToken {
  row: TokenRow
  token: string
}

/**
 * Creates a token without an audit entry. Fails with 422 at the 21st active token of a user, 403 if the user is no
 * longer in the workspace, and 401 if the account is disabled.
 */
export const issueAccessToken = (
  sql: Sql,
  { sessionId, days = defaultDays, ...created }: NewToken,
): Promise<HeldToken> =>
  transaction(sql, async tx => {
    const { userId, workspaceId } = created
    const isHeld =
      (await lockHolder(tx, userId)) && (sessionId === undefined || (await isSignedIn(tx, userId, sessionId)))
    if (!isHeld) throw new DomainError('unauthorized', 'This session is not valid or has ended. Sign in again.')
    if (!(await lockMembership(tx, workspaceId, userId)))
      throw new DomainError('forbidden', 'The account is no longer a member of the workspace.')
    if ((await countActiveTokens(tx, userId, maxActive)) >= maxActive) throw tooManyTokens()
    const token = newSecret(accessTokenPrefix)
    const row = await insertToken(tx, {
      ...created,
      days,
      prefix: token.slice(0, prefixLength),
      tokenHash: hashSecret(token),
    })
    return { row, token }
  })

const tooManyTokens = (): DomainError =>
  new DomainError(
    'unprocessable',
    `An account has at most ${maxActive} access tokens that have not expired. Revoke a token that is not used any more.`,
  )

/** Lists the person's tokens in all workspaces, newest first. */
export const listAccessTokens = async (
  sql: Sql,
  session: SessionRow,
  query: PageQuery,
): Promise<PageOf<AccessToken>> => {
  const page = toPageRequest(query)
  const { memberships } = await readMemberships(sql, session)
  const names = new Map(memberships.map(({ workspaceId, workspaceName }) => [workspaceId, workspaceName]))
  const rows = await selectTokens(sql, { userId: session.userId, workspaceIds: [...names.keys()] }, page)
  return toPage(rows, page, row => shapeToken(row, names.get(row.workspaceId)!))
}

/** Lists the tokens that a service account has in its workspace, newest first. */
export const listTokensOf = async (
  sql: Sql,
  { userId, workspaceId }: { userId: string; workspaceId: string },
  query: PageQuery,
): Promise<PageOf<AccessToken>> => {
  const page = toPageRequest(query)
  const workspaceName = await findWorkspaceName(sql, workspaceId)
  const rows = await selectTokens(sql, { userId, workspaceIds: [workspaceId] }, page)
  return toPage(rows, page, row => shapeToken(row, workspaceName))
}

/** Returns the published record of a token. */
export const readToken = async (sql: Sql, row: TokenRow): Promise<AccessToken> =>
  shapeToken(row, await findWorkspaceName(sql, row.workspaceId))

/** Revokes a token of the person. It is rejected by every process once this returns, because no process caches tokens. */
export const revokeAccessToken = (sql: Sql, session: SessionRow, id: string, request: RequestRef): Promise<void> =>
  transaction(sql, async tx => {
    const row = isId(id) ? await deleteToken(tx, session.userId, id) : null
    if (!row) throw new DomainError('not_found', 'You have no such access token. It may have been revoked already.')
    const { name, access, prefix, workspaceId } = row
    await writeEntry(tx, actorOf(session, workspaceId, request), {
      action: 'revokeAccessToken',
      target: { type: 'access_token', id },
      detail: { name, access, prefix },
    })
  })

const actorOf = ({ userId }: SessionRow, workspaceId: string, request: RequestRef) =>
  ({ type: 'user', id: userId, workspaceId, request }) as const

/** Shapes a token for its holder. */
const shapeToken = (row: TokenRow, workspaceName: string): AccessToken => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  access: row.access,
  workspace: { id: row.workspaceId, name: workspaceName },
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
})
