/** Retention: deletes old deliveries, and before that the stored responses. */

import { minIdAt } from '../../core/ids.ts'
import type { RetentionRange, RetentionResult } from '../../core/retention.ts'
import type { Sql } from '../../platform/postgres/client.ts'

/**
 * Deletes a page of finished deliveries with their attempts. Keeps deliveries that a running bulk replay has yet to
 * reach. Skips rows that another transaction has locked.
 */
export const removeOldDeliveries = async (
  sql: Sql,
  { workspaceId, after, olderThan, limit }: RetentionRange,
): Promise<RetentionResult> => {
  const [row] = await sql<RetentionResult[]>`
    with page as materialized (
      select d.id from deliveries d
      where d.workspace_id = ${workspaceId} and d.id > ${after} and d.id < ${minIdAt(olderThan)}
      order by d.id limit ${limit}
    ), removable as materialized (
      select locked.id from page cross join lateral (
        select d.id from deliveries d
        where d.workspace_id = ${workspaceId} and d.id = page.id and probe_index(d.id) and d.due_at is null
          and d.status in ('delivered', 'failed', 'dropped')
          and not (d.status = 'failed' and exists (
            select from webhook_recoveries r
            where r.workspace_id = ${workspaceId} and r.webhook_id = d.webhook_id and r.status = 'running'
              and d.id > r.cursor_id and d.id <= r.last_id))
        for update skip locked
      ) locked
    ), attempts as (
      delete from delivery_attempts a
      where a.workspace_id = ${workspaceId} and a.delivery_id = any(array(select id from removable))
    ), removed as (
      delete from deliveries d using removable
      where d.workspace_id = ${workspaceId} and d.id = removable.id and probe_index(d.id) returning d.id
    )
    select (select id from page order by id desc limit 1) as last, (select count(*)::integer from page) as scanned,
      (select count(*)::integer from removed) as removed`
  return row!
}

/**
 * Age of a delivery in milliseconds up to which its attempts are found by their delivery. Later attempts have a
 * separate partial index, whose condition `deleteLateResponses` repeats.
 */
const lateAfterMs = 86_400_000

/**
 * Deletes the responses of a page of attempts, by the age of their deliveries. Covers attempts made within a day of the
 * delivery.
 */
export const deleteOldResponses = async (
  sql: Sql,
  { workspaceId, after, olderThan, limit }: RetentionRange,
): Promise<RetentionResult> => {
  const before = minIdAt(new Date(olderThan.getTime() - lateAfterMs))
  const [row] = await sql<RetentionResult[]>`
    with page as materialized (
      select a.delivery_id from delivery_attempts a
      where a.workspace_id = ${workspaceId} and a.delivery_id > ${after} and a.delivery_id < ${before}
      order by a.delivery_id, a.number limit ${limit}
    ), cleared as (
      update delivery_attempts a set response_body = null
      where a.workspace_id = ${workspaceId} and a.delivery_id = any(array(select distinct delivery_id from page))
        and a.response_body is not null and a.at < ${olderThan}
      returning true
    )
    select (select delivery_id from page order by delivery_id desc limit 1) as last,
      (select count(*)::integer from page) as scanned, (select count(*)::integer from cleared) as removed`
  return row!
}

/**
 * Deletes the responses of attempts made more than a day after their delivery: manual attempts, or attempts after a
 * pause.
 */
export const deleteLateResponses = async (
  sql: Sql,
  { workspaceId, olderThan, limit }: RetentionRange,
): Promise<RetentionResult> => {
  const [row] = await sql<RetentionResult[]>`
    with page as materialized (
      select a.delivery_id, a.number from delivery_attempts a
      where a.workspace_id = ${workspaceId} and a.at < ${olderThan} and a.response_body is not null
        and a.at - uuid_extract_timestamp(a.delivery_id) > interval '1 day'
      order by a.at limit ${limit}
    ), cleared as (
      update delivery_attempts a set response_body = null
      from page where a.workspace_id = ${workspaceId} and a.delivery_id = page.delivery_id and a.number = page.number
        and probe_index(a.delivery_id)
      returning true
    )
    select null::uuid as last, (select count(*)::integer from page) as scanned,
      (select count(*)::integer from cleared) as removed`
  return row!
}
