/** The way out of the outbox, as parts of the statement that makes the deliveries. */
import type { Fragment, Sql } from '../../db/client.ts'

/**
 * A page of events of which no deliveries were made yet, without looking at those of before `from`; those that another
 * transaction holds are passed over.
 */
export const takingFromOutbox = (sql: Sql, limit: number, from: Date) => sql`
  select workspace_id, id, type, created_at, data from outbound_events where fanned_out_at is null and created_at >= ${from}
  order by created_at, id limit ${limit} for update skip locked`

/** An event of a workspace. */
export interface EventId {
  workspaceId: string
  id: string
}

/** Those of the events that stand in the outbox still; what another transaction holds is passed over. */
export const takingNamed = (sql: Sql, events: readonly EventId[]) => sql`
  select e.workspace_id, e.id, e.type, e.created_at, e.data
  from json_to_recordset(${JSON.stringify(events)}::text::json) as named("workspaceId" uuid, id uuid)
  cross join lateral (
    select * from outbound_events e where e.workspace_id = named."workspaceId" and e.id = named.id and e.fanned_out_at is null
      and looked_up(e.id)
    for update skip locked
  ) e`

/** When the first event in the outbox happened, whoever holds it, in milliseconds since 1970: see `Look`. */
export const firstInOutbox = (sql: Sql, from: Date) => sql`
  (select floor(extract(epoch from created_at) * 1000)::double precision from outbound_events
    where fanned_out_at is null and created_at >= ${from} order by created_at limit 1)`

/** Keeps with each event what was decided: `judged` has (workspace_id, id, fanned_out_at, sent_to, passed_over). */
export const markingFannedOut = (sql: Sql, judged: Fragment) => sql`
  update outbound_events e
  set fanned_out_at = judged.fanned_out_at, sent_to = judged.sent_to, passed_over = judged.passed_over
  from (select * from ${judged}) judged
  where e.workspace_id = judged.workspace_id and e.id = judged.id`
