import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { KeyedLimiter, type KeyedLimiterOptions, LimiterFull } from '../../src/platform/keyed-limiter.ts'

const settled = () => new Promise(resolve => setImmediate(resolve))

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    error => error,
  )

/**
 * Takes the steps of a script and returns the granted calls, then the rejected ones, each in order. `a2*3` is the second
 * call of key `a`, for 3 units, `-a*3` releases them, `!a2` aborts the call, and `.` waits 10 ms.
 */
const outcomeOf = async (options: KeyedLimiterOptions, script: string): Promise<string> => {
  const limiter = new KeyedLimiter(options)
  const [granted, rejected]: string[][] = [[], []]
  const aborts = new Map<string, AbortController>()
  for (const step of script.split(' ')) {
    const [, sign, name, units = '1'] = /^([-!]?)([a-z]\d?)?\*?(\d+)?/.exec(step)!
    if (step === '.') await new Promise(resolve => setTimeout(resolve, 10))
    else if (sign === '-') limiter.release(name!, Number(units))
    else if (sign === '!') aborts.get(name!)!.abort()
    else {
      const abort = new AbortController()
      aborts.set(name!, abort)
      const call = limiter.acquire(name![0]!, { units: Number(units), signal: abort.signal })
      call.then(
        () => granted!.push(name!),
        error => error instanceof LimiterFull && rejected!.push(name!),
      )
    }
    await settled()
  }
  return [granted!, rejected!].map(names => names.join(' ')).join(' / ')
}

test.each<[string, KeyedLimiterOptions, script: string, outcome: string]>([
  ['the calls of one key in order', { total: 2 }, 'a1 a2 a3 a4 -a*2', 'a1 a2 a3 a4 / '],
  [
    'the key that holds least first, and equals in turn',
    { total: 3 },
    'a1 a2 a3 a4 a5 b1 b2 c1 -a -a -a -b -a',
    'a1 a2 a3 b1 c1 a4 b2 a5 / ',
  ],
  ['no small call before a large one', { total: 10 }, 'a1*6 b1*8 a2 -a*2', 'a1 / '],
  ['the large call before the small one', { total: 10 }, 'a1*6 b1*8 a2 -a*2 -a*2 -b*8', 'a1 b1 a2 / '],
  ['no call behind a large one', { total: 4 }, 'a1*2 b1*4 c1*2', 'a1 / '],
  ['a call behind a large one that was aborted', { total: 4 }, 'a1*2 b1*4 c1*2 !b1', 'a1 c1 / '],
  ['no call beyond the queue of its key', { total: 1, maxWaitingPerKey: 1 }, 'a1 a2 a3', 'a1 / a3'],
  ['no call that can never be granted', { total: 1 }, 'a1*2', ' / a1'],
  [
    'a key with fewer calls in a full queue',
    { total: 1, maxWaiting: 3 },
    'a1 a2 a3 a4 b1 a5 -a -a',
    'a1 a2 b1 / a4 a5',
  ],
  [
    'what is free although the queue is full of keys at their maximum',
    { total: 3, maxPerKey: 1, maxWaiting: 1 },
    'a1 a2 b1',
    'a1 b1 / ',
  ],
  [
    'units that only this key can take although the queue is full',
    { total: 3, reserve: { units: 1, maxHeld: 1 }, maxWaiting: 1 },
    'a1 a2 a3 b1',
    'a1 a2 b1 / ',
  ],
  [
    'a call that may wait without a maximum',
    { total: 1, maxWaitMs: Number.POSITIVE_INFINITY },
    'a1 b1 . -a',
    'a1 b1 / ',
  ],
  ['no call that has waited too long', { total: 1, maxWaitMs: 5 }, 'a1 b1 . . -a', 'a1 / b1'],
])('serves %s', async (_, options, script, outcome) => {
  expect(await outcomeOf(options, script)).toBe(outcome)
})

test('rejects with the reason of the signal, before and while a call waits', async () => {
  const limiter = new KeyedLimiter({ total: 1 })
  await limiter.acquire('a')
  const controller = new AbortController()
  const waiting = failure(limiter.acquire('b', { signal: controller.signal }))
  const reason = new Error('gone')
  controller.abort(reason)
  expect(await waiting).toBe(reason)
  expect(await failure(limiter.acquire('b', { signal: controller.signal }))).toBe(reason)
  expect([limiter.held, limiter.waiting]).toEqual([1, 0])
})

/** Starts calls that may stay in the queue when the test ends. */
const start = (limiter: KeyedLimiter, ...keys: string[]) => {
  for (const key of keys) limiter.acquire(key).catch(() => {})
}

test('reports a full queue for each key, and rejects with the message of the limiter', async () => {
  const limiter = new KeyedLimiter({ total: 1, maxWaiting: 3, maxWaitingPerKey: 2, fullMessage: 'Come again later.' })
  const full = () => ['a', 'b', 'c'].map(key => limiter.isFull(key))
  start(limiter, 'a', 'a')
  expect(full()).toEqual([false, false, false])
  start(limiter, 'a')
  expect(full()).toEqual([true, false, false])
  start(limiter, 'b')
  expect(full()).toEqual([true, true, false])
  const error = await failure(limiter.acquire('a'))
  expect(error).toMatchObject({ name: 'LimiterFull', message: 'Come again later.' })
})

test('reports whether units are wanted: by their own key, or by one without units', async () => {
  const limiter = new KeyedLimiter({ total: 3, maxPerKey: 1 })
  const wanted = async () => {
    await settled()
    return ['a', 'b'].map(key => limiter.isWanted(key))
  }
  start(limiter, 'a')
  expect(await wanted()).toEqual([false, false])
  start(limiter, 'a')
  expect(await wanted()).toEqual([true, false])
  start(limiter, 'b', 'c', 'd')
  expect(await wanted()).toEqual([true, true])
  limiter.release('c')
  expect(await wanted()).toEqual([true, false])
  limiter.release('a')
  expect(await wanted()).toEqual([false, false])
})

