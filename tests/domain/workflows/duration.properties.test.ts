/** Durations, on texts that nobody thought of. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { durationMs } from '../../../src/domain/workflows/duration.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const max = 90 * day

const units = { ms: 1, s: second, m: minute, h: hour, d: day }

/** A little beyond what is taken, so that both sides of the limit are met; and what is short, which is easily lost. */
const someMs = fc.oneof(fc.nat(max + day), fc.nat(minute), fc.constantFrom(0, max - 1, max, max + 1))

const orNull = (ms: number) => (ms <= max ? ms : null)

test('a number of any unit comes back in milliseconds, and not at all beyond 90 days', () => {
  fc.assert(
    fc.property(someMs, fc.constantFrom(...Object.entries(units)), (ms, [unit, size]) => {
      const count = Math.ceil(ms / size)
      expect(durationMs(`${count}${unit}`)).toBe(orNull(count * size))
    }),
  )
})

test('what is written in the parts of ISO 8601 comes back whole', () => {
  fc.assert(
    fc.property(someMs, ms => {
      expect(durationMs(inParts(ms))).toBe(orNull(ms))
    }),
    { numRuns: 1000 },
  )
})

test('parts may be as large as they like: they are added up', () => {
  const count = (of: number) => fc.option(fc.nat(Math.floor(max / of / 2)))
  fc.assert(
    fc.property(
      fc.record({ W: count(7 * day), D: count(day), H: count(hour), M: count(minute), S: count(second) }),
      ({ W, D, H, M, S }) => {
        const time = [written(H, 'H'), written(M, 'M'), written(S, 'S')].join('')
        const text = `P${written(W, 'W')}${written(D, 'D')}${time && `T${time}`}`
        const sum = (W ?? 0) * 7 * day + (D ?? 0) * day + (H ?? 0) * hour + (M ?? 0) * minute + (S ?? 0) * second
        expect(durationMs(text)).toBe(text === 'P' ? null : orNull(sum))
      },
    ),
  )
})

test('whatever the text, it is whole milliseconds up to 90 days, or nothing; and nothing without a number and its unit', () => {
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

/** The time in as many parts as it has. */
const inParts = (ms: number): string => {
  const parts = { D: Math.floor(ms / day), H: Math.floor(ms / hour) % 24, M: Math.floor(ms / minute) % 60 }
  const seconds = (ms % minute) / second
  return `P${parts.D}DT${parts.H}H${parts.M}M${seconds}S`
}

const written = (count: number | null, unit: string): string => (count === null ? '' : `${count}${unit}`)
