import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type ConcurrencyBounds,
  ConcurrencyLimit,
  ConcurrencyLimits,
  type ResponseKind,
} from '../../src/queue/concurrency.ts'

const responses = fc.array(fc.constantFrom<ResponseKind>('success', 'overload', 'none'), {
  maxLength: 400,
  size: 'max',
})
const anyBounds = fc
  .tuple(fc.nat(9), fc.nat(20), fc.nat(80), fc.nat(900))
  .map(([min, start, free, max]) => ({ min: min + 1, start: min + 1 + start, free, max: min + 1 + max }))

const times = (count: number, work: () => void) => {
  for (let n = 0; n < count; n++) work()
}

/** The clock of the limits below in milliseconds. */
let clock = 0
const now = () => clock
const limitOf = (some: ConcurrencyBounds) => new ConcurrencyLimit(some, now)

/** Reports one row at the current limit, started in the current era, while other rows wait. */
const record = (limit: ConcurrencyLimit, response: ResponseKind, tookMs = 10) =>
  limit.record(response, { generation: limit.generation, tookMs, isLimited: true })

const bounds: ConcurrencyBounds = { min: 1, start: 4, free: 64, max: 1024 }

describe('the concurrency limit', () => {
  test('stays within its bounds for any responses', () => {
    fc.assert(
      fc.property(anyBounds, responses, (some, results) => {
        const limit = limitOf(some)
        for (const response of results) {
          record(limit, response)
          expect(limit.size).toBeWithin(Math.min(some.min, some.max), some.max + 1)
        }
      }),
    )
  })

  test('doubles after half a limit of successful answers, and not before', () => {
    const limit = limitOf(bounds)
    for (const size of [4, 8, 16, 32]) {
      times(size / 2 - 1, () => record(limit, 'success'))
      expect(limit.size).toBe(size)
      record(limit, 'success')
      expect(limit.size).toBe(size * 2)
    }
  })

  test('does not grow from rows that started at another limit, or while no row waits', () => {
    const limit = limitOf(bounds)
    times(100, () => limit.record('success', { generation: limit.generation - 1, tookMs: 1, isLimited: true }))
    times(100, () => limit.record('success', { generation: limit.generation, tookMs: 1, isLimited: false }))
    expect(limit.size).toBe(4)
  })

  test.each([80, 160, 300])('follows a receiver that handles %i concurrent requests', bears => {
    const limit = limitOf(bounds)
    let most = 0
    times(20_000, () => {
      const tookMs = 100 * Math.max(1, limit.size / bears)
      clock += tookMs / limit.size
      record(limit, 'success', tookMs)
      most = Math.max(most, limit.size)
    })
    expect(limit.size).toBeWithin(64, 2 * bears)
    expect(most).toBeLessThan(4 * bears)
  })

  test('returns to its initial value, and not below, for an overloaded receiver', () => {
    const limit = limitOf({ ...bounds, start: 64 })
    record(limit, 'none')
    record(limit, 'none')
    times(3, () => record(limit, 'overload'))
    expect(limit.size).toBe(16)
    const open = limitOf(bounds)
    times(30, () => record(open, 'success'))
    expect(open.size).toBe(64)
    times(8, () => record(open, 'overload'))
    expect(open.size).toBe(64)
    times(12, () => record(open, 'overload'))
    expect(open.size).toBe(4)
  })

  test('falls to its minimum without answers, and grows again with them', () => {
    fc.assert(
      fc.property(anyBounds, responses, (some, results) => {
        const limit = limitOf({ ...some, free: some.max })
        for (const response of results) record(limit, response)
        // Each row without an answer halves the limit.
        times(Math.ceil(Math.log2(some.max)), () => record(limit, 'none'))
        expect(limit.size).toBe(Math.min(some.min, some.max))
        times(2 * some.max, () => record(limit, 'success'))
        expect(limit.size).toBe(some.max)
      }),
    )
  })
})

/** A simulated receiver. */
interface Simulated {
  /** Milliseconds of work for one request. */
  worksMs: number
  /** Range of the duration, as a share of `worksMs`. Defaults to 0.4. With 0, requests of a backlog end in waves. */
  spread?: number
  /** Number of requests that it works on concurrently. Others wait inside the receiver. */
  workers?: number
  /** One of this many requests is answered with 503. */
  refusesOneOf?: number
}

/**
 * Offers rows at a rate to a receiver behind a concurrency limit. Returns how many were delivered in the last quarter,
 * how many wait at the end, how many timed out, and the maximum concurrency.
 */
