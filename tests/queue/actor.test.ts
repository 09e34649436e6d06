/** Tests the actor lifecycle that docs/architecture.md describes. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import pino from 'pino'
import { type LeaseOptions, leaseDefaults, leaseHeldChannel } from '../../src/platform/postgres/lease.ts'
import { Listener } from '../../src/platform/postgres/listen.ts'
import type { ActorTimes } from '../../src/queue/activation.ts'
import type { JobBatch } from '../../src/queue/actor.ts'
import { ActorHost } from '../../src/queue/host.ts'
import { useDatabase } from '../support/database.ts'
import { MemoryQueue, WatchedLease } from '../support/queue.ts'
import { eventually } from '../support/world.ts'

/** Longer than any test, in milliseconds. A timer with this value never fires during a test. */
const never = 60_000

const log = pino({ level: process.env.TEST_LOG ?? 'silent' })

const database = useDatabase()
let queue: MemoryQueue
const hosts: ActorHost[] = []
beforeEach(() => {
  queue = new MemoryQueue()
})
afterEach(async () => {
  await Promise.all(hosts.splice(0).map(host => host.stop(AbortSignal.abort())))
  await database.sql`truncate processes, leases`
})

const newLease = (options: Partial<LeaseOptions> = {}) =>
  new WatchedLease(database.sql, { ...leaseDefaults, renewMs: 20, ...options })

/** Starts a host that the database sees as a separate process. It polls too rarely to find work by default. */
const startHost = async (times: Partial<ActorTimes> = {}, lease = newLease()) => {
  const host = new ActorHost([queue], lease, log, {
    maxPageAgeMs: never,
    lingerMs: 20,
    pollMs: never,
    errorPauseMs: 20,
    blockedPollMs: 5,
    ...times,
  })
  hosts.push(host)
  await host.start()
  return { host, lease, wake: () => host.wake(queue.actor) }
}

/** Starts a host whose actor has these rows in flight, and the rows `behind` them in its queue. */
const startWith = async (
  ids: string[],
  { behind = [], ...times }: Partial<ActorTimes> & { behind?: string[] } = {},
) => {
  const started = await startHost(times)
  queue.add(ids, { held: true })
  queue.add(behind)
  started.wake()
  await inFlight(...ids)
  return started
}

/** Returns the lease of another live process, which holds the actor's lease and does no work. */
const startOtherHolder = async (options: Partial<LeaseOptions> = {}) => {
  const other = newLease(options)
  await other.renew()
  expect(await other.acquire(queue.actor)).toBe(true)
  return other
}

/** Moves the lease to another process in one statement, because the holder quickly registers again. */
const loseLease = async (lease: WatchedLease) => {
  const other = newLease()
  await other.renew()
  await database.sql`
    with dead as (delete from processes where id = ${lease.id})
    update leases set holder = ${other.id} where holder = ${lease.id}`
  await noticedLoss(lease)
  return other
}

const inFlight = (...ids: string[]) =>
  eventually(`in flight: ${ids}`, () => ids.every(id => queue.inFlight.has(id)) && queue.inFlight.size === ids.length)
const handled = (...ids: string[]) =>
  eventually(`handled: ${ids}`, () => ids.every(id => queue.started.includes(id) && !queue.left.includes(id)))
const asleep = (host: ActorHost) => eventually('no actor is awake', () => host.active === 0)
const noticedLoss = (lease: WatchedLease) =>
  eventually('the process noticed that its heartbeat was deleted', () => lease.renewals.lastIndexOf(false) > 0)

