/** Tests the actor lifecycle that docs/architecture.md describes. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { type LeaseOptions, leaseDefaults, leaseHeldChannel } from '../../src/platform/postgres/lease.ts'
import { createListener } from '../../src/platform/postgres/listen.ts'
import type { ActorTimes } from '../../src/queue/activation.ts'
import type { JobBatch } from '../../src/queue/actor.ts'
import { ActorHost } from '../../src/queue/host.ts'
import { useDatabase } from '../support/database.ts'
import { Mailbox, WatchedLease } from '../support/queue.ts'
import { eventually } from '../support/world.ts'

/** Longer than any test, in milliseconds. A timer with this value never fires during a test. */
const never = 60_000

const log = pino({ level: process.env.TEST_LOG ?? 'silent' })

const database = useDatabase()
let mailbox: Mailbox
const hosts: ActorHost[] = []
beforeEach(() => {
  mailbox = new Mailbox()
})
afterEach(async () => {
  await Promise.all(hosts.splice(0).map(host => host.stop(AbortSignal.abort())))
  await database.sql`truncate processes, leases`
})

const newLease = (options: Partial<LeaseOptions> = {}) =>
  new WatchedLease(database.sql, { ...leaseDefaults, renewMs: 20, ...options })

/**
 * Starts a host that the database sees as a separate process. It polls too rarely to find work, unless `times` says
 * otherwise.
 */
const startHost = async (times: Partial<ActorTimes> = {}, lease = newLease()) => {
  const host = new ActorHost([mailbox], lease, log, {
    maxPageAgeMs: never,
    lingerMs: 20,
    pollMs: never,
    errorPauseMs: 20,
    blockedPollMs: 5,
    ...times,
  })
  hosts.push(host)
  await host.start()
  return { host, lease, wake: () => host.wake(mailbox.actor) }
}

/** Starts a host whose actor has these rows in flight, and the rows `behind` them in its queue. */
const startWith = async (
  ids: string[],
  { behind = [], ...times }: Partial<ActorTimes> & { behind?: string[] } = {},
) => {
  const started = await startHost(times)
  mailbox.add(ids, { held: true })
  mailbox.add(behind)
  started.wake()
  await inHand(...ids)
  return started
}

/** Returns the lease of another live process, which holds the actor's lease and does no work. */
const startThief = async (options: Partial<LeaseOptions> = {}) => {
  const thief = newLease(options)
  await thief.renew()
  expect(await thief.acquire(mailbox.actor)).toBe(true)
  return thief
}

/**
 * Moves the lease to another process, as if the holder were dead. Uses one statement, because the old holder quickly
 * registers again.
 */
const rob = async (lease: WatchedLease) => {
  const thief = newLease()
  await thief.renew()
  await database.sql`
    with dead as (delete from processes where id = ${lease.id})
    update leases set holder = ${thief.id} where holder = ${lease.id}`
  await noticedLoss(lease)
  return thief
}

/** Deletes the process row, which also happens after a process was unreachable for some time. */
const forget = (lease: WatchedLease) => database.sql`delete from processes where id = ${lease.id}`

const inHand = (...ids: string[]) =>
  eventually(`in flight: ${ids}`, () => ids.every(id => mailbox.inHand.has(id)) && mailbox.inHand.size === ids.length)
const handled = (...ids: string[]) =>
  eventually(`handled: ${ids}`, () => ids.every(id => mailbox.started.includes(id) && !mailbox.left.includes(id)))
const asleep = (host: ActorHost) => eventually('no actor is awake', () => host.active === 0)
const noticedLoss = (lease: WatchedLease) =>
  eventually('the process noticed that its heartbeat was deleted', () => lease.renewals.lastIndexOf(false) > 0)

