/** Lag of the queues, for monitoring. */
import type { Fragment, Sql } from '../platform/postgres/client.ts'
import { type PausableKind, PausedWork } from './pauses/index.ts'

/** Lag per queue: how many seconds ago the oldest due row became due. 0 if no row is late. */
export interface Lags {
  /** Excludes deliveries that wait for their receiver. */
  deliveries: number
  /** Events in the outbox: seconds from creation until their deliveries are created. */
  'outbound events': number
  /** Excludes messages of a channel that fails, or that its provider has paused. */
  messages: number
  runs: number
  /** Includes every campaign with pending work, mostly sending. */
  campaigns: number
}

/** Lags of all queues. `receivers` are the lags of rows that wait for their receiver, in seconds; 0 if there are none. */
export interface ReadLags {
  due: Lags
  receivers: Pick<Lags, 'deliveries' | 'messages'>
}

/** Duration in milliseconds above which an attempt counts as slow, so that the receiver delays its own deliveries. */
const slowMs = 100
/**
 * Attempts that classify a receiver: the newest 8 within 120 seconds. The age limit exceeds the duration of the longest
 * attempt.
 */
const sampledAttempts = { attempts: 8, seconds: 120 }

/**
 * Returns the lag of each queue. A delivery counts as waiting for its receiver in two cases. Failed or slow attempts
 * took more than a quarter of the time of the receiver's newest attempts. Or the owner has set a rate or a maximum
 * concurrency. A message waits for its receiver while its channel is paused or not connected.
 *
 * Each queue costs one index probe; queues shared by many actors cost one probe per actor. The cost therefore grows
 * with the number of endpoints and channels that have rows, not with the number of rows. Rows of a disabled or held
 * endpoint, and rows of paused workspaces, are not late.
 */
export const readLags = async (sql: Sql, paused = new PausedWork()): Promise<ReadLags> => {
  const [row] = await sql<(Lags & { lateReceivers: number; lateChannels: number })[]>`
    with recursive endpoint as (
      (select workspace_id, webhook_id, due_at from deliveries where due_at is not null
        order by workspace_id, webhook_id, due_at limit 1)
      union all
      select next.workspace_id, next.webhook_id, next.due_at
      from endpoint e cross join lateral (
        select workspace_id, webhook_id, due_at from deliveries d
        where due_at is not null and (d.workspace_id, d.webhook_id) > (e.workspace_id, e.webhook_id)
        order by workspace_id, webhook_id, due_at limit 1
      ) next
    ), channel as (
      (select workspace_id, channel_id, due_at from messages where due_at is not null
        order by workspace_id, channel_id, due_at limit 1)
      union all
      select next.workspace_id, next.channel_id, next.due_at
      from channel c cross join lateral (
        select workspace_id, channel_id, due_at from messages m
        where due_at is not null and (m.workspace_id, m.channel_id) > (c.workspace_id, c.channel_id)
        order by workspace_id, channel_id, due_at limit 1
      ) next
    ), campaign as (
      (select workspace_id, id, due_at from campaigns where due_at is not null
        order by workspace_id, id, due_at limit 1)
      union all
      select next.workspace_id, next.id, next.due_at
      from campaign c cross join lateral (
        select workspace_id, id, due_at from campaigns n
        where due_at is not null and (n.workspace_id, n.id) > (c.workspace_id, c.id)
        order by workspace_id, id, due_at limit 1
      ) next
    ), late as materialized (
      select e.due_at, w.rate_per_second is not null or w.max_concurrency is not null or coalesce(newest.delay, false) as by_receiver
      from endpoint e
      join webhooks w on w.workspace_id = e.workspace_id and w.id = e.webhook_id
      cross join lateral (
        select 4 * coalesce(sum(ms) filter (where failed or ms > ${slowMs}), 0) > sum(ms) as delay
        from (
          select greatest(d.duration_ms, 1) as ms, d.error is not null as failed from deliveries d
          where d.workspace_id = e.workspace_id and d.webhook_id = e.webhook_id
            and d.last_attempt_at > now() - ${sampledAttempts.seconds} * interval '1 second'
          order by d.last_attempt_at desc limit ${sampledAttempts.attempts}
        ) attempted
      ) newest
      where w.enabled and w.held_at is null and w.deleted_at is null and e.due_at < clock_timestamp()
        ${isNotPaused(sql, paused, 'deliveries', sql`e.workspace_id`)}
    ), queued as materialized (
      select n.due_at, c.status <> 'connected' or coalesce(c.paused_until > clock_timestamp(), false) as by_receiver
      from channel n
      join channels c on c.workspace_id = n.workspace_id and c.id = n.channel_id
      where true ${isNotPaused(sql, paused, 'messages', sql`n.workspace_id`)}
    ), since as (
      select
        (select min(due_at) from late where not by_receiver) as deliveries,
        (select min(due_at) from late where by_receiver) as "lateReceivers",
        (select min(due_at) from queued where not by_receiver) as messages,
        (select min(due_at) from queued where by_receiver) as "lateChannels",
        ${firstRun(sql, paused, 0)} as runs,
        (select min(due_at) from campaign where true ${isNotPaused(sql, paused, 'campaigns', sql`workspace_id`)}) as campaigns,
        (select created_at from outbound_events where fanned_out_at is null order by created_at limit 1) as "outbound events"
    )
    select ${secondsSince(sql, 'deliveries')}, ${secondsSince(sql, 'outbound events')}, ${secondsSince(sql, 'messages')}, ${secondsSince(sql, 'runs')},
      ${secondsSince(sql, 'campaigns')}, ${secondsSince(sql, 'lateReceivers')}, ${secondsSince(sql, 'lateChannels')}
    from since`
  const { lateReceivers, lateChannels, ...due } = row!
  return { due, receivers: { deliveries: lateReceivers, messages: lateChannels } }
}

