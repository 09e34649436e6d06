/** Retention: deletes old events and keeps tombstones for their idempotency keys. */

import { minIdAt } from '../core/ids.ts'
import type { RetentionRange, RetentionResult } from '../core/retention.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { keyDigest } from './key-digest.ts'

/**
 * Deletes a page of events with their outcomes. Keeps events of active runs, which read them. For an event with an
 * idempotency key, the same statement writes a tombstone with the key's digest. A lookup of the key therefore always
 * finds the event or the tombstone. Skips rows that another transaction has locked.
 */
export const removeOldEvents = async (
  sql: Sql,
  { workspaceId, after, olderThan, limit }: RetentionRange,
): Promise<RetentionResult> => {
  const [row] = await sql<RetentionResult[]>`
    with page as materialized (
      select e.id from events e
      where e.workspace_id = ${workspaceId} and e.id > ${after} and e.id < ${minIdAt(olderThan)}
      order by e.id limit ${limit}
    ), removable as materialized (
      select locked.* from page cross join lateral (
        select e.workspace_id, e.id, e.source, e.type, e.sender, e.customer_id, e.idempotency_key, e.key_digest, e.created_at
        from events e
        where e.workspace_id = ${workspaceId} and e.id = page.id and probe_index(e.id) and not exists (
          select from workflow_runs r
          where r.workspace_id = ${workspaceId} and r.event_id = page.id and r.status = 'active')
        for update skip locked
      ) locked
    ), tombstones as (
      insert into removed_events (workspace_id, source, key_digest, event_id, type, sender, customer_id, created_at)
      select workspace_id, source, coalesce(key_digest, ${keyDigest(sql, sql`idempotency_key`)}), id, type, sender, customer_id,
        created_at
      from removable where idempotency_key is not null or key_digest is not null
      on conflict do nothing
    ), outcomes as (
      delete from event_outcomes o
      where o.workspace_id = ${workspaceId} and o.event_id = any(array(select id from removable))
    ), removed as (
      delete from events e using removable
      where e.workspace_id = ${workspaceId} and e.id = removable.id and probe_index(e.id) returning e.id
    )
    select (select id from page order by id desc limit 1) as last, (select count(*)::integer from page) as scanned,
      (select count(*)::integer from removed) as removed`
  return row!
}
