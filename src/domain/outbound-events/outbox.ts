/** The way out of the outbox, as parts of the statement that makes the deliveries. */
import type { Fragment, Sql } from '../../db/client.ts'

/** A page of events of which no deliveries were made yet; those that another transaction holds are passed over. */
export const takingFromOutbox = (sql: Sql, limit: number) => sql`
  select workspace_id, id, type, created_at, data from outbound_events where fanned_out_at is null
  order by id limit ${limit} for update skip locked`

/** Keeps with each event what was decided, of which `decided` has (workspace_id, event_id, sent_to, passed_over). */
export const markingFannedOut = (sql: Sql, decided: Fragment) => sql`
  update outbound_events e
  set fanned_out_at = clock_timestamp(), sent_to = decided.sent_to, passed_over = decided.passed_over
  from (${decided}) decided
  where e.workspace_id = decided.workspace_id and e.id = decided.event_id`
