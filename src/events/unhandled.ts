/** Finds event types that no enabled workflow handles. */

import { minIdAt } from '../core/ids.ts'
import type { Sql } from '../platform/postgres/client.ts'

export interface UnhandledType {
  type: string
  /** Number of events that started nothing, at most `maxEvents`. */
  count: number
  /** Time of the first counted event. */
  since: Date
  /** Workflow with this trigger that would handle the type once it is published and enabled, or null. */
  workflow: { name: string; isEnabled: boolean; isPublished: boolean } | null
}

/** Limits of one search. */
interface SearchLimits {
  workspaceId: string
  /** Start of the last 24 hours, as in the activity summary. */
  since: Date
  /** Maximum number of pairs of a day and a type that are read, newest day first. */
  maxTypes: number
  /** The most frequent types among the newest events are read first: maximum number of these events and types. */
  recent: { events: number; types: number }
  /** Maximum number of newest events that are read per type. */
  maxEvents: number
  /** Maximum number of types to return. */
  limit: number
}

/**
 * Returns types of which events in the last 24 hours started nothing, and that no workflow handles now. The most
 * frequent types come first.
 *
 * A workflow handles a type if it is enabled and its published version starts on the type or waits for it. A version
 * with active runs handles the types that it waits for. The search takes the most frequent types among the newest
 * events, so that many other types do not hide them. It also jumps from one type to the next in the index
 * `events_unhandled`, so that frequent types do not hide rare ones.
 */
export const findUnhandledTypes = (sql: Sql, p: SearchLimits) => sql<UnhandledType[]>`
  with recursive found as (
    (select ${dayOf(sql)} as day, e.type, 1 as position from events e
      where e.workspace_id = ${p.workspaceId} and ${isUnhandled(sql)}
      order by ${dayOf(sql)} desc, e.type desc limit 1)
    union all
    select next.day, next.type, found.position + 1 from found cross join lateral (
      select ${dayOf(sql)} as day, e.type from events e
      where e.workspace_id = ${p.workspaceId} and ${isUnhandled(sql)} and (${dayOf(sql)}, e.type) < (found.day, found.type)
      order by ${dayOf(sql)} desc, e.type desc limit 1
    ) next
    where found.position < ${p.maxTypes} and found.day >= (now() at time zone 'UTC')::date - 1
  ), recent_types as materialized (
    select newest.type from (
      select e.type, e.reason from events e
      where e.workspace_id = ${p.workspaceId} and e.id > ${minIdAt(p.since)}
      order by e.id desc limit ${p.recent.events}
    ) newest
    where newest.reason in ('no_listener', 'switched_off', 'never_published')
    group by newest.type order by count(*) desc limit ${p.recent.types}
  ), unhandled as materialized (
    select found.type from (select type from found union select type from recent_types) found
    where not exists (
      select from workflows w where w.workspace_id = ${p.workspaceId} and w.trigger_type = found.type
        and w.enabled and w.published_version is not null)
    and not exists (
      select from workflow_wait_events a join workflows w on w.workspace_id = a.workspace_id and w.id = a.workflow_id
      where a.workspace_id = ${p.workspaceId} and a.event_type = found.type
        and (w.enabled and w.published_version = a.version or exists (
          select from workflow_runs r where r.workspace_id = ${p.workspaceId} and r.workflow_id = a.workflow_id
            and r.version = a.version and r.status = 'active')))
  )
  select u.type, recent.count, recent.since, (
    select json_build_object('name', w.name, 'isEnabled', w.enabled, 'isPublished', w.published_version is not null)
    from workflows w
    where w.workspace_id = ${p.workspaceId} and w.trigger_type = u.type
    order by w.published_version is null, w.updated_at desc limit 1) as workflow
  from unhandled u cross join lateral (
    select count(*)::integer as count, min(newest.created_at) as since from (
      select e.reason, e.created_at from events e
      where e.workspace_id = ${p.workspaceId} and e.id > ${minIdAt(p.since)}
        and e.type = u.type and hashtextextended(e.type, uuid_hash_extended(e.workspace_id, 0))
          = hashtextextended(u.type, uuid_hash_extended(${p.workspaceId}, 0))
      order by e.id desc limit ${p.maxEvents}
    ) newest
    where newest.reason in ('no_listener', 'switched_off', 'never_published')
      and newest.created_at >= ${p.since}
  ) recent
  where recent.count > 0
  order by recent.count desc, u.type limit ${p.limit}`

/** Repeats the expression of the index `events_unhandled`, because PostgreSQL uses the index only then. */
const dayOf = (sql: Sql) => sql`((e.created_at at time zone 'UTC')::date)`

/** Repeats the predicate of the index `events_unhandled`. */
const isUnhandled = (sql: Sql) => sql`e.reason in ('no_listener', 'switched_off', 'never_published')`
