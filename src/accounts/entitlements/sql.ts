import type { Allowance, Plan } from '../../core/plan.ts'
import type { Sql } from '../../platform/postgres/client.ts'

export interface EntitlementsRow extends Plan {
  planId: string
  planName: string
  used: Record<Allowance, number>
  /** Start of the next month in UTC. */
  resetsAt: Date
}

/** Returns a workspace's plan, and how much of each allowance is currently used. */
export const findEntitlements = async (sql: Sql, workspaceId: string): Promise<EntitlementsRow> => {
  const [row] = await sql<EntitlementsRow[]>`
    select p.id as "planId", p.name as "planName", p.features, p.allowances,
      json_build_object(
        'activeWorkflows', (select count(*) from workflows where workspace_id = w.id and enabled),
        'teamSeats', (select count(*) from members where workspace_id = w.id and kind = 'person'),
        'connectedNumbers', (select count(*) from channels where workspace_id = w.id and status <> 'disconnected'),
        'templates', (select count(*) from templates where workspace_id = w.id),
        'monthlyEvents', (select coalesce(sum(recorded), 0) from event_usage
          where workspace_id = w.id and month = date_trunc('month', now() at time zone 'utc')::date)) as used,
      (date_trunc('month', now() at time zone 'utc') + interval '1 month') at time zone 'utc' as "resetsAt"
    from workspaces w join plans p on p.id = w.plan_id where w.id = ${workspaceId}`
  return row!
}