test('run holds one unit for as long as the work takes, also when it fails', async () => {
  const limiter = new KeyedLimiter({ total: 1 })
  const { signal } = new AbortController()
  expect(await limiter.run('a', signal, async () => limiter.heldBy('a'))).toBe(1)
  const error = await failure(limiter.run('a', signal, () => Promise.reject(new Error('work'))))
  expect(error).toMatchObject({ message: 'work' })
  expect(limiter.held).toBe(0)
})

test('release refuses units that the key does not hold', () => {
  const limiter = new KeyedLimiter({ total: 2 })
  limiter.tryAcquire('a')
  expect(() => limiter.release('a', 2)).toThrow('does not hold')
  expect(() => limiter.release('b')).toThrow('does not hold')
})

interface Step {
  key: string
  units: number
  does: 'try' | 'wait' | 'release' | 'abort'
}

const steps = (keys: string[]): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      key: fc.constantFrom(...keys),
      units: fc.integer({ min: 1, max: 6 }),
      does: fc.constantFrom<Step['does']>('try', 'wait', 'wait', 'release', 'abort'),
    }),
    { maxLength: 60, size: 'max' },
  )

describe('in any order of calls', () => {
  const options: KeyedLimiterOptions = { total: 12, maxPerKey: 8, reserve: { units: 3, maxHeld: 2 }, maxWaiting: 8 }

  test('no limit is exceeded, nothing is lost, and every waiting call is granted in the end', async () => {
    const property = fc.asyncProperty(steps(['a', 'b', 'c', 'd']), async taken => {
      const limiter = new KeyedLimiter(options)
      const held: Pick<Step, 'key' | 'units'>[] = []
      const waiting = new Set<AbortController>()
      const take = ({ key, units, does }: Step) => {
        if (does === 'try') {
          if (limiter.tryAcquire(key, units)) held.push({ key, units })
        } else if (does === 'release') {
          const at = held.findIndex(one => one.key === key)
          for (const one of at < 0 ? [] : held.splice(at, 1)) limiter.release(one.key, one.units)
        } else if (does === 'abort') [...waiting][0]?.abort()
        else {
          const controller = new AbortController()
          waiting.add(controller)
          const call = limiter.acquire(key, { units, signal: controller.signal })
          call
            .then(() => held.push({ key, units }))
            .catch(() => {})
            .finally(() => waiting.delete(controller))
        }
      }
      const check = () => {
        const sum = (key?: string) =>
          held.reduce((total, one) => total + (key === undefined || one.key === key ? one.units : 0), 0)
        expect([limiter.held, limiter.waiting]).toEqual([sum(), waiting.size])
        expect(limiter.held).toBeLessThanOrEqual(options.total)
        expect(limiter.waiting).toBeLessThanOrEqual(options.maxWaiting!)
        for (const key of ['a', 'b', 'c', 'd']) {
          expect(limiter.heldBy(key)).toBe(sum(key))
          expect(sum(key)).toBeLessThanOrEqual(options.maxPerKey!)
        }
      }
      for (const step of taken) {
        take(step)
        await settled()
        check()
      }
      for (let rounds = 0; held.length > 0 && rounds < 1000; rounds++) {
        const { key, units } = held.shift()!
        limiter.release(key, units)
        await settled()
      }
      check()
      expect([limiter.held, limiter.waiting]).toEqual([0, 0])
    })
    await fc.assert(property)
  })

  test('permits go to the waiting key with the fewest, the last one to a key without, and none stays free', async () => {
    const keys = ['a', 'b', 'c', 'd']
    const options = { total: 5, maxPerKey: 3, reserve: { units: 1, maxHeld: 1 }, maxWaiting: 100 }
    const property = fc.asyncProperty(steps(keys), async taken => {
      const limiter = new KeyedLimiter(options)
      const waiting = new Map<string, number>(keys.map(key => [key, 0]))
      const held = new Map<string, number>(waiting)
      const add = (counts: Map<string, number>, key: string, by: number) => counts.set(key, counts.get(key)! + by)
      /** Returns whether the key waits and may take one more permit. */
      const couldTake = (key: string) => {
        const free = options.total - limiter.held
        return (
          waiting.get(key)! > 0 && (held.get(key) === 0 ? free > 0 : free > 1 && held.get(key)! < options.maxPerKey)
        )
      }
      const before: number[] = []
      let tookLast = false
      for (const { key, does } of taken) {
        if (does === 'release') {
          if (held.get(key)! === 0) continue
          add(held, key, -1)
          limiter.release(key)
        } else {
          add(waiting, key, 1)
          void limiter.acquire(key).then(() => {
            // Keys that may not take more do not count.
            const others = keys.filter(other => waiting.get(other)! > 0 && held.get(other)! < options.maxPerKey)
            before.push(Math.min(...others.map(other => held.get(other)!)) - held.get(key)!)
            tookLast ||= held.get(key)! > 0 && limiter.held === options.total
            add(waiting, key, -1)
            add(held, key, 1)
          })
        }
        await settled()
        expect(keys.filter(couldTake)).toEqual([])
      }
      for (let key = keys.find(one => held.get(one)! > 0); key; key = keys.find(one => held.get(one)! > 0)) {
        add(held, key, -1)
        limiter.release(key)
        await settled()
      }
      expect([limiter.held, limiter.waiting]).toEqual([0, 0])
      expect([before.every(more => more === 0), tookLast]).toEqual([true, false])
    })
    await fc.assert(property)
  })
})
