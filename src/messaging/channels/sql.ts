import { type DiffersColumn, differsColumn } from '../../core/changed-fields.ts'
import type { PageRequest } from '../../core/pagination.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { draftEvents, insertIntoOutbox } from '../../webhooks/outbound-events/index.ts'
import type { ChannelKind, SandboxDelivery } from './providers/index.ts'
import type { Channel } from './schema.ts'

export interface ChannelRow {
  id: string
  kind: ChannelKind
  name: string
  number: string | null
  status: Channel['status']
  statusDetail: string | null
  sandboxDelivery: SandboxDelivery
  createdAt: Date
  updatedAt: Date
}

/** A channel with its encrypted credentials, which are never returned to callers. */
export interface ChannelWithCredentials extends ChannelRow {
  credentials: Buffer | null
}

const columns = (sql: Sql) => sql`
  id, kind, name, number, status, status_detail as "statusDetail", sandbox_delivery as "sandboxDelivery",
  created_at as "createdAt", updated_at as "updatedAt"`

export interface NewChannel {
  workspaceId: string
  id: string
  kind: ChannelKind
  name: string
  number: string | null
  credentials: Buffer | null
  sandboxDelivery: SandboxDelivery
}

/** Returns null if a connected channel of the workspace has the number. A unique index guarantees this. */
export const insertChannel = async (sql: Sql, p: NewChannel) => {
  const [row] = await sql<ChannelRow[]>`
    insert into channels (workspace_id, id, kind, name, number, credentials, sandbox_delivery)
    values (${p.workspaceId}, ${p.id}, ${p.kind}, ${p.name}, ${p.number}, ${p.credentials}, ${p.sandboxDelivery})
    on conflict do nothing
    returning ${columns(sql)}`
  return row ?? null
}

