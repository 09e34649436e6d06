/** Tests that the stream of outbound events skips and repeats nothing, whatever the order of commits. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { releaseHold } from '../../../src/app/restore/index.ts'
import type { Caller } from '../../../src/core/context.ts'
import { DomainError } from '../../../src/core/errors.ts'
import { connect, type Sql } from '../../../src/platform/postgres/client.ts'
import {
  type OutboundEventType,
  PullWaiters,
  pullOutboundEvents,
  removeOldOutboundEvents,
} from '../../../src/webhooks/outbound-events/index.ts'
import { newWorkspace, useDatabase } from '../../support/database.ts'
import { tell } from '../../support/outbox.ts'
import { randomFrom } from '../../support/random.ts'
import { use } from '../../support/use.ts'
import { eventually } from '../../support/world.ts'

const database = useDatabase()
const writers = use(async () => {
  const pool = connect({ url: database.url, applicationName: 'test', max: 8 })
  return { pool, stop: () => pool.end() }
})
let workspaceId: string
beforeEach(async () => {
  workspaceId = crypto.randomUUID()
  await newWorkspace(database.sql, workspaceId)
})

const waiters = new PullWaiters({
  query: (_, work) => work(database.sql),
  onFailure: error => {
    throw error
  },
  keepAliveMs: 75_000,
})

interface Asked {
  after?: string
  types?: string
  limit?: number
  wait?: number
  signal?: AbortSignal
}

const pull = ({ signal = new AbortController().signal, ...query }: Asked = {}) => {
  const plan = { features: { webhooks: true } } as unknown as Caller['plan']
  const caller: Caller = { type: 'user', id: 'person', workspaceId, plan, role: 'agent' }
  return pullOutboundEvents({ sql: database.sql, caller }, (_, work) => work(database.sql), waiters, query, {
    signal,
    headOnly: false,
  })
}

const idsOf = ({ bodies }: { bodies: string[] }): string[] => bodies.map(body => JSON.parse(body).id)

/** Pulls from the cursor to the end, after the open transactions of other tests have ended. */
const drain = async (after: string, { limit, types }: { limit?: () => number; types?: string } = {}) => {
  const ids: string[] = []
  for (let cursor = after; ; ) {
    const page = await pull({ after: cursor, limit: limit?.() ?? 100, types })
    ids.push(...idsOf(page))
    if (!page.hasMore) return { ids, cursor: page.cursor }
    cursor = page.cursor
  }
}

/** Pulls until this many events have arrived. Transactions in other databases of the server can delay them. */
const drainUntil = async (count: number, after: string) => {
  const ids: string[] = []
  let cursor = after
  await eventually(`${count} events are pulled`, async () => {
    const next = await drain(cursor)
    ids.push(...next.ids)
    cursor = next.cursor
    return ids.length >= count
  })
  return { ids, cursor }
}

const emit = async (sql: Sql = database.sql, type: OutboundEventType = 'campaign.completed', count = 1) =>
  (await tell(sql, workspaceId, type, { count }))[count - 1]!

/** Opens a transaction that can be ended later. */
const open = async (work: (tx: Sql) => Promise<string>) => {
  const ending = Promise.withResolvers<void>()
  const written = Promise.withResolvers<string>()
  const done = writers.pool.begin(async tx => {
    written.resolve(await work(tx as unknown as Sql))
    await ending.promise
  })
  done.catch(() => {})
  const id = await written.promise
  return {
    id,
    commit: async () => {
      ending.resolve()
      await done
    },
    rollback: async () => {
      ending.reject(new Error('rolled back'))
      await done.catch(() => {})
    },
  }
}

