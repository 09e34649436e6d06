import type { Allowance } from '../../core/plan.ts'
import { directoryOf } from '../../platform/postgres/cells.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'

/** Allowances of records that are in the database of the workspace. */
export type CountedAllowance = Exclude<Allowance, 'teamSeats'>

export interface UsageRow {
  planId: string
  /** Only the counted allowances. */
  used: Partial<Record<CountedAllowance, number>>
  /** Start of the next month in UTC. */
  resetsAt: Date
}

/** Returns a workspace's plan, and how much of these allowances is currently used. */
export const findUsage = async (
  sql: Sql,
  workspaceId: string,
  counted: readonly CountedAllowance[],
): Promise<UsageRow> => {
  const count: Record<CountedAllowance, Fragment> = {
    activeWorkflows: sql`(select count(*) from workflows where workspace_id = w.id and enabled)`,
    connectedNumbers: sql`(select count(*) from channels where workspace_id = w.id and status <> 'disconnected')`,
    templates: sql`(select count(*) from templates where workspace_id = w.id)`,
    monthlyEvents: sql`(select coalesce(sum(recorded), 0) from event_usage
      where workspace_id = w.id and month = date_trunc('month', now() at time zone 'utc')::date)`,
  }
  const used = counted.reduce(
    (all, name) => sql`${all} || jsonb_build_object(${name}::text, ${count[name]})`,
    sql`'{}'::jsonb`,
  )
  const [row] = await sql<UsageRow[]>`
    select w.plan_id as "planId", ${used} as used,
      (date_trunc('month', now() at time zone 'utc') + interval '1 month') at time zone 'utc' as "resetsAt"
    from workspaces w where w.id = ${workspaceId}`
  return row!
}

/** Counts the team seats of a workspace in use: persons and invitations. */
export const countSeats = async (sql: Sql, workspaceId: string): Promise<number> => {
  const [row] = await directoryOf(sql)<{ count: number }[]>`
    select count(*)::integer as count from members where workspace_id = ${workspaceId} and kind = 'person'`
  return row!.count
}