describe('an actor that is woken', () => {
  test('handles due rows oldest first and releases the lease', async () => {
    const { host, wake } = await startHost()
    queue.add(['a', 'b', 'c'])
    wake()
    await asleep(host)
    expect(queue.started).toEqual(['a', 'b', 'c'])
    expect(queue.left).toEqual([])
    expect(await database.sql`select 1 from leases`).toHaveLength(0)
  })

  test('repeatedly, before, during and after its work, handles each row once', async () => {
    const { host, wake } = await startHost()
    queue.add(['a', 'b'], { held: true })
    for (let n = 0; n < 3; n++) wake()
    await inFlight('a', 'b')
    const { pages } = queue
    wake()
    await eventually('it polled again', () => queue.pages > pages)
    queue.end('a')
    wake()
    await eventually('a is done', () => !queue.left.includes('a'))
    queue.end('b')
    wake()
    await asleep(host)
    expect(queue.started).toEqual(['a', 'b'])
  })

  test('does not wait for another actor, and no row waits for a slow one', async () => {
    const { host, wake } = await startHost()
    const other = queue.actorOf(randomUUID())
    const others = Array.from({ length: 30 }, (_, n) => `row ${n}`)
    queue.add(['slow'], { held: true })
    queue.add(others)
    queue.add(['of another'], { actor: other })
    wake()
    host.wake(other)
    await handled('of another', ...others)
    expect([...queue.inFlight.keys()]).toEqual(['slow'])
    await eventually('only the first is awake', () => host.active === 1)
  })
})

describe('a page', () => {
  test.each([
    ['outdated is read again, and a removed row is not handled', 10, ['a', 'c']],
    ['still fresh is handled as it was read', never, ['a', 'b', 'c']],
  ])('that is %s', async (_, maxPageAgeMs, started) => {
    queue.maxInFlight = 1
    const { host } = await startWith(['a'], { behind: ['b', 'c'], maxPageAgeMs })
    await sleep(11)
    queue.remove('b')
    queue.end('a')
    await asleep(host)
    expect(queue.started).toEqual(started)
  })

  test('is read periodically while rows are in flight, to find rows of other processes', async () => {
    await startWith(['a'], { pollMs: 5 })
    queue.add(['b'])
    await handled('b')
    expect([...queue.inFlight.keys()]).toEqual(['a'])
  })

  test('that could not be read is retried after a pause', async () => {
    const { wake } = await startHost({ errorPauseMs: 30 })
    const readAt: number[] = []
    queue.onRead = page => {
      readAt.push(performance.now())
      if (page <= 2) throw new Error('the database is away')
    }
    queue.add(['a'])
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
    queue.handling = async id => {
      if (id === 'broken') startedAt.push(performance.now())
    }
    const other = queue.actorOf(randomUUID())
    queue.unrecordable.add('broken')
    queue.add(['broken', 'b', 'c', 'd', 'e', 'f'])
    queue.add(['of another'], { actor: other })
    wake()
    host.wake(other)
    await handled('b', 'c', 'd', 'e', 'f', 'of another')
    await eventually('it was attempted a third time', () => startedAt.length >= 3)
    for (const n of [1, 2]) expect(startedAt[n]! - startedAt[n - 1]!).toBeGreaterThan(28)
    queue.unrecordable.clear()
    await handled('broken')
    expect(queue.started.filter(id => id !== 'broken').toSorted()).toEqual(['b', 'c', 'd', 'e', 'f', 'of another'])
  })

  test('neither blocks nor starves while new rows keep arriving, even with a concurrency limit of one', async () => {
    const { wake } = await startHost({ maxPageAgeMs: 5 })
    queue.maxInFlight = 1
    queue.unrecordable.add('broken')
    queue.add(['broken'])
    let more = 0
    queue.handling = async () => {
      queue.add([`row ${++more}`, `another ${more}`])
      await sleep(2)
    }
    wake()
    await eventually('it was attempted three times', () => queue.started.filter(id => id === 'broken').length === 3)
    expect(queue.started.filter(id => id !== 'broken')).not.toEqual([])
  })
})

describe('the concurrency limit', () => {
  test('doubles up to the limit of the kind while answers are in time, and falls to one without answers', async () => {
    const { wake } = await startHost()
    queue.maxInFlight = 10
    queue.add(
      Array.from({ length: 60 }, (_, n) => `row ${n}`),
      { held: true },
    )
    wake()
    let started = 0
    for (const [size, isAnswered] of [4, 8, 10, 10, 1, 1, 1].map((size, n) => [size, n < 3] as const)) {
      started += size
      await eventually(`${size} of ${started}`, () => queue.inFlight.size === size && queue.started.length === started)
      for (const id of [...queue.inFlight.keys()]) queue.end(id, isAnswered)
    }
  })

  test('is not reduced by slow recording, which is not caused by the receiver', async () => {
    const { wake } = await startHost()
    queue.maxInFlight = 256
    let inFlight = 0
    let most = 0
    queue.handling = async () => {
      most = Math.max(most, ++inFlight)
      await sleep(20)
    }
    queue.recording = async () => {
      await sleep(inFlight)
      inFlight--
    }
    queue.add(Array.from({ length: 4000 }, (_, n) => `row ${n}`))
    wake()
    await eventually('the limit of the kind is in flight', () => most === 256, 10_000)
  })
})