describe('an actor that is woken', () => {
  test('acquires the lease, handles due rows oldest first, releases the lease and reads the next due time', async () => {
    const { host, lease, wake } = await startHost()
    lease.onStep = step => mailbox.step(step)
    mailbox.add(['a', 'b', 'c'])
    wake()
    await asleep(host)
    expect(mailbox.steps).toEqual(['take', 'read', 'handle a', 'handle b', 'handle c', 'release', 'next due'])
    expect(mailbox.left).toEqual([])
    expect(await database.sql`select 1 from leases`).toHaveLength(0)
  })

  test('repeatedly, before, during and after its work, handles each row once', async () => {
    const { host, wake } = await startHost()
    mailbox.add(['a', 'b'], { held: true })
    for (let n = 0; n < 3; n++) wake()
    await inHand('a', 'b')
    const { pages } = mailbox
    wake()
    await eventually('it polled again', () => mailbox.pages > pages)
    mailbox.end('a')
    wake()
    await eventually('a is done', () => !mailbox.left.includes('a'))
    mailbox.end('b')
    wake()
    await asleep(host)
    expect(mailbox.started).toEqual(['a', 'b'])
  })

  test('while it is awake reads its queue again', async () => {
    const { wake } = await startWith(['a'])
    mailbox.add(['b'])
    wake()
    await handled('b')
    expect([...mailbox.inHand.keys()]).toEqual(['a'])
  })

  test('does not wait for another actor', async () => {
    const { host, wake } = await startHost()
    const other = mailbox.actorOf(randomUUID())
    mailbox.add(['a'], { held: true })
    mailbox.add(['b'], { actor: other })
    wake()
    host.wake(other)
    await handled('b')
    await eventually('only the first is awake', () => host.active === 1)
    expect([...mailbox.inHand.keys()]).toEqual(['a'])
  })

  test('throws if its kind is unknown', async () => {
    const { host } = await startHost()
    expect(() => host.wake({ ...mailbox.actor, kind: 'unknown' })).toThrow('unknown actor kind unknown')
  })
})

describe('a page', () => {
  test('does not wait for its slowest row', async () => {
    const { wake } = await startHost()
    const others = Array.from({ length: 30 }, (_, n) => `row ${n}`)
    mailbox.add(['slow'], { held: true })
    mailbox.add(others)
    wake()
    await handled(...others)
    expect(mailbox.started).toEqual(['slow', ...others])
    expect([...mailbox.inHand.keys()]).toEqual(['slow'])
  })

  test('that is outdated is read again, and a row removed in the meantime is not handled', async () => {
    mailbox.maxInFlight = 1
    const { host } = await startWith(['a'], { behind: ['b', 'c'], maxPageAgeMs: 10 })
    const since = performance.now()
    await eventually('the page has expired', () => performance.now() - since > 10)
    mailbox.remove('b')
    mailbox.end('a')
    await asleep(host)
    expect(mailbox.started).toEqual(['a', 'c'])
  })

  test('that is still fresh is handled as it was read', async () => {
    mailbox.maxInFlight = 1
    const { host } = await startWith(['a'], { behind: ['b', 'c'] })
    mailbox.remove('b')
    mailbox.end('a')
    await asleep(host)
    expect(mailbox.started).toEqual(['a', 'b', 'c'])
  })

  test('is read periodically while rows are in flight, to find rows of other processes', async () => {
    await startWith(['a'], { pollMs: 5 })
    mailbox.add(['b'])
    await handled('b')
    expect([...mailbox.inHand.keys()]).toEqual(['a'])
  })

  test('that could not be read is retried after a pause', async () => {
    const { wake } = await startHost({ errorPauseMs: 30 })
    const readAt: number[] = []
    mailbox.onRead = page => {
      readAt.push(performance.now())
      if (page <= 2) throw new Error('the database is away')
    }
    mailbox.add(['a'])
    wake()
    await handled('a')
    expect(readAt[1]! - readAt[0]!).toBeGreaterThan(28)
    expect(readAt[2]! - readAt[1]!).toBeGreaterThan(28)
  })
})

