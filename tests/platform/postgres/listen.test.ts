import { afterEach, describe, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../../src/platform/embedded-postgres/index.ts'
import { connect, type Database, withRetry } from '../../../src/platform/postgres/client.ts'
import { Listener, type ListenerOptions } from '../../../src/platform/postgres/listen.ts'
import { use } from '../../support/use.ts'
import { eventually } from '../../support/world.ts'
import { startProxy } from './proxy.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'listen-test-'))
// The server of root runs under another account. Without access it would keep its data elsewhere.
chmodSync(dataDir, 0o755)
let admin: Database
const server = use(async () => {
  const { ensureDatabase, release, restart } = await startEmbeddedPostgres({ dataDir })
  const url = await ensureDatabase('listen')
  admin = connect({ url, applicationName: 'listen test', max: 1 })
  const stop = async () => {
    await admin.end({ timeout: 1 })
    await release()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { url, restart, stop }
})

const listeners: Listener[] = []
afterEach(async () => {
  await Promise.all(listeners.splice(0).map(listener => listener.stop()))
})

/** Creates a counter with a function that waits until it reaches a value. */
const counter = () => {
  let count = 0
  const reaches = (wanted: number) => eventually(`a count of ${wanted}`, () => count >= wanted)
  return { hit: () => void count++, reaches, count: () => count }
}

const listen = (options: Partial<ListenerOptions> = {}) => {
  const connects = counter()
  const news = counter()
  const logged: string[] = []
  const listener = new Listener({
    url: server.url,
    applicationName: 'listener',
    channels: { news: news.hit },
    onConnect: connects.hit,
    log: (message, error) => logged.push(error instanceof Error ? `${message}: ${error.message}` : message),
    ...options,
  })
  listeners.push(listener)
  return { listener, connects, news, logged }
}

/** Asserts that a notification arrives. */
const expectNews = async ({ listener, news }: ReturnType<typeof listen>) => {
  const before = news.count()
  await withRetry(() => admin`notify news`)
  await news.reaches(before + 1)
  expect(listener.connected).toBe(true)
}

const backends = () => admin<{ pid: number }[]>`select pid from pg_stat_activity where application_name = 'listener'`

const took = async (promise: Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await promise
  return performance.now() - start
}

describe('with a working connection', () => {
  test('receives notifications from the start on, and none after a stop, which closes the connection', async () => {
    const listening = listen()
    const { listener, connects, news } = listening
    expect(listener.connected).toBe(false)
    await Promise.all([listener.start(), listener.start()])
    expect({ connected: listener.connected, connects: connects.count() }).toEqual({ connected: true, connects: 1 })
    await expectNews(listening)
    expect(await backends()).toHaveLength(1)
    await Promise.all([listener.stop(), listener.stop()])
    await listener.stop()
    expect(listener.connected).toBe(false)
    await eventually('it is closed', async () => (await backends()).length === 0)
    await admin`notify news`
    expect([connects.count(), news.count()]).toEqual([1, 1])
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
    const { listener, news, logged } = listen({
      channels: {
        news: () => news.hit(),
        throws: () => {
          throw new Error('thrown')
        },
        rejects: () => Promise.reject(new Error('rejected')),
      },
      onConnect: () => Promise.reject(new Error('no scan')),
    })
    await listener.start()
    for (const channel of ['throws', 'rejects', 'throws', 'rejects', 'news']) await admin.notify(channel, '')
    await news.reaches(1)
    expect(listener.connected).toBe(true)
    expect(logged.sort()).toEqual([
      'The subscriber of onConnect failed: no scan',
      ...Array(2).fill('The subscriber of rejects failed: rejected'),
      ...Array(2).fill('The subscriber of throws failed: thrown'),
    ])
  })
})

describe('when the connection is lost', () => {
  test('because its backend ended: reconnects within 2 s, calls onConnect and receives notifications', async () => {
    const listening = listen()
    const { listener, connects, logged } = listening
    await listener.start()
    const [backend] = await backends()
    const lost = admin`select pg_terminate_backend(${backend!.pid}, 5000)`.then(() => admin`notify news`)
    expect(await took(connects.reaches(2))).toBeLessThan(2000)
    await lost
    await expectNews(listening)
    expect(logged).toEqual([
      expect.stringContaining('The connection for notifications was lost: '),
      'The connection for notifications is back',
    ])
  })

  test('because the network is silent: the heartbeat detects it, and the listener reconnects', async () => {
    const proxy = await startProxy(server.url)
    const listening = listen({ url: proxy.url, heartbeatMs: 300 })
    const { listener, connects, news, logged } = listening
    await listener.start()
    proxy.freeze()
    await admin`notify news`
    expect(await took(connects.reaches(2))).toBeLessThan(2000)
    expect(news.count()).toBe(0)
    await expectNews(listening)
    expect(logged[0]).toBe('The connection for notifications was lost: the heartbeat was not answered')
    await listener.stop()
    await proxy.stop()
  })

  test('for some time: logs once, is not connected, and reconnects within 2 s of the server, or is stopped', async () => {
    const proxy = await startProxy(server.url)
    const listening = listen({ url: proxy.url })
    const { listener, connects, logged } = listening
    await listener.start()
    await proxy.refuse()
    await Bun.sleep(2000)
    expect(listener.connected).toBe(false)
    expect(logged).toEqual([
      expect.stringContaining('The connection for notifications was lost: '),
      expect.stringContaining('The connection for notifications cannot be rebuilt: connect ECONNREFUSED'),
    ])
    await proxy.accept()
    expect(await took(connects.reaches(2))).toBeLessThan(2000)
    await expectNews(listening)
    await proxy.stop()
    await eventually('it cannot reconnect', () => logged.length >= 5)
    expect(await took(listener.stop())).toBeLessThan(200)
  })

  // `tests/faults/database.test.ts` has the other kind of restart.
  test('because of an immediate restart of PostgreSQL: reconnects within 3 s', async () => {
    const listening = listen()
    await listening.listener.start()
    await server.restart('immediate')
    expect(await took(listening.connects.reaches(2))).toBeLessThan(3000)
    await expectNews(listening)
  })
})

describe('a start', () => {
  test('rejects with one sentence if the database cannot be reached, and can be called again', async () => {
    const { listener, connects } = listen({ url: 'postgres://postgres:s3cret@127.0.0.1:1/none' })
    for (let time = 0; time < 2; time++) {
      await expect(listener.start()).rejects.toThrow(
        'Notifications cannot be received from the database: connect ECONNREFUSED 127.0.0.1:1.',
      )
    }
    expect([connects.count(), listener.connected]).toEqual([0, false])
  })

  test('that waits for a silent database is ended by a stop', async () => {
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

  test('is prevented by an earlier stop', async () => {
    const { listener, connects } = listen()
    await listener.stop()
    await expect(listener.start()).rejects.toThrow('the listener has been stopped')
    expect(connects.count()).toBe(0)
  })
})