describe('an event that commits late', () => {
  test('holds up events of later transactions, and then all appear once in the order of transactions', async () => {
    const { cursor } = await pull()
    const late = await open(tx => emit(tx))
    const early = await emit()
    const held = await pull({ after: cursor })
    expect(held).toMatchObject({ bodies: [], hasMore: false })
    await late.commit()
    const { ids, cursor: next } = await drainUntil(2, held.cursor)
    expect(ids).toEqual([late.id, early])
    expect((await pull({ after: next })).bodies).toEqual([])
  })

  test('never appears if its transaction is rolled back', async () => {
    const { cursor } = await pull()
    const late = await open(tx => emit(tx))
    const early = await emit()
    await late.rollback()
    expect((await drainUntil(1, cursor)).ids).toEqual([early])
  })

  test('random interleavings of transactions are pulled exactly once', async () => {
    const next = randomFrom(Number(process.env.PROPERTIES_SEED ?? 23))
    const start = (await pull()).cursor
    const committed: string[] = []
    const opened: Awaited<ReturnType<typeof open>>[] = []
    const pulled: string[] = []
    let cursor = start
    for (let step = 0; step < 150; step++) {
      const choice = next()
      if (choice < 0.35 && opened.length < 7) opened.push(await open(tx => emit(tx)))
      else if (choice < 0.75 && opened.length > 0) {
        const [one] = opened.splice(Math.floor(next() * opened.length), 1)
        if (next() < 0.7) {
          await one!.commit()
          committed.push(one!.id)
        } else await one!.rollback()
      } else {
        const page = await pull({ after: cursor, limit: 1 + Math.floor(next() * 4) })
        pulled.push(...idsOf(page))
        cursor = page.cursor
      }
    }
    for (const one of opened) {
      await one.commit()
      committed.push(one.id)
    }
    const rest = await drainUntil(committed.length - pulled.length, cursor)
    pulled.push(...rest.ids)
    expect(pulled.toSorted()).toEqual(committed.toSorted())
    expect((await drainUntil(committed.length, start)).ids).toEqual(pulled)
  })
})

describe('a page', () => {
  test('has the events of the given types, and ends at the limit', async () => {
    const { cursor } = await pull()
    const status = await emit(database.sql, 'message.status')
    const [sale, ping] = [await emit(database.sql, 'sale.created'), await emit(database.sql, 'ping')]
    await drainUntil(3, cursor)
    const one = await pull({ after: cursor, types: 'ping,sale.created', limit: 1 })
    expect([idsOf(one), one.hasMore]).toEqual([[sale], true])
    const two = await pull({ after: one.cursor, types: 'ping,sale.created', limit: 1 })
    expect([idsOf(two), two.hasMore]).toEqual([[ping], false])
    expect(idsOf(await pull({ after: cursor, limit: 3 }))).toEqual([status, sale, ping])
    expect((await pull({ after: cursor, limit: 3 })).hasMore).toBe(false)
  })

  test('ends after 20,000 rows of other types, and the next one continues there', async () => {
    const { cursor } = await pull()
    await emit(database.sql, 'message.status', 20_000)
    const sale = await emit(database.sql, 'sale.created')
    const page = await eventually('the events are available', async () => {
      const answer = await pull({ after: cursor, types: 'sale.created' })
      return answer.hasMore && answer
    })
    expect(page.bodies).toEqual([])
    const rest = await eventually('the sale is available', async () => {
      const answer = await pull({ after: page.cursor, types: 'sale.created' })
      return answer.bodies.length > 0 && answer
    })
    expect([idsOf(rest), rest.hasMore]).toEqual([[sale], false])
  })

  test('ends at 4 MiB', async () => {
    const { cursor } = await pull()
    const text = 'x'.repeat(1_000_000)
    for (let count = 0; count < 6; count++)
      await tell(database.sql, workspaceId, 'message.received', { data: { text } })
    const { ids } = await drainUntil(6, cursor)
    const page = await pull({ after: cursor })
    expect([idsOf(page), page.hasMore]).toEqual([ids.slice(0, 5), true])
    expect(idsOf(await pull({ after: page.cursor }))).toEqual(ids.slice(5))
  })
})

