import { describe, expect, test } from 'bun:test'
import { connect as dial } from 'node:net'
import { Batcher, Failed } from '../../src/db/batch.ts'

const echo = async <T>(items: T[]) => items

/** A `work` whose calls end when the test says so. */
const heldWork = () => {
  const calls: { items: number[]; finish: () => void }[] = []
  const work = (items: number[]) =>
    new Promise<number[]>(resolve => calls.push({ items, finish: () => resolve(items.map(item => item * 10)) }))
  return { calls, work }
}

const nextTurn = () => new Promise(resolve => setImmediate(resolve))
const range = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i)

describe('what travels together', () => {
  test('items added in the same turn share one call, and each gets its own output', async () => {
    const sizes: number[] = []
    const work = async (items: number[]) => items.map(item => item * 10)
    const batcher = new Batcher<number, number>({ maxSize: 512, lanes: 2, work, onBatch: size => sizes.push(size) })
    expect(await Promise.all(range(100).map(item => batcher.add(item)))).toEqual(range(100).map(item => item * 10))
    expect(sizes).toEqual([100])
  })

  test('items added from promises of the same turn share it too', async () => {
    const { calls, work } = heldWork()
    const batcher = new Batcher<number, number>({ maxSize: 512, lanes: 2, work })
    const added = range(10).map(async item => {
      for (let hop = 0; hop < item; hop++) await Promise.resolve()
      return batcher.add(item)
    })
    await nextTurn()
    expect(calls.map(call => call.items.length)).toEqual([10])
    calls[0]!.finish()
    await Promise.all(added)
  })

  test('requests that reach a server together share a call', async () => {
    const sizes: number[] = []
    const batcher = new Batcher<string, string>({ maxSize: 512, lanes: 8, work: echo, onBatch: n => sizes.push(n) })
    const server = Bun.serve({ port: 0, fetch: async request => new Response(await batcher.add(await request.text())) })
    const clients = await Promise.all(range(32).map(() => connected(server.port!)))
    for (const client of clients) client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx')
    await Promise.all(clients.map(client => new Promise(resolve => client.once('data', resolve))))
    for (const client of clients) client.destroy()
    await server.stop(true)
    expect(sizes.length).toBeLessThanOrEqual(8)
  })

  test('what arrives while all lanes are busy goes as one as soon as a lane is free', async () => {
    const { calls, work } = heldWork()
    const batcher = new Batcher<number, number>({ maxSize: 512, lanes: 2, work })
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
  test('no call holds more than maxSize and no more than the lanes run at once, in the order of adding', async () => {
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
    const batcher = new Batcher<number, number>({ maxSize: 8, lanes: 3, work })
    expect(await Promise.all(range(100).map(item => batcher.add(item)))).toEqual(range(100))
    expect(most).toBe(3)
    expect(seen.flat()).toEqual(range(100))
    expect(Math.max(...seen.map(items => items.length))).toBe(8)
  })

  test('a hundred thousand items pass in well under the time a service has for them', async () => {
    const batcher = new Batcher<number, number>({ maxSize: 512, lanes: 2, work: echo })
    const start = performance.now()
    await Promise.all(range(100_000).map(item => batcher.add(item)))
    expect(performance.now() - start).toBeLessThan(1500)
  })
})

describe('failures', () => {
  test('an item whose output is Failed is rejected alone', async () => {
    const work = async (items: number[]) => items.map(item => (item === 2 ? new Failed(new RangeError('two')) : item))
    const batcher = new Batcher<number, number>({ maxSize: 10, lanes: 1, work })
    const results = await Promise.allSettled([1, 2, 3].map(item => batcher.add(item)))
    expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((results[1] as PromiseRejectedResult).reason).toEqual(new RangeError('two'))
  })

  test('a rejection of the work rejects every item of that batch and frees the lane', async () => {
    const refusal = new Error('away')
    let calls = 0
    const work = (items: number[]) => (++calls === 1 ? Promise.reject(refusal) : echo(items))
    const batcher = new Batcher<number, number>({ maxSize: 2, lanes: 1, work })
    const results = await Promise.allSettled([1, 2, 3, 4].map(item => batcher.add(item)))
    expect(results).toEqual([
      { status: 'rejected', reason: refusal },
      { status: 'rejected', reason: refusal },
      { status: 'fulfilled', value: 3 },
      { status: 'fulfilled', value: 4 },
    ])
  })

  test('a throw of the work before its first await is a rejection like any other', async () => {
    const work = (): Promise<number[]> => {
      throw new Error('at once')
    }
    const batcher = new Batcher<number, number>({ maxSize: 2, lanes: 1, work })
    await expect(batcher.add(1)).rejects.toThrow('at once')
    await expect(batcher.add(2)).rejects.toThrow('at once')
  })

  test('too few outputs reject the batch instead of answering one caller with the output of another', async () => {
    const batcher = new Batcher<number, number>({ maxSize: 9, lanes: 1, work: async items => items.slice(1) })
    const results = await Promise.allSettled([1, 2].map(item => batcher.add(item)))
    expect(results.map(result => result.status)).toEqual(['rejected', 'rejected'])
  })
})

describe('idle', () => {
  test('resolves at once when nothing was added', async () => {
    await new Batcher<number, number>({ maxSize: 1, lanes: 1, work: echo }).idle()
  })

  test('waits for what is in flight and what is waiting, also when it fails', async () => {
    const { calls, work } = heldWork()
    const failingFirst = async (items: number[]) => {
      const outputs = await work(items)
      if (items.includes(0)) throw new Error('first')
      return outputs
    }
    const batcher = new Batcher<number, number>({ maxSize: 2, lanes: 1, work: failingFirst })
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

  test('does not wait for what is added afterwards', async () => {
    const batcher = new Batcher<number, number>({ maxSize: 1, lanes: 1, work: echo })
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