describe('an outcome that cannot be recorded', () => {
  test('leaves its row to be handled again after a pause, while other rows continue', async () => {
    const { host, wake } = await startHost({ errorPauseMs: 30 })
    const startedAt: number[] = []
    mailbox.handling = async id => {
      if (id === 'broken') startedAt.push(performance.now())
    }
    const other = mailbox.actorOf(randomUUID())
    mailbox.unrecordable.add('broken')
    mailbox.add(['broken', 'b', 'c', 'd', 'e', 'f'])
    mailbox.add(['of another'], { actor: other })
    wake()
    host.wake(other)
    await handled('b', 'c', 'd', 'e', 'f', 'of another')
    await eventually('it was attempted a third time', () => startedAt.length >= 3)
    for (const n of [1, 2]) expect(startedAt[n]! - startedAt[n - 1]!).toBeGreaterThan(28)
    mailbox.unrecordable.clear()
    await handled('broken')
    expect(mailbox.started.filter(id => id !== 'broken').toSorted()).toEqual(['b', 'c', 'd', 'e', 'f', 'of another'])
  })

  test('does not block other rows, even with a concurrency limit of one', async () => {
    const { wake } = await startHost()
    mailbox.maxInFlight = 1
    mailbox.unrecordable.add('broken')
    mailbox.add(['broken', 'b', 'c'])
    wake()
    await handled('b', 'c')
    const tries = () => mailbox.started.filter(id => id === 'broken').length
    const before = tries()
    await eventually('it is retried anyway', () => tries() > before)
  })

  test('is retried before later rows, even if new rows keep arriving', async () => {
    const { wake } = await startHost({ maxPageAgeMs: 5 })
    mailbox.maxInFlight = 1
    mailbox.unrecordable.add('broken')
    mailbox.add(['broken'])
    let more = 0
    mailbox.handling = async () => {
      mailbox.add([`row ${++more}`, `another ${more}`])
      await new Promise(resolve => setTimeout(resolve, 2))
    }
    wake()
    await eventually('it was attempted three times', () => mailbox.started.filter(id => id === 'broken').length === 3)
  })

  test('does not affect other in-flight rows', async () => {
    await startWith(['broken', 'b'])
    mailbox.fail('broken')
    await eventually('it is retried', () => mailbox.started.length === 3)
    expect(mailbox.started).toEqual(['broken', 'b', 'broken'])
  })
})

describe('the concurrency limit', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, n) => `row ${n}`)
  /** Ends in-flight rows, the oldest first. */
  const endSome = (count: number, answered: boolean) => {
    for (const id of [...mailbox.inHand.keys()].slice(0, count)) mailbox.end(id, answered)
  }
  const sizeIs = (size: number, started: number) =>
    eventually(
      `${size} in flight of ${started}`,
      () => mailbox.inHand.size === size && mailbox.started.length === started,
      2000,
    ).catch(() => expect([mailbox.inHand.size, mailbox.started.length]).toEqual([size, started]))

  test('doubles while answers are in time, up to the limit of the kind', async () => {
    const { wake } = await startHost()
    mailbox.maxInFlight = 10
    mailbox.add(rows(60), { held: true })
    wake()
    let started = 0
    for (const size of [4, 8, 10, 10]) {
      started += size
      await sizeIs(size, started)
      endSome(size, true)
    }
  })

  test('is not reduced by slow recording, which is not caused by the receiver', async () => {
    const { wake } = await startHost()
    mailbox.maxInFlight = 256
    let inHand = 0
    let most = 0
    mailbox.handling = async () => {
      most = Math.max(most, ++inHand)
      await sleep(20)
    }
    mailbox.recording = async () => {
      await sleep(inHand)
      inHand--
    }
    mailbox.add(rows(4000))
    wake()
    await eventually('the limit of the kind is in flight', () => most === 256, 10_000)
  })

  test('falls to one without answers', async () => {
    const { wake } = await startHost()
    mailbox.add(rows(20), { held: true })
    wake()
    await sizeIs(4, 4)
    endSome(4, false)
    for (let started = 5; started <= 10; started++) {
      await sizeIs(1, started)
      endSome(1, false)
    }
  })

  test('never exceeds the limit of the kind', async () => {
    const { wake } = await startHost()
    mailbox.maxInFlight = 1
    mailbox.add(['a', 'b'], { held: true })
    wake()
    await inHand('a')
    mailbox.end('a')
    await inHand('b')
  })
})