const simulate = (receiver: Simulated, { perSecond, seconds }: { perSecond: number; seconds: number }) => {
  const { worksMs, spread = 0.4, workers = Infinity, refusesOneOf = Infinity } = receiver
  const timeoutMs = 10_000
  clock = 0
  const limit = limitOf(bounds)
  const busyUntil: number[] = []
  const inFlight: { startedAt: number; endsAt: number; generation: number; response: ResponseKind }[] = []
  const result = { delivered: 0, waiting: 0, timedOut: 0, most: 0 }
  let started = 0
  const startRow = () => {
    const { generation } = limit
    busyUntil.sort((one, other) => one - other)
    const freeAt = busyUntil.length < workers ? clock : busyUntil.shift()!
    const doneAt = Math.max(clock, freeAt) + worksMs * (1 + spread * (((started * 7) % 11) / 10 - 0.5))
    if (workers < Infinity) busyUntil.push(doneAt)
    const response = doneAt - clock > timeoutMs ? 'none' : ++started % refusesOneOf === 0 ? 'overload' : 'success'
    inFlight.push({ startedAt: clock, endsAt: Math.min(doneAt, clock + timeoutMs), generation, response })
  }
  let offered = 0
  for (let ms = 0; ms < seconds * 1000; ms++) {
    clock = ms
    for (; offered < (ms * perSecond) / 1000; offered++) result.waiting++
    for (const row of inFlight.filter(({ endsAt }) => endsAt <= ms)) {
      inFlight.splice(inFlight.indexOf(row), 1)
      limit.record(row.response, {
        generation: row.generation,
        tookMs: row.endsAt - row.startedAt,
        isLimited: result.waiting > 0,
      })
      if (row.response === 'none') result.timedOut++
      if (row.response === 'success' && ms >= seconds * 750) result.delivered++
    }
    for (; result.waiting > 0 && inFlight.length < limit.size; result.waiting--) startRow()
    if (ms >= seconds * 750) result.most = Math.max(result.most, inFlight.length)
  }
  return { ...result, perSecond: result.delivered / (seconds / 4) }
}

describe('with the concurrency limit, a receiver that answers', () => {
  test.each([20, 250, 1500, 2200, 4000, 8000])('after %i ms gets the full rate', worksMs => {
    const { perSecond, waiting, timedOut } = simulate({ worksMs }, { perSecond: 36, seconds: 240 })
    expect(perSecond).toBeGreaterThanOrEqual(35)
    expect([waiting, timedOut]).toEqual([0, 0])
  })

  test.each([1500, 2200, 8000])('after %i ms, and one of twenty times with 503, gets nearly the full rate', worksMs => {
    const { perSecond, waiting } = simulate({ worksMs, refusesOneOf: 20 }, { perSecond: 36, seconds: 240 })
    expect(perSecond).toBeGreaterThanOrEqual(0.9 * 0.95 * 36)
    expect(waiting).toBeLessThan(5 * 36)
  })

  test('mostly with 503 gets few concurrent requests, at any speed', () => {
    for (const worksMs of [20, 2200])
      expect(simulate({ worksMs, refusesOneOf: 2 }, { perSecond: 200, seconds: 120 }).most).toBeLessThanOrEqual(8)
  })

  test.each([
    { worksMs: 300, workers: 4, atOnce: 32 },
    { worksMs: 2000, workers: 4, atOnce: 16 },
    { worksMs: 3000, workers: 2, atOnce: 8 },
  ])('with $workers workers of $worksMs ms each is kept busy without overload', ({ worksMs, workers, atOnce }) => {
    const bears = (workers * 1000) / worksMs
    const { perSecond, most, timedOut } = simulate({ worksMs, workers }, { perSecond: 3 * bears, seconds: 240 })
    expect(perSecond).toBeGreaterThan(0.9 * bears)
    expect(most).toBeLessThanOrEqual(atOnce)
    expect(timedOut).toBeLessThan(10)
  })
})

test('limits are kept between activations, for a maximum number of actors', () => {
  const limits = new ConcurrencyLimits()
  const limit = limits.of('a', bounds)
  times(2, () => record(limit, 'success'))
  expect(limits.of('a', bounds).size).toBe(8)
  expect(limits.of('b', bounds).size).toBe(4)
  times(10_000, () => limits.of(crypto.randomUUID(), bounds))
  expect(limits.of('a', bounds).size).toBe(4)
})
