/** Finds event types without a listening workflow. */
import type { Sql } from '../../db/client.ts'
import { clock } from '../../platform/clock.ts'
import { firstIdOf } from '../ids.ts'

const dayMs = 86_400_000

export interface UnhandledType {
  type: string
  count: number
  /** Time of the first counted event. */
  since: Date
}

/**
 * Returns types that were recorded in the last 24 hours without a listener, and that no workflow names now. Reads the
 * newest `lookedAt` events of the workspace and returns at most `limit` types, the most frequent first. Excludes events
 * that a waiting run may have been waiting for.
 */
export const findUnhandledTypes = (sql: Sql, p: { workspaceId: string; lookedAt: number; limit: number }) => sql<
  UnhandledType[]
>`
  select u.type, u.count, u.since from (
    select recent.type, count(*)::integer as count, min(recent.created_at) as since
    from (
      select e.type, e.reason, e.awaited, e.created_at from events e
      where e.workspace_id = ${p.workspaceId} and e.id > ${firstIdOf(new Date(clock.now() - dayMs))}
      order by e.id desc limit ${p.lookedAt}
    ) recent
    where recent.reason = 'no_listener' and recent.awaited is not true and recent.created_at > now() - interval '1 day'
    group by recent.type
  ) u
  where not exists (
    select from workflows w where w.workspace_id = ${p.workspaceId}
      and event_type_spelling(w.trigger_type) = event_type_spelling(u.type) and w.trigger_type = u.type)
  order by u.count desc, u.type limit ${p.limit}`
