/** Positions of outbound events that were restored from another PostgreSQL cluster. */

import type { Sql } from '../../platform/postgres/client.ts'
import { streamPosition } from '../../queue/hold/index.ts'

/** First transaction id that PostgreSQL assigns. Every later transaction has a greater one. */
const firstXid = '3'

/**
 * Moves a page of restored events to the beginning of the stream, where they have the order of their ids. Returns their
 * number. Transaction ids of another cluster can be greater than those of this one. Such events would not appear until
 * this cluster reaches the same number.
 */
export const moveRestoredEvents = async (
  sql: Sql,
  { workspaceId, limit }: { workspaceId: string; limit: number },
): Promise<number> => {
  const { count } = await sql`
    with page as materialized (
      select e.id from outbound_events e
      where e.workspace_id = ${workspaceId} and e.xid >= ${streamPosition(sql, sql`pg_current_xact_id()`)} order by e.xid, e.id limit ${limit}
    )
    update outbound_events e set xid = ${firstXid}::text::xid8 from page
    where e.workspace_id = ${workspaceId} and e.id = page.id and probe_index(e.id)`
  return count
}

/** Deletes the greatest removed position if it is of another cluster. */
export const deleteRestoredTrim = (sql: Sql, workspaceId: string) => sql`
  delete from outbound_event_trims trims where trims.workspace_id = ${workspaceId} and trims.xid >= ${streamPosition(sql, sql`pg_current_xact_id()`)}`