describe('rows that are handed over', () => {
  const begunNow = (...ids: string[]) => ({ jobs: ids.map(id => ({ id })), writeStartedAt: performance.now() })
  /** Starts a host with `a` in flight and an empty queue. */
  const startAwake = async (times: Partial<ActorTimes> = {}) => {
    const started = await startHost({ rereadMs: never, ...times })
    queue.add(['a'], { held: true })
    started.wake()
    await inFlight('a')
    await pendingCallbacks()
    return { ...started, hand: (batch: JobBatch) => started.host.wake(queue.actor, batch) }
  }
  const pendingCallbacks = () => new Promise(resolve => setImmediate(resolve))

  test('are handled in order, without a read', async () => {
    const { hand } = await startAwake()
    const { pages } = queue
    queue.add(['b', 'c', 'd', 'e', 'f', 'g'])
    hand(begunNow('b', 'c', 'd'))
    hand(begunNow('e', 'f', 'g'))
    await handled('g')
    expect(queue.started).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
    expect(queue.pages).toBe(pages)
  })

  test('are handled once each, for any order of writes, reads and handovers', async () => {
    const { hand, wake } = await startAwake()
    let count = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('begin', 'write', 'hand', 'post', 'wake', 'wait'), { maxLength: 30, size: 'max' }),
        fc.constantFrom('between reads', 'before a read', 'during a read'),
        async (steps, when) => {
          const begun: JobBatch[] = []
          const written: JobBatch[] = []
          const [wanted, from] = [[] as string[], queue.started.length]
          const take = (step: (typeof steps)[number]) => {
            if (step === 'begin') begun.push(begunNow(`row ${++count}`))
            if ((step === 'write' || step === 'post') && begun.length > 0) {
              const batch = begun.shift()!
              written.push(batch)
              queue.add(batch.jobs.map(({ id }) => id))
              wanted.push(...batch.jobs.map(({ id }) => id))
            }
            if (step === 'hand' && written.length > 0) hand(written.shift()!)
            if (step === 'post' && written.length > 0) hand(written.pop()!)
            if (step === 'wake') wake()
          }
          for (const step of steps) {
            if (step === 'wait') await pendingCallbacks()
            else if (when !== 'between reads') {
              queue.onRead = () => {
                queue.onRead = () => {}
                if (when === 'before a read') take(step)
                else queueMicrotask(() => take(step))
              }
              wake()
              await pendingCallbacks()
            } else take(step)
          }
          queue.onRead = () => {}
          while (written.length > 0) hand(written.shift()!)
          await handled(...wanted)
          expect(queue.started.slice(from).toSorted()).toEqual(wanted.toSorted())
        },
      ),
      { numRuns: 200 },
    )
  })

  test('do not prevent periodic reads, because another row can become due', async () => {
    const { hand } = await startAwake({ rereadMs: 20 })
    queue.add(['due later'])
    await eventually('it was read', async () => {
      const id = randomUUID()
      queue.add([id])
      hand(begunNow(id))
      return queue.started.includes('due later')
    })
  })

  test('and were not started before the lease was lost are left to the next holder', async () => {
    const { hand, lease, host } = await startAwake()
    queue.add(['b'])
    const other = await loseLease(lease)
    hand(begunNow('b'))
    queue.end('a')
    await asleep(host)
    expect(queue.started).toEqual(['a'])
    await other.releaseAll()
  })
})

