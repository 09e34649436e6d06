/** Outcomes of the recipients of a campaign over time, counted as they are recorded. */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'

/** Maximum number of buckets of the statistics. */
export const maxBuckets = 60
const secondsPerDay = 86_400

/** Lengths of buckets in seconds, each a multiple of the one before. A longer campaign has buckets of whole days. */
const bucketLengths = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600]

/** Returns the number of buckets of a period. The last one contains the end. */
export const bucketCount = (ms: number, seconds: number): number => Math.floor(ms / (seconds * 1000)) + 1

/** Returns the shortest length of buckets with which a period has at most `maxBuckets`. */
export const bucketSecondsFor = (ms: number): number =>
  bucketLengths.find(seconds => bucketCount(ms, seconds) <= maxBuckets) ??
  (Math.floor(ms / (maxBuckets * secondsPerDay * 1000)) + 1) * secondsPerDay

/**
 * CTE that adds the recipients in `changed_recipients` to the row of the current time. `locked` has the campaign with
 * `started_at` and `finished_at`. A row has the length of the buckets of a campaign that ends now, or a day. Later
 * buckets are multiples of it, so that the sums stay exact and a campaign has at most 60 rows of each length below a
 * day. A message that was on the channel when the campaign was cancelled settles later, and counts at the end.
 */
export const recordOutcomes = (sql: Sql): Fragment => sql`
  recorded_outcomes as (
    insert into campaign_outcomes as o (workspace_id, campaign_id, second, sent, skipped, unknown)
    select h.workspace_id, h.id, e.elapsed - e.elapsed % coalesce((
        select min(seconds) from unnest(${bucketLengths}::integer[]) seconds where e.elapsed < ${maxBuckets} * seconds
      ), ${secondsPerDay}), n.sent, n.skipped, n.unknown
    from locked h
    cross join lateral (
      select greatest(floor(extract(epoch from least(h.finished_at, now()) - h.started_at)), 0)::integer as elapsed
    ) e
    cross join (
      select (count(*) filter (where outcome = 'sent'))::integer as sent,
        (count(*) filter (where outcome = 'skipped'))::integer as skipped,
        (count(*) filter (where outcome = 'unknown'))::integer as unknown
      from changed_recipients
    ) n
    where n.sent + n.skipped + n.unknown > 0
    on conflict (workspace_id, campaign_id, second) do update set sent = o.sent + excluded.sent,
      skipped = o.skipped + excluded.skipped, unknown = o.unknown + excluded.unknown
  )`

/** Number of recipients whose outcome was recorded in a time that begins `second` seconds after the start. */
export interface OutcomesRow {
  second: number
  sent: number
  skipped: number
  unknown: number
}

export const selectOutcomes = (sql: Sql, workspaceId: string, campaignId: string) => sql<OutcomesRow[]>`
  select second, sent, skipped, unknown from campaign_outcomes
  where workspace_id = ${workspaceId} and campaign_id = ${campaignId}`
