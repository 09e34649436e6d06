import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { KeyedLimiter, type KeyedLimiterOptions, LimiterFull } from '../../src/platform/keyed-limiter.ts'

const settled = () => new Promise(resolve => setImmediate(resolve))

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    error => error,
  )

/** Creates a limiter that records the granted calls in order. The key of `a 2` is `a`. */
const watched = (options: KeyedLimiterOptions) => {
  const limiter = new KeyedLimiter(options)
  const granted: string[] = []
  const acquire = (name: string, more: { units?: number; signal?: AbortSignal } = {}) => {
    const done = limiter.acquire(name[0]!, more).then(() => {
      granted.push(name)
    })
    // A call that still waits when its test ends is refused during another test of this process.
    done.catch(() => {})
    return done
  }
  const release = async (key: string, units = 1) => {
    limiter.release(key, units)
    await settled()
  }
  return { limiter, granted, acquire, release }
}

describe('acquire', () => {
  test('serves the calls of one key in order', async () => {
    const { limiter, granted, acquire, release } = watched({ total: 2 })
    for (const name of ['a 1', 'a 2', 'a 3', 'a 4']) void acquire(name)
    await settled()
    expect(granted).toEqual(['a 1', 'a 2'])
    expect([limiter.held, limiter.waiting]).toEqual([2, 2])
    await release('a', 2)
    expect(granted).toEqual(['a 1', 'a 2', 'a 3', 'a 4'])
    await release('a', 2)
    expect([limiter.held, limiter.waiting, limiter.heldBy('a')]).toEqual([0, 0, 0])
  })

  test('serves the key that holds least first, and equals in turn', async () => {
    const { granted, acquire, release } = watched({ total: 3 })
    for (const name of ['a 1', 'a 2', 'a 3', 'a 4', 'a 5', 'b 1', 'b 2', 'c 1']) void acquire(name)
    await settled()
    await release('a')
    await release('a')
    await release('a')
    await release('b')
    await release('a')
    expect(granted).toEqual(['a 1', 'a 2', 'a 3', 'b 1', 'c 1', 'a 4', 'b 2', 'a 5'])
  })

  test('does not let small calls starve a large one', async () => {
    const { granted, acquire, release } = watched({ total: 10 })
    await acquire('a 1', { units: 6 })
    void acquire('b 1', { units: 8 })
    void acquire('a 2', { units: 1 })
    await release('a', 2)
    expect(granted).toEqual(['a 1'])
    await release('a', 2)
    expect(granted).toEqual(['a 1', 'b 1'])
    await release('b', 8)
    expect(granted).toEqual(['a 1', 'b 1', 'a 2'])
  })

  test('rejects with the reason of the signal, before and while it waits', async () => {
    const { limiter, acquire } = watched({ total: 1 })
    await acquire('a 1')
    const controller = new AbortController()
    const waiting = failure(acquire('b 1', { signal: controller.signal }))
    const reason = new Error('gone')
    controller.abort(reason)
    expect(await waiting).toBe(reason)
    expect(await failure(acquire('b 2', { signal: controller.signal }))).toBe(reason)
    expect([limiter.held, limiter.waiting]).toEqual([1, 0])
  })

  test('serves smaller calls once a large one before them is given up', async () => {
    const { granted, acquire } = watched({ total: 4 })
    await acquire('a 1', { units: 2 })
    const controller = new AbortController()
    const large = failure(acquire('b 1', { units: 4, signal: controller.signal }))
    void acquire('c 1', { units: 2 })
    await settled()
    expect(granted).toEqual(['a 1'])
    controller.abort()
    await large
    await settled()
    expect(granted).toEqual(['a 1', 'c 1'])
  })

  test('rejects when the wait takes too long', async () => {
    const { limiter, acquire } = watched({ total: 1, maxWaitMs: 20 })
    await acquire('a 1')
    expect(await failure(acquire('b 1'))).toBeInstanceOf(LimiterFull)
    expect(limiter.waiting).toBe(0)
  })

  test('rejects a call beyond the queue of its key, and one that can never be granted', async () => {
    const { acquire } = watched({ total: 1, maxWaitingPerKey: 1 })
    await acquire('a 1')
    void acquire('a 2')
    expect(await failure(acquire('a 3'))).toBeInstanceOf(LimiterFull)
    expect(await failure(acquire('b 1', { units: 2 }))).toBeInstanceOf(LimiterFull)
  })

  test('makes room in a full queue for a key with fewer waiting calls', async () => {
    const { acquire, granted, release } = watched({ total: 1, maxWaiting: 3 })
    await acquire('a 1')
    const refused = ['a 2', 'a 3', 'a 4'].map(name => failure(acquire(name)))
    void acquire('b 1')
    expect(await refused[2]).toBeInstanceOf(LimiterFull)
    expect(await failure(acquire('a 5'))).toBeInstanceOf(LimiterFull)
    await release('a')
    await release('a')
    expect(granted).toEqual(['a 1', 'a 2', 'b 1'])
  })

  test('grants what is free even when the queue is full of keys at their maximum', async () => {
    const { acquire, granted } = watched({ total: 3, maxPerKey: 1, maxWaiting: 1 })
    await acquire('a 1')
    void acquire('a 2')
    await acquire('b 1')
    expect(granted).toEqual(['a 1', 'b 1'])
  })
})

