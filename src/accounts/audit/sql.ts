import type { RequestRef } from '../../core/context.ts'
import { direction, isInRange, isOnPage, type PageRequest } from '../../core/pagination.ts'
import { findLastScanned } from '../../core/scan.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { smallestId } from '../../platform/postgres/ids.ts'
import type { AuditAction, AuditTargetType } from './schema.ts'

export interface NewEntry {
  workspaceId: string
  actor: { type: 'user' | 'api_key'; id: string } | { type: 'operator' | 'unknown'; id: null }
  action: AuditAction
  target: { type: AuditTargetType; id: string }
  detail: unknown
  request: RequestRef | null
  /** Access token of the call. */
  via: { id: string; name: string } | null
}

export const insertEntry = (sql: Sql, p: NewEntry) => sql`
  insert into audit_entries (workspace_id, actor_type, actor_id, action, target_type, target_id, detail, address, request_id,
    via_token_id, via_token_name)
  values (${p.workspaceId}, ${p.actor.type}, ${p.actor.id}, ${p.action}, ${p.target.type}, ${p.target.id},
    ${JSON.stringify(p.detail)}::text::jsonb, ${p.request?.address ?? null}, ${p.request?.requestId ?? null},
    ${p.via?.id ?? null}, ${p.via?.name ?? null})`

/**
 * Inserts an entry, unless the newest entry of the target is the same action by the same actor and token on the same
 * fields, and is at most `withinSeconds` old. Two concurrent calls may both insert one.
 */
export const insertRepeatedEntry = (sql: Sql, p: NewEntry, withinSeconds: number) => sql`
  insert into audit_entries (workspace_id, actor_type, actor_id, action, target_type, target_id, detail, address, request_id,
    via_token_id, via_token_name)
  select e.* from (values (${p.workspaceId}::uuid, ${p.actor.type}::text, ${p.actor.id}::uuid, ${p.action}::text,
    ${p.target.type}::text, ${p.target.id}::uuid, ${JSON.stringify(p.detail)}::text::jsonb, ${p.request?.address ?? null}::text,
    ${p.request?.requestId ?? null}::uuid, ${p.via?.id ?? null}::uuid, ${p.via?.name ?? null}::text)) as e(workspace_id,
    actor_type, actor_id, action, target_type, target_id, detail, address, request_id, via_token_id, via_token_name)
  where not exists (
    select from (
      select * from audit_entries a where a.workspace_id = ${p.workspaceId}
        and (a.target_id, a.id) >= (${p.target.id}, ${smallestId}) and (a.target_id, a.id) < (${p.target.id}, ${maxId})
      order by a.target_id desc, a.id desc limit 1
    ) newest
    where newest.action = e.action and newest.actor_id = e.actor_id and newest.detail -> 'changed' = e.detail -> 'changed'
      and newest.via_token_id is not distinct from e.via_token_id and newest.at > now() - make_interval(secs => ${withinSeconds}))`

export interface AccountEntry {
  userId: string
  /** The holder of the account, the operator, or a person who was not authenticated. */
  by: 'user' | 'operator' | 'unknown'
  action: AuditAction
  detail: unknown
  request: RequestRef | null
}

/** Maximum number of workspaces that get an entry about one account. No account is in more. */
const maxWorkspaces = 1000

/** A workspace that the person of an account has joined. */
export interface JoinedWorkspace {
  userId: string
  workspaceId: string
}

/** Returns the workspaces that people have joined, those joined first, as pairs. One query of the directory. */
export const selectJoinedWorkspaces = (sql: Sql, userIds: readonly string[]) => sql<JoinedWorkspace[]>`
  select u.id as "userId", m.workspace_id as "workspaceId" from unnest(${[...userIds]}::uuid[]) as u(id)
  cross join lateral (
    select workspace_id from members m where m.user_id = u.id order by joined_at limit ${maxWorkspaces}
  ) m`

