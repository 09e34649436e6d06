/** Creates a `Backpressure` with a clock that the test moves. */
import { expect, test } from 'bun:test'
import pino from 'pino'
import { Backpressure } from '../../src/queue/backpressure.ts'

const log = pino({ level: 'silent' })

const start = (readLag: () => Promise<number> = async () => 0) => {
  let now = 1000
  let queries = 0
  const counted = () => {
    queries++
    return readLag()
  }
  const backpressure = new Backpressure({ readLag: counted, log, now: () => now })
  /** Returns the delay after the given time, when the query of that time has been answered. */
  const after = async (ms: number) => {
    now += ms
    void backpressure.maxDelayMs
    await new Promise(resolve => setImmediate(resolve))
    return backpressure.maxDelayMs
  }
  return { backpressure, after, queries: () => queries }
}

test('the delay grows with a lag over 150 ms, up to half a second, and ignores a lag over half a minute', () => {
  const delayAfter = ({ backpressure }: ReturnType<typeof start>, lagMs: number) => {
    backpressure.report(lagMs)
    return backpressure.maxDelayMs
  }
  const growing = start()
  expect([150, 200, 400, 20_000].map(lagMs => delayAfter(growing, lagMs))).toEqual([0, 50, 250, 500])
  // A lag that long has another cause.
  expect(delayAfter(start(), 30_001)).toBe(0)
})

test('the largest lag reported in the last half second counts', async () => {
  const { backpressure, after } = start()
  backpressure.report(350)
  backpressure.report(10)
  expect(await after(499)).toBe(200)
  expect(await after(1)).toBe(0)
})

test('a delay that does not reduce the lag ends within seconds, and applies again once the lag falls', async () => {
  let late = 2000
  const { after } = start(async () => late)
  const pass = async (seconds: number, perSecond: number) => {
    let rest = 0
    for (let tenths = 0; tenths < 10 * seconds; tenths++) {
      late += perSecond / 10
      rest = await after(100)
    }
    return rest
  }
  late = 200
  expect(await after(100)).toBe(50)
  late = 20_000
  expect(await pass(2, 1000)).toBe(500)
  expect(await pass(2, 1000)).toBe(0)
  expect(await pass(10, 0)).toBe(0)
  expect(await pass(4, -500)).toBe(500)
  expect(await pass(4, -500)).toBe(500)
  expect(await pass(7, 100)).toBe(0)
  late = 300
  expect(await after(100)).toBe(150)
  // A delay that keeps the lag constant continues.
  late = 600
  for (let second = 0; second < 20; second++) expect(await after(1000)).toBe(450)
})

test('the database is queried at most ten times per second, once at a time, only during recording, and a query that fails causes no delay', async () => {
  let lag: number | null = 350
  const { after, queries } = start(async () => lag ?? Promise.reject(new Error('away')))
  expect(queries()).toBe(0)
  expect(await after(100)).toBe(200)
  expect(queries()).toBe(1)
  await after(99)
  expect(queries()).toBe(1)
  await after(1)
  expect(queries()).toBe(2)
  lag = null
  expect(await after(100)).toBe(0)
})
