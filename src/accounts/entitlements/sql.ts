import type { Allowance } from '../../core/plan.ts'
import type { Sql } from '../../platform/postgres/client.ts'

export interface UsageRow {
  planId: string
  used: Record<Exclude<Allowance, 'teamSeats'>, number>
  /** Start of the next month in UTC. */
  resetsAt: Date
}

/** Returns a workspace's plan, and how much of each allowance is currently used, except of the team seats. */
export const findUsage = async (sql: Sql, workspaceId: string): Promise<UsageRow> => {
  const [row] = await sql<UsageRow[]>`
    select w.plan_id as "planId",
      json_build_object(
        'activeWorkflows', (select count(*) from workflows where workspace_id = w.id and enabled),
        'connectedNumbers', (select count(*) from channels where workspace_id = w.id and status <> 'disconnected'),
        'templates', (select count(*) from templates where workspace_id = w.id),
        'monthlyEvents', (select coalesce(sum(recorded), 0) from event_usage
          where workspace_id = w.id and month = date_trunc('month', now() at time zone 'utc')::date)) as used,
      (date_trunc('month', now() at time zone 'utc') + interval '1 month') at time zone 'utc' as "resetsAt"
    from workspaces w where w.id = ${workspaceId}`
  return row!
}

/** Counts the team seats of a workspace in use: persons and invitations. */
export const countSeats = async (sql: Sql, workspaceId: string): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from members where workspace_id = ${workspaceId} and kind = 'person'`
  return row!.count
}