/** Inserts entries about accounts into the workspaces that their people have joined, as pairs. */
export const insertIntoWorkspaces = (
  sql: Sql,
  entries: readonly AccountEntry[],
  joined: readonly JoinedWorkspace[],
) => sql`
  insert into audit_entries (workspace_id, actor_type, actor_id, action, target_type, target_id, detail, address, request_id)
  select m.workspace_id, e.by, case when e.by = 'user' then e.user_id end, e.action,
    'user', e.user_id, e.detail, e.address, e.request_id
  from json_to_recordset(${JSON.stringify(entries.map(toRow))}::text::json) as e(user_id uuid, by text, action text,
    detail jsonb, address text, request_id uuid)
  join unnest(${joined.map(({ userId }) => userId)}::uuid[], ${joined.map(({ workspaceId }) => workspaceId)}::uuid[])
    as m(user_id, workspace_id) on m.user_id = e.user_id`

const toRow = ({ userId, by, action, detail, request }: AccountEntry) => ({
  user_id: userId,
  by,
  action,
  detail,
  address: request?.address,
  request_id: request?.requestId,
})

/** An entry as a row, for a workspace in another database than the action. */
export interface EntryToWrite {
  workspace_id: string
  id: string
  at: string
  actor_type: 'user' | 'operator' | 'unknown' | 'api_key'
  actor_id: string | null
  action: AuditAction
  target_type: AuditTargetType
  target_id: string
  detail: unknown
  address: string | null
  request_id: string | null
  via_token_id: string | null
  via_token_name: string | null
}

/** Inserts rows. Existing ones are kept. */
export const insertRows = (sql: Sql, rows: readonly EntryToWrite[]) => sql`
  insert into audit_entries (workspace_id, id, at, actor_type, actor_id, action, target_type, target_id, detail, address,
    request_id, via_token_id, via_token_name)
  select workspace_id, id, at, actor_type, actor_id, action, target_type, target_id, detail, address, request_id,
    via_token_id, via_token_name
  from json_populate_recordset(null::audit_entries, ${JSON.stringify(rows)}::text::json)
  on conflict do nothing`

export interface EntryRow {
  id: string
  at: Date
  actorType: 'user' | 'api_key' | 'operator' | 'unknown'
  actorId: string | null
  /** Name of the API key. Names of people come from a separate query. */
  keyName: string | null
  action: AuditAction
  targetType: AuditTargetType
  targetId: string
  detail: Record<string, string | number | boolean | null | string[]>
  address: string | null
  requestId: string | null
  /** Access token of the call. Both are null without one. */
  viaTokenId: string | null
  viaTokenName: string | null
}

export interface EntryFilter {
  workspaceId: string
  actorId: string | undefined
  action: string | undefined
  targetId: string | undefined
  page: PageRequest
}

/** Returns whether the query has more filters than one index covers. */
export const needsScan = ({ actorId, action, targetId }: EntryFilter): boolean =>
  [actorId, action, targetId].filter(one => one !== undefined).length > 1

/**
 * Selects entries. With several filters, one index is used and the other filters check at most `maxScanned` of its
 * rows.
 */
export const selectEntries = (sql: Sql, p: EntryFilter, maxScanned: number) => sql<EntryRow[]>`
  select a.id, a.at, a.actor_type as "actorType", a.actor_id as "actorId", k.name as "keyName", a.action,
    a.target_type as "targetType", a.target_id as "targetId", a.detail, a.address, a.request_id as "requestId",
    a.via_token_id as "viaTokenId", a.via_token_name as "viaTokenName"
  from (
    select * from (${firstEntries(sql, p, needsScan(p) ? maxScanned : p.page.limit + 1)}) a
    where a.workspace_id = ${p.workspaceId}
      ${p.actorId === undefined ? sql`` : sql`and a.actor_id = ${p.actorId}`}
      ${p.action === undefined ? sql`` : sql`and a.action = ${p.action}`}
    order by a.id ${direction(sql, p.page)} limit ${p.page.limit + 1}
  ) a
  left join lateral (
    select name from api_keys k
    where a.actor_type = 'api_key' and k.workspace_id = ${p.workspaceId} and k.id = a.actor_id offset 0
  ) k on true
  order by a.id ${direction(sql, p.page)}`