describe('rows that are handed over', () => {
  const begunNow = (...ids: string[]) => ({ jobs: ids.map(id => ({ id })), writeStartedAt: performance.now() })
  /** Starts a host with `a` in flight and an empty queue. */
  const startAwake = async (times: Partial<ActorTimes> = {}) => {
    const started = await startHost({ rereadMs: never, ...times })
    mailbox.add(['a'], { held: true })
    started.wake()
    await inHand('a')
    await sleepers()
    return { ...started, hand: (mail: JobBatch) => started.host.wake(mailbox.actor, mail) }
  }
  /** Lets pending callbacks run. */
  const sleepers = () => new Promise(resolve => setImmediate(resolve))

  test('are handled in order, without a read', async () => {
    const { hand } = await startAwake()
    const { pages } = mailbox
    mailbox.add(['b', 'c', 'd', 'e', 'f', 'g'])
    hand(begunNow('b', 'c', 'd'))
    hand(begunNow('e', 'f', 'g'))
    await handled('g')
    expect(mailbox.started).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
    expect(mailbox.pages).toBe(pages)
  })

  test('are handled once if a page that was read since they were requested may have contained them', async () => {
    const { hand, wake } = await startAwake()
    const mail = begunNow('b')
    mailbox.add(['b'])
    wake()
    await handled('b')
    mailbox.add(['c'])
    hand(mail)
    hand(begunNow('c'))
    await handled('c')
    expect(mailbox.started).toEqual(['a', 'b', 'c'])
  })

  test('are handled without a read if the page that was read since did not contain them', async () => {
    const { hand, wake } = await startAwake()
    const mail = begunNow('b', 'c')
    mailbox.add(['b'])
    wake()
    await handled('b')
    const { pages } = mailbox
    mailbox.add(['c'])
    hand(mail)
    await handled('c')
    expect(mailbox.started).toEqual(['a', 'b', 'c'])
    expect(mailbox.pages).toBe(pages)
  })

  test('are read again if several pages were read since they were requested, because only the last page is remembered', async () => {
    const { hand, wake } = await startAwake()
    const mail = begunNow('b')
    for (const id of ['b', 'c']) {
      mailbox.add([id])
      wake()
      await handled(id)
    }
    mailbox.add(['d'])
    hand(mail)
    await handled('d')
    expect(mailbox.started).toEqual(['a', 'b', 'c', 'd'])
  })

  test('during the read of a page without them are handled after that page, without another read', async () => {
    const { hand, wake } = await startAwake()
    mailbox.add(['b'])
    mailbox.onRead = () => {
      mailbox.onRead = () => {}
      queueMicrotask(() => {
        mailbox.add(['c'])
        hand(begunNow('c'))
      })
    }
    const pages = mailbox.pages + 1
    wake()
    await handled('b', 'c')
    expect(mailbox.started).toEqual(['a', 'b', 'c'])
    expect(mailbox.pages).toBe(pages)
  })

  test('during the read of a page are left to that page or the next', async () => {
    const { hand, wake } = await startAwake()
    mailbox.onRead = () => {
      mailbox.onRead = () => {}
      mailbox.add(['b', 'c'])
      hand(begunNow('c'))
    }
    wake()
    await handled('b', 'c')
    mailbox.end('a')
    await handled('a')
    expect(mailbox.started).toEqual(['a', 'b', 'c'])
  })

  test('do not prevent periodic reads, because another row can become due', async () => {
    const { hand } = await startAwake({ rereadMs: 20 })
    mailbox.add(['due later'])
    await eventually('it was read', async () => {
      const id = randomUUID()
      mailbox.add([id])
      hand(begunNow(id))
      return mailbox.started.includes('due later')
    })
  })

  test('wake a sleeping actor, which reads them', async () => {
    const { host } = await startHost()
    mailbox.add(['a', 'b'])
    host.wake(mailbox.actor, begunNow('b'))
    await asleep(host)
    expect(mailbox.started).toEqual(['a', 'b'])
  })

  test('and were not started before the lease was lost are left to the next holder', async () => {
    const { hand, lease, host } = await startAwake()
    mailbox.add(['b'])
    const thief = await rob(lease)
    hand(begunNow('b'))
    mailbox.end('a')
    await asleep(host)
    expect(mailbox.started).toEqual(['a'])
    await thief.releaseAll()
  })
})

