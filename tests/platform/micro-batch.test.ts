import { describe, expect, test } from 'bun:test'
import { Batcher, type BatcherOptions, Failed, Retry } from '../../src/platform/micro-batch.ts'
import { eventually } from '../support/world.ts'

const echo = async <T>(items: T[]) => items

type Options = Partial<BatcherOptions<number, number>>
/** By default, one call runs at a time, with at most 9 items. */
const batcherOf = (work: BatcherOptions<number, number>['work'], options: Options = {}) =>
  new Batcher<number, number>({ maxSize: 9, concurrency: 1, work, ...options })

/** Returns a `work` function whose calls end when the test ends them. */
const heldWork = () => {
  const calls: { items: number[]; finish: () => void }[] = []
  const work = (items: number[]) =>
    new Promise<number[]>(resolve => calls.push({ items, finish: () => resolve(items.map(item => item * 10)) }))
  return { calls, work }
}

const nextTurn = () => new Promise(resolve => setImmediate(resolve))
const range = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i)
const addAll = (batcher: Batcher<number, number>, count: number) => range(count).map(item => batcher.add(item))

describe('items of one batch', () => {
  test('added in the same event loop iteration share a call, also from promises, and each gets its output', async () => {
    const sizes: number[] = []
    const work = async (items: number[]) => items.map(item => item * 10)
    const batcher = batcherOf(work, { maxSize: 512, concurrency: 2, onBatch: size => sizes.push(size) })
    const added = range(100).map(async item => {
      for (let hop = 0; hop < item % 10; hop++) await Promise.resolve()
      return batcher.add(item)
    })
    expect(await Promise.all(added)).toEqual(range(100).map(item => item * 10))
    expect(sizes).toEqual([100])
  })

  test('added while the maximum number of calls runs are sent together when a call ends', async () => {
    const { calls, work } = heldWork()
    const batcher = batcherOf(work, { concurrency: 2 })
    const added: Promise<number>[] = []
    for (const item of range(6)) {
      added.push(batcher.add(item))
      await nextTurn()
    }
    expect(calls.map(call => call.items)).toEqual([[0], [1]])
    calls[1]!.finish()
    await added[1]
    await nextTurn()
    expect(calls.map(call => call.items)).toEqual([[0], [1], [2, 3, 4, 5]])
    for (const call of calls) call.finish()
    expect(await Promise.all(added)).toEqual([0, 10, 20, 30, 40, 50])
  })

  test('are limited, as are concurrent calls, which start in the order of adding', async () => {
    let [running, most] = [0, 0]
    const seen: number[][] = []
    const work = async (items: number[]) => {
      most = Math.max(most, ++running)
      seen.push(items)
      await nextTurn()
      running--
      return items
    }
    expect(await Promise.all(addAll(batcherOf(work, { maxSize: 8, concurrency: 3 }), 100))).toEqual(range(100))
    expect(most).toBe(3)
    expect(seen.flat()).toEqual(range(100))
    expect(Math.max(...seen.map(items => items.length))).toBe(8)
  })

  test('can be a hundred thousand within 1.5 seconds', async () => {
    const start = performance.now()
    await Promise.all(addAll(batcherOf(echo, { maxSize: 512, concurrency: 2 }), 100_000))
    expect(performance.now() - start).toBeLessThan(1500)
  })
})

describe('a failure', () => {
  const statusesOf = async (added: Promise<number>[]) =>
    (await Promise.allSettled(added)).map(result => (result.status === 'fulfilled' ? result.value : result.reason))

  test('of one item rejects it alone', async () => {
    const error = new RangeError('one')
    const batcher = batcherOf(async items => items.map(item => (item === 1 ? new Failed(error) : item)))
    expect(await statusesOf(addAll(batcher, 3))).toEqual([0, error, 2])
  })

  test('of the work rejects every item of the batch and permits the next call', async () => {
    const error = new Error('away')
    let calls = 0
    const work = (items: number[]) => {
      if (++calls === 1) throw error
      return calls === 2 ? Promise.reject(error) : echo(items)
    }
    expect(await statusesOf(addAll(batcherOf(work, { maxSize: 2 }), 6))).toEqual([error, error, error, error, 4, 5])
  })

  test('is a batch with too few outputs, so that no caller gets the output of another', async () => {
    const outputs = await statusesOf(
      addAll(
        batcherOf(async items => items.slice(1)),
        2,
      ),
    )
    expect(outputs).toEqual([expect.any(Error), expect.any(Error)])
  })
})

