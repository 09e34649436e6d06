/** Number of outbound events whose deliveries were created between two reads. No table counts them. */
import type { Sql } from '../../platform/postgres/client.ts'
import { streamPosition } from '../../queue/hold/index.ts'

/** State at a read, from which the next read counts. */
export interface FanOutSample {
  /** Positions in the stream of the transactions that had not ended: `inProgress`, and all from `next` on. */
  next: string
  inProgress: string[]
  /** Least of these positions. */
  oldest: string
  /** Number of events in the outbox that were created before `until`, at most `maxCounted`. */
  waiting: number
  until: string
}

/** Maximum number of new events of a workspace, and of events in the outbox, that a read counts. */
const maxCounted = 50_000

/**
 * Returns the number of events that were fanned out since an earlier read, and the sample for the next one. Both are
 * of one snapshot, so that consecutive reads count each event exactly once.
 *
 * Most events are fanned out by the statement that writes them. They are the events of transactions that have ended
 * since the earlier read. The others were in the outbox then and are not now. Reads index entries of new events, after
 * one probe for each workspace, and of waiting ones.
 */
export const readFanOut = async (
  sql: Sql,
  since: FanOutSample | null,
): Promise<{ fannedOut: number | null; sample: FanOutSample }> => {
  const [row] = await sql<[FanOutSample & { fannedOut: number | null }]>`
    with snapshot as materialized (
      select pg_current_snapshot() as now, coalesce((
        select created_at from outbound_events where fanned_out_at is null order by created_at offset ${maxCounted} limit 1
      ), clock_timestamp()) as until
    )
    select ${streamPosition(sql, sql`pg_snapshot_xmin(now)`)}::text as oldest,
      ${streamPosition(sql, sql`pg_snapshot_xmax(now)`)}::text as next,
      array(select ${streamPosition(sql, sql`xid`)}::text from pg_snapshot_xip(now) as xid) as "inProgress",
      until::text as until, (
        select count(*)::integer from outbound_events where fanned_out_at is null and created_at < until
      ) as waiting, ${since === null ? sql`null::integer` : fannedOutSince(sql, since)} as "fannedOut"
    from snapshot`
  const { fannedOut, ...sample } = row
  return { fannedOut, sample }
}

const fannedOutSince = (sql: Sql, { next, inProgress, oldest, waiting, until }: FanOutSample) => {
  const isNew = sql`(e.xid >= ${next}::text::xid8 or e.xid = any(${inProgress}::text[]::xid8[]))`
  return sql`(
    select count(*) filter (where e.fanned_out_at is not null and ${isNew}) from workspaces w cross join lateral (
      select xid, fanned_out_at from outbound_events
      where workspace_id = w.id and xid >= ${oldest}::text::xid8 order by xid desc, id desc limit ${maxCounted}
    ) e
  )::integer + ${waiting}::integer - (
    select count(*)::integer from outbound_events e
    where e.fanned_out_at is null and e.created_at < ${until}::text::timestamptz and not ${isNew}
  )`
}
