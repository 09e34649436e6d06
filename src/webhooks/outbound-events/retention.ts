/** Retention of outbound events. */

import { minIdAt } from '../../core/ids.ts'
import type { RetentionRange, RetentionResult } from '../../core/retention.ts'
import type { Sql } from '../../platform/postgres/client.ts'

/**
 * Removes a page of old events that have left the outbox and have no delivery left, neither the first nor a repeated
 * one. Stores the greatest position in the stream that it removed.
 */
export const removeOldOutboundEvents = async (
  sql: Sql,
  { workspaceId, after, olderThan, limit }: RetentionRange,
): Promise<RetentionResult> => {
  const [row] = await sql<RetentionResult[]>`
    with page as materialized (
      select e.id from outbound_events e
      where e.workspace_id = ${workspaceId} and e.id > ${after} and e.id < ${minIdAt(olderThan)}
      order by e.id limit ${limit}
    ), removable as materialized (
      select locked.id from page cross join lateral (
        select e.id from outbound_events e
        where e.workspace_id = ${workspaceId} and e.id = page.id and probe_index(e.id) and e.fanned_out_at is not null
          and not exists (
            select from deliveries d
            where d.workspace_id = ${workspaceId} and probe_index(d.id)
              and d.id = any(array(select sent.value::uuid from jsonb_each_text(e.sent_to) sent)))
          and not exists (
            select from deliveries d where d.workspace_id = ${workspaceId} and d.event_id = page.id and d.resent)
        for update skip locked
      ) locked
    ), removed as (
      delete from outbound_events e using removable
      where e.workspace_id = ${workspaceId} and e.id = removable.id and probe_index(e.id) returning e.id, e.xid
    ), trimmed as (
      insert into outbound_event_trims as trims (workspace_id, xid, id)
      select ${workspaceId}, removed.xid, removed.id from removed order by removed.xid desc, removed.id desc limit 1
      on conflict (workspace_id) do update set xid = excluded.xid, id = excluded.id
        where (trims.xid, trims.id) < (excluded.xid, excluded.id)
    )
    select (select id from page order by id desc limit 1) as last, (select count(*)::integer from page) as scanned,
      (select count(*)::integer from removed) as removed`
  return row!
}