describe('an empty queue', () => {
  /** Compares with a tolerance of one second, because requesting a wake-up takes some time. */
  const expectTimes = (times: number[], wanted: number[]) =>
    expect(times.map((at, index) => Math.abs(at - (wanted[index] ?? 0)) < 1000)).toEqual(wanted.map(() => true))

  test('is polled for a short time, so that a steady flow is handled under one lease', async () => {
    const { host, lease, wake } = await startHost({ rereadMs: 0 })
    mailbox.add(['a'])
    let late = 0
    mailbox.onRead = () => {
      if (mailbox.left.length > 0 || late === 5) return
      // The row arrives after the page was found empty.
      queueMicrotask(() => {
        mailbox.add([`late ${++late}`])
        wake()
      })
    }
    wake()
    await handled('late 5')
    await asleep(host)
    expect(mailbox.started).toHaveLength(6)
    expect(lease.takings).toEqual([true])
  })

  test('is read again when the lease is released, so that a row that just arrived is handled', async () => {
    const { host, lease, wake } = await startHost()
    mailbox.add(['a'])
    lease.beforeRelease = () => {
      if (!mailbox.started.includes('late')) mailbox.add(['late'])
    }
    wake()
    await handled('a', 'late')
    await asleep(host)
    expect(lease.takings).toEqual([true, true])
  })

  test('uses a timer of the process if its next row is due soon', async () => {
    const { wake } = await startHost()
    const dueAt = Date.now() + 80
    mailbox.add(['a'])
    mailbox.add(['b'], { dueAt })
    wake()
    await handled('a', 'b')
    expect(Date.now()).toBeGreaterThanOrEqual(dueAt)
    expect(mailbox.wakeUps).toEqual([])
  })

  test('requests one wake-up for a row that is due much later, regardless of the number of reads', async () => {
    const { host, wake } = await startHost()
    const dueAt = Date.now() + 3_600_000
    mailbox.add(['far'], { dueAt })
    for (let n = 0; n < 3; n++) {
      mailbox.add([`row ${n}`])
      wake()
      await handled(`row ${n}`)
      await asleep(host)
    }
    expectTimes(mailbox.wakeUps, [dueAt])
  })

  test('requests another wake-up for an earlier row, and none for a later one', async () => {
    const { host, wake } = await startHost()
    const [sooner, middle, later] = [1, 2, 3].map(hours => Date.now() + hours * 3_600_000) as [number, number, number]
    for (const dueAt of [middle, later, sooner]) {
      mailbox.add([`at ${dueAt}`], { dueAt })
      wake()
      await asleep(host)
    }
    expectTimes(mailbox.wakeUps, [middle, sooner])
  })

  test('requests a failed wake-up again', async () => {
    const { host, wake } = await startHost()
    const dueAt = Date.now() + 3_600_000
    mailbox.add(['far'], { dueAt })
    let asked = 0
    mailbox.wakeIn = async () => {
      if (++asked === 1) throw new Error('the database is away')
    }
    for (let n = 0; n < 3; n++) {
      wake()
      await asleep(host)
    }
    expect(asked).toBe(2)
  })
})

