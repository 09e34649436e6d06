/** SQL that reads statistics of the inbox. */
import { minIdAt } from '../../core/ids.ts'
import { selectUnanswered } from '../../messaging/messages/index.ts'
import type { Sql } from '../../platform/postgres/client.ts'

export interface UnansweredRow {
  count: number
  longestId: string | null
  since: Date | null
  longestSeconds: number | null
  /** Number of conversations in each group of `limits`, and of those above the last limit. */
  counts: number[]
}

/**
 * Counts conversations that need a person, in total and by the length of the wait, at most `max`. `limits` are the upper
 * limits of the groups in seconds, in ascending order.
 */
export const countUnanswered = async (sql: Sql, p: { workspaceId: string; limits: readonly number[]; max: number }) => {
  const [row] = await sql<UnansweredRow[]>`
    with unanswered as materialized (
      select id, since, extract(epoch from now() - since) as seconds
      from (${selectUnanswered(sql, p.workspaceId, p.max)}) longest_first
    ), grouped as (
      select width_bucket(seconds, ${p.limits}::numeric[]) as position, count(*)::integer as count from unanswered group by 1
    )
    select (select count(*)::integer from unanswered) as count, longest.id as "longestId", longest.since,
      floor(greatest(longest.seconds, 0))::integer as "longestSeconds",
      array(select coalesce(g.count, 0) from generate_series(0, ${p.limits.length}::integer) n
        left join grouped g on g.position = n order by n) as counts
    from (select 1) one
    left join lateral (select * from unanswered order by since, id limit 1) longest on true`
  return row!
}

/** Counts the open ones of the newest `max` conversations with unread messages. */
export const countUnread = async (sql: Sql, p: { workspaceId: string; max: number }): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*) filter (where status = 'open')::integer as count from (
      select c.status from conversations c where c.workspace_id = ${p.workspaceId} and c.unread > 0
      order by c.active_at desc, c.id desc limit ${p.max}
    ) unread`
  return row!.count
}

export interface ActionsRow {
  /** Start of the hour or day. Null in a row of a member, and in the total. */
  at: Date | null
  /** The member. Null in a row of an hour or day, and in the total. */
  userId: string | null
  answered: number
  p50: number | null
  p90: number | null
  resolved: number
}

/**
 * Returns first responses and closings from `from` up to but not including `until`: one row for each hour or day, one
 * for each member, and one for all. Reads at most the newest `max` actions.
 */
export const selectInboxActions = (
  sql: Sql,
  p: { workspaceId: string; from: Date; until: Date; by: 'hour' | 'day'; max: number },
) => sql<ActionsRow[]>`
  with actions as materialized (
    select user_id, waited_seconds, date_trunc(${p.by}, uuid_extract_timestamp(id), 'UTC') as at from inbox_actions
    where workspace_id = ${p.workspaceId} and id >= ${minIdAt(p.from)} and id < ${minIdAt(p.until)}
    order by id desc limit ${p.max}
  )
  select at, user_id as "userId", count(waited_seconds)::integer as answered,
    percentile_disc(0.5) within group (order by waited_seconds) as p50,
    percentile_disc(0.9) within group (order by waited_seconds) as p90,
    count(*) filter (where waited_seconds is null)::integer as resolved
  from actions group by grouping sets ((at), (user_id), ())`
