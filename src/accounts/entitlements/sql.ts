import type { Allowance } from '../../core/plan.ts'
import type { Sql } from '../../platform/postgres/client.ts'

export interface UsageRow {
  planId: string
  /** Null for an allowance that is not counted. */
  used: Record<Exclude<Allowance, 'teamSeats'>, number | null>
  /** Start of the next month in UTC. */
  resetsAt: Date
}

/** Returns a workspace's plan, and how much of these allowances is currently used, except of the team seats. */
export const findUsage = async (sql: Sql, workspaceId: string, counted: readonly Allowance[]): Promise<UsageRow> => {
  const isCounted = (name: Allowance) => sql`${name} = any(${[...counted]}::text[])`
  const [row] = await sql<UsageRow[]>`
    select w.plan_id as "planId",
      json_build_object(
        'activeWorkflows', case when ${isCounted('activeWorkflows')} then
          (select count(*) from workflows where workspace_id = w.id and enabled) end,
        'connectedNumbers', case when ${isCounted('connectedNumbers')} then
          (select count(*) from channels where workspace_id = w.id and status <> 'disconnected') end,
        'templates', case when ${isCounted('templates')} then
          (select count(*) from templates where workspace_id = w.id) end,
        'monthlyEvents', case when ${isCounted('monthlyEvents')} then
          (select coalesce(sum(recorded), 0) from event_usage
            where workspace_id = w.id and month = date_trunc('month', now() at time zone 'utc')::date) end) as used,
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
