import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/platform/embedded-postgres/index.ts'
import { connect, type Database, withRetry } from '../../../src/platform/postgres/client.ts'
import { createListener, type Listener, type ListenerOptions } from '../../../src/platform/postgres/listen.ts'
import { startProxy } from './proxy.ts'

let dataDir: string
let server: EmbeddedPostgres
let url: string
let admin: Database
const listeners: Listener[] = []

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'listen-test-'))
  server = await startEmbeddedPostgres({ dataDir })
  url = await server.ensureDatabase('listen')
  admin = connect({ url, applicationName: 'listen test', max: 1 })
}, 60_000)

afterEach(async () => {
  await Promise.all(listeners.splice(0).map(listener => listener.stop()))
})

afterAll(async () => {
  await admin.end({ timeout: 1 })
  await server.release()
  await rm(dataDir, { recursive: true, force: true })
}, 30_000)

/** Creates a counter with a function that waits until it reaches a value. */
const counter = () => {
  let count = 0
  let next = Promise.withResolvers<void>()
  const hit = () => {
    count++
    next.resolve()
    next = Promise.withResolvers<void>()
  }
  const reaches = async (wanted: number) => {
    while (count < wanted) await next.promise
  }
  return { hit, reaches, count: () => count }
}

const listen = (options: Partial<ListenerOptions> = {}) => {
  const connects = counter()
  const news = counter()
  const logged: string[] = []
  const listener = createListener({
    url,
    applicationName: 'listener',
    channels: { news: news.hit },
    onConnect: connects.hit,
    log: (message, error) => logged.push(error instanceof Error ? `${message}: ${error.message}` : message),
    ...options,
  })
  listeners.push(listener)
  return { listener, connects, news, logged }
}

const backends = () => admin<{ pid: number }[]>`select pid from pg_stat_activity where application_name = 'listener'`

const took = async (promise: Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await promise
  return performance.now() - start
}

describe('with a working connection', () => {
  test('start resolves after onConnect when the listener is ready, and later notifications arrive', async () => {
    const { listener, connects, news } = listen()
    expect(listener.connected).toBe(false)
    await Promise.all([listener.start(), listener.start()])
    expect({ connected: listener.connected, connects: connects.count() }).toEqual({ connected: true, connects: 1 })
    await admin`notify news`
    await news.reaches(1)
    expect(await backends()).toHaveLength(1)
  })

  test('every channel has its own subscriber, with any name', async () => {
    const [a, b] = [counter(), counter()]
    const { listener } = listen({ channels: { Mixed: a.hit, 'with "quotes"; --': b.hit } })
    await listener.start()
    await admin.notify('Mixed', '')
    await a.reaches(1)
    await admin.notify('with "quotes"; --', '')
    await b.reaches(1)
    expect([a.count(), b.count()]).toEqual([1, 1])
  })

  test('heartbeats do not reconnect and do not reach subscribers', async () => {
    // An echo must arrive within the interval, also while other tests use the processors.
    const { listener, connects, news, logged } = listen({ heartbeatMs: 1500 })
    await listener.start()
    const [before] = await backends()
    for (let beats = 0, last = ''; beats < 3; await Bun.sleep(20)) {
      const [backend] = await admin<{ query: string; at: string }[]>`
        select query, query_start::text as at from pg_stat_activity where application_name = 'listener'`
      expect(backend).toBeDefined()
      if (!backend!.query.startsWith('notify "heartbeat_') || backend!.at === last) continue
      last = backend!.at
      beats++
    }
    expect([...(await backends())]).toEqual([before!])
    expect([connects.count(), news.count(), logged]).toEqual([1, 0, []])
  })

  test('a subscriber that throws or rejects is logged and called again, and others continue', async () => {
    const calls = counter()
    const { listener, news, connects, logged } = listen({
      channels: {
        news: () => news.hit(),
        throws: () => {
          calls.hit()
          throw new Error('thrown')
        },
        rejects: async () => {
          calls.hit()
          throw new Error('rejected')
        },
      },
      onConnect: () => {
        connects.hit()
        throw new Error('no scan')
      },
    })
    await listener.start()
    for (const channel of ['throws', 'rejects', 'throws', 'rejects', 'news']) await admin.notify(channel, '')
    await news.reaches(1)
    expect([calls.count(), listener.connected]).toEqual([4, true])
    expect(logged.sort()).toEqual([
      'The subscriber of onConnect failed: no scan',
      'The subscriber of rejects failed: rejected',
      'The subscriber of rejects failed: rejected',
      'The subscriber of throws failed: thrown',
      'The subscriber of throws failed: thrown',
    ])
  })
})