describe('tenant shares', () => {
  /** Returns the batches of these items, such as `a0`, of the tenant `a`. `late` is added while the first batch runs. */
  const batchesOf = async (maxSize: number, counts: Record<string, number>, late: string[] = []) => {
    const { promise, resolve: begin } = Promise.withResolvers<void>()
    const batches: string[][] = []
    const work = async (items: string[]) => {
      batches.push(items)
      await promise
      return items
    }
    const batcher = new Batcher<string, string>({ maxSize, concurrency: 1, work, tenantOf: item => item[0]! })
    const items = Object.entries(counts).flatMap(([tenant, count]) => range(count).map(n => `${tenant}${n}`))
    const all = items.map(item => batcher.add(item))
    await nextTurn()
    all.push(...late.map(item => batcher.add(item)))
    begin()
    expect(await Promise.all(all)).toEqual([...items, ...late])
    return batches
  }

  test('a batch takes equal shares in order, and the unused share of one tenant goes to the others', async () => {
    const batches = await batchesOf(9, { a: 100, b: 4, c: 1 })
    expect(batches[0]!.toSorted()).toEqual(['a0', 'a1', 'a2', 'a3', 'b0', 'b1', 'b2', 'b3', 'c0'])
    expect(batches.flat().filter(item => item[0] === 'a')).toEqual(range(100).map(item => `a${item}`))
  })

  test('a new tenant waits at most for the current batch, however many items others have queued', async () => {
    const batches = await batchesOf(8, { a: 1000 }, ['b0'])
    expect(batches.findIndex(batch => batch.includes('b0'))).toBe(1)
  })

  test('more tenants than a batch can hold alternate', async () => {
    const batches = await batchesOf(2, { a: 2, b: 2, c: 2, d: 2 })
    expect(batches.map(String)).toEqual(['a0,b0', 'c0,d0', 'a1,b1', 'c1,d1'])
  })
})

describe('the result of an item', () => {
  test('does not wait for the rest of its batch', async () => {
    const { promise, resolve: end } = Promise.withResolvers<void>()
    const batcher = batcherOf(async (items, answer) => {
      answer(0, 10)
      answer(1, new Failed(new RangeError('one')))
      await promise
      return items
    })
    const [first, second, third] = addAll(batcher, 3)
    await expect(second!).rejects.toThrow('one')
    expect(await first).toBe(10)
    expect(await Promise.race([third!, 'not yet'])).toBe('not yet')
    end()
    expect(await third).toBe(2)
  })

  test('comes before that of later items after a retry, which occupies no concurrent call in between', async () => {
    const batches: number[][] = []
    const work = async (items: number[]) => {
      batches.push(items)
      await nextTurn()
      return items.map(item => (batches.length === 1 && item < 2 ? new Retry() : item))
    }
    expect(await Promise.all(addAll(batcherOf(work, { maxSize: 4 }), 8))).toEqual(range(8))
    expect(batches.map(String)).toEqual(['0,1,2,3', '0,1,4,5', '6,7'])
  })

  test('is an error if retries with a cause exceed the timeout', async () => {
    let rounds = 0
    const work = async (items: number[]) => {
      rounds++
      return items.map(item => (item === 1 ? new Retry(new Error('it is locked')) : item))
    }
    const batcher = batcherOf(work, { retryTimeoutMs: 60 })
    const [stuck, other] = [batcher.add(1), batcher.add(2)]
    expect(await other).toBe(2)
    await expect(stuck).rejects.toThrow('it is locked')
    // A retry immediately, then after at most 5, 10, 20 and 40 ms.
    expect(rounds).toBeWithin(3, 9)
    await batcher.idle()
  })
})