describe('retention', () => {
  const removeAll = () =>
    removeOldOutboundEvents(database.sql, {
      workspaceId,
      after: '00000000-0000-0000-0000-000000000000',
      olderThan: new Date(Date.now() + 60_000),
      limit: 100,
    })
  const fanOutAll = () =>
    database.sql`update outbound_events set fanned_out_at = now() where workspace_id = ${workspaceId}`
  const refusalOf = async (after: string): Promise<DomainError> =>
    pull({ after }).then(
      () => expect.unreachable(),
      error => error,
    )

  test('makes a cursor before a removed event invalid, and the error has one that works', async () => {
    const { cursor: before } = await pull()
    await emit()
    const { cursor: end } = await drainUntil(1, before)
    await fanOutAll()
    expect(await removeAll()).toMatchObject({ removed: 1 })
    const kept = await emit()
    const refusal = await refusalOf(before)
    expect(refusal).toBeInstanceOf(DomainError)
    expect(refusal.code).toBe('unprocessable')
    expect((await drainUntil(1, refusal.details!.after!)).ids).toEqual([kept])
    // This cursor has missed nothing.
    expect((await drainUntil(1, end)).ids).toEqual([kept])
    expect((await drain('beginning')).ids).toEqual([kept])
  })

  test('keeps a cursor at the end of the stream valid', async () => {
    await emit()
    const { cursor } = await drainUntil(1, 'beginning')
    await fanOutAll()
    await removeAll()
    const next = await pull({ after: cursor })
    const now = await pull()
    for (const after of [cursor, next.cursor, now.cursor]) expect((await pull({ after })).bodies).toEqual([])
    const id = await emit()
    for (const after of [cursor, next.cursor, now.cursor]) expect((await drainUntil(1, after)).ids).toEqual([id])
  })

  test('makes a cursor invalid that was issued for an empty stream and never used', async () => {
    const { cursor } = await pull()
    await emit()
    await drainUntil(1, cursor)
    await fanOutAll()
    await removeAll()
    expect((await refusalOf(cursor)).code).toBe('unprocessable')
  })
})