export const findLastEntryScanned = (sql: Sql, p: EntryFilter, maxScanned: number) =>
  findLastScanned(sql, p.page, firstEntries(sql, p, maxScanned + 1), maxScanned)

/**
 * Selects the first entries of the page by resource, actor or action, or all of them. The range condition and the order match the
 * index. With an equality, PostgreSQL sometimes scans all entries when the value is rare.
 */
const firstEntries = (sql: Sql, p: EntryFilter, maxRows: number): Fragment => {
  const { targetId, actorId, action } = chooseIndexedFilter(p)
  const { before, after, range } = p.page
  const from = after ?? range?.fromId ?? smallestId
  const order = direction(sql, p.page)
  return sql`
    select * from audit_entries a where a.workspace_id = ${p.workspaceId}
      ${targetId === undefined ? sql`` : sql`and (a.target_id, a.id) >= (${targetId}, ${from}) and (a.target_id, a.id) < (${targetId}, ${before ?? maxId})`}
      ${actorId === undefined ? sql`` : sql`and (a.actor_id, a.id) >= (${actorId}, ${from}) and (a.actor_id, a.id) < (${actorId}, ${before ?? maxId})`}
      ${action === undefined ? sql`` : sql`and (a.action, a.id) >= (${action}, ${from}) and (a.action, a.id) < (${action}, ${before ?? maxId})`}
      ${isOnPage(sql, p.page, sql`a.id`)} ${isInRange(sql, p.page, sql`a.id`, sql`a.at`)}
    order by ${targetId === undefined ? sql`` : sql`a.target_id ${order},`} ${actorId === undefined ? sql`` : sql`a.actor_id ${order},`}
      ${action === undefined ? sql`` : sql`a.action ${order},`} a.id ${order}
    limit ${maxRows}`
}

/** Id after all others. */
const maxId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Returns the filter whose index is used. */
const chooseIndexedFilter = ({ targetId, actorId, action }: EntryFilter): Partial<EntryFilter> => {
  if (targetId !== undefined) return { targetId }
  return actorId === undefined ? { action } : { actorId }
}

/** Returns how many seconds the database keeps entries, or null for no limit. */
export const findAuditRetention = async (sql: Sql): Promise<number | null> => {
  const [row] = await sql<
    { seconds: number }[]
  >`select retention_seconds as seconds from audit_retention where only_row`
  return row?.seconds ?? null
}

/** Throws 42501 (insufficient privilege) for a role that does not own the table. */
export const writeAuditRetention = async (sql: Sql, seconds: number | null): Promise<void> => {
  if (seconds === null) await sql`delete from audit_retention where only_row`
  else
    await sql`
      insert into audit_retention (retention_seconds) values (${seconds})
      on conflict (only_row) do update set retention_seconds = excluded.retention_seconds`
}

/**
 * Deletes a page of entries older than both `olderThanSeconds` and the retention in the database. Returns the number of
 * deleted entries. Sets `audit.retention`, because the table rejects any other delete.
 */
export const deleteOldEntries = async (sql: Sql, p: { olderThanSeconds: number; limit: number }): Promise<number> => {
  const { count } = await sql`
    delete from audit_entries a
    using (
      select workspace_id, id from audit_entries
      where at < now() - make_interval(secs => ${p.olderThanSeconds})
        and at < now() - (select make_interval(secs => retention_seconds) from audit_retention where only_row)
      order by at limit ${p.limit}
    ) old
    where a.workspace_id = old.workspace_id and a.id = old.id and (select set_config('audit.retention', 'on', true)) = 'on'`
  return count
}
