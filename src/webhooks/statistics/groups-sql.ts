/** SQL that reads statistics per event type, channel, endpoint or problem. */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { bucketOf } from './latency.ts'
import type { StatsRange } from './range.ts'

/** Counters of each kind of group. */
export const countersOf = {
  type: ['started', 'no_listener', 'switched_off', 'never_published', 'not_run_for_customer'],
  channel: ['queued', 'sent', 'delivered', 'read', 'failed', 'skipped', 'unknown', 'received'],
  // Ranked by the first.
  webhook: ['attempts', 'delivered', 'failed', 'retried'],
  problem: ['refused'],
} as const

export type GroupKind = keyof typeof countersOf

/** Selects the counts in `rows` of `hourly_stat_changes`: workspace_id, kind, hour, group_id, name, count. */
export const expandChanges = (sql: Sql, rows: Fragment) => sql`
  select s.workspace_id, s.kind, s.hour, s.group_id, c.name, c.count from (
    select workspace_id, kind, hour, group_id, outcome, sum(outcome_events) as outcome_events, sum(refused) as refused,
      sum(messages_queued) as queued, sum(messages_sent) as sent, sum(messages_delivered + deliveries_delivered) as delivered,
      sum(messages_read) as read, sum(messages_failed + deliveries_failed) as failed, sum(messages_skipped) as skipped,
      sum(messages_unknown) as unknown, sum(messages_received) as received, sum(attempts) as attempts,
      sum(case when attempts > 0 then attempts - deliveries_delivered - deliveries_failed else 0 end) as retried
    from ${rows} r where kind is not null group by workspace_id, kind, hour, group_id, outcome
  ) s cross join lateral (values (s.outcome, s.outcome_events), ('refused', s.refused), ('queued', s.queued), ('sent', s.sent),
    ('delivered', s.delivered), ('read', s.read), ('failed', s.failed), ('skipped', s.skipped), ('unknown', s.unknown),
    ('received', s.received), ('attempts', s.attempts), ('retried', s.retried)) as c(name, count)
  where c.count > 0
  union all
  select workspace_id, kind, hour, group_id, 'reason:' || reason, count(*) from ${rows} r, unnest(reasons) as reason
    group by workspace_id, kind, hour, group_id, reason
  union all
  select workspace_id, kind, hour, group_id, 'code:' || code, count(*) from ${rows} r, unnest(status_codes) as code
    group by workspace_id, kind, hour, group_id, code
  union all
  select workspace_id, kind, hour, group_id, 'ms:' || bucket, count(*)
    from (select r.*, ${bucketOf(sql, sql`ms`)} as bucket from ${rows} r, unnest(durations_ms) as ms) r
    group by workspace_id, kind, hour, group_id, bucket`

interface GroupRange {
  workspaceId: string
  kind: GroupKind
  range: StatsRange
  /** Selects further counts in the range: group_id, hour, name, count. */
  further?: Fragment | undefined
}

/**
 * SQL parts with the stored rows (`stored`) and the counts that are not rolled up yet (`changed`) of a range. `only`
 * limits them to one group.
 */
const rowsOf = (sql: Sql, { workspaceId, kind, range: { from, until, by }, further }: GroupRange, only = sql``) => sql`
  stored as materialized (
    select group_id, at, total, counts from group_stats
    where workspace_id = ${workspaceId} and kind = ${kind} and unit = ${by} and at >= ${from} and at < ${until} ${only}
  ), changes as materialized (
    select * from hourly_stat_changes
    where workspace_id = ${workspaceId} and kind = ${kind} and hour >= ${from} and hour < ${until} ${only}
  ), changed as materialized (
    select group_id, date_trunc(${by}, hour, 'UTC') as at, name, count from (
      select group_id, hour, name, count from (${expandChanges(sql, sql`changes`)}) e
      ${further ? sql`union all ${further}` : sql``}
    ) counts
  )`

/** Counts of a group. Group id `''`: all groups beyond the limit. */
export interface GroupRow {
  groupId: string
  /**
   * One object per counter of the kind, in their order, with the counts by the start of the hour or day, in seconds since
   * 1970. Null without counts.
   */
  counts: (Record<string, number> | null)[]
}

/**
 * Selects the counts of the `limit` groups with the most records in the range. All others are added up in the group
 * `''`. Has a column per counter, because a row per counter takes three times as long.
 */
export const selectGroups = (sql: Sql, p: GroupRange & { limit: number }) => {
  const names: readonly string[] = countersOf[p.kind]
  const columns = (of: (name: string) => Fragment) => names.map(of).reduce((all, one) => sql`${all}, ${one}`)
  const column = (name: string) => sql(`n_${name}`)
  return sql<GroupRow[]>`
  with ${rowsOf(sql, p)}, ranked as materialized (
    select group_id from (
      select group_id, total from stored union all
      select group_id, sum(count) from changed
        where name = any(${p.kind === 'webhook' ? ['attempts'] : [...names]}::text[]) group by group_id
    ) totals
    where group_id <> '' group by group_id order by sum(total) desc, group_id limit ${p.limit}
  ), counted as (
    select group_id, at, ${columns(name => sql`(counts -> ${name})::bigint as ${column(name)}`)} from stored
    union all
    select group_id, at, ${columns(name => sql`sum(count) filter (where name = ${name})`)} from changed group by group_id, at
  )
  select group_id as "groupId", json_build_array(${columns(
    name => sql`json_object_agg(extract(epoch from at)::bigint, ${column(name)}) filter (where ${column(name)} > 0)`,
  )}) as counts
  from (
    select coalesce(r.group_id, '') as group_id, c.at, ${columns(name => sql`sum(c.${column(name)}) as ${column(name)}`)}
    from counted c left join ranked r on r.group_id = c.group_id group by 1, 2
  ) summed
  group by group_id`
}

/** Selects the `limit` most frequent reasons of failed and skipped messages of each channel. */
export const selectReasons = (sql: Sql, p: Omit<GroupRange, 'kind'> & { limit: number }) => sql<
  { groupId: string; reason: string; count: number }[]
>`
  with ${rowsOf(sql, { ...p, kind: 'channel' })}
  select group_id as "groupId", substr(name, 8) as reason, count::bigint as count from (
    select group_id, name, sum(count) as count,
      row_number() over (partition by group_id order by sum(count) desc, name) as position
    from (
      select s.group_id, c.key as name, c.value::bigint as count from stored s cross join jsonb_each_text(s.counts) as c
      union all select group_id, name, count from changed
    ) counted
    where name like 'reason:%' group by group_id, name
  ) ranked where position <= ${p.limit}
  order by group_id, position`

/** Selects all counts of an endpoint by the start of the hour or day. */
export const selectEndpointStats = (
  sql: Sql,
  { workspaceId, webhookId, range }: { workspaceId: string; webhookId: string; range: StatsRange },
) => sql<{ at: Date; counts: Record<string, number> }[]>`
  with ${rowsOf(sql, { workspaceId, kind: 'webhook', range }, sql`and group_id = ${webhookId}`)}
  select at, json_object_agg(name, count) as counts from (
    select at, name, sum(count) as count from (
      select s.at, c.key as name, c.value::bigint as count from stored s cross join jsonb_each_text(s.counts) as c
      union all select at, name, count from changed
    ) counted group by at, name
  ) summed group by at`