describe('a full queue', () => {
  test('does not exclude a key from units that only this key can take', async () => {
    const { acquire, granted } = watched({ total: 3, reserve: { units: 1, maxHeld: 1 }, maxWaiting: 1 })
    for (const name of ['a 1', 'a 2', 'a 3']) void acquire(name)
    await acquire('b 1')
    expect(granted).toEqual(['a 1', 'a 2', 'b 1'])
  })

  test('is reported for each key before it waits', async () => {
    const { acquire, limiter } = watched({ total: 1, maxWaiting: 3, maxWaitingPerKey: 2 })
    const full = () => ['a', 'b', 'c'].map(key => limiter.isFull(key))
    for (const name of ['a 1', 'a 2']) void acquire(name)
    expect(full()).toEqual([false, false, false])
    void acquire('a 3')
    expect(full()).toEqual([true, false, false])
    void acquire('b 1')
    expect(full()).toEqual([true, true, false])
  })

  test('rejects with the message of its limiter', async () => {
    const { acquire } = watched({ total: 1, maxWaiting: 0, fullMessage: 'Come again later.' })
    await acquire('a 1')
    expect(await failure(acquire('a 2'))).toMatchObject({ name: 'LimiterFull', message: 'Come again later.' })
  })
})

test('reports whether units are wanted: by their own key, or by one without units', async () => {
  const { limiter, acquire, release } = watched({ total: 3, maxPerKey: 1 })
  const wanted = () => ['a', 'b'].map(key => limiter.isWanted(key))
  await acquire('a 1')
  expect(wanted()).toEqual([false, false])
  void acquire('a 2')
  expect(wanted()).toEqual([true, false])
  await acquire('b 1')
  await acquire('c 1')
  void acquire('d 1')
  expect(wanted()).toEqual([true, true])
  await release('c')
  expect(wanted()).toEqual([true, false])
  await release('a')
  expect(wanted()).toEqual([false, false])
})

test('a call can wait without a maximum', async () => {
  const { granted, acquire, release } = watched({ total: 1, maxWaitMs: Number.POSITIVE_INFINITY })
  await acquire('a 1')
  void acquire('b 1')
  await new Promise(resolve => setTimeout(resolve, 10))
  await release('a')
  expect(granted).toEqual(['a 1', 'b 1'])
})

test('run holds one unit for as long as the work takes, also when it fails', async () => {
  const limiter = new KeyedLimiter({ total: 1 })
  const { signal } = new AbortController()
  expect(await limiter.run('a', signal, async () => limiter.heldBy('a'))).toBe(1)
  expect(await failure(limiter.run('a', signal, () => Promise.reject(new Error('work'))))).toMatchObject({
    message: 'work',
  })
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
      const take = async ({ key, units, does }: Step) => {
        if (does === 'try') {
          if (limiter.tryAcquire(key, units)) held.push({ key, units })
          return
        }
        if (does === 'release') {
          const at = held.findIndex(one => one.key === key)
          const [one] = at < 0 ? [] : held.splice(at, 1)
          if (one) limiter.release(one.key, one.units)
          return
        }
        if (does === 'abort') {
          const [first] = waiting
          first?.abort()
          return
        }
        const controller = new AbortController()
        waiting.add(controller)
        void limiter.acquire(key, { units, signal: controller.signal }).then(
          () => {
            waiting.delete(controller)
            held.push({ key, units })
          },
          () => waiting.delete(controller),
        )
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
        await take(step)
        await Promise.resolve()
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

  test('keys that hold much cannot exclude a key that holds nothing', () => {
    fc.assert(
      fc.property(steps(['a', 'b', 'c', 'd']), taken => {
        const limiter = new KeyedLimiter({ total: 30, reserve: { units: 10, maxHeld: 2 } })
        for (const { key, units, does } of taken) {
          if (does !== 'release') limiter.tryAcquire(key, units)
          else if (limiter.heldBy(key) >= units) limiter.release(key, units)
        }
        expect(limiter.tryAcquire('newcomer', 2)).toBe(true)
      }),
    )
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
