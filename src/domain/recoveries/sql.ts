import type { Sql } from '../../db/client.ts'

export interface RecoveryRow {
  id: string
  webhookId: string
  since: Date
  until: Date
  status: 'running' | 'completed' | 'cancelled'
  total: number
  done: number
  createdAt: Date
  finishedAt: Date | null
}

const columns = (sql: Sql) => sql`
  id, webhook_id as "webhookId", since, until, status, total, done, created_at as "createdAt", finished_at as "finishedAt"`

/** Null where the endpoint has one that is running. */
export const insertRecovery = async (
  sql: Sql,
  p: {
    workspaceId: string
    webhookId: string
    since: Date
    until: Date
    total: number
    reached: string
    last: string
    pageSize: number
  },
) => {
  const [row] = await sql<RecoveryRow[]>`
    insert into webhook_recoveries (workspace_id, webhook_id, since, until, total, reached, last, page_size, status, finished_at)
    values (${p.workspaceId}, ${p.webhookId}, ${p.since}, ${p.until}, ${p.total}, ${p.reached}, ${p.last}, ${p.pageSize},
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

/** A recovery in the middle of its work. */
export interface RecoveryAtWork {
  id: string
  reached: string
  last: string
  /** Made due, and not known to have been attempted. */
  page: string[]
  pageSize: number
  /** Milliseconds since the page was made due. */
  pageForMs: number | null
  /** What the endpoint is sent in a second; null = as much as it bears. */
  ratePerSecond: number | null
  /** Of the endpoint; `gone`: it was removed. */
  endpoint: 'attempted' | 'waits' | 'gone'
}

/**
 * The endpoint's recovery, held until the transaction ends; null where none is running, or somebody else has it in hand.
 * The share lock waits for a removal of the endpoint that is under way: nothing may fall due once its deliveries are
 * being dropped.
 */
export const holdRecovery = async (tx: Sql, workspaceId: string, webhookId: string) => {
  const [row] = await tx<RecoveryAtWork[]>`
    with r as materialized (
      select * from webhook_recoveries r
      where r.workspace_id = ${workspaceId} and r.webhook_id = ${webhookId} and r.status = 'running'
      for update skip locked
    )
    select r.id, r.reached, r.last, r.page, r.page_size as "pageSize",
      (extract(epoch from now() - r.page_at) * 1000)::double precision as "pageForMs", w.rate_per_second as "ratePerSecond",
      case when w.deleted_at is not null then 'gone' when w.enabled and w.held_at is null then 'attempted' else 'waits' end as endpoint
    from r cross join lateral (
      select * from webhooks w where w.workspace_id = r.workspace_id and w.id = r.webhook_id for share
    ) w`
  return row ?? null
}

/** The same of a recovery by its id, whoever has it in hand; null where it is not running. */
export const holdNamed = async (tx: Sql, p: { workspaceId: string; webhookId: string; id: string }) => {
  const [row] = await tx<{ page: string[] }[]>`
    select page from webhook_recoveries
    where workspace_id = ${p.workspaceId} and id = ${p.id} and webhook_id = ${p.webhookId} and status = 'running' for update`
  return row ?? null
}

/** What a step came to: so many more were attempted, and these are due. `made`: they were made due by this step. */
export const moveRecovery = (
  tx: Sql,
  p: {
    workspaceId: string
    id: string
    done: number
    page: string[]
    made: boolean
    pageSize: number
    reached: string
  },
) => tx`
  update webhook_recoveries set done = done + ${p.done}, page = ${p.page}::uuid[], page_size = ${p.pageSize},
    reached = ${p.reached}, page_at = case when ${p.made} then now() else page_at end, updated_at = now()
  where workspace_id = ${p.workspaceId} and id = ${p.id}`

/** Its end. Deliveries that needed no attempt by then count as done. */
export const endRecovery = (
  tx: Sql,
  p: { workspaceId: string; id: string; status: 'completed' | 'cancelled'; done: number },
) => tx`
  update webhook_recoveries set status = ${p.status}, page = '{}', updated_at = now(), finished_at = now(),
    done = case when ${p.status === 'completed'} then total else least(total, done + ${p.done}) end
  where workspace_id = ${p.workspaceId} and id = ${p.id}`

/** Those that nothing was heard of for minutes: the task that was to go on with them is lost. */
export const findForgotten = (sql: Sql) => sql<{ workspaceId: string; webhookId: string }[]>`
  select workspace_id as "workspaceId", webhook_id as "webhookId" from webhook_recoveries
  where status = 'running' and updated_at < now() - interval '5 minutes' limit 100`
