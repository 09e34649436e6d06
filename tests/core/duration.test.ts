/** Property tests of durations. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { durationMs } from '../../src/core/duration.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const max = 90 * day

const units = { ms: 1, s: second, m: minute, h: hour, d: day }

/** Includes durations slightly above the maximum and many short ones, which would otherwise be rare. */
const someMs = fc.oneof(fc.nat(max + day), fc.nat(minute), fc.constantFrom(0, max - 1, max, max + 1))

const orNull = (ms: number) => (ms <= max ? ms : null)

test('converts a number of any unit, and ISO 8601 parts, to milliseconds, and returns null above 90 days', () => {
  fc.assert(
    fc.property(someMs, fc.constantFrom(...Object.entries(units)), (ms, [unit, size]) => {
      const count = Math.ceil(ms / size)
      expect(durationMs(`${count}${unit}`)).toBe(orNull(count * size))
      expect(durationMs(inParts(ms))).toBe(orNull(ms))
    }),
    { numRuns: 1000 },
  )
})

test('returns whole milliseconds up to 90 days or null for any text, and null without a number and a unit', () => {
  const alike = fc.stringMatching(
    /^P?(\d{1,5}[WDY]){0,2}T?(\d{1,7}[HM]){0,2}(\d{1,9}(\.\d{0,4})?S)?$|^\d{1,11}(ms|s|m|h|d)$/,
  )
  fc.assert(
    fc.property(fc.oneof(alike, fc.string({ unit: 'binary' })), text => {
      const ms = durationMs(text)
      if (ms !== null) expect(Number.isInteger(ms) && ms >= 0 && ms <= max).toBe(true)
      if (!/\d[A-Za-z]+$/.test(text)) expect(ms).toBeNull()
    }),
    { numRuns: 1000 },
  )
})

test.each(['5 m', '-5m', '1.5h', 'P', 'P1DT', 'P1M', 'P1Y', 'T1H', '99999999999d'])('%j is not a duration', text => {
  expect(durationMs(text)).toBeNull()
})

/** Writes the duration as ISO 8601, without weeks, days and hours that are zero. */
const inParts = (ms: number): string => {
  const parts = [Math.floor(ms / (7 * day)), Math.floor(ms / day) % 7, Math.floor(ms / hour) % 24]
  const [weeks, days, hours] = parts.map((count, place) => (count === 0 ? '' : `${count}${'WDH'[place]}`))
  return `P${weeks}${days}T${hours}${Math.floor(ms / minute) % 60}M${(ms % minute) / second}S`
}
