import { lockWorkspace } from '../../core/locks.ts'
import type { PageRequest } from '../../core/pagination.ts'
import type { Sql } from '../../platform/postgres/client.ts'

export interface ApiKeyRow {
  id: string
  name: string
  prefix: string
  createdAt: Date
  createdBy: string
  revokedAt: Date | null
  lastUsedAt: Date | null
}

const columns = (sql: Sql) => sql`
  id, name, prefix, created_at as "createdAt", created_by as "createdBy", revoked_at as "revokedAt",
  last_used_at as "lastUsedAt"`

export const insertApiKey = async (
  sql: Sql,
  p: { workspaceId: string; name: string; prefix: string; keyHash: string; createdBy: string },
) => {
  const [row] = await sql<ApiKeyRow[]>`
    insert into api_keys (workspace_id, name, prefix, key_hash, created_by)
    values (${p.workspaceId}, ${p.name}, ${p.prefix}, decode(${p.keyHash}, 'hex'), ${p.createdBy})
    returning ${columns(sql)}`
  return row!
}

/**
 * Counts all keys, and those that are not revoked, each up to its limit. The lock prevents other keys from being issued
 * until the transaction ends.
 */
export const lockAndCountKeys = async (tx: Sql, workspaceId: string, max: { active: number; all: number }) => {
  await lockWorkspace(tx, workspaceId)
  const [row] = await tx<{ active: number; all: number }[]>`
    select (select count(*)::integer from (
        select 1 from api_keys where workspace_id = ${workspaceId} and revoked_at is null limit ${max.active}) k) as active,
      (select count(*)::integer from (
        select 1 from api_keys where workspace_id = ${workspaceId} limit ${max.all}) k) as all`
  return row!
}

export const selectApiKeys = (sql: Sql, workspaceId: string, page: PageRequest) => sql<ApiKeyRow[]>`
  select ${columns(sql)} from api_keys
  where workspace_id = ${workspaceId} ${page.before === null ? sql`` : sql`and id < ${page.before}`}
  order by id desc limit ${page.limit + 1}`

/** Returns a key, also a revoked one, or null. */
export const findApiKey = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<ApiKeyRow[]>`
    select ${columns(sql)} from api_keys where workspace_id = ${workspaceId} and id = ${id}`
  return row ?? null
}

/**
 * Revokes a key and keeps the first time of revocation. `now` is true for the first call only. Returns null for an
 * unknown key.
 */
export const markApiKeyRevoked = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<{ name: string; prefix: string; revokedAt: Date; now: boolean }[]>`
    update api_keys set revoked_at = coalesce(revoked_at, now()) where workspace_id = ${workspaceId} and id = ${id}
    returning name, prefix, revoked_at as "revokedAt", revoked_at = now() as now`
  return row ?? null
}

export interface ActiveKeyRow {
  keyHash: string
  id: string
  workspaceId: string
  planId: string
  /** True if the workspace is being moved to another database, or has been. */
  isMoving: boolean
}

/** Returns the keys among these hashes that are not revoked, in workspaces that are open or being moved. */
export const findActiveKeys = (sql: Sql, keyHashes: string[]) => sql<ActiveKeyRow[]>`
  select encode(k.key_hash, 'hex') as "keyHash", k.id, k.workspace_id as "workspaceId", w.plan_id as "planId",
    w.closed_for is not null as "isMoving"
  from unnest(${keyHashes}::text[]) as asked(hash)
  join api_keys k on k.key_hash = decode(asked.hash, 'hex')
  join workspaces w on w.id = k.workspace_id
  where k.revoked_at is null and coalesce(w.closed_for, 'move') in ('move', 'copy')`

/** Returns those of the hashes that belong to keys of this database, also to revoked ones. Copies of a move do not count. */
export const findKnownHashes = async (sql: Sql, keyHashes: readonly string[]): Promise<string[]> => {
  const rows = await sql<{ hash: string }[]>`
    select asked.hash from unnest(${[...keyHashes]}::text[]) as asked(hash)
    join api_keys k on k.key_hash = decode(asked.hash, 'hex')
    join workspaces w on w.id = k.workspace_id
    where w.closed_for is distinct from 'copy'`
  return rows.map(({ hash }) => hash)
}

export const touchApiKeys = (sql: Sql, keys: { workspaceId: string; id: string; at: Date }[]) => sql`
  update api_keys k set last_used_at = greatest(k.last_used_at, used.at)
  from unnest(${keys.map(key => key.workspaceId)}::uuid[], ${keys.map(key => key.id)}::uuid[],
    ${keys.map(key => key.at.toISOString())}::text[]::timestamptz[]) as used(workspace_id, id, at)
  where k.workspace_id = used.workspace_id and k.id = used.id`