describe('items that wait for a lock', () => {
  const resourceOf = (item: string) => item.split(' ').slice(0, 2).join(' ')
  /** Adds these items, each with a group, a resource and a number. `locked` contains the locked resources. */
  const waiting = (locked: Set<string>, items: string[]) => {
    const tries = new Map<string, number>()
    const batcher = new Batcher<string, string>({
      maxSize: 500,
      concurrency: 1,
      work: async items =>
        items.map(item => {
          tries.set(item, (tries.get(item) ?? 0) + 1)
          return locked.has(resourceOf(item)) ? new Retry(new Error('it is locked')) : item
        }),
      retryTimeoutMs: 60_000,
      conflicts: { resourceOf, groupOf: item => item.split(' ')[0]! },
    })
    const rejected = { count: 0 }
    const done = Promise.all(items.map(item => batcher.add(item).catch(() => void rejected.count++)))
    return { batcher, tries, rejected, done }
  }
  const ofOneResource = range(100).map(n => `group thing ${n}`)

  test('are limited per resource, and further ones are rejected at the first conflict', async () => {
    const locked = new Set(['group thing'])
    const { batcher, tries, rejected, done } = waiting(locked, ofOneResource)
    await eventually('the others are rejected', () => rejected.count === 92)
    await expect(batcher.add('group thing late')).rejects.toThrow('it is locked')
    expect(tries.get('group thing late')).toBe(1)
    expect(await batcher.add('group other 1')).toBe('group other 1')
    locked.clear()
    expect((await done).filter(Boolean)).toHaveLength(8)
    expect(await batcher.add('group thing late')).toBe('group thing late')
  })

  test('are limited per group, so that other groups have space', async () => {
    const ofOneGroup = range(50).map(n => `group ${n}`)
    const locked = new Set(ofOneGroup)
    const { batcher, rejected, done } = waiting(locked, ofOneGroup)
    const elsewhere = batcher.add('other 1')
    await eventually('the others are rejected', () => rejected.count === 26)
    expect(await elsewhere).toBe('other 1')
    locked.clear()
    await batcher.idle()
    expect((await done).filter(Boolean)).toHaveLength(24)
  })

  test('are not limited if they are retried successfully soon', async () => {
    const locked = new Set(['group thing'])
    const { tries, rejected, done } = waiting(locked, ofOneResource)
    await eventually('they were retried', () => tries.get('group thing 99')! >= 2)
    locked.clear()
    await done
    expect(rejected.count).toBe(0)
  })
})

describe('ordered items', () => {
  test('are answered by position, and two of them never run at the same time', async () => {
    let running = 0
    const seen: number[] = []
    const work = async (items: number[]) => {
      expect(++running).toBe(1)
      await nextTurn()
      running--
      return items.map(item => {
        // Each third item is retried once, together with the items after it in the batch.
        if (item % 3 === 0 && !seen.includes(-item)) seen.push(-item)
        else if (!items.some(other => other < item && other % 3 === 0 && !seen.includes(other))) {
          seen.push(item)
          return item === 4 ? new Failed(new RangeError('four')) : item * 10
        }
        return new Retry()
      })
    }
    const results = await batcherOf(work, { maxSize: 4, concurrency: 2 }).addInOrder(range(12, 1))
    expect(results.map(result => (result instanceof Failed ? 'failed' : result))).toEqual(
      range(12, 1).map(item => (item === 4 ? 'failed' : item * 10)),
    )
    expect(seen.filter(item => item > 0)).toEqual(range(12, 1))
  })

  test('that wait for one of them do not delay others', async () => {
    let isStuck = true
    const seen: number[] = []
    const work = async (items: number[]) =>
      items.map(item => {
        if (item === 0 && isStuck) return new Retry(new Error('not yet'))
        seen.push(item)
        return item
      })
    const batcher = batcherOf(work, { maxSize: 2 })
    const inOrder = batcher.addInOrder([0, 1, 2, 3])
    await batcher.add(9)
    expect(await batcher.add(10)).toBe(10)
    isStuck = false
    expect(await inOrder).toEqual([0, 1, 2, 3])
    expect(seen.filter(item => item === 2 || item === 3)).toEqual([2, 3])
    expect(await batcher.addInOrder([])).toEqual([])
  })
})

describe('idle', () => {
  test('waits for in-flight and queued items, even if they fail, and resolves immediately without items', async () => {
    const { calls, work } = heldWork()
    const failingFirst = async (items: number[]) => {
      const outputs = await work(items)
      if (items.includes(0)) throw new Error('first')
      return outputs
    }
    const batcher = batcherOf(failingFirst, { maxSize: 2 })
    await batcher.idle()
    let settled = 0
    for (const added of addAll(batcher, 5)) added.catch(() => {}).finally(() => settled++)
    let isIdle = false
    const waiting = batcher.idle().then(() => (isIdle = true))
    for (const call of range(3)) {
      while (!calls[call]) await nextTurn()
      expect(isIdle).toBe(false)
      calls[call]!.finish()
    }
    await waiting
    await nextTurn()
    expect(settled).toBe(5)
  })

  test('does not wait for items that are added later', async () => {
    const batcher = batcherOf(echo, { maxSize: 1 })
    let isBusy = true
    const keepBusy = (): Promise<unknown> => batcher.add(0).then(() => isBusy && keepBusy())
    const busyness = keepBusy()
    await batcher.idle()
    isBusy = false
    await busyness
  })
})
