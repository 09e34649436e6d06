/** Ranges of statistics, in whole hours or days of UTC. */
import { invalidRequest } from '../../core/errors.ts'
import { clock } from '../../platform/clock.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export type Unit = 'hour' | 'day'

/** Default and maximum number of hours or days in a range. */
const units: Record<Unit, { ms: number; defaultCount: number; maxCount: number; maxLabel: string }> = {
  hour: { ms: hourMs, defaultCount: 24, maxCount: 31 * 24, maxLabel: '31 days by the hour' },
  day: { ms: dayMs, defaultCount: 30, maxCount: 400, maxLabel: '400 days by the day' },
}

export interface StatsRange {
  by: Unit
  /** Start of each hour or day, oldest first. */
  starts: Date[]
  /** Bounds for statements: the first start, and the end of the last hour or day. */
  from: Date
  until: Date
}

/** Returns the range from `since` to `until`, extended to whole hours or days. `names` are the query parameters. */
export const statsRange = (
  by: Unit,
  { since, until }: { since: string | undefined; until: string | undefined },
  names: { since: string; until: string },
): StatsRange => {
  const { ms, defaultCount, maxCount, maxLabel } = units[by]
  const to = until === undefined ? clock.now() : Date.parse(until)
  // An end on a full hour or day does not include the next one.
  const end = Math.ceil(to / ms) * ms
  const from = since === undefined ? end - defaultCount * ms : Date.parse(since)
  if (from > to)
    throw invalidRequest({ [names.since]: `Must not be later than "${names.until}", which defaults to now.` })
  if (to - from > maxCount * ms)
    throw invalidRequest({
      [names.since]: `Must be closer to "${names.until}". A summary covers at most ${maxLabel}.`,
    })
  const first = Math.floor(from / ms) * ms
  const last = Math.max(end, first + ms)
  return {
    by,
    starts: Array.from({ length: (last - first) / ms }, (_, n) => new Date(first + n * ms)),
    from: clampToStorable(new Date(first)),
    until: clampToStorable(new Date(last)),
  }
}

/** Returns the position of a time in `starts`. */
export const positionIn = ({ by, starts }: StatsRange, at: Date): number =>
  (at.getTime() - starts[0]!.getTime()) / units[by].ms

/** Limits the time to years that PostgreSQL can store. There is no activity outside them. */
const clampToStorable = (time: Date): Date => new Date(Math.min(Math.max(time.getTime(), 0), lastMs))

const lastMs = Date.parse('9999-12-31T23:59:59.999Z')