/** Counts the channels of a workspace, including disconnected ones, up to `limit`. */
export const countChannels = async (sql: Sql, workspaceId: string, limit: number): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from (select 1 from channels where workspace_id = ${workspaceId} limit ${limit}) c`
  return row!.count
}

export const selectChannels = (sql: Sql, workspaceId: string, page: PageRequest) => sql<ChannelRow[]>`
  select ${columns(sql)} from channels
  where workspace_id = ${workspaceId} ${page.before === null ? sql`` : sql`and id < ${page.before}`}
  order by id desc limit ${page.limit + 1}`

export const findChannel = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<ChannelWithCredentials[]>`
    select ${columns(sql)}, credentials from channels where workspace_id = ${workspaceId} and id = ${id}`
  return row ?? null
}

/**
 * Updates the fields that are not null, of a channel that is connected. New credentials clear a failure of the old
 * ones, which emits `channel.recovered`. Returns null if the channel is disconnected, or if another connected channel
 * has the number. Fails with 23505 only if another transaction connects the number at the same moment.
 */
export const updateChannel = async (
  sql: Sql,
  p: {
    workspaceId: string
    id: string
    name: string | null
    credentials: Buffer | null
    number: string | null
    sandboxDelivery: SandboxDelivery | null
  },
) => {
  const newCredentials = sql`
    credentials = ${p.credentials}, number = ${p.number}, status = 'connected', status_detail = null, failing_since = null, paused_until = null,`
  const [row] = await sql<(ChannelRow & DiffersColumn)[]>`
    with changed as (
      update channels set ${p.credentials === null ? sql`` : newCredentials}
        name = coalesce(${p.name}, name), sandbox_delivery = coalesce(${p.sandboxDelivery}, sandbox_delivery), updated_at = now()
      where workspace_id = ${p.workspaceId} and id = ${p.id} and status <> 'disconnected'
        and not exists (select from channels o
          where o.workspace_id = ${p.workspaceId} and o.kind = channels.kind and o.number = ${p.number}
            and o.status <> 'disconnected' and o.id <> ${p.id})
      returning new.*, ${differsColumn(sql)}, ${failedSince(sql)}
    ), reported as (${reportRecovered(sql, sql`changed`)})
    select ${columns(sql)}, differs from changed`
  return row ?? null
}

/** Column for `returning`: when the failure that the update cleared began. Null if it cleared none. */
const failedSince = (sql: Sql) => sql`
  case when old.status = 'failing' and new.status <> 'failing' then coalesce(old.failing_since, old.updated_at) end as failed_since`

/** Emits `channel.recovered` for each updated channel with `failed_since`. */
const reportRecovered = (sql: Sql, updated: Fragment) =>
  insertIntoOutbox(
    sql,
    draftEvents(sql, 'channel.recovered', {
      rows: sql`${updated} where failed_since is not null`,
      workspaceId: sql`workspace_id`,
      data: {
        channelId: sql`id`,
        kind: sql`kind`,
        name: sql`name`,
        failingSince: sql`failed_since`,
        recoveredAt: sql`now()`,
      },
    }),
  )

/**
 * Disconnects a channel, deletes its credentials and frees its number. `now` is false if it was disconnected before.
 * Returns null for an unknown channel.
 */
export const markDisconnected = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<{ kind: ChannelKind; name: string; number: string | null; now: boolean }[]>`
    update channels set status = 'disconnected', status_detail = null, failing_since = null, credentials = null, paused_until = null,
      updated_at = case when status = 'disconnected' then updated_at else now() end
    where workspace_id = ${workspaceId} and id = ${id}
    returning kind, name, number, updated_at = now() as now`
  return row ?? null
}

/**
 * Clears a failure or a pause after the provider accepted a request. Returns whether there was one. Emits
 * `channel.recovered` after a failure.
 */
export const markConnected = async (sql: Sql, workspaceId: string, id: string): Promise<boolean> => {
  const { count } = await sql`
    with connected as (
      update channels set status = 'connected', status_detail = null, failing_since = null, paused_until = null, updated_at = now()
      where workspace_id = ${workspaceId} and id = ${id} and (status = 'failing' or paused_until is not null)
        and status <> 'disconnected'
      returning new.*, ${failedSince(sql)}
    ), reported as (${reportRecovered(sql, sql`connected`)})
    select from connected`
  return count > 0
}

/**
 * Marks a channel as failing, with the provider's reason, and pauses it for `afterMs`. Emits `channel.failing` if the
 * channel was not failing before. Returns whether to notify the owners: the channel was not failing before, and the last
 * notification is more than six hours old.
 */
export const markFailing = async (
  sql: Sql,
  p: { workspaceId: string; id: string; detail: string; afterMs: number },
): Promise<boolean> => {
  const shouldNotify = sql`(status <> 'failing' and coalesce(failing_notified_at < now() - interval '6 hours', true))`
  const [row] = await sql<{ shouldNotify: boolean }[]>`
    with failing as (
      update channels set status = 'failing', status_detail = ${p.detail},
        failing_since = case when status = 'failing' then coalesce(failing_since, updated_at) else now() end,
        failing_notified_at = case when ${shouldNotify} then now() else failing_notified_at end,
        paused_until = clock_timestamp() + ${p.afterMs} * interval '1 millisecond', updated_at = now()
      where workspace_id = ${p.workspaceId} and id = ${p.id} and status <> 'disconnected'
      returning new.*, old.status <> 'failing' as begins, old.failing_notified_at is distinct from new.failing_notified_at as should_notify
    ), reported as (${insertIntoOutbox(
      sql,
      draftEvents(sql, 'channel.failing', {
        rows: sql`failing where begins`,
        workspaceId: sql`workspace_id`,
        data: {
          channelId: sql`id`,
          kind: sql`kind`,
          name: sql`name`,
          detail: sql`status_detail`,
          failingSince: sql`failing_since`,
        },
      }),
    )})
    select should_notify as "shouldNotify" from failing`
  return row?.shouldNotify ?? false
}

/** Selects a page of failing channels of all workspaces, with their encrypted credentials and the reason. */
export const findFailingChannels = (sql: Sql, after: { workspaceId: string; id: string }, limit: number) => sql<
  { workspaceId: string; id: string; credentials: Buffer | null; statusDetail: string | null }[]
>`
  select workspace_id as "workspaceId", id, credentials, status_detail as "statusDetail" from channels
  where status = 'failing' and (workspace_id, id) > (${after.workspaceId}, ${after.id})
  order by workspace_id, id limit ${limit}`

/**
 * Clears the failure if the channel still fails with exactly this detail. Returns whether it did, and then emits
 * `channel.recovered`.
 */
export const clearFailure = async (
  sql: Sql,
  p: { workspaceId: string; id: string; statusDetail: string },
): Promise<boolean> => {
  const { count } = await sql`
    with connected as (
      update channels set status = 'connected', status_detail = null, failing_since = null, paused_until = null,
        updated_at = now()
      where workspace_id = ${p.workspaceId} and id = ${p.id} and status = 'failing' and status_detail = ${p.statusDetail}
      returning new.*, ${failedSince(sql)}
    ), reported as (${reportRecovered(sql, sql`connected`)})
    select from connected`
  return count > 0
}

/** Pauses sending for at least `afterMs`. A longer pause stays unchanged. */
export const pauseChannel = (sql: Sql, p: { workspaceId: string; id: string; afterMs: number }) => sql`
  update channels
  set paused_until = greatest(paused_until, clock_timestamp() + ${p.afterMs} * interval '1 millisecond')
  where workspace_id = ${p.workspaceId} and id = ${p.id} and status <> 'disconnected'`

export interface CallbackChannel {
  workspaceId: string
  id: string
  kind: ChannelKind
  credentials: Buffer | null
  /** True if the workspace is being moved to another database, or has been. */
  isMoving: boolean
}

/**
 * Selects connected channels by id, of workspaces that are open or being moved. Callback URLs contain no workspace id.
 */
export const findCallbackChannels = (sql: Sql, ids: string[]) => sql<CallbackChannel[]>`
  select ch.workspace_id as "workspaceId", ch.id, ch.kind, ch.credentials, w.closed_for is not null as "isMoving"
  from unnest(${ids}::uuid[]) as called(id)
  cross join lateral (select * from channels ch where ch.id = called.id offset 0) ch
  join workspaces w on w.id = ch.workspace_id
  where ch.status <> 'disconnected' and coalesce(w.closed_for, 'move') in ('move', 'copy')`

/** Returns the id of a channel of a workspace that another workspace also has, or null. */
export const findSharedChannel = async (sql: Sql, workspaceId: string): Promise<string | null> => {
  const [row] = await sql<{ id: string }[]>`
    select ch.id from channels ch
    cross join lateral (select workspace_id from channels o where o.id = ch.id offset 0) o
    where ch.workspace_id = ${workspaceId} and o.workspace_id <> ch.workspace_id limit 1`
  return row?.id ?? null
}

/** A channel whose provider rejects our requests. */
export interface FailingChannel {
  id: string
  kind: ChannelKind
  name: string
  statusDetail: string | null
  since: Date
}

export const selectFailing = (sql: Sql, workspaceId: string, limit: number) => sql<FailingChannel[]>`
  select id, kind, name, status_detail as "statusDetail", coalesce(failing_since, updated_at) as since from channels
  where workspace_id = ${workspaceId} and status = 'failing'
  order by id limit ${limit}`

export const selectChannelNames = (sql: Sql, workspaceId: string, ids: readonly string[]) => sql<
  { id: string; name: string }[]
>`
  select id, name from channels where workspace_id = ${workspaceId} and id = any(${[...ids]}::uuid[])`

/**
 * Returns those of the ids that belong to channels of this database. Callbacks name no workspace. Copies of a move do not
 * count.
 */
export const findKnownChannels = async (sql: Sql, ids: readonly string[]): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select ch.id from channels ch join workspaces w on w.id = ch.workspace_id
    where ch.id = any(${[...ids]}::uuid[]) and w.closed_for is distinct from 'copy'`
  return rows.map(({ id }) => id)
}
