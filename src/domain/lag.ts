/** How late the work is: for whoever watches over the service. */
import type { Sql } from '../db/client.ts'

/** Seconds by which the oldest row that is due has not been handled; 0 when nothing is late. */
export interface Lags {
  /** Without those that wait for their receiver. */
  deliveries: number
  messages: number
  runs: number
  /** Campaigns that have something to do: sending, most of the time. */
  campaigns: number
  /** Of outbound events: since they happened, until deliveries are made of them. */
  outbox: number
}

/** Lags, and in seconds the age of the oldest delivery that is due and waits for its receiver; 0 if none does. */
export interface ReadLags {
  due: Lags
  receivers: number
}

/** A receiver whose answers take longer, in milliseconds, delays its own deliveries. */
const slowMs = 100
/** Its newest attempts, which are not older than this: longer than the longest attempt takes. */
const judgedBy = { attempts: 8, seconds: 120 }

/**
 * Returns how late each mailbox is. Deliveries wait for their receiver if it spent more than a quarter of the time of its
 * newest attempts on failed or slow ones, or if its owner has set a rate or a maximum concurrency.
 *
 * One probe into the index of each mailbox, and for those that many actors share, one per actor: its cost grows with the
 * number of endpoints and channels that have mail, not with the mail. What waits for an endpoint that is
 * switched off or held is not late.
 */
export const readLags = async (sql: Sql): Promise<ReadLags> => {
  const [row] = await sql<(Lags & { receivers: number })[]>`
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
            and d.last_attempt_at > now() - ${judgedBy.seconds} * interval '1 second'
          order by d.last_attempt_at desc limit ${judgedBy.attempts}
        ) attempted
      ) newest
      where w.enabled and w.held_at is null and w.deleted_at is null and e.due_at < clock_timestamp()
    ), since as (
      select
        (select min(due_at) from late where not by_receiver) as deliveries,
        (select min(due_at) from late where by_receiver) as receivers,
        (select min(due_at) from channel) as messages,
        (select min(wake_at) from workflow_runs where wake_at is not null) as runs,
        (select min(due_at) from campaign) as campaigns,
        (select created_at from outbound_events where fanned_out_at is null order by created_at limit 1) as outbox
    )
    select ${secondsSince(sql, 'deliveries')}, ${secondsSince(sql, 'receivers')}, ${secondsSince(sql, 'messages')}, ${secondsSince(sql, 'runs')},
      ${secondsSince(sql, 'campaigns')}, ${secondsSince(sql, 'outbox')}
    from since`
  const { receivers, ...due } = row!
  return { due, receivers }
}

/** A few rows may be late by themselves, such as one that another transaction holds. */
const rowsThatMayBeLate = 50

/**
 * Milliseconds by which the work is late that waits for nobody outside, runs and outbox: two probes, of so many entries of
 * an index that are due first. 0 where no more than a few rows are due.
 */
export const readBacklog = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ lateMs: number }[]>`
    select coalesce(extract(epoch from clock_timestamp() - least(
      (select wake_at from workflow_runs where wake_at is not null order by wake_at offset ${rowsThatMayBeLate} limit 1),
      (select created_at from outbound_events where fanned_out_at is null order by created_at offset ${rowsThatMayBeLate} limit 1)
    )) * 1000, 0)::double precision as "lateMs"`
  return Math.max(0, row!.lateMs)
}

const secondsSince = (sql: Sql, name: keyof Lags | 'receivers') =>
  sql`coalesce(greatest(extract(epoch from clock_timestamp() - ${sql(name)}), 0), 0)::double precision as ${sql(name)}`