/** Maximum number of rows that `readDepths` and `readDueDepths` count in each queue. */
export const maxDepth = 10_000

/** Counts rows, up to `maxDepth`. */
const countRows = (sql: Sql, rows: Fragment) =>
  sql`(select count(*)::integer from (select from ${rows} limit ${maxDepth}) counted)`

/** Counts runs. A separate index has the runs that were set aside for a pause, so each index is read with the limit. */
const countRuns = (sql: Sql, condition: Fragment) => {
  const runs = sql`select from workflow_runs where ${condition}`
  return countRows(
    sql,
    sql`((${runs} and not paused limit ${maxDepth}) union all (${runs} and paused limit ${maxDepth})) runs`,
  )
}

/**
 * Returns the number of rows that wait in each queue, also those due later or paused, up to `maxDepth` of each. Each
 * count reads the partial index of its queue, which has no finished rows.
 */
export const readDepths = async (sql: Sql): Promise<Lags> => {
  const count = (rows: Fragment) => countRows(sql, rows)
  const [row] = await sql<Lags[]>`
    select ${count(sql`deliveries where due_at is not null`)} as deliveries, ${count(sql`messages where due_at is not null`)} as messages,
      ${countRuns(sql, sql`wake_at is not null`)} as runs, ${count(sql`campaigns where due_at is not null`)} as campaigns,
      ${count(sql`outbound_events where fanned_out_at is null`)} as "outbound events"`
  return row!
}

/**
 * Returns the number of due rows in each queue, up to `maxDepth`, without those of disabled and held endpoints. Reads
 * index entries of due rows, after one probe per endpoint and channel.
 */
export const readDueDepths = async (sql: Sql): Promise<Lags> => {
  const count = (rows: Fragment) => countRows(sql, rows)
  const [row] = await sql<Lags[]>`
    select ${count(sql`webhooks w cross join lateral (
        select from deliveries d where d.workspace_id = w.workspace_id and d.webhook_id = w.id and d.due_at <= now() limit ${maxDepth}
      ) due where w.enabled and w.held_at is null and w.deleted_at is null`)} as deliveries,
      ${count(sql`channels c cross join lateral (
        select from messages m where m.workspace_id = c.workspace_id and m.channel_id = c.id and m.due_at <= now() limit ${maxDepth}
      ) due`)} as messages,
      ${countRuns(sql, sql`wake_at <= now()`)} as runs, ${count(sql`campaigns where due_at <= now()`)} as campaigns,
      ${count(sql`outbound_events where fanned_out_at is null`)} as "outbound events"`
  return row!
}

/** Rows that can be late without backlog, for example a row that another transaction has locked. */
const toleratedLateRows = 50

/**
 * Returns the lag in milliseconds of work that depends on no external system: runs and the outbox. Each of the two
 * index probes skips the first `toleratedLateRows` entries. Returns 0 if at most that many rows are due.
 */
export const readBacklogLag = async (sql: Sql, paused = new PausedWork()): Promise<number> => {
  const [row] = await sql<{ lateMs: number }[]>`
    select coalesce(extract(epoch from clock_timestamp() - least(
      ${firstRun(sql, paused, toleratedLateRows)},
      (select created_at from outbound_events where fanned_out_at is null order by created_at offset ${toleratedLateRows} limit 1)
    )) * 1000, 0)::double precision as "lateMs"`
  return Math.max(0, row!.lateMs)
}

/**
 * SQL expression: the due time of the first run after `skipped` others. Runs of paused workspaces do not count, because
 * the claim sets them aside.
 */
const firstRun = (sql: Sql, paused: PausedWork, skipped: number): Fragment =>
  paused.isPausedEverywhere('runs')
    ? sql`null::timestamptz`
    : sql`(select wake_at from workflow_runs where wake_at is not null and not paused order by wake_at offset ${skipped} limit 1)`

/** Condition on a workspace: the work of this kind is not paused. */
const isNotPaused = (sql: Sql, paused: PausedWork, kind: PausableKind, workspaceId: Fragment): Fragment => {
  if (paused.isPausedEverywhere(kind)) return sql`and false`
  const workspaces = paused.workspaces(kind)
  return workspaces.length === 0 ? sql`` : sql`and ${workspaceId} <> all(${workspaces}::uuid[])`
}

const secondsSince = (sql: Sql, name: keyof Lags | 'lateReceivers' | 'lateChannels') =>
  sql`coalesce(greatest(extract(epoch from clock_timestamp() - ${sql(name)}), 0), 0)::double precision as ${sql(name)}`
