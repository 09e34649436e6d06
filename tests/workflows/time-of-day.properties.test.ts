import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isZone, nextTimeOfDay, weekdays } from '../../src/workflows/runs/time-of-day.ts'

const next = (from: string, time: string, zone: string, days?: readonly (typeof weekdays)[number][]) =>
  nextTimeOfDay(new Date(from), { time, ...(days && { weekdays: days }) }, zone).toISOString()

describe('the next time of day', () => {
  test('is the clock change that skips it, the first of two that repeat it, or the day after a skipped one', () => {
    expect(next('2026-03-29T00:00:00Z', '02:30', 'Europe/Berlin')).toBe('2026-03-29T01:00:00.000Z')
    expect(next('2026-10-24T12:00:00Z', '02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z')
    expect(next('2026-10-25T00:30:00Z', '02:30', 'Europe/Berlin')).toBe('2026-10-26T01:30:00.000Z')
    expect(next('2011-12-30T05:00:00Z', '09:00', 'Pacific/Apia', ['fri'])).toBe('2011-12-30T10:00:00.000Z')
  })

  /**
   * The expected time, computed minute by minute with `Intl` only. A skipped time counts as the first minute after it.
   */
  const minuteMs = 60_000
  /** Remembers what the clock of a zone shows, because the format is slow and the cases are close to each other. */
  const clockOf = (zone: string) => {
    const known = new Map<number, { day: string; weekday: (typeof weekdays)[number]; minutes: number }>()
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      weekday: 'short',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
    const read = (ms: number) => {
      const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]))
      const minutes = Number(parts.hour) * 60 + Number(parts.minute)
      return { day: parts.day!, weekday: parts.weekday!.toLowerCase() as (typeof weekdays)[number], minutes }
    }
    return (ms: number) => {
      if (!known.has(ms)) known.set(ms, read(ms))
      return known.get(ms)!
    }
  }
  const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Europe/Lisbon', 'UTC']
  const clocks = new Map(zones.map(zone => [zone, clockOf(zone)]))
  const expected = (from: number, time: string, zone: string, days: readonly string[]) => {
    const [hours, minutes] = time.split(':').map(Number)
    const wanted = hours! * 60 + minutes!
    const shown = clocks.get(zone)!
    // Starts at the beginning of the day, so that a repeated time is recognised as the second.
    let ms = Math.floor(from / minuteMs) * minuteMs
    const { day } = shown(ms)
    while (shown(ms - minuteMs).day === day) ms -= minuteMs
    let [before, done] = [-1, false]
    for (let today = day; ; ms += minuteMs) {
      const at = shown(ms)
      if (at.day !== today) [today, before, done] = [at.day, -1, false]
      const comes = !done && at.minutes >= wanted && before < wanted
      before = at.minutes
      if (!comes) continue
      done = true
      if (ms > from && days.includes(at.weekday)) return ms
    }
  }

  const changes = ['2026-03-29', '2026-10-25', '2026-03-08', '2026-11-01', '2026-04-05', '2026-10-04', '2026-06-15']
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(parts => parts.map(part => String(part).padStart(2, '0')).join(':'))
  const nearChange = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -24 * 3_600_000, max: 2 * 3_600_000 }))
    .map(([day, offset]) => Date.parse(`${day}T00:00:00Z`) + offset)

  test('matches the clocks of several zones near their changes', () => {
    fc.assert(
      fc.property(
        nearChange,
        fc.oneof(time, fc.constantFrom('02:30', '02:00', '02:15', '02:59', '03:00', '01:30', '01:45', '00:00')),
        fc.constantFrom(...zones),
        fc.oneof(fc.constant([...weekdays]), fc.subarray([...weekdays], { minLength: 4 })),
        (from, time, zone, days) => {
          const found = nextTimeOfDay(new Date(from), { time, weekdays: days }, zone)
          expect(found.toISOString()).toBe(new Date(expected(from, time, zone, days)).toISOString())
        },
      ),
      { numRuns: 300 },
    )
  }, 60_000)
})

test('accepts only IANA names as time zones, and never throws', () => {
  expect(['Europe/Berlin', 'UTC', 'Asia/Kolkata'].map(isZone)).toEqual([true, true, true])
  expect(['', '+01:00', 'Mars/Olympus', 'x'.repeat(100_000), 'Europe/Berlin ', null, 1, {}].map(isZone)).toEqual(
    Array(8).fill(false),
  )
  fc.assert(fc.property(fc.anything(), value => expect(typeof isZone(value)).toBe('boolean')))
})
