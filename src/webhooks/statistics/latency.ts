/**
 * Durations as a histogram with log-spaced buckets, which can be added up and gives percentiles within 5 % or 1 ms,
 * whichever is larger.
 */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'

/** Ratio of the bounds of a bucket. */
const ratio = 1.08

/** SQL that returns the bucket of a duration in milliseconds. */
export const bucketOf = (sql: Sql, durationMs: Fragment) =>
  sql`floor(ln(greatest(${durationMs}, 1)::double precision) / ln(${ratio}::double precision))::integer`

/**
 * Returns the middle of the whole milliseconds in a bucket. A bucket below 13 ms has at most one. The first also has
 * durations of 0.
 */
const middleOf = (bucket: number): number => {
  const low = Math.ceil(ratio ** bucket)
  const high = Math.max(Math.ceil(ratio ** (bucket + 1)) - 1, low)
  return Math.round(Math.sqrt(low * high))
}

/** Returns the nearest-rank percentile in milliseconds, or null without durations. `buckets`: bucket and count. */
export const percentileMs = (buckets: readonly (readonly [number, number])[], fraction: number): number | null => {
  const total = buckets.reduce((sum, [, count]) => sum + count, 0)
  let below = 0
  for (const [bucket, count] of buckets.toSorted(([one], [other]) => one - other)) {
    below += count
    if (below >= total * fraction) return middleOf(bucket)
  }
  return null
}
