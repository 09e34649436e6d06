import { afterEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import pino from 'pino'
import { QueueWorker, type QueueWorkerOptions } from '../../src/queue/worker.ts'
import { eventually } from '../support/world.ts'

/** Longer than any test, in milliseconds. A timer with this value never fires during a test. */
const never = 60_000

const pumps: QueueWorker[] = []
const release: (() => void)[] = []
afterEach(async () => {
  const stopped = pumps.splice(0).map(pump => pump.stop())
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

const startedPump = (options: Pick<QueueWorkerOptions, 'runOnce'> & Partial<QueueWorkerOptions>): QueueWorker => {
  const pump = new QueueWorker({
    name: 'test',
    log: pino({ level: 'silent' }),
    pollMs: never,
    backoffMs: never,
    ...options,
  })
  pumps.push(pump)
  void pump.start()
  return pump
}

/** Starts a worker whose runs the test ends. The first run has started. */
const heldPump = (options: Partial<QueueWorkerOptions> = {}) => {
  const { calls: turns, call: turn } = heldCalls(0)
  return { pump: startedPump({ runOnce: turn, ...options }), turns }
}

/** Waits until all pending callbacks and their results have run. */
const settled = async () => {
  for (let n = 0; n < 3; n++) await new Promise(resolve => setImmediate(resolve))
}

describe('the runs of a worker', () => {
  test('follow one another until one finds no rows', async () => {
    const left = [3, 1, 0, 5]
    const sizes: number[] = []
    startedPump({
      runOnce: async () => {
        sizes.push(left[0]!)
        return left.shift()!
      },
    })
    await settled()
    expect(sizes).toEqual([3, 1, 0])
  })

  test('are followed by one more run if the worker was woken during a run, regardless of how often', async () => {
    const { pump, turns } = heldPump()
    for (let n = 0; n < 3; n++) pump.wake()
    turns[0]!.end(0)
    await settled()
    expect(turns).toHaveLength(2)
    turns[1]!.end(0)
    await settled()
    expect(turns).toHaveLength(2)
  })

  test('continue immediately if the worker was woken while it read the next due time', async () => {
    const { calls: questions, call: nextDue } = heldCalls<number | null>(null)
    const { pump, turns } = heldPump({ nextDue })
    turns[0]!.end(0)
    await settled()
    pump.wake()
    questions[0]!.end(null)
    await settled()
    expect(turns).toHaveLength(2)
  })

  test('never overlap, and each wake is followed by the start of a run, for any sequence of calls', async () => {
    const step = fc.oneof(
      fc.constant('wake' as const),
      fc.constant('start' as const),
      fc.constant('fail' as const),
      fc.record({ rows: fc.nat({ max: 2 }) }),
      fc.constant('answer' as const),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async steps => {
        const { calls: questions, call: nextDue } = heldCalls<number | null>(null)
        const { calls: turns, call } = heldCalls(0)
        let running = 0
        let maxRunning = 0
        let woken = false
        const turn = () => {
          maxRunning = Math.max(maxRunning, ++running)
          woken = false
          return call().finally(() => running--)
        }
        const pump = startedPump({ runOnce: turn, nextDue, backoffMs: 0 })
        for (const taken of steps) {
          if (taken === 'wake') {
            woken = true
            pump.wake()
          } else if (taken === 'start') await pump.start()
          else if (taken === 'fail') turns.at(-1)?.fail()
          else if (taken === 'answer') questions.at(-1)?.end(null)
          else turns.at(-1)?.end(taken.rows)
          await settled()
        }
        await eventually('the last wake was handled', async () => {
          turns.at(-1)?.end(0)
          await settled()
          questions.at(-1)?.end(null)
          await settled()
          return running === 0 && !woken
        })
        expect(maxRunning).toBe(1)
      }),
      { numRuns: 50 },
    )
  })
})

describe('a run that fails', () => {
  test('is followed by another after a pause', async () => {
    const { turns } = heldPump({ backoffMs: 30 })
    const failedAt = performance.now()
    turns[0]!.fail()
    await eventually('it is retried', () => turns.length === 2)
    expect(performance.now() - failedAt).toBeGreaterThan(28)
    turns[1]!.fail()
    await eventually('a second time', () => turns.length === 3)
  })

  test('is not followed immediately because of a wake during the run', async () => {
    const { pump, turns } = heldPump()
    pump.wake()
    turns[0]!.fail()
    await settled()
    expect(turns).toHaveLength(1)
  })

  test('leaves a worker that can be woken', async () => {
    const { pump, turns } = heldPump()
    turns[0]!.fail()
    await settled()
    pump.wake()
    expect(turns).toHaveLength(2)
  })

  test('is also retried if it throws synchronously', async () => {
    let turns = 0
    startedPump({
      runOnce: () => {
        if (++turns === 1) throw new Error('at once')
        return Promise.resolve(0)
      },
      backoffMs: 0,
    })
    await eventually('it continues', () => turns === 2)
  })

  test('is also retried if reading the next due time fails', async () => {
    const { calls: questions, call: nextDue } = heldCalls<number | null>(null)
    const { turns } = heldPump({ nextDue, backoffMs: 0 })
    turns[0]!.end(0)
    await settled()
    questions[0]!.fail()
    await eventually('it continues', () => turns.length === 2)
  })
})

describe('the next poll', () => {
  test('happens when the next row is due', async () => {
    const startedAt: number[] = []
    startedPump({
      runOnce: async () => startedAt.push(performance.now()) * 0,
      nextDue: async () => (startedAt.length === 1 ? 39.5 : null),
    })
    await eventually('a second run', () => startedAt.length === 2)
    expect(startedAt[1]! - startedAt[0]!).toBeGreaterThanOrEqual(39)
  })

  test('happens after a pause if due rows exist that the run did not find, because another process holds them', async () => {
    const startedAt: number[] = []
    startedPump({ runOnce: async () => startedAt.push(performance.now()) * 0, nextDue: async () => -never })
    await eventually('a sixth run', () => startedAt.length >= 6)
    expect(startedAt[5]! - startedAt[0]!).toBeGreaterThan(90)
  })

  test.each<[string, QueueWorkerOptions['nextDue']]>([
    ['no due time is known', async () => null],
    ['the next row is due much later', async () => never],
    ['all rows are due immediately', undefined],
  ])('happens regularly if %s', async (_, nextDue) => {
    let turns = 0
    startedPump({ runOnce: async () => ++turns * 0, nextDue, pollMs: 5 })
    await eventually('a third run', () => turns >= 3)
  })
})

describe('stop', () => {
  const isOver = async (ending: Promise<void>) => {
    let over = false
    void ending.then(() => {
      over = true
    })
    await settled()
    return over
  }

  test('waits for the current run and starts no other, even with more rows and wakes', async () => {
    const { pump, turns } = heldPump()
    pump.wake()
    const ending = pump.stop()
    expect(await isOver(ending)).toBe(false)
    turns[0]!.end(7)
    await ending
    pump.wake()
    await settled()
    expect(turns).toHaveLength(1)
  })

  test('waits for the query of the next due time', async () => {
    const { calls: questions, call: nextDue } = heldCalls<number | null>(null)
    const { pump, turns } = heldPump({ nextDue })
    turns[0]!.end(0)
    await settled()
    const ending = pump.stop()
    expect(await isOver(ending)).toBe(false)
    questions[0]!.end(0)
    await ending
  })

  test('can be called several times, and each call waits', async () => {
    const { pump, turns } = heldPump()
    const endings = [pump.stop(), pump.stop()]
    for (const ending of endings) expect(await isOver(ending)).toBe(false)
    turns[0]!.end(0)
    await Promise.all([...endings, pump.stop()])
  })

  test('before the start makes the start do nothing', async () => {
    let turns = 0
    const pump = new QueueWorker({ name: 'test', log: pino({ level: 'silent' }), runOnce: async () => ++turns * 0 })
    await pump.stop()
    await pump.start()
    pump.wake()
    await settled()
    expect(turns).toBe(0)
  })
})
