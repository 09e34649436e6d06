import { describe, expect, test } from 'bun:test'
import { connect as dial } from 'node:net'
import { Batcher, Failed, Retry } from '../../src/platform/micro-batch.ts'
import { eventually } from '../support/world.ts'

const echo = async <T>(items: T[]) => items

/** Returns a `work` function whose calls end when the test ends them. */
const heldWork = () => {
  const calls: { items: number[]; finish: () => void }[] = []
  const work = (items: number[]) =>
    new Promise<number[]>(resolve => calls.push({ items, finish: () => resolve(items.map(item => item * 10)) }))
  return { calls, work }
}

const nextTurn = () => new Promise(resolve => setImmediate(resolve))
const range = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i)

describe('items of one batch', () => {
  test('added in the same event loop iteration share a call, and each gets its own output', async () => {
    const sizes: number[] = []
    const work = async (items: number[]) => items.map(item => item * 10)
    const batcher = new Batcher<number, number>({
      maxSize: 512,
      concurrency: 2,
      work,
      onBatch: size => sizes.push(size),
    })
    expect(await Promise.all(range(100).map(item => batcher.add(item)))).toEqual(range(100).map(item => item * 10))
    expect(sizes).toEqual([100])
  })

  test('added from promises of the same iteration also share a call', async () => {
    const { calls, work } = heldWork()
    const batcher = new Batcher<number, number>({ maxSize: 512, concurrency: 2, work })
    const added = range(10).map(async item => {
      for (let hop = 0; hop < item; hop++) await Promise.resolve()
      return batcher.add(item)
    })
    await nextTurn()
    expect(calls.map(call => call.items.length)).toEqual([10])
    calls[0]!.finish()
    await Promise.all(added)
  })

  test('from requests that reach a server together share a call', async () => {
    const sizes: number[] = []
    const batcher = new Batcher<string, string>({
      maxSize: 512,
      concurrency: 8,
      work: echo,
      onBatch: n => sizes.push(n),
    })
    const server = Bun.serve({ port: 0, fetch: async request => new Response(await batcher.add(await request.text())) })
    const clients = await Promise.all(range(32).map(() => connected(server.port!)))
    for (const client of clients) client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx')
    await Promise.all(clients.map(client => new Promise(resolve => client.once('data', resolve))))
    for (const client of clients) client.destroy()
    await server.stop(true)
    expect(sizes.length).toBeLessThanOrEqual(8)
  })

  test('added while the maximum number of calls runs are sent together when a call ends', async () => {
    const { calls, work } = heldWork()
    const batcher = new Batcher<number, number>({ maxSize: 512, concurrency: 2, work })
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
})

describe('the limits', () => {
  test('restrict the size and number of concurrent calls, which start in the order of adding', async () => {
    let running = 0
    let most = 0
    const seen: number[][] = []
    const work = async (items: number[]) => {
      most = Math.max(most, ++running)
      seen.push(items)
      await nextTurn()
      running--
      return items
    }
    const batcher = new Batcher<number, number>({ maxSize: 8, concurrency: 3, work })
    expect(await Promise.all(range(100).map(item => batcher.add(item)))).toEqual(range(100))
    expect(most).toBe(3)
    expect(seen.flat()).toEqual(range(100))
    expect(Math.max(...seen.map(items => items.length))).toBe(8)
  })

  test('allow a hundred thousand items within 1.5 seconds', async () => {
    const batcher = new Batcher<number, number>({ maxSize: 512, concurrency: 2, work: echo })
    const start = performance.now()
    await Promise.all(range(100_000).map(item => batcher.add(item)))
    expect(performance.now() - start).toBeLessThan(1500)
  })
})

describe('failures', () => {
  test('an item with the output `Failed` is rejected alone', async () => {
    const work = async (items: number[]) => items.map(item => (item === 2 ? new Failed(new RangeError('two')) : item))
    const batcher = new Batcher<number, number>({ maxSize: 10, concurrency: 1, work })
    const results = await Promise.allSettled([1, 2, 3].map(item => batcher.add(item)))
    expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((results[1] as PromiseRejectedResult).reason).toEqual(new RangeError('two'))
  })

  test('an error of the work rejects every item of the batch and permits the next call', async () => {
    const refusal = new Error('away')
    let calls = 0
    const work = (items: number[]) => (++calls === 1 ? Promise.reject(refusal) : echo(items))
    const batcher = new Batcher<number, number>({ maxSize: 2, concurrency: 1, work })
    const results = await Promise.allSettled([1, 2, 3, 4].map(item => batcher.add(item)))
    expect(results).toEqual([
      { status: 'rejected', reason: refusal },
      { status: 'rejected', reason: refusal },
      { status: 'fulfilled', value: 3 },
      { status: 'fulfilled', value: 4 },
    ])
  })

  test('a synchronous error of the work is a rejection like any other', async () => {
    const work = (): Promise<number[]> => {
      throw new Error('at once')
    }
    const batcher = new Batcher<number, number>({ maxSize: 2, concurrency: 1, work })
    await expect(batcher.add(1)).rejects.toThrow('at once')
    await expect(batcher.add(2)).rejects.toThrow('at once')
  })

  test('a batch with too few outputs is rejected, so that no caller gets the output of another', async () => {
    const batcher = new Batcher<number, number>({ maxSize: 9, concurrency: 1, work: async items => items.slice(1) })
    const results = await Promise.allSettled([1, 2].map(item => batcher.add(item)))
    expect(results.map(result => result.status)).toEqual(['rejected', 'rejected'])
  })
})

describe('tenant shares', () => {
  const shareOf = (item: string) => item[0]!
  const added = (batcher: Batcher<string, string>, share: string, count: number) =>
    range(count).map(item => batcher.add(`${share}${item}`))
  /** Returns a `work` function whose calls wait for `begin`, and the items of each call. */
  const gathering = () => {
    const { promise, resolve: begin } = Promise.withResolvers<void>()
    const batches: string[][] = []
    const work = async (items: string[]) => {
      batches.push(items)
      await promise
      return items
    }
    return { batches, begin, work }
  }

  test('a batch takes equal shares in order, and the unused share of one tenant goes to the others', async () => {
    const { batches, begin, work } = gathering()
    const batcher = new Batcher<string, string>({ maxSize: 9, concurrency: 1, work, tenantOf: shareOf })
    const all = [added(batcher, 'a', 100), added(batcher, 'b', 4), added(batcher, 'c', 1)].flat()
    await nextTurn()
    expect(batches[0]!.toSorted()).toEqual(['a0', 'a1', 'a2', 'a3', 'b0', 'b1', 'b2', 'b3', 'c0'])
    begin()
    expect(await Promise.all(all)).toHaveLength(105)
    expect(batches.flat().filter(item => item[0] === 'a')).toEqual(range(100).map(item => `a${item}`))
  })

  test('a new tenant waits at most for the current batch, however many items others have queued', async () => {
    const { batches, begin, work } = gathering()
    const batcher = new Batcher<string, string>({ maxSize: 8, concurrency: 1, work, tenantOf: shareOf })
    const all = added(batcher, 'a', 1000)
    await nextTurn()
    all.push(...added(batcher, 'b', 1))
    begin()
    await Promise.all(all)
    expect(batches.findIndex(batch => batch.includes('b0'))).toBe(1)
  })

  test('more tenants than a batch can hold alternate', async () => {
    const { batches, begin, work } = gathering()
    const batcher = new Batcher<string, string>({ maxSize: 2, concurrency: 1, work, tenantOf: shareOf })
    const all = ['a', 'b', 'c', 'd'].flatMap(share => added(batcher, share, 2))
    begin()
    await Promise.all(all)
    expect(batches).toEqual([
      ['a0', 'b0'],
      ['c0', 'd0'],
      ['a1', 'b1'],
      ['c1', 'd1'],
    ])
  })
})

describe('the result of an item', () => {
  test('does not wait for the rest of its batch', async () => {
    const { promise, resolve: end } = Promise.withResolvers<void>()
    const batcher = new Batcher<number, number>({
      maxSize: 9,
      concurrency: 1,
      work: async (items, answer) => {
        answer(0, 10)
        answer(1, new Failed(new RangeError('one')))
        await promise
        return items
      },
    })
    const [first, second, third] = [0, 1, 2].map(item => batcher.add(item))
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
    const batcher = new Batcher<number, number>({ maxSize: 4, concurrency: 1, work })
    expect(await Promise.all(range(8).map(item => batcher.add(item)))).toEqual(range(8))
    expect(batches).toEqual([
      [0, 1, 2, 3],
      [0, 1, 4, 5],
      [6, 7],
    ])
  })

  test('is an error if retries with a cause exceed the patience', async () => {
    let rounds = 0
    const work = async (items: number[]) => {
      rounds++
      return items.map(item => (item === 1 ? new Retry(new Error('somebody is in the way')) : item))
    }
    const batcher = new Batcher<number, number>({ maxSize: 9, concurrency: 1, work, retryTimeoutMs: 60 })
    const [stuck, other] = [batcher.add(1), batcher.add(2)]
    expect(await other).toBe(2)
    await expect(stuck).rejects.toThrow('somebody is in the way')
    // A retry immediately, then after at most 5, 10, 20 and 40 ms.
    expect(rounds).toBeWithin(3, 9)
    await batcher.idle()
  })
})

describe('items that wait for a lock', () => {
  /** Returns a batcher whose items name a group and a resource; `held` contains the locked resources. */
  const waiting = (held: Set<string>) => {
    const waited = new Map<string, number>()
    const batcher = new Batcher<string, string>({
      maxSize: 500,
      concurrency: 1,
      work: async items =>
        items.map(item => {
          waited.set(item, (waited.get(item) ?? 0) + 1)
          return held.has(thingOf(item)) ? new Retry(new Error('somebody is in the way')) : item
        }),
      retryTimeoutMs: 60_000,
      conflicts: { resourceOf: thingOf, groupOf: item => item.split(' ')[0]! },
    })
    return { batcher, waited }
  }
  const thingOf = (item: string) => item.split(' ').slice(0, 2).join(' ')
  const settledOf = (added: Promise<string>[]) => {
    const settled: ('done' | 'rejected' | undefined)[] = added.map(() => undefined)
    for (const [place, one] of added.entries())
      one.then(
        () => (settled[place] = 'done'),
        () => (settled[place] = 'rejected'),
      )
    return settled
  }

  test('are limited per resource, and further ones are rejected at the first conflict', async () => {
    const held = new Set(['group thing'])
    const { batcher, waited } = waiting(held)
    const added = range(100).map(n => batcher.add(`group thing ${n}`))
    const settled = settledOf(added)
    await eventually('the others are rejected', () => settled.filter(one => one === 'rejected').length === 92)
    const few = added.filter((_, place) => settled[place] === undefined)
    expect(few).toHaveLength(8)
    await expect(batcher.add('group thing late')).rejects.toThrow('somebody is in the way')
    expect(waited.get('group thing late')).toBe(1)
    expect(await batcher.add('group other 1')).toBe('group other 1')
    held.clear()
    await Promise.all(few)
    expect(await batcher.add('group thing late')).toBe('group thing late')
  })

  test('are limited per group, so that other groups have space', async () => {
    const held = new Set(range(50).map(n => `group ${n}`))
    const { batcher } = waiting(held)
    const added = range(50).map(n => batcher.add(`group ${n} 1`))
    const elsewhere = batcher.add('other 1 1')
    const settled = settledOf(added)
    await eventually('the others are rejected', () => settled.filter(one => one === 'rejected').length === 26)
    expect(await elsewhere).toBe('other 1 1')
    held.clear()
    await batcher.idle()
    expect(settled.filter(one => one === 'done')).toHaveLength(24)
  })

  test('are not limited if they are retried successfully soon', async () => {
    const held = new Set(['group thing'])
    const { batcher, waited } = waiting(held)
    const added = range(100).map(n => batcher.add(`group thing ${n}`))
    const done = Promise.all(added)
    await eventually('they were retried', () => waited.get('group thing 99')! >= 2)
    held.clear()
    expect(await done).toHaveLength(100)
  })
})

describe('ordered items', () => {
  test('are answered by position, and two of them never run at the same time', async () => {
    let underWay = 0
    const seen: number[] = []
    const work = async (items: number[]) => {
      expect(++underWay).toBe(1)
      await nextTurn()
      underWay--
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
    const batcher = new Batcher<number, number>({ maxSize: 4, concurrency: 2, work })
    const results = await batcher.addInOrder(range(12, 1))
    expect(results.map((result, n) => (result instanceof Failed ? 'failed' : result === (n + 1) * 10))).toEqual(
      range(12, 1).map(item => (item === 4 ? 'failed' : true)),
    )
    expect(seen.filter(item => item > 0)).toEqual(range(12, 1))
  })

  test('that wait for one of them do not delay others', async () => {
    let stuck = true
    const seen: number[] = []
    const work = async (items: number[]) =>
      items.map(item => {
        if (item === 0 && stuck) return new Retry(new Error('not yet'))
        seen.push(item)
        return item
      })
    const batcher = new Batcher<number, number>({ maxSize: 2, concurrency: 1, work })
    const inOrder = batcher.addInOrder([0, 1, 2, 3])
    await batcher.add(9)
    expect(await batcher.add(10)).toBe(10)
    stuck = false
    expect(await inOrder).toEqual([0, 1, 2, 3])
    expect(seen.filter(item => item === 2 || item === 3)).toEqual([2, 3])
    expect(await batcher.addInOrder([])).toEqual([])
  })
})

describe('idle', () => {
  test('resolves immediately when nothing was added', async () => {
    await new Batcher<number, number>({ maxSize: 1, concurrency: 1, work: echo }).idle()
  })

  test('waits for in-flight and queued items, even if they fail', async () => {
    const { calls, work } = heldWork()
    const failingFirst = async (items: number[]) => {
      const outputs = await work(items)
      if (items.includes(0)) throw new Error('first')
      return outputs
    }
    const batcher = new Batcher<number, number>({ maxSize: 2, concurrency: 1, work: failingFirst })
    const settled: number[] = []
    const added = range(5).map(item =>
      batcher.add(item).then(
        () => settled.push(item),
        () => settled.push(item),
      ),
    )
    let idle = false
    const waiting = batcher.idle().then(() => (idle = true))

    for (const call of range(3)) {
      while (!calls[call]) await nextTurn()
      expect(idle).toBe(false)
      calls[call]!.finish()
    }
    await waiting
    expect(settled).toEqual(range(5))
    await Promise.all(added)
  })

  test('does not wait for items that are added later', async () => {
    const batcher = new Batcher<number, number>({ maxSize: 1, concurrency: 1, work: echo })
    let busy = true
    const keepBusy = (): Promise<unknown> => batcher.add(0).then(() => busy && keepBusy())
    const busyness = keepBusy()
    await batcher.idle()
    busy = false
    await busyness
  })
})

const connected = (port: number) => {
  const socket = dial(port, '127.0.0.1')
  return new Promise<typeof socket>(resolve => socket.once('connect', () => resolve(socket)))
}
