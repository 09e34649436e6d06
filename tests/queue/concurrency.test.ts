import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type ConcurrencyBounds,
  ConcurrencyLimit,
  ConcurrencyLimits,
  type ResponseKind,
} from '../../src/queue/concurrency.ts'

const responses = fc.array(fc.constantFrom<ResponseKind>('prompt', 'strained', 'none'), { maxLength: 400, size: 'max' })
const anyBounds = fc
  .tuple(fc.nat(9), fc.nat(20), fc.nat(80), fc.nat(900))
  .map(([min, start, free, max]) => ({ min: min + 1, start: min + 1 + start, free, max: min + 1 + max }))

const times = (count: number, work: () => void) => {
  for (let n = 0; n < count; n++) work()
}

/** The clock of the limits below in milliseconds. Only `answersOf` moves it. */
let clock = 0
const now = () => clock
const windowOf = (some: ConcurrencyBounds) => new ConcurrencyLimit(some, now)

/** Reports one row at the current limit, started in the current era, while other rows wait. */
const tell = (window: ConcurrencyLimit, response: ResponseKind, tookMs = 10) =>
  window.record(response, { generation: window.generation, tookMs, isLimited: true })

const bounds: ConcurrencyBounds = { min: 1, start: 4, free: 64, max: 1024 }

/** Simulates a receiver that handles `bears` concurrent requests in 100 ms each. Requests beyond that slow all down. */
const answersOf = (window: ConcurrencyLimit, bears: number, count: number) =>
  times(count, () => {
    const tookMs = 100 * Math.max(1, window.size / bears)
    clock += tookMs / window.size
    tell(window, 'prompt', tookMs)
  })

