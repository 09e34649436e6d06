/** Outbound events without deliveries in a restored database. */
import type { Sql } from '../../platform/postgres/client.ts'
import { countByAge } from '../../queue/hold/index.ts'

/** Counts the events of a workspace that wait in the outbox. */
export const countHeldEvents = (sql: Sql, workspaceId: string) =>
  countByAge(
    sql,
    sql`select e.created_at as since from outbound_events e
      where e.workspace_id = ${workspaceId} and e.fanned_out_at is null`,
  )
