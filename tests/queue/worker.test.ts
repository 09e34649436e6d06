import { afterEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import pino from 'pino'
import { QueueWorker, type QueueWorkerOptions } from '../../src/queue/worker.ts'
import { eventually } from '../support/world.ts'

/** Longer than any test, in milliseconds. A timer with this value never fires during a test. */
const never = 60_000

const workers: QueueWorker[] = []
const release: (() => void)[] = []
afterEach(async () => {
  const stopped = workers.splice(0).map(worker => worker.stop())
  for (const end of release.splice(0)) end()
  await Promise.all(stopped)
})

/** Returns a function whose calls end when the test says so. */
const heldCalls = <T>(atLast: T) => {
  const calls: { end: (answer: T) => void; fail: () => void }[] = []
  release.push(() => calls.at(-1)?.end(atLast))
  const call = () =>
    new Promise<T>((resolve, reject) => calls.push({ end: resolve, fail: () => reject(new Error('away')) }))
  return { calls, call }
}

const startWorker = (options: Pick<QueueWorkerOptions, 'runOnce'> & Partial<QueueWorkerOptions>): QueueWorker => {
  const silent = pino({ level: 'silent' })
  const worker = new QueueWorker({ name: 'test', log: silent, pollMs: never, backoffMs: never, ...options })
  workers.push(worker)
  void worker.start()
  return worker
}

/** Starts a worker whose runs and queries of the next due time the test ends. The first run has started. */
const startHeld = (options: Partial<QueueWorkerOptions> = {}) => {
  const runs = heldCalls(0)
  const queries = heldCalls<number | null>(null)
  const worker = startWorker({ runOnce: runs.call, nextDue: queries.call, ...options })
  return { worker, runs: runs.calls, queries: queries.calls }
}

/** Waits until all pending callbacks and their results have run. */
const settled = async () => {
  for (let n = 0; n < 3; n++) await new Promise(resolve => setImmediate(resolve))
}

test('runs follow one another until one finds no rows', async () => {
  const left = [3, 1, 0, 5]
  startWorker({ runOnce: async () => left.shift()! })
  await settled()
  expect(left).toEqual([5])
})

test('one more run follows if the worker was woken during a run, or during the query of the next due time', async () => {
  const { worker, runs, queries } = startHeld()
  for (let n = 0; n < 3; n++) worker.wake()
  for (const started of [2, 2]) {
    runs.at(-1)!.end(0)
    await settled()
    expect(runs).toHaveLength(started)
  }
  worker.wake()
  queries[0]!.end(null)
  await settled()
  expect(runs).toHaveLength(3)
})

test('runs never overlap, and each wake is followed by the start of a run, for any sequence of calls', async () => {
  const step = fc.oneof(
    fc.constantFrom('wake' as const, 'start' as const, 'fail' as const, 'answer' as const),
    fc.record({ rows: fc.nat({ max: 2 }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async steps => {
      const held = heldCalls(0)
      let running = 0
      let maxRunning = 0
      let woken = false
      const runOnce = () => {
        maxRunning = Math.max(maxRunning, ++running)
        woken = false
        return held.call().finally(() => running--)
      }
      const { worker, queries } = startHeld({ runOnce, backoffMs: 0 })
      const runs = held.calls
      for (const taken of steps) {
        if (taken === 'wake') {
          woken = true
          worker.wake()
        } else if (taken === 'start') await worker.start()
        else if (taken === 'fail') runs.at(-1)?.fail()
        else if (taken === 'answer') queries.at(-1)?.end(null)
        else runs.at(-1)?.end(taken.rows)
        await settled()
      }
      await eventually('the last wake was handled', async () => {
        runs.at(-1)?.end(0)
        await settled()
        queries.at(-1)?.end(null)
        await settled()
        return running === 0 && !woken
      })
      expect(maxRunning).toBe(1)
    }),
    { numRuns: 50 },
  )
})

test('a run that fails is followed by another after a pause, but not because of a wake during the run', async () => {
  const { worker, runs } = startHeld({ backoffMs: 30 })
  worker.wake()
  const failedAt = performance.now()
  for (const started of [2, 3]) {
    runs.at(-1)!.fail()
    await eventually('it is retried', () => runs.length === started)
  }
  expect(performance.now() - failedAt).toBeGreaterThan(56)
})

test('a run that fails leaves a worker that can be woken', async () => {
  const { worker, runs } = startHeld()
  runs[0]!.fail()
  await settled()
  worker.wake()
  expect(runs).toHaveLength(2)
})

test('a run that throws synchronously or cannot read the next due time is retried', async () => {
  let runs = 0
  const fail = () => {
    throw new Error('at once')
  }
  startWorker({
    runOnce: () => (++runs === 1 ? fail() : Promise.resolve(0)),
    nextDue: () => (runs === 2 ? Promise.reject(new Error('away')) : Promise.resolve(null)),
    backoffMs: 0,
  })
  await eventually('it continues', () => runs === 3)
})

describe('the next poll', () => {
  test.each<[string, QueueWorkerOptions['nextDue'], number, number, number]>([
    ['when the next row is due', async () => 39.5, never, 2, 39],
    ['after a pause if another process holds the due rows', async () => -never, never, 6, 90],
    ['regularly if no due time is known', async () => null, 5, 3, 0],
    ['regularly if the next row is due much later', async () => never, 5, 3, 0],
    ['regularly if all rows are due immediately', undefined, 5, 3, 0],
  ])('happens %s', async (_, nextDue, pollMs, runs, minMs) => {
    const startedAt: number[] = []
    startWorker({ runOnce: async () => startedAt.push(performance.now()) * 0, nextDue, pollMs })
    await eventually('the last run', () => startedAt.length >= runs)
    expect(startedAt[runs - 1]! - startedAt[0]!).toBeGreaterThanOrEqual(minMs)
  })
})

describe('stop', () => {
  test('waits for the current run in each call, and starts no other, even with more rows and wakes', async () => {
    const { worker, runs } = startHeld()
    worker.wake()
    let over = 0
    const endings = [worker.stop(), worker.stop()].map(ending => ending.then(() => over++))
    await settled()
    expect(over).toBe(0)
    runs[0]!.end(7)
    await Promise.all([...endings, worker.stop()])
    worker.wake()
    await settled()
    expect(runs).toHaveLength(1)
  })

  test('before the start makes the start do nothing', async () => {
    let runs = 0
    const worker = new QueueWorker({ name: 'test', log: pino({ level: 'silent' }), runOnce: async () => ++runs * 0 })
    await worker.stop()
    await worker.start()
    worker.wake()
    await settled()
    expect(runs).toBe(0)
  })
})
