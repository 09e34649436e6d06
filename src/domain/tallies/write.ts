/** Counting, as a part of whichever statement writes the rows that are counted. */
import type { Fragment, Sql } from '../../db/client.ts'

/**
 * Counts: `rows` are the columns in brackets and what selects them, grouped by workspace. What is counted is committed
 * with it or not at all. Each statement inserts rows of its own, so that nobody waits for anybody who counts for the same
 * workspace; a schedule adds them up.
 */
export const tallying = (sql: Sql, rows: Fragment) => sql`insert into tallies ${rows}`

/** The first moment of the hour that it is, UTC. */
export const thisHour = (sql: Sql) => sql`date_trunc('hour', now(), 'UTC')`