describe('when the connection is lost', () => {
  test('because its backend ended: reconnects within 2 s, calls onConnect and receives notifications', async () => {
    const { listener, connects, news, logged } = listen()
    await listener.start()
    const [backend] = await backends()
    const lost = admin`select pg_terminate_backend(${backend!.pid}, 5000)`.then(() => admin`notify news`)
    expect(await took(connects.reaches(2))).toBeLessThan(2000)
    await lost
    await admin`notify news`
    await news.reaches(1)
    expect(listener.connected).toBe(true)
    expect(logged).toEqual([
      expect.stringContaining('The connection for notifications was lost: '),
      'The connection for notifications is back',
    ])
  })

  test('because the network is silent: the heartbeat detects it, and the listener reconnects', async () => {
    const proxy = await startProxy(url)
    const { listener, connects, news, logged } = listen({ url: proxy.url, heartbeatMs: 300 })
    await listener.start()
    proxy.freeze()
    await admin`notify news`
    expect(await took(connects.reaches(2))).toBeLessThan(2000)
    expect(news.count()).toBe(0)
    await admin`notify news`
    await news.reaches(1)
    expect(logged[0]).toBe('The connection for notifications was lost: the heartbeat was not answered')
    await listener.stop()
    await proxy.stop()
  })

  test('for some time: logs once, is not connected, and reconnects within 2 s of the server', async () => {
    const proxy = await startProxy(url)
    const { listener, connects, news, logged } = listen({ url: proxy.url })
    await listener.start()
    await proxy.refuse()
    await Bun.sleep(3000)
    expect(listener.connected).toBe(false)
    expect(logged).toEqual([
      expect.stringContaining('The connection for notifications was lost: '),
      expect.stringContaining('The connection for notifications cannot be rebuilt: connect ECONNREFUSED'),
    ])
    await proxy.accept()
    expect(await took(connects.reaches(2))).toBeLessThan(2000)
    await admin`notify news`
    await news.reaches(1)
    await listener.stop()
    await proxy.stop()
  }, 10_000)

  test.each(['fast', 'immediate'] as const)(
    'because of a %s restart of PostgreSQL: reconnects within 3 s',
    async mode => {
      const { listener, connects, news } = listen()
      await listener.start()
      await server.restart(mode)
      expect(await took(connects.reaches(2))).toBeLessThan(3000)
      await withRetry(() => admin`notify news`)
      await news.reaches(1)
      expect(listener.connected).toBe(true)
    },
    20_000,
  )
})

describe('start', () => {
  test('rejects with one sentence if the database cannot be reached, and can be called again', async () => {
    const { listener, connects } = listen({ url: 'postgres://postgres:s3cret@127.0.0.1:1/none' })
    for (let time = 0; time < 2; time++) {
      await expect(listener.start()).rejects.toThrow(
        'Notifications cannot be received from the database: connect ECONNREFUSED 127.0.0.1:1.',
      )
    }
    expect([connects.count(), listener.connected]).toEqual([0, false])
  }, 10_000)
})

describe('stop', () => {
  test('closes the connection, can be called again, and prevents further callbacks', async () => {
    const { listener, connects, news } = listen()
    await listener.start()
    await Promise.all([listener.stop(), listener.stop()])
    await listener.stop()
    expect(listener.connected).toBe(false)
    while ((await backends()).length > 0) await Bun.sleep(10)
    await admin`notify news`
    expect([connects.count(), news.count()]).toEqual([1, 0])
  })

  test('ends the wait for an unreachable database', async () => {
    const proxy = await startProxy(url)
    const { listener, logged } = listen({ url: proxy.url })
    await listener.start()
    await proxy.stop()
    while (logged.length < 2) await Bun.sleep(10)
    expect(await took(listener.stop())).toBeLessThan(200)
  })

  test('ends a start that waits for a silent database', async () => {
    const accepted = Promise.withResolvers<void>()
    const socket = { open: () => accepted.resolve(), data() {} }
    const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket })
    const { listener } = listen({ url: `postgres://postgres@127.0.0.1:${silent.port}/none` })
    const outcome = listener.start().catch((error: Error) => error.message)
    await accepted.promise
    expect(await took(listener.stop())).toBeLessThan(200)
    expect(await outcome).toStartWith('Notifications cannot be received from the database: ')
    silent.stop(true)
  })

  test('before the start prevents it', async () => {
    const { listener, connects } = listen()
    await listener.stop()
    await expect(listener.start()).rejects.toThrow('the listener has been stopped')
    expect(connects.count()).toBe(0)
  })
})
