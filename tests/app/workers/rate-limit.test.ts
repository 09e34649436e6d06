/** Tests messages to one person on a channel: in order, within the rate limit of the provider, and none lost. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ChannelRateLimits, delayAfter, type ProviderRateLimit } from '../../../src/app/workers/rate-limit.ts'

interface Waiting {
  id: string
  dueAt: number
}

/**
 * Works off the queue of one person as the channel's actor does, with a simulated clock. Returns the ids and sending
 * times.
 */
const workedOff = (writtenAt: readonly number[], pace: ProviderRateLimit, lateMs: readonly number[]) => {
  let now = 0
  const paces = new ChannelRateLimits(() => now)
  const mailbox: Waiting[] = writtenAt.map((dueAt, place) => ({ id: String(place).padStart(3, '0'), dueAt }))
  const went: { id: string; at: number }[] = []
  for (let look = 0; mailbox.length > 0; look++) {
    expect(look).toBeLessThan(10_000)
    mailbox.sort((one, other) => one.dueAt - other.dueAt || (one.id < other.id ? -1 : 1))
    const next = mailbox[0]!
    now = Math.max(now, next.dueAt + lateMs[look % lateMs.length]!)
    const waitMs = paces.reserve('channel', 'person', next.id, pace)
    if (waitMs > 0) next.dueAt = now + waitMs
    else went.push({ id: mailbox.shift()!.id, at: now })
  }
  return went
}

const written = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 25 }).map(gaps => {
  let at = 0
  return gaps.map(gap => {
    at += gap
    return at
  })
})
const pace = fc.record({
  perSecond: fc.constant(1000),
  perHandleMs: fc.constantFrom(400, 1000, 6000),
  handleBurst: fc.integer({ min: 1, max: 5 }),
})
/** Delays in milliseconds with which a due message is read. Negative values are within the tolerance. */
const late = fc.array(fc.integer({ min: -50, max: 150 }), { minLength: 1, maxLength: 7 })

test('messages to a person are sent in the order in which they were written', () => {
  fc.assert(
    fc.property(written, pace, late, (times, pace, lateMs) => {
      const ids = workedOff(times, pace, lateMs).map(({ id }) => id)
      expect(ids).toEqual(ids.toSorted())
      expect(ids).toHaveLength(times.length)
    }),
    { numRuns: 500 },
  )
})

test('messages to a person stay within the rate limit of the provider', () => {
  fc.assert(
    fc.property(written, pace, late, (times, pace, lateMs) => {
      const went = workedOff(times, pace, lateMs)
      for (const [place, { at }] of went.entries()) {
        const before = went[place - pace.handleBurst]
        if (before) expect(at - before.at).toBeGreaterThanOrEqual(Math.min(250, pace.perHandleMs) - 250)
        const many = went[place - 2 * pace.handleBurst]
        if (many) expect(at - many.at).toBeGreaterThanOrEqual(pace.handleBurst * (pace.perHandleMs - 200))
      }
    }),
    { numRuns: 500 },
  )
})

test('a new message does not overtake waiting ones, even if it could be sent now', () => {
  let now = 0
  const paces = new ChannelRateLimits(() => now)
  const slow: ProviderRateLimit = { perSecond: 1000, perHandleMs: 6000, handleBurst: 20 }
  expect(paces.reserve('c', 'p', 'first', slow)).toBe(0)
  now = 50
  expect(paces.reserve('c', 'p', 'second', slow)).toBe(200)
  now = 240
  expect(paces.reserve('c', 'p', 'third', slow)).toBeGreaterThan(200)
  now = 250
  expect(paces.reserve('c', 'p', 'second', slow)).toBe(0)
  expect(paces.reserve('c', 'other', 'theirs', slow)).toBe(0)
})

test('a deferred message that never returns delays others only briefly', () => {
  let now = 0
  const paces = new ChannelRateLimits(() => now)
  const slow: ProviderRateLimit = { perSecond: 1000, perHandleMs: 1000 }
  paces.reserve('c', 'p', 'first', slow)
  now = 10
  expect(paces.reserve('c', 'p', 'skipped', slow)).toBe(990)
  now = 3100
  expect(paces.reserve('c', 'p', 'third', slow)).toBe(0)
})

test('a message behind an in-flight one is read again at growing intervals', () => {
  expect(delayAfter({ count: 1, dueInMs: null, inFlightMs: 10 })).toBe(250)
  expect(delayAfter({ count: 1, dueInMs: null, inFlightMs: 2000 })).toBe(2000)
  expect(delayAfter({ count: 1, dueInMs: null, inFlightMs: 60_000 })).toBe(5000)
  expect(delayAfter({ count: 2, dueInMs: 4000, inFlightMs: 10 })).toBe(4250)
  expect(delayAfter({ count: 3, dueInMs: -5, inFlightMs: null })).toBe(750)
})
