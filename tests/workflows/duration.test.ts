import { expect, test } from 'bun:test'
import { durationMs } from '../../src/workflows/duration.ts'

const hour = 3_600_000

test.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['5m', 300_000],
  ['2h', 2 * hour],
  ['90d', 90 * 24 * hour],
  ['0s', 0],
  ['PT1H30M', 1.5 * hour],
  ['P2D', 48 * hour],
  ['P1W', 7 * 24 * hour],
  ['P1DT12H', 36 * hour],
  ['PT0.5S', 500],
])('%s is %d ms', (text, ms) => {
  expect(durationMs(text)).toBe(ms)
})

test.each([
  '',
  'soon',
  '5',
  '5 m',
  '-5m',
  '1.5h',
  'P',
  'PT',
  'P1DT',
  'P1M',
  'P1Y',
  'T1H',
  '91d',
  'P91D',
  'PT2161H',
  '99999999999d',
])('%j is not a duration of at most 90 days', text => {
  expect(durationMs(text)).toBeNull()
})