describe('the lease', () => {
  test('is respected if its holder is another live process', async () => {
    await startThief()
    const { host, lease, wake } = await startHost()
    mailbox.add(['a'])
    mailbox.swept = true
    wake()
    await asleep(host)
    expect(lease.takings).toEqual([false])
    expect(mailbox.pages).toBe(0)
  })

  test('is taken over from another process when it expires, and not before', async () => {
    const thief = await startThief({ ttlMs: 300 })
    const { wake } = await startHost()
    mailbox.add(['a'], { held: true })
    mailbox.swept = true
    wake()
    await inHand('a')
    const [row] =
      await database.sql`select alive_until < clock_timestamp() as dead from processes where id = ${thief.id}`
    expect(row!.dead).toBe(true)
  })

  test('is held by one of several processes, so that each row is handled once', async () => {
    const processes = await Promise.all([startHost(), startHost(), startHost()])
    const rows = Array.from({ length: 60 }, (_, n) => `row ${n}`)
    mailbox.handling = async () => {
      for (const { wake } of processes) wake()
      await new Promise(resolve => setImmediate(resolve))
    }
    mailbox.swept = true
    mailbox.add(rows)
    for (const { wake } of processes) wake()
    await handled(...rows)
    expect(mailbox.started.toSorted()).toEqual(rows.toSorted())
  })

  test('notifies its holder when another process finds it held, and the holder reads its queue', async () => {
    const { host, wake } = await startHost({ rereadMs: never })
    const listener = createListener({
      url: database.url,
      applicationName: 'actor test',
      channels: { [leaseHeldChannel]: id => host.onLeaseHeld(id) },
      onConnect: () => {},
    })
    await listener.start()
    mailbox.add(['a'], { held: true })
    wake()
    await inHand('a')
    mailbox.add(['b'])
    const other = newLease()
    await other.renew()
    expect(await other.acquire(mailbox.actor)).toBe(false)
    await handled('b')
    expect([...mailbox.inHand.keys()]).toEqual(['a'])
    await listener.stop()
  })

  test('lost during a page prevents further rows from starting', async () => {
    mailbox.maxInFlight = 2
    const { host, lease } = await startWith(['a', 'b'], { behind: ['c'] })
    const thief = await rob(lease)
    mailbox.end('b')
    await eventually('the next lease was requested', () => lease.takings.includes(false))
    expect(host.active).toBe(1)
    mailbox.end('a')
    await asleep(host)
    expect(mailbox.started).toEqual(['a', 'b'])

    mailbox.swept = true
    await thief.releaseAll()
    await handled('c')
    expect(mailbox.started).toEqual(['a', 'b', 'c'])
  })

  test('lost while it is acquired prevents any row from starting', async () => {
    const { host, lease, wake } = await startHost()
    lease.afterTake = async () => {
      if (lease.takings.length === 1) await rob(lease)
    }
    mailbox.add(['a'])
    wake()
    await asleep(host)
    expect(lease.takings).toEqual([true, false])
    expect(mailbox.pages).toBe(0)
  })

  test('lost during an attempt lets the attempt finish, and this process makes no second attempt', async () => {
    const { host, lease, wake } = await startWith(['a'])
    await forget(lease)
    await noticedLoss(lease)
    await eventually('the lease was taken again', () => lease.takings.length === 2)
    mailbox.add(['b'])
    wake()
    await handled('b')
    mailbox.end('a')
    await asleep(host)
    expect(mailbox.started).toEqual(['a', 'b'])
    expect(lease.takings).toEqual([true, true])
  })

  test('lost and acquired again covers the other rows, while the in-flight row continues', async () => {
    const { host, lease } = await startWith(['a'])
    const thief = await rob(lease)
    await eventually('the next lease was requested', () => lease.takings.includes(false))
    mailbox.add(['b'])
    mailbox.swept = true
    await thief.releaseAll()
    await handled('b')
    expect([...mailbox.inHand.keys()]).toEqual(['a'])
    mailbox.end('a')
    await asleep(host)
    expect(mailbox.started).toEqual(['a', 'b'])
  })

  test('that cannot be renewed stops all work and further acquisition until a renewal succeeds', async () => {
    const lease = newLease({ ttlMs: 1100, renewMs: never })
    const { host, wake } = await startHost({}, lease)
    mailbox.maxInFlight = 1
    mailbox.add(['a'], { held: true })
    mailbox.add(['b'])
    await eventually('a is in flight', async () => {
      await lease.renew()
      wake()
      return mailbox.inHand.has('a')
    })
    const takings = lease.takings.length
    await eventually('the lease is no longer trusted', () => !lease.isValid)
    mailbox.end('a')
    await asleep(host)
    for (let n = 0; n < 3; n++) {
      wake()
      await asleep(host)
    }
    expect(mailbox.started).toEqual(['a'])
    expect(lease.takings).toHaveLength(takings)

    mailbox.swept = true
    await eventually('b is handled', async () => {
      await lease.renew()
      return mailbox.started.includes('b')
    })
  })
})

