import { type DiffersColumn, differsColumn } from '../../core/changed-fields.ts'
import type { Allowances } from '../../core/plan.ts'
import { directoryOf, inCellOf } from '../../platform/postgres/cells.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { ClosedFor } from './transfer-sql.ts'

export const findPlan = async (sql: Sql, id: string) => {
  const [row] = await sql<{ id: string; name: string }[]>`select id, name from plans where id = ${id}`
  return row ?? null
}

export const listPlanIds = async (sql: Sql): Promise<string[]> =>
  (await sql<{ id: string }[]>`select id from plans order by id`).map(({ id }) => id)

/** Returns whether there is a workspace. One in another cell has members in the directory. */
export const anyWorkspaceExists = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ exists: boolean }[]>`select exists (select 1 from workspaces)`
  return row!.exists || anyMemberExists(sql)
}

/** Returns whether any workspace has a member or an invitation. */
export const anyMemberExists = async (sql: Sql): Promise<boolean> => {
  const [row] = await directoryOf(sql)<{ exists: boolean }[]>`select exists (select 1 from members)`
  return row!.exists
}

export const insertWorkspace = async (sql: Sql, p: { name: string; planId: string }): Promise<string> => {
  const [row] = await sql<
    { id: string }[]
  >`insert into workspaces (name, plan_id) values (${p.name}, ${p.planId}) returning id`
  return row!.id
}

/** Changes the plan. Returns false if nothing changed. */
export const updatePlan = async (sql: Sql, workspaceId: string, planId: string): Promise<boolean> => {
  const { count } = await sql`
    update workspaces set plan_id = ${planId} where id = ${workspaceId} and plan_id <> ${planId}`
  return count > 0
}

/** Removes the requirement of single sign-on. Returns false if nothing changed. */
export const clearSsoRequirement = async (sql: Sql, workspaceId: string): Promise<boolean> => {
  const { count } = await sql`update workspaces set require_sso = false where id = ${workspaceId} and require_sso`
  return count > 0
}

export interface OwnWorkspaceRow {
  id: string
  name: string
  timezone: string
  requireSecondFactor: boolean
  requireSso: boolean
  createdAt: Date
}

const ownColumns = (sql: Sql) => sql`
  id, name, timezone, require_second_factor as "requireSecondFactor", require_sso as "requireSso", created_at as "createdAt"`

/** Returns a workspace that must exist, because the caller is a member of it. */
export const findWorkspace = async (sql: Sql, workspaceId: string): Promise<OwnWorkspaceRow> => {
  const [row] = await sql<OwnWorkspaceRow[]>`select ${ownColumns(sql)} from workspaces where id = ${workspaceId}`
  return row!
}

/** Returns null if the workspace does not exist. */
export const findWorkspaceName = async (sql: Sql, workspaceId: string): Promise<string | null> => {
  const [row] = await inCellOf(
    sql,
    workspaceId,
    cell => cell<{ name: string }[]>`select name from workspaces where id = ${workspaceId}`,
  )
  return row?.name ?? null
}

/** Updates the fields that are not null. */
export const updateWorkspace = async (
  sql: Sql,
  p: {
    workspaceId: string
    name: string | null
    timezone: string | null
    requireSecondFactor: boolean | null
    requireSso: boolean | null
  },
): Promise<OwnWorkspaceRow & DiffersColumn> => {
  const [row] = await sql<(OwnWorkspaceRow & DiffersColumn)[]>`
    update workspaces set name = coalesce(${p.name}, name), timezone = coalesce(${p.timezone}, timezone),
      require_second_factor = coalesce(${p.requireSecondFactor}, require_second_factor),
      require_sso = coalesce(${p.requireSso}, require_sso)
    where id = ${p.workspaceId}
    returning ${ownColumns(sql)}, ${differsColumn(sql)}`
  return row!
}

export interface WorkspaceRow {
  id: string
  name: string
  planId: string
  createdAt: Date
  /** Null if it is open. */
  closedFor: ClosedFor | null
}

/** Selects all workspaces, oldest first, for the operator. */
export const selectWorkspaces = (sql: Sql) => sql<WorkspaceRow[]>`
  select id, name, plan_id as "planId", created_at as "createdAt", closed_for as "closedFor"
  from workspaces order by id`

export const listAllowances = (sql: Sql) => sql<{ id: string; allowances: Allowances }[]>`
  select id, allowances from plans`

export interface EventUsageRow {
  id: string
  planId: string
  /** Events in the current month (UTC). Null if they were not counted. */
  recorded: number | null
}

const thisMonth = (sql: Sql) => sql`date_trunc('month', now() at time zone 'utc')::date`

/**
 * Selects a page of all open workspaces, oldest first. Counts the events of the current month for those with one of the
 * plans, unless the end of their allowance was reported this month.
 */
export const selectEventUsage = (
  sql: Sql,
  { planIds, after, limit }: { planIds: readonly string[]; after: string | null; limit: number },
) => sql<EventUsageRow[]>`
  select w.id, w.plan_id as "planId", case when w.plan_id = any(${[...planIds]}::text[])
      and (w.events_notified_month = ${thisMonth(sql)} and w.events_notified_percent >= 100) is not true
    then coalesce((
      select sum(u.recorded) from event_usage u where u.workspace_id = w.id and u.month = ${thisMonth(sql)}
    ), 0)::double precision end as recorded
  from workspaces w where w.closed_for is null ${after === null ? sql`` : sql`and w.id > ${after}`}
  order by w.id limit ${limit}`

/**
 * Records that a threshold was reported. Returns the workspace with the start of the next month (id, resets_at), and no
 * row if this or a higher threshold was already reported this month. The row update ensures that only one of several
 * processes reports it.
 */
export const markEventsNotified = (sql: Sql, workspaceId: string, percent: number) => sql`
  update workspaces set events_notified_month = ${thisMonth(sql)}, events_notified_percent = ${percent}
  where id = ${workspaceId}
    and (events_notified_month is distinct from ${thisMonth(sql)} or events_notified_percent < ${percent})
  returning id, (${thisMonth(sql)} + interval '1 month') at time zone 'utc' as resets_at`

/**
 * Locks the table until the transaction ends, so that of several processes with an empty database only one creates the
 * first workspace.
 */
export const lockWorkspaces = (tx: Sql) => tx`lock table workspaces in share row exclusive mode`
