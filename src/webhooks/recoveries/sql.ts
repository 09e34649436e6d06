import type { Condition } from '../../core/conditions/index.ts'
import type { Sql } from '../../platform/postgres/client.ts'

/** Deliveries that a bulk replay makes: those that failed or wait, those of events without a delivery, or both. */
export type RecoveryKind = 'failed' | 'missing' | 'all'

export interface RecoveryRow {
  id: string
  webhookId: string
  since: Date
  until: Date
  of: RecoveryKind
  /** Null if no types were given. */
  events: string[] | null
  status: 'running' | 'completed' | 'cancelled'
  total: number
  done: number
  createdAt: Date
  finishedAt: Date | null
}

const columns = (sql: Sql) => sql`
  id, webhook_id as "webhookId", since, until, kind as of, types as events, status, total, done, created_at as "createdAt", finished_at as "finishedAt"`

/** Returns null if the endpoint already has a running bulk replay. */
export const insertRecovery = async (
  sql: Sql,
  p: {
    workspaceId: string
    webhookId: string
    since: Date
    until: Date
    of: RecoveryKind
    events: readonly string[] | null
    phase: RunningRecovery['phase']
    total: number
    cursor: string
    last: string
    pageSize: number
  },
) => {
  const [row] = await sql<RecoveryRow[]>`
    insert into webhook_recoveries (workspace_id, webhook_id, since, until, kind, types, phase, total, cursor_id, last_id,
      page_size, status, finished_at)
    values (${p.workspaceId}, ${p.webhookId}, ${p.since}, ${p.until}, ${p.of}, ${p.events}, ${p.phase}, ${p.total}, ${p.cursor},
      ${p.last}, ${p.pageSize},
      case when ${p.total}::integer = 0 then 'completed' else 'running' end, case when ${p.total}::integer = 0 then now() end)
    on conflict (workspace_id, webhook_id) where status = 'running' do nothing
    returning ${columns(sql)}`
  return row ?? null
}

export const findRecovery = async (sql: Sql, p: { workspaceId: string; webhookId: string; id: string }) => {
  const [row] = await sql<RecoveryRow[]>`
    select ${columns(sql)} from webhook_recoveries
    where workspace_id = ${p.workspaceId} and id = ${p.id} and webhook_id = ${p.webhookId}`
  return row ?? null
}

/** State of a running bulk replay. */
export interface RunningRecovery {
  id: string
  since: Date
  of: RecoveryKind
  /** Event types of failed deliveries. Null selects all. */
  types: string[] | null
  /** Event types of missing deliveries: the given ones, or those of the endpoint. */
  missingTypes: string[]
  /** Filter of the endpoint, for missing deliveries. */
  filter: Condition | null
  phase: 'failed' | 'missing'
  cursor: string
  last: string
  /** Ids of deliveries that were made due and are not known to have been attempted. */
  page: string[]
  pageSize: number
  /** Milliseconds since the page was made due. */
  pageAgeMs: number | null
  /** Rate limit of the endpoint in deliveries per second; null for no limit. */
  ratePerSecond: number | null
  /** State of the endpoint; `gone`: it was deleted. */
  endpoint: 'attempted' | 'waits' | 'gone'
}

/**
 * Locks the endpoint's running bulk replay until the transaction ends. Returns null if none is running or another
 * transaction has locked it. The share lock on the endpoint waits for a deletion in progress, because no delivery may
 * become due while its deliveries are being dropped.
 */
export const lockRunningRecovery = async (tx: Sql, workspaceId: string, webhookId: string) => {
  const [row] = await tx<RunningRecovery[]>`
    with r as materialized (
      select * from webhook_recoveries r
      where r.workspace_id = ${workspaceId} and r.webhook_id = ${webhookId} and r.status = 'running'
      for update skip locked
    )
    select r.id, r.since, r.kind as of, r.types, coalesce(r.types, w.events) as "missingTypes", w.filter, r.phase, r.cursor_id as cursor, r.last_id as last, r.page, r.page_size as "pageSize",
      (extract(epoch from now() - r.page_at) * 1000)::double precision as "pageAgeMs", w.rate_per_second as "ratePerSecond",
      case when w.deleted_at is not null then 'gone' when w.enabled and w.held_at is null then 'attempted' else 'waits' end as endpoint
    from r cross join lateral (
      select * from webhooks w where w.workspace_id = r.workspace_id and w.id = r.webhook_id for share
    ) w`
  return row ?? null
}

/** Locks a running bulk replay by its id and waits for the current holder. Returns null if it is not running. */
export const lockRecovery = async (tx: Sql, p: { workspaceId: string; webhookId: string; id: string }) => {
  const [row] = await tx<{ page: string[] }[]>`
    select page from webhook_recoveries
    where workspace_id = ${p.workspaceId} and id = ${p.id} and webhook_id = ${p.webhookId} and status = 'running' for update`
  return row ?? null
}

/**
 * Stores the result of a step: `done` more deliveries were attempted, and `page` is due. `isNewPage`: this step made them
 * due. `cursor` belongs to `phase`.
 */
export const saveProgress = (
  tx: Sql,
  p: {
    workspaceId: string
    id: string
    done: number
    page: string[]
    isNewPage: boolean
    pageSize: number
    phase: RunningRecovery['phase']
    cursor: string
  },
) => tx`
  update webhook_recoveries set done = least(total, done + ${p.done}), phase = ${p.phase}, page = ${p.page}::uuid[], page_size = ${p.pageSize},
    cursor_id = ${p.cursor}, page_at = case when ${p.isNewPage} then now() else page_at end, updated_at = now()
  where workspace_id = ${p.workspaceId} and id = ${p.id}`

/** Ends a bulk replay. In a completed one, deliveries that no longer needed an attempt count as done. */
export const endRecovery = (
  tx: Sql,
  p: { workspaceId: string; id: string; status: 'completed' | 'cancelled'; done: number },
) => tx`
  update webhook_recoveries set status = ${p.status}, page = '{}', updated_at = now(), finished_at = now(),
    done = case when ${p.status === 'completed'} then total else least(total, done + ${p.done}) end
  where workspace_id = ${p.workspaceId} and id = ${p.id}`

/** Finds bulk replays without progress for five minutes, because their task was lost. */
export const findStalledRecoveries = (sql: Sql) => sql<{ workspaceId: string; webhookId: string }[]>`
  select workspace_id as "workspaceId", webhook_id as "webhookId" from webhook_recoveries
  where status = 'running' and updated_at < now() - interval '5 minutes' limit 100`
