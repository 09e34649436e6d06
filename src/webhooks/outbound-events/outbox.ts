/** SQL parts that read the outbox, for the statement that creates the deliveries. */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'

/**
 * Selects a page of events without deliveries, created at `from` or later. Skips rows that another transaction has
 * locked.
 */
export const lockOutboxPage = (sql: Sql, limit: number, from: Date) => sql`
  select workspace_id, id, type, created_at, data, traceparent from outbound_events where fanned_out_at is null and created_at >= ${from}
  order by created_at, id limit ${limit} for update skip locked`

/** Identifies an event across workspaces. */
export interface EventId {
  workspaceId: string
  id: string
}

/** Selects those of the given events that are still in the outbox. Skips rows that another transaction has locked. */
export const lockOutboxEvents = (sql: Sql, events: readonly EventId[]) => sql`
  select e.workspace_id, e.id, e.type, e.created_at, e.data, e.traceparent
  from json_to_recordset(${JSON.stringify(events)}::text::json) as named("workspaceId" uuid, id uuid)
  cross join lateral (
    select * from outbound_events e where e.workspace_id = named."workspaceId" and e.id = named.id and e.fanned_out_at is null
      and probe_index(e.id)
    for update skip locked
  ) e`

/**
 * SQL expression: when the first event in the outbox was created, in milliseconds since 1970, including locked rows:
 * see `QueueRead`.
 */
export const firstOutboxTime = (sql: Sql, from: Date) => sql`
  (select floor(extract(epoch from created_at) * 1000)::double precision from outbound_events
    where fanned_out_at is null and created_at >= ${from} order by created_at limit 1)`

/**
 * Stores the fan-out decision with each event: `decided` has (workspace_id, id, fanned_out_at, sent_to, not_sent_to).
 */
export const markFannedOut = (sql: Sql, decided: Fragment) => sql`
  update outbound_events e
  set fanned_out_at = decision.fanned_out_at, sent_to = decision.sent_to, not_sent_to = decision.not_sent_to
  from (select * from ${decided}) decision
  where e.workspace_id = decision.workspace_id and e.id = decision.id`
