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
const workedOff = (writtenAt: readonly number[], limit: ProviderRateLimit, lateMs: readonly number[]) => {
  let now = 0
  const limits = new ChannelRateLimits(() => now)
  const queue: Waiting[] = writtenAt.map((dueAt, place) => ({ id: String(place).padStart(3, '0'), dueAt }))
  const went: { id: string; at: number }[] = []
  for (let read = 0; queue.length > 0; read++) {
    expect(read).toBeLessThan(10_000)
    queue.sort((one, other) => one.dueAt - other.dueAt || (one.id < other.id ? -1 : 1))
    const next = queue[0]!
    now = Math.max(now, next.dueAt + lateMs[read % lateMs.length]!)
    const waitMs = limits.reserve('channel', 'person', next.id, limit)
    if (waitMs > 0) next.dueAt = now + waitMs
    else went.push({ id: queue.shift()!.id, at: now })
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
const limit = fc.record({
  perSecond: fc.constant(1000),
  perHandleMs: fc.constantFrom(400, 1000, 6000),
  handleBurst: fc.integer({ min: 1, max: 5 }),
})
/** Delays in milliseconds with which a due message is read. Negative values are within the tolerance. */
const late = fc.array(fc.integer({ min: -50, max: 150 }), { minLength: 1, maxLength: 7 })

test('messages to a person are sent in the order in which they were written, within the rate limit of the provider', () => {
  fc.assert(
    fc.property(written, limit, late, (times, limit, lateMs) => {
      const went = workedOff(times, limit, lateMs)
      const ids = went.map(({ id }) => id)
      expect(ids).toEqual(ids.toSorted())
      expect(ids).toHaveLength(times.length)
      for (const [place, { at }] of went.entries()) {
        const before = went[place - limit.handleBurst]
        if (before) expect(at - before.at).toBeGreaterThanOrEqual(Math.min(250, limit.perHandleMs) - 250)
        const many = went[place - 2 * limit.handleBurst]
        if (many) expect(at - many.at).toBeGreaterThanOrEqual(limit.handleBurst * (limit.perHandleMs - 200))
      }
    }),
    { numRuns: 500 },
  )
})

test('a deferred message that never returns delays others only briefly', () => {
  let now = 0
  const limits = new ChannelRateLimits(() => now)
  const slow: ProviderRateLimit = { perSecond: 1000, perHandleMs: 1000 }
  limits.reserve('c', 'p', 'first', slow)
  now = 10
  expect(limits.reserve('c', 'p', 'skipped', slow)).toBe(990)
  now = 3100
  expect(limits.reserve('c', 'p', 'third', slow)).toBe(0)
})

test('a message behind an in-flight one is read again at growing intervals', () => {
  expect(delayAfter({ count: 1, dueInMs: null, inFlightMs: 10 })).toBe(250)
  expect(delayAfter({ count: 1, dueInMs: null, inFlightMs: 2000 })).toBe(2000)
  expect(delayAfter({ count: 1, dueInMs: null, inFlightMs: 60_000 })).toBe(5000)
  expect(delayAfter({ count: 2, dueInMs: 4000, inFlightMs: 10 })).toBe(4250)
  expect(delayAfter({ count: 3, dueInMs: -5, inFlightMs: null })).toBe(750)
})