describe('an empty queue', () => {
  test('is read again when the lease is released, so that a row that just arrived is handled', async () => {
    const { host, lease, wake } = await startHost()
    queue.add(['a'])
    lease.beforeRelease = () => {
      if (!queue.started.includes('late')) queue.add(['late'])
    }
    wake()
    await handled('a', 'late')
    await asleep(host)
    expect(lease.takings).toEqual([true, true])
  })

  test('uses a timer of the process if its next row is due soon', async () => {
    const { wake } = await startHost()
    const dueAt = Date.now() + 80
    queue.add(['a'])
    queue.add(['b'], { dueAt })
    wake()
    await handled('a', 'b')
    expect(Date.now()).toBeGreaterThanOrEqual(dueAt)
    expect(queue.wakeUps).toEqual([])
  })

  test('requests a wake-up for the earliest row that is due much later once, and again if that failed', async () => {
    const { host, wake } = await startHost()
    const now = Date.now()
    const [sooner, middle, later] = [1, 2, 3].map(hours => now + hours * 3_600_000) as [number, number, number]
    const { wakeIn } = queue
    queue.wakeIn = async () => {
      queue.wakeIn = wakeIn
      throw new Error('the database is away')
    }
    for (const dueAt of [middle, middle, later, sooner, sooner]) {
      queue.add([`at ${dueAt}`], { dueAt })
      wake()
      await asleep(host)
    }
    expect(queue.wakeUps.map(at => Math.round((at - now) / 3_600_000))).toEqual([2, 1])
  })
})

describe('the lease', () => {
  test('of another live process is respected, and taken over when it expires', async () => {
    const other = await startOtherHolder({ ttlMs: 300 })
    const { lease, wake } = await startHost()
    queue.add(['a'], { held: true })
    queue.isPolled = true
    wake()
    await inFlight('a')
    expect(lease.takings[0]).toBe(false)
    const [row] =
      await database.sql`select alive_until < clock_timestamp() as dead from processes where id = ${other.id}`
    expect(row!.dead).toBe(true)
  })

  test('is held by one of several processes, so that each row is handled once', async () => {
    const processes = await Promise.all([startHost(), startHost(), startHost()])
    const rows = Array.from({ length: 60 }, (_, n) => `row ${n}`)
    queue.handling = async () => {
      for (const { wake } of processes) wake()
      await new Promise(resolve => setImmediate(resolve))
    }
    queue.isPolled = true
    queue.add(rows)
    for (const { wake } of processes) wake()
    await handled(...rows)
    expect(queue.started.toSorted()).toEqual(rows.toSorted())
  })

  test('notifies its holder when another process finds it held, and the holder reads its queue', async () => {
    const { host, wake } = await startHost({ rereadMs: never })
    const listener = new Listener({
      url: database.url,
      applicationName: 'actor test',
      channels: { [leaseHeldChannel]: id => host.onLeaseHeld(id) },
      onConnect: () => {},
    })
    await listener.start()
    queue.add(['a'], { held: true })
    wake()
    await inFlight('a')
    queue.add(['b'])
    const other = newLease()
    await other.renew()
    expect(await other.acquire(queue.actor)).toBe(false)
    await handled('b')
    await listener.stop()
  })

  test('lost during a page prevents further rows from starting', async () => {
    queue.maxInFlight = 2
    const { host, lease } = await startWith(['a', 'b'], { behind: ['c'] })
    const other = await loseLease(lease)
    queue.end('b')
    await eventually('the next lease was requested', () => lease.takings.includes(false))
    expect(host.active).toBe(1)
    queue.end('a')
    await asleep(host)
    expect(queue.started).toEqual(['a', 'b'])

    queue.isPolled = true
    await other.releaseAll()
    await handled('c')
    expect(queue.started).toEqual(['a', 'b', 'c'])
  })

  test('lost while it is acquired prevents any row from starting', async () => {
    const { host, lease, wake } = await startHost()
    lease.afterTake = async () => {
      if (lease.takings.length === 1) await loseLease(lease)
    }
    queue.add(['a'])
    wake()
    await asleep(host)
    expect(lease.takings).toEqual([true, false])
    expect(queue.pages).toBe(0)
  })

  test('lost and acquired again covers the other rows, while the in-flight row continues and starts once', async () => {
    const { host, lease } = await startWith(['a'])
    const other = await loseLease(lease)
    await eventually('the next lease was requested', () => lease.takings.includes(false))
    queue.add(['b'])
    queue.isPolled = true
    await other.releaseAll()
    await handled('b')
    expect([...queue.inFlight.keys()]).toEqual(['a'])
    queue.end('a')
    await asleep(host)
    expect(queue.started).toEqual(['a', 'b'])
  })

  test('that cannot be renewed stops all work and further acquisition until a renewal succeeds', async () => {
    const lease = newLease({ ttlMs: 1100, renewMs: never })
    const { host, wake } = await startHost({}, lease)
    queue.maxInFlight = 1
    queue.add(['a'], { held: true })
    queue.add(['b'])
    await eventually('a is in flight', async () => {
      await lease.renew()
      wake()
      return queue.inFlight.has('a')
    })
    const takings = lease.takings.length
    await eventually('the lease is no longer trusted', () => !lease.isValid)
    queue.end('a')
    await asleep(host)
    for (let n = 0; n < 3; n++) {
      wake()
      await asleep(host)
    }
    expect(queue.started).toEqual(['a'])
    expect(lease.takings).toHaveLength(takings)

    queue.isPolled = true
    await eventually('b is handled', async () => {
      await lease.renew()
      return queue.started.includes('b')
    })
  })
})

