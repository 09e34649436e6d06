/** Event types that no workflow listens for. */
import type { Sql } from '../../db/client.ts'
import { clock } from '../../platform/clock.ts'
import { firstIdOf } from '../ids.ts'

const dayMs = 86_400_000

export interface UnhandledType {
  type: string
  count: number
  /** When the first of the counted events was recorded. */
  since: Date
}

/**
 * Types of which events were recorded in the last 24 hours that nothing listened for, and that no workflow names by now.
 * Looks at the newest `lookedAt` events of the workspace. Answers at most `limit` types, the most frequent first. An event
 * that a waiting run may have been waiting for is not counted.
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
