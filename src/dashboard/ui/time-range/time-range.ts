/** Time range of a list or a chart, as stored in the address: a preset, or a start and an end. */

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000

/**
 * Length of each preset, and its unit in UTC. A preset ends with the current unit: 7 days are today and the six days
 * before. It is shorter than its name by up to one unit. Its start is the start of a bar, so that a list and its chart
 * have the same start. It keeps the request, and so the cached answer, the same for a while.
 */
const presets = {
  '1h': { ms: hourMs, unit: minuteMs, by: 'hour' },
  '24h': { ms: 24 * hourMs, unit: hourMs, by: 'hour' },
  '7d': { ms: 7 * dayMs, unit: dayMs, by: 'day' },
  '30d': { ms: 30 * dayMs, unit: dayMs, by: 'day' },
} as const

export type Preset = keyof typeof presets
export const presetNames = Object.keys(presets) as Preset[]

/** Without any of them: all times, or the default of a page with a chart. A preset wins over a start and an end. */
export interface TimeRange {
  range?: Preset | 'all'
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
  const range = search.range === 'all' ? 'all' : presetNames.find(name => name === search.range)
  if (range) return { range }
  const { since, until } = search
  if (!isTime(since)) return isTime(until) ? { until } : {}
  return { since, ...(isTime(until) && Date.parse(since) <= Date.parse(until) && { until }) }
}

/** Search parameters that replace the previous time range. */
export const replaceTimeRange = ({ range, since, until }: TimeRange) => ({ range, since, until })

/** A time range whose members can be undefined. */
type LooseTimeRange = { [Key in keyof TimeRange]?: TimeRange[Key] | undefined }

/** Returns the time range of a page whose chart and list need one: that of the address, or the default. */
export const withDefaultRange = ({ range, since, until }: LooseTimeRange, defaultRange: Preset): TimeRange => {
  if (range !== undefined) return { range }
  if (since === undefined && until === undefined) return { range: defaultRange }
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) }
}

/** Returns the query parameters of the API. A preset ends now, so it has no `until`. */
export const toTimeQuery = (
  { range, since, until }: TimeRange,
  now = Date.now(),
): { since?: string; until?: string } => {
  if (range === 'all') return {}
  if (range) return { since: presetStart(range, now).toISOString() }
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) }
}

const presetStart = (range: Preset, now: number): Date => {
  const { ms, unit } = presets[range]
  return new Date((Math.floor(now / unit) + 1) * unit - ms)
}

export interface ChartRange {
  /** Start of the first hour or day in UTC. */
  from: string
  /** Last millisecond of the last hour or day. */
  to: string
  by: 'hour' | 'day'
}

/** Longest range that a chart shows by the hour. */
const maxHourlyMs = 3 * dayMs
/** Age after which the API has counts of groups only by the day, less a margin. */
const maxHourlyAgeMs = 60 * dayMs
/** Maximum number of days of a chart, the limit of the API. */
export const maxChartDays = 400
/** A range by the hour that is shorter than this is shown with the hours around it. */
const minHourlyMs = 3 * hourMs
const contextMs = 12 * hourMs

/** Returns the range of a chart and the length of its bars. It has at most the last 400 days of the time range. */
export const toChartRange = (timeRange: TimeRange, now = Date.now()): ChartRange => {
  const [start, end] = boundsOf(timeRange, now)
  const preset = timeRange.range && timeRange.range !== 'all' ? presets[timeRange.range] : undefined
  const by = preset?.by ?? (end - start <= maxHourlyMs && start > now - maxHourlyAgeMs ? 'hour' : 'day')
  const isShort = by === 'hour' && end - start < minHourlyMs
  const unit = by === 'hour' ? hourMs : dayMs
  const first = isShort ? start - contextMs : start
  const last = isShort ? Math.max(Math.min(end + contextMs, now), end) : end
  const lastBar = (Math.ceil(last / unit) - 1) * unit
  const from = Math.max(Math.min(Math.floor(first / unit) * unit, lastBar), lastBar - (maxChartDays - 1) * dayMs)
  return { from: new Date(from).toISOString(), to: new Date(lastBar + unit - 1).toISOString(), by }
}

/** Returns the start and the end in milliseconds. All times have no start. */
const boundsOf = ({ range, since, until }: TimeRange, now: number): [start: number, end: number] => {
  if (range === 'all') return [Number.NEGATIVE_INFINITY, now]
  if (range) return [presetStart(range, now).getTime(), now]
  return [
    since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since),
    until === undefined ? now : Date.parse(until),
  ]
}

/** Returns true if the time range is longer than its chart. */
export const isLongerThanChart = (timeRange: TimeRange, now = Date.now()): boolean => {
  const [start, end] = boundsOf(timeRange, now)
  return end - start > maxChartDays * dayMs
}

/** Returns true for the start of a bar that is in the time range, at least in part. */
export const isInRange = (timeRange: TimeRange, at: string, by: 'hour' | 'day', now = Date.now()): boolean => {
  const [start, end] = boundsOf(timeRange, now)
  const bar = Date.parse(at)
  return bar < end && bar + (by === 'hour' ? hourMs : dayMs) > start
}

/** Returns the range of one bar, as a filter of the list below the chart. */
export const toBarRange = (at: string, by: 'hour' | 'day'): TimeRange => ({
  since: at,
  until: new Date(Date.parse(at) + (by === 'hour' ? hourMs : dayMs)).toISOString(),
})