describe('the concurrency limit', () => {
  test('stays within its bounds for any responses', () => {
    fc.assert(
      fc.property(anyBounds, responses, (some, happenings) => {
        const window = windowOf(some)
        for (const response of happenings) {
          tell(window, response)
          expect(window.size).toBeWithin(Math.min(some.min, some.max), some.max + 1)
        }
      }),
    )
  })

  test('starts at most at its maximum, and returns to its minimum if an increase did not help', () => {
    expect(windowOf({ ...bounds, max: 2 }).size).toBe(2)
    const window = windowOf({ min: 5, start: 5, free: 0, max: 6 })
    // Two sets of slow answers at the larger limit.
    answersOf(window, 1, 5 + 2 * 6)
    expect(window.size).toBe(5)
  })

  test('doubles after half a limit of successful answers, and not before', () => {
    const window = windowOf(bounds)
    for (const size of [4, 8, 16, 32]) {
      times(size / 2 - 1, () => tell(window, 'prompt'))
      expect(window.size).toBe(size)
      tell(window, 'prompt')
      expect(window.size).toBe(size * 2)
    }
  })

  test('does not grow from rows that started at another limit, or while no row waits', () => {
    const window = windowOf(bounds)
    times(100, () => window.record('prompt', { generation: window.generation - 1, tookMs: 1, isLimited: true }))
    times(100, () => window.record('prompt', { generation: window.generation, tookMs: 1, isLimited: false }))
    expect(window.size).toBe(4)
  })

  test('reaches its maximum for a receiver that can handle it', () => {
    const window = windowOf(bounds)
    answersOf(window, 10_000, 2000)
    expect(window.size).toBe(1024)
  })

  test.each([80, 100, 160, 300])(
    'follows a receiver that handles %i concurrent requests: above 64, and below twice that number',
    bears => {
      const window = windowOf(bounds)
      const sizes = new Set<number>()
      times(20_000, () => {
        answersOf(window, bears, 1)
        sizes.add(window.size)
      })
      expect(window.size).toBeWithin(64, 2 * bears)
      expect(Math.max(...sizes)).toBeLessThan(4 * bears)
    },
  )

  test('halves for each row without an answer', () => {
    const window = windowOf({ ...bounds, start: 64 })
    const sizes = [32, 16, 8, 4, 2, 1, 1].map(() => {
      tell(window, 'none')
      return window.size
    })
    expect(sizes).toEqual([32, 16, 8, 4, 2, 1, 1])
  })

  test('returns to its initial value, and not below, for an overloaded receiver', () => {
    const window = windowOf({ ...bounds, start: 64 })
    tell(window, 'none')
    tell(window, 'none')
    times(3, () => tell(window, 'strained'))
    expect(window.size).toBe(16)
    const open = windowOf(bounds)
    times(30, () => tell(open, 'prompt'))
    expect(open.size).toBe(64)
    times(8, () => tell(open, 'strained'))
    expect(open.size).toBe(64)
    times(12, () => tell(open, 'strained'))
    expect(open.size).toBe(4)
  })

  test('falls to its minimum without answers, and grows again with them', () => {
    fc.assert(
      fc.property(anyBounds, responses, (some, happenings) => {
        const window = windowOf({ ...some, free: some.max })
        for (const response of happenings) tell(window, response)
        times(Math.ceil(Math.log2(some.max)), () => tell(window, 'none'))
        expect(window.size).toBe(Math.min(some.min, some.max))
        times(2 * some.max, () => tell(window, 'prompt'))
        expect(window.size).toBe(some.max)
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
  const {
    worksMs,
    spread = 0.4,
    workers = Number.POSITIVE_INFINITY,
    refusesOneOf = Number.POSITIVE_INFINITY,
  } = receiver
  const timeoutMs = 10_000
  clock = 0
  const window = windowOf(bounds)
  const busyUntil: number[] = []
  const inHand: { begunAt: number; endsAt: number; era: number; response: ResponseKind }[] = []
  const result = { delivered: 0, waiting: 0, timedOut: 0, most: 0 }
  let begun = 0
  const begin = () => {
    const { generation: era } = window
    busyUntil.sort((one, other) => one - other)
    const freeAt = busyUntil.length < workers ? clock : busyUntil.shift()!
    const doneAt = Math.max(clock, freeAt) + worksMs * (1 + spread * (((begun * 7) % 11) / 10 - 0.5))
    if (workers < Number.POSITIVE_INFINITY) busyUntil.push(doneAt)
    const response = doneAt - clock > timeoutMs ? 'none' : ++begun % refusesOneOf === 0 ? 'strained' : 'prompt'
    inHand.push({ begunAt: clock, endsAt: Math.min(doneAt, clock + timeoutMs), era, response })
  }
  let offered = 0
  for (let ms = 0; ms < seconds * 1000; ms++) {
    clock = ms
    for (; offered < (ms * perSecond) / 1000; offered++) result.waiting++
    for (const row of inHand.filter(({ endsAt }) => endsAt <= ms)) {
      inHand.splice(inHand.indexOf(row), 1)
      window.record(row.response, {
        generation: row.era,
        tookMs: row.endsAt - row.begunAt,
        isLimited: result.waiting > 0,
      })
      if (row.response === 'none') result.timedOut++
      if (row.response === 'prompt' && ms >= seconds * 750) result.delivered++
    }
    for (; result.waiting > 0 && inHand.length < window.size; result.waiting--) begin()
    if (ms >= seconds * 750) result.most = Math.max(result.most, inHand.length)
  }
  return { ...result, perSecond: result.delivered / (seconds / 4) }
}

describe('with the concurrency limit, a receiver that answers', () => {
  test.each([20, 250, 1500, 2200, 4000, 8000])('after %i ms gets the full rate', worksMs => {
    const { perSecond, waiting, timedOut } = simulate({ worksMs }, { perSecond: 36, seconds: 240 })
    expect(perSecond).toBeGreaterThanOrEqual(35)
    expect([waiting, timedOut]).toEqual([0, 0])
  })

  test.each([1000, 2500, 5000])('after %i ms each gets a limit of 512 within 9 times that', worksMs => {
    const { most } = simulate({ worksMs, spread: 0.01 }, { perSecond: 1000, seconds: (9 * worksMs) / 1000 })
    expect(most).toBeGreaterThanOrEqual(512)
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

  test('after its timeout gets one request at a time', () => {
    const { most } = simulate({ worksMs: 14_000 }, { perSecond: 36, seconds: 120 })
    expect(most).toBe(1)
  })
})

test('limits are kept between activations, for a maximum number of actors', () => {
  const windows = new ConcurrencyLimits()
  const window = windows.of('a', bounds)
  times(2, () => tell(window, 'prompt'))
  expect(windows.of('a', bounds).size).toBe(8)
  expect(windows.of('b', bounds).size).toBe(4)
  times(10_000, () => windows.of(crypto.randomUUID(), bounds))
  expect(windows.of('a', bounds).size).toBe(4)
})
