/** Tests that a list and the chart above it describe the same time range. */
import { describe, expect, test } from 'bun:test'
import {
  isInRange,
  isLongerThanChart,
  presetNames,
  type TimeRange,
  toBarRange,
  toChartRange,
  toTimeQuery,
  withDefaultRange,
} from '../../src/dashboard/ui/time-range/time-range.ts'

const now = Date.parse('2026-11-28T10:25:40.000Z')
const hourMs = 3_600_000

/** Returns the starts of the bars. */
const barsOf = (range: TimeRange): string[] => {
  const { from, to, by } = toChartRange(range, now)
  const step = by === 'hour' ? hourMs : 24 * hourMs
  const length = Math.ceil((Date.parse(to) - Date.parse(from)) / step)
  return Array.from({ length }, (_, index) => new Date(Date.parse(from) + index * step).toISOString())
}
const countedBarsOf = (range: TimeRange): string[] => {
  const { by } = toChartRange(range, now)
  return barsOf(range).filter(at => isInRange(range, at, by, now))
}

describe('a chart above a list', () => {
  test.each(presetNames.filter(name => name !== '1h'))('starts with its list in the range %s', range => {
    expect(toChartRange({ range }, now).from).toBe(toTimeQuery({ range }, now).since!)
    expect(countedBarsOf({ range })).toEqual(barsOf({ range }))
  })

  test.each<[TimeRange['range'], number]>([
    ['24h', 24],
    ['7d', 7],
    ['30d', 30],
  ])('has as many bars as the name of the range %s says', (range, count) => {
    expect(barsOf({ range })).toHaveLength(count)
  })

  test('shows the hours around a short range, and counts only those in it', () => {
    expect(countedBarsOf({ range: '1h' })).toEqual(['2026-11-28T09:00:00.000Z', '2026-11-28T10:00:00.000Z'])
    expect(barsOf({ range: '1h' }).length).toBeGreaterThan(12)
    const hour = toBarRange('2026-11-27T06:00:00.000Z', 'hour')
    expect(countedBarsOf(hour)).toEqual(['2026-11-27T06:00:00.000Z'])
    expect(barsOf(hour)).toHaveLength(25)
  })

  test('shows a clicked day by the hour, and a clicked day of an old time by the day', () => {
    expect(toChartRange(toBarRange('2026-11-20T00:00:00.000Z', 'day'), now)).toEqual({
      from: '2026-11-20T00:00:00.000Z',
      to: '2026-11-20T23:59:59.999Z',
      by: 'hour',
    })
    expect(barsOf(toBarRange('2026-08-20T00:00:00.000Z', 'day'))).toEqual(['2026-08-20T00:00:00.000Z'])
  })

  test.each<[string, TimeRange]>([
    ['all times', { range: 'all' }],
    ['everything until a time', { until: '2026-11-01T00:00:00.000Z' }],
    ['two years', { since: '2024-11-01T00:00:00.000Z', until: '2026-11-01T00:00:00.000Z' }],
  ])('has at most 400 days of %s, and says so', (_, range) => {
    expect(barsOf(range)).toHaveLength(400)
    expect(isLongerThanChart(range, now)).toBe(true)
  })

  test('has the default range of its page while the address has none, and all times only on request', () => {
    expect(withDefaultRange({}, '30d')).toEqual({ range: '30d' })
    expect(withDefaultRange({ until: '2026-11-01T00:00:00Z' }, '30d')).toEqual({ until: '2026-11-01T00:00:00Z' })
    expect(toTimeQuery(withDefaultRange({ range: 'all' }, '30d'), now)).toEqual({})
    expect(isLongerThanChart({ range: '30d' }, now)).toBe(false)
  })
})
