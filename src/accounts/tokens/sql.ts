import type { PageRequest } from '../../core/pagination.ts'
import { directoryOf, inCellOf } from '../../platform/postgres/cells.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { SignedInRow, TokenAccess } from '../sessions/index.ts'

export interface TokenRow {
  id: string
  workspaceId: string
  name: string
  prefix: string
  access: TokenAccess
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
}

const columns = (sql: Sql) => sql`
  id, workspace as "workspaceId", name, prefix, access, created_at as "createdAt", expires_at as "expiresAt",
  last_used_at as "lastUsedAt"`

/** An access token as found for a request, also an expired one. */
export interface AccessTokenRow extends SignedInRow {
  name: string
  access: TokenAccess
  isExpired: boolean
}

/**
 * Finds a token with all data of the user that a request needs, in one query of the directory. Returns null if its user
 * is disabled or not in its workspace. Every request runs this, so a revocation takes effect immediately.
 */
export const findToken = async (sql: Sql, tokenHash: string): Promise<AccessTokenRow | null> => {
  const [row] = await directoryOf(sql)<AccessTokenRow[]>`
    select t.id, t.name, t.access, t.expires_at as "expiresAt", t.expires_at <= now() as "isExpired",
      coalesce(t.last_used_at < now() - interval '20 seconds', true) as "isTouchDue",
      u.id as "userId", u.email, u.name as "userName",
      exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null) as "hasSecondFactor",
      array(select i.issuer from identities i where i.user_id = u.id) as "ssoIssuers",
      json_build_array(json_build_object('workspaceId', m.workspace_id, 'role', m.role, 'kind', m.kind)) as memberships
    from access_tokens t join users u on u.id = t.user_id
      join members m on m.workspace_id = t.workspace and m.user_id = t.user_id
    where t.token_hash = decode(${tokenHash}, 'hex') and u.disabled_at is null`
  return row ?? null
}

/** Records that these tokens are in use. Skips rows locked by another process, which writes the same values. */
export const touchTokens = (sql: Sql, tokenHashes: string[]) => directoryOf(sql)`
  update access_tokens set last_used_at = now() where token_hash = any(array(
    select token_hash from access_tokens
    where token_hash = any(array(select decode(one, 'hex') from unnest(${tokenHashes}::text[]) one))
    for no key update skip locked))`

/**
 * Locks a user until the transaction ends, so that a password reset, a disabling and another new token wait. Returns
 * false if the account was disabled or deleted.
 */
export const lockHolder = async (tx: Sql, userId: string): Promise<boolean> => {
  const rows = await tx`select 1 from users where id = ${userId} and disabled_at is null for no key update`
  return rows.length === 1
}

/** Returns whether the session exists. Runs after `lockHolder`, because a reset may have ended it. */
export const isSignedIn = async (tx: Sql, userId: string, sessionId: string): Promise<boolean> => {
  const rows = await tx`select 1 from sessions where user_id = ${userId} and id = ${sessionId}`
  return rows.length === 1
}

/**
 * Returns whether a user is in the team. The row lock makes a removal wait until the transaction ends, so that it also
 * deletes the new token.
 */
export const lockMembership = async (tx: Sql, workspaceId: string, userId: string): Promise<boolean> => {
  const rows = await tx`
    select 1 from members where workspace_id = ${workspaceId} and user_id = ${userId} for key share`
  return rows.length === 1
}

/** Counts the tokens of a user that have not expired, up to `max`. */
export const countActiveTokens = async (sql: Sql, userId: string, max: number): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from (
      select from access_tokens where user_id = ${userId} and expires_at > now() limit ${max}) t`
  return row!.count
}

export interface NewTokenRow {
  tokenHash: string
  userId: string
  workspaceId: string
  name: string
  prefix: string
  access: TokenAccess
  days: number
}

export const insertToken = async (sql: Sql, p: NewTokenRow): Promise<TokenRow> => {
  const [row] = await sql<TokenRow[]>`
    insert into access_tokens (token_hash, user_id, workspace, name, prefix, access, expires_at)
    values (decode(${p.tokenHash}, 'hex'), ${p.userId}, ${p.workspaceId}, ${p.name}, ${p.prefix}, ${p.access},
      now() + make_interval(days => ${p.days}))
    returning ${columns(sql)}`
  return row!
}

/** Selects the tokens of a user in these workspaces, newest first. Includes those that expired in the last 30 days. */
export const selectTokens = (
  sql: Sql,
  p: { userId: string; workspaceIds: readonly string[] },
  page: PageRequest,
) => sql<TokenRow[]>`
  select ${columns(sql)} from access_tokens
  where user_id = ${p.userId} and workspace = any(${p.workspaceIds}::uuid[]) ${page.before === null ? sql`` : sql`and id < ${page.before}`}
  order by id desc limit ${page.limit + 1}`

export const findWorkspaceName = async (sql: Sql, workspaceId: string): Promise<string> => {
  const [row] = await inCellOf(
    sql,
    workspaceId,
    cell => cell<{ name: string }[]>`select name from workspaces where id = ${workspaceId}`,
  )
  return row!.name
}

/** Deletes a token of the user. Returns null if there is none with this id. */
export const deleteToken = async (sql: Sql, userId: string, id: string): Promise<TokenRow | null> => {
  const [row] = await sql<TokenRow[]>`
    delete from access_tokens where user_id = ${userId} and id = ${id} returning ${columns(sql)}`
  return row ?? null
}

/** Deletes the tokens of a user: those of one workspace, or all. */
export const deleteTokensOf = (tx: Sql, { userId, workspaceId }: { userId: string; workspaceId?: string }) => tx`
  delete from access_tokens
  where user_id = ${userId} ${workspaceId === undefined ? tx`` : tx`and workspace = ${workspaceId}`}`

/** Deletes at most `limit` tokens of a workspace. */
export const deleteTokensIn = (sql: Sql, workspaceId: string, limit: number) => directoryOf(sql)`
  delete from access_tokens where token_hash = any(array(
    select token_hash from access_tokens where workspace = ${workspaceId} order by expires_at limit ${limit}))`

/** Selects the tokens of a workspace that expire within `days`, the earliest first, with the name of their user. */
export const findExpiringTokens = (sql: Sql, p: { workspaceId: string; days: number; limit: number }) => directoryOf(
  sql,
)<{ id: string; name: string; userId: string; userName: string; expiresAt: Date; createdAt: Date }[]>`
  select t.id, t.name, u.id as "userId", u.name as "userName", t.expires_at as "expiresAt", t.created_at as "createdAt"
  from access_tokens t join users u on u.id = t.user_id
  where t.workspace = ${p.workspaceId} and t.expires_at > now() and t.expires_at < now() + make_interval(days => ${p.days})
  order by t.expires_at limit ${p.limit}`

/** Deletes at most `limit` tokens that expired more than 30 days ago. Until then they are rejected as expired. */
export const deleteExpiredTokens = (sql: Sql, limit: number) => sql`
  delete from access_tokens where token_hash = any(array(
    select token_hash from access_tokens where expires_at < now() - interval '30 days'
    order by expires_at limit ${limit}))`
