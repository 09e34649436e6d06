/** The way out of the outbox, as parts of the statement that makes the deliveries. */
import type { Fragment, Sql } from '../../db/client.ts'

/**
 * A page of events of which no deliveries were made yet, without looking at those of before `from`; those that another
 * transaction holds are passed over.
 */
export const takingFromOutbox = (sql: Sql, limit: number, from: Date) => sql`
  select workspace_id, id, type, created_at, data from outbound_events where fanned_out_at is null and created_at >= ${from}
  order by created_at, id limit ${limit} for update skip locked`

/** When the first event in the outbox happened, whoever holds it, in milliseconds since 1970: see `Look`. */
export const firstInOutbox = (sql: Sql, from: Date) => sql`
  (select floor(extract(epoch from created_at) * 1000)::double precision from outbound_events
    where fanned_out_at is null and created_at >= ${from} order by created_at limit 1)`

/** Keeps with each event what was decided, of which `decided` has (workspace_id, event_id, sent_to, passed_over). */
export const markingFannedOut = (sql: Sql, decided: Fragment) => sql`
  update outbound_events e
  set fanned_out_at = clock_timestamp(), sent_to = decided.sent_to, passed_over = decided.passed_over
  from (${decided}) decided
  where e.workspace_id = decided.workspace_id and e.id = decided.event_id`
