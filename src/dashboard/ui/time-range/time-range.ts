/** Time range of a list or a chart, as stored in the address: a preset, or a start and an end. */

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000

/**
 * Length of each preset, and the unit to which its start is rounded. A rounded start keeps the request, and so the cached
 * answer, the same for a while.
 */
const presets = {
  '1h': { ms: hourMs, unit: minuteMs, by: 'hour' },
  '24h': { ms: 24 * hourMs, unit: 15 * minuteMs, by: 'hour' },
  '7d': { ms: 7 * dayMs, unit: hourMs, by: 'hour' },
  '30d': { ms: 30 * dayMs, unit: hourMs, by: 'day' },
} as const

export type Preset = keyof typeof presets
export const presetNames = Object.keys(presets) as Preset[]

/** Without any of them: all times. A preset wins over a start and an end. */
export interface TimeRange {
  range?: Preset
  /** ISO 8601 times. */
  since?: string
  until?: string
}

const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/

/** Returns true for a date and time with a time zone, the only form that the API accepts. */
const isTime = (value: unknown): value is string =>
  typeof value === 'string' && timePattern.test(value) && !Number.isNaN(Date.parse(value))

/** Reads the time range from the address. It ignores invalid values, and an end before the start. */
export const parseTimeRange = (search: Record<string, unknown>): TimeRange => {
  const range = presetNames.find(name => name === search.range)
  if (range) return { range }
  const { since, until } = search
  if (!isTime(since)) return isTime(until) ? { until } : {}
  return { since, ...(isTime(until) && Date.parse(since) <= Date.parse(until) && { until }) }
}

/** Search parameters that replace the previous time range. */
export const replaceTimeRange = ({ range, since, until }: TimeRange) => ({ range, since, until })

/** Returns the query parameters of the API. A preset ends now, so it has no `until`. */
export const toTimeQuery = (
  { range, since, until }: TimeRange,
  now = Date.now(),
): { since?: string; until?: string } => {
  if (range) return { since: presetStart(range, now).toISOString() }
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) }
}

const presetStart = (range: Preset, now: number): Date => {
  const { ms, unit } = presets[range]
  return new Date(Math.floor((now - ms) / unit) * unit)
}

export interface ChartRange {
  /** Whole hours or days in UTC. */
  from: string
  to: string
  by: 'hour' | 'day'
}

/** Longest range that a chart shows by the hour. */
const maxHourlyMs = 7 * dayMs
/** Maximum number of days of a chart, the limit of the API. */
const maxDays = 400

/** Returns the range of a chart and the length of its bars. All times are shown as the last 30 days. */
export const toChartRange = (timeRange: TimeRange, now = Date.now()): ChartRange => {
  const { range, since, until } = timeRange
  const end = until === undefined ? now : Date.parse(until)
  const start = range
    ? presetStart(range, now).getTime()
    : since === undefined
      ? end - 30 * dayMs
      : Math.max(Date.parse(since), end - maxDays * dayMs)
  const by = range ? presets[range].by : end - start <= maxHourlyMs ? 'hour' : 'day'
  const unit = by === 'hour' ? hourMs : dayMs
  const from = Math.floor(Math.min(start, end - 1) / unit) * unit
  return {
    from: new Date(from).toISOString(),
    to: new Date(Math.max(Math.ceil(end / unit) * unit, from + unit)).toISOString(),
    by,
  }
}

/** Returns the range of one bar, as a filter of the list below the chart. */
export const toBarRange = (at: string, by: 'hour' | 'day'): TimeRange => ({
  since: at,
  until: new Date(Date.parse(at) + (by === 'hour' ? hourMs : dayMs)).toISOString(),
})