describe('the poll for due actors', () => {
  test('finds an actor that was not woken, at the start and later', async () => {
    mailbox.swept = true
    mailbox.add(['a'])
    await startHost()
    await handled('a')
    mailbox.add(['b'])
    await handled('b')
  })

  test('continues after an error', async () => {
    const find = mailbox.findDue
    let looks = 0
    mailbox.findDue = function (...asked) {
      if (++looks === 1) throw new Error('the database is away')
      return find.apply(this, asked)
    }
    mailbox.swept = true
    mailbox.add(['a'])
    await startHost()
    await handled('a')
  })
})

describe('stop', () => {
  const isOver = (ending: Promise<void>) => {
    const state = { over: false }
    void ending.then(() => {
      state.over = true
    })
    return state
  }

  test('lets in-flight rows finish, starts no others and releases the leases', async () => {
    mailbox.maxInFlight = 2
    const { host, lease, wake } = await startWith(['a', 'b'], { behind: ['c'] })
    const ending = host.stop(new AbortController().signal)
    const state = isOver(ending)
    wake()
    mailbox.end('a')
    await eventually('a is recorded', () => !mailbox.left.includes('a'))
    expect(state.over).toBe(false)
    mailbox.end('b')
    await ending
    expect(mailbox.started).toEqual(['a', 'b'])
    expect(mailbox.left).toEqual(['c'])
    expect(await database.sql`select 1 from leases`).toHaveLength(0)
    expect(await database.sql`select 1 from processes where id = ${lease.id}`).toHaveLength(0)
  })

  test('continues the heartbeat until then, so that no other process takes the in-flight rows', async () => {
    const { host, lease } = await startWith(['a'])
    const ending = host.stop(new AbortController().signal)
    const { length } = lease.renewals
    await eventually('two more heartbeats', () => lease.renewals.length >= length + 2)
    mailbox.end('a')
    await ending
  })

  describe('releases the leases after a running heartbeat, which would register the process again', () => {
    const heldRenewal = (lease: WatchedLease) => {
      const { promise: mayRenew, resolve: letItRenew } = Promise.withResolvers<void>()
      const held = { waiting: false, letItRenew, departedBefore: false }
      lease.beforeRenew = async () => {
        held.waiting = true
        await mayRenew
        held.departedBefore = lease.departed
      }
      return held
    }
    const expectDepartedAfter = async (ending: Promise<void>, held: ReturnType<typeof heldRenewal>) => {
      await new Promise(resolve => setImmediate(resolve))
      held.letItRenew()
      await ending
      expect(held.departedBefore).toBe(false)
      expect(await database.sql`select 1 from processes`).toHaveLength(0)
    }

    test('during normal operation', async () => {
      const { host, lease } = await startHost()
      const held = heldRenewal(lease)
      await eventually('a heartbeat is in progress', () => held.waiting)
      await expectDepartedAfter(host.stop(new AbortController().signal), held)
    })

    test('during the start', async () => {
      const lease = newLease()
      const held = heldRenewal(lease)
      const host = new ActorHost([mailbox], lease, log)
      const starting = host.start()
      await expectDepartedAfter(host.stop(new AbortController().signal), held)
      await starting
    })
  })

  test('aborts in-flight rows at the deadline', async () => {
    const { host } = await startWith(['a'])
    const deadline = new AbortController()
    const ending = host.stop(deadline.signal)
    const state = isOver(ending)
    await new Promise(resolve => setImmediate(resolve))
    expect(state.over).toBe(false)
    deadline.abort()
    await ending
    expect(mailbox.left).toEqual(['a'])
  })

  test('can be called again with an earlier deadline', async () => {
    const { host } = await startWith(['a'])
    const slowly = host.stop(new AbortController().signal)
    await host.stop(AbortSignal.abort())
    await slowly
    expect(mailbox.left).toEqual(['a'])
  })

  test('before the start makes the start do nothing', async () => {
    const lease = newLease()
    const host = new ActorHost([mailbox], lease, log)
    await host.stop(new AbortController().signal)
    await host.start()
    mailbox.add(['a'])
    host.wake(mailbox.actor)
    expect(host.active).toBe(0)
    expect(lease.renewals).toEqual([])
  })

  test('prevents actors from being woken', async () => {
    const { host, wake } = await startHost()
    await host.stop(new AbortController().signal)
    wake()
    expect(host.active).toBe(0)
  })
})