describe('a cursor', () => {
  test('is rejected if it belongs to another workspace, or is no cursor', async () => {
    const { cursor } = await pull()
    workspaceId = crypto.randomUUID()
    for (const after of [cursor, '', 'x', `${cursor}=`, 'Beginning', cursor.slice(1)])
      await expect(pull({ after })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('cannot be used without the feature `webhooks`', async () => {
    const plan = { features: { webhooks: false } } as unknown as Caller['plan']
    const caller: Caller = { type: 'user', id: 'person', workspaceId, plan, role: 'owner' }
    const { signal } = new AbortController()
    const reading = <T>(_: string, work: (sql: Sql) => Promise<T>) => work(database.sql)
    const pulled = pullOutboundEvents({ sql: database.sql, caller }, reading, waiters, {}, { signal, headOnly: false })
    await expect(pulled).rejects.toMatchObject({ code: 'feature_not_available' })
  })

  test('is rejected after a new epoch like one that is too old', async () => {
    const { sql } = database
    await emit()
    const { cursor } = await drainUntil(1, 'beginning')
    await sql`insert into service_identity (database_oid, heartbeat_at, stream_epoch) values (0, now(), 7)`
    const refusal = await pull({ after: cursor }).catch(error => error)
    await sql`delete from service_identity`
    expect(refusal.code).toBe('unprocessable')
  })
})

test('events restored from another cluster come first after the release, and earlier cursors are rejected', async () => {
  const { sql } = database
  const restored = [await emit(), await emit()]
  const { cursor } = await drainUntil(2, 'beginning')
  // Transaction ids of the other cluster are far ahead of those of this one.
  const foreign = '9000000000'
  await sql`update outbound_events set xid = ${foreign}::text::xid8 where workspace_id = ${workspaceId}`
  await sql`insert into outbound_event_trims values (${workspaceId}, ${foreign}::text::xid8, ${crypto.randomUUID()})`
  await sql`
    insert into service_identity (database_oid, heartbeat_at, held_since, hold_reason)
    values (0, now(), now(), 'another_database')`
  const { cursor: held } = await pull()
  const fresh = await emit()
  expect((await drainUntil(1, held)).ids).toEqual([fresh])

  await releaseHold(sql)
  expect((await drainUntil(3, 'beginning')).ids).toEqual([...restored, fresh])
  for (const after of [cursor, held]) {
    const refusal = await pull({ after }).catch(error => error)
    expect(refusal.code).toBe('unprocessable')
    expect((await drain(refusal.details.after)).ids).toEqual([...restored, fresh])
  }
  await sql`delete from service_identity`
})

describe('a wait', () => {
  test('ends when an event commits, and without one after its time', async () => {
    const { cursor } = await pull()
    const waiting = pull({ after: cursor, wait: 30 })
    const id = await emit()
    expect(idsOf(await waiting)).toEqual([id])
    const empty = await pull({ after: (await waiting).cursor, wait: 1 })
    expect(empty).toMatchObject({ bodies: [], hasMore: false })
  })

  test('without a cursor starts now', async () => {
    await emit()
    await drainUntil(1, 'beginning')
    const waiting = pull({ wait: 30 })
    await eventually('it waits', () => waiters.waiting === 1)
    const id = await emit()
    expect(idsOf(await waiting)).toEqual([id])
  })

  test('continues after events of other types', async () => {
    const { cursor } = await pull()
    const waiting = pull({ after: cursor, wait: 30, types: 'sale.created' })
    await emit(database.sql, 'message.status')
    await drainUntil(1, cursor)
    const sale = await emit(database.sql, 'sale.created')
    expect(idsOf(await waiting)).toEqual([sale])
  })

  test('ends when the caller leaves, and frees its permit', async () => {
    const leaving = new AbortController()
    const waiting = pull({ wait: 30, signal: leaving.signal })
    await eventually('it waits', () => waiters.waiting === 1)
    leaving.abort()
    await expect(waiting).rejects.toBe(leaving.signal.reason)
    expect(waiters.waiting).toBe(0)
  })

  test('takes one statement per interval for many callers, and none without callers', async () => {
    let statements = 0
    const shared = new PullWaiters({
      query: (_, work) => {
        statements++
        return work(database.sql)
      },
      onFailure: () => {},
      keepAliveMs: 75_000,
      limits: { maxPerUser: 1000, maxPerWorkspace: 1000 },
    })
    const { signal } = new AbortController()
    const position = { xid: 2n ** 62n, id: crypto.randomUUID() }
    const startedAt = performance.now()
    const waits = Array.from({ length: 1000 }, (_, index) =>
      shared.run({ workspaceId, userId: String(index), maxMs: 1500, signal }, wait => wait(position)),
    )
    expect(await Promise.all(waits)).toEqual(waits.map(() => false))
    expect(statements).toBeWithin(1, (performance.now() - startedAt) / 200 + 1)
    await shared.stop()
    const afterwards = statements
    const again = shared.run({ workspaceId, userId: 'a', maxMs: 1000, signal }, wait => wait(position))
    expect([await again, statements]).toEqual([false, afterwards])
  })

  test('is rejected over the limit of the person, the workspace or the process', async () => {
    const limits = { maxPerUser: 1, maxPerWorkspace: 2, maxPerProcess: 3 }
    const few = new PullWaiters({
      query: (_, work) => work(database.sql),
      onFailure: () => {},
      keepAliveMs: 75_000,
      limits,
    })
    const { signal } = new AbortController()
    const enter = (workspace: string, userId: string) =>
      few.run({ workspaceId: workspace, userId, maxMs: 30_000, signal }, wait =>
        wait({ xid: 2n ** 62n, id: workspaceId }),
      )
    const other = crypto.randomUUID()
    const inside = [enter(workspaceId, 'a'), enter(workspaceId, 'b')]
    await expect(enter(other, 'a')).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 5 })
    await expect(enter(workspaceId, 'c')).rejects.toMatchObject({ code: 'rate_limited' })
    inside.push(enter(other, 'c'))
    await expect(enter(other, 'd')).rejects.toMatchObject({ code: 'internal_error', retryAfterSeconds: 5 })
    await few.stop()
    expect(await Promise.all(inside)).toEqual([false, false, false])
    expect(few.waiting).toBe(0)
  })
})