test('the poll finds actors that were not woken, at the start and later, and continues after an error', async () => {
  queue.isPolled = true
  queue.add(['a'])
  await startHost()
  await handled('a')
  const { findDue } = queue
  queue.findDue = () => {
    queue.findDue = findDue
    throw new Error('the database is away')
  }
  queue.add(['b'])
  await handled('b')
})

describe('stop', () => {
  const never = new AbortController().signal

  test('lets in-flight rows finish under the lease, starts no others and releases the leases', async () => {
    queue.maxInFlight = 2
    const { host, lease, wake } = await startWith(['a', 'b'], { behind: ['c'] })
    let isOver = false
    const ending = host.stop(never).then(() => {
      isOver = true
    })
    wake()
    queue.end('a')
    await eventually('a is recorded', () => !queue.left.includes('a'))
    const { length } = lease.renewals
    await eventually('two more heartbeats', () => lease.renewals.length >= length + 2)
    expect(isOver).toBe(false)
    queue.end('b')
    await ending
    expect(queue.started).toEqual(['a', 'b'])
    expect(queue.left).toEqual(['c'])
    expect(await database.sql`select 1 from leases`).toHaveLength(0)
    expect(await database.sql`select 1 from processes where id = ${lease.id}`).toHaveLength(0)
    wake()
    expect(host.active).toBe(0)
  })

  test.each(['normal operation', 'the start'])(
    'releases the leases after a heartbeat of %s, which would register the process again',
    async time => {
      const lease = newLease()
      const [waiting, mayRenew] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      let isTooEarly = false
      const holdRenewal = () => {
        lease.beforeRenew = async () => {
          waiting.resolve()
          await mayRenew.promise
          isTooEarly ||= lease.departed
        }
      }
      const host = new ActorHost([queue], lease, log)
      if (time === 'the start') holdRenewal()
      const starting = host.start()
      if (time !== 'the start') await starting.then(holdRenewal)
      await waiting.promise
      const ending = host.stop(never)
      await new Promise(resolve => setImmediate(resolve))
      mayRenew.resolve()
      await Promise.all([starting, ending])
      expect(isTooEarly).toBe(false)
      expect(await database.sql`select 1 from processes`).toHaveLength(0)
    },
  )

  test.each([false, true])('aborts in-flight rows at the deadline, earlier in a second call: %p', async isAgain => {
    const { host } = await startWith(['a'])
    const deadline = new AbortController()
    const ending = host.stop(deadline.signal)
    if (isAgain) await host.stop(AbortSignal.abort())
    else deadline.abort()
    await ending
    expect(queue.left).toEqual(['a'])
  })

  test('before the start makes the start do nothing', async () => {
    const lease = newLease()
    const host = new ActorHost([queue], lease, log)
    await host.stop(never)
    await host.start()
    queue.add(['a'])
    host.wake(queue.actor)
    expect(host.active).toBe(0)
    expect(lease.renewals).toEqual([])
  })
})
