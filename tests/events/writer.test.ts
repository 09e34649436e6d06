/** Tests events that meet in the database, and what one of them can cost the others. */
import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { DomainError, OutcomeUnknown } from '../../src/core/errors.ts'
import type { Plan } from '../../src/core/plan.ts'
import { EventWriter, recordEvents } from '../../src/events/index.ts'
import type { IncomingEvent } from '../../src/events/sql.ts'
import { stringifyJson } from '../../src/platform/json-text.ts'
import { connect, type Database, type Sql } from '../../src/platform/postgres/client.ts'
import { startProxy } from '../platform/postgres/proxy.ts'
import { newWorkspace, openTransaction, useDatabase } from '../support/database.ts'
import { eventually } from '../support/world.ts'
import { eventWith } from './books.ts'

const database = useDatabase('57P01', '55P03')
const workspaceId = crypto.randomUUID()
beforeAll(() => newWorkspace(database.sql, workspaceId))

const pools: Database[] = []
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.end({ timeout: 1 })
})

/** The event writer of a process. `rounds` gets the size of each round. */
const newWriter = (url = database.url) => {
  const sql = connect({ url, applicationName: 'a writer', maxLockMs: 300 })
  pools.push(sql)
  const rounds: number[] = []
  const writer = new EventWriter({ sql, onBatch: size => rounds.push(size), onRunsStarted: () => {} })
  const add = (given: Partial<IncomingEvent>) => writer.add(eventWith({ workspaceId, ...given }))
  return { add, rounds, end: () => sql.end({ timeout: 1 }), writer }
}

let names = 0
const newPhone = () => `+4916${String(110_000_001 + names++)}`
const newName = () => `name-${names++}`

const newCustomer = async (given: { phone?: string; externalId?: string }) => {
  const { phone = null, externalId = null } = given
  const [row] = await database.sql<{ id: string }[]>`
    insert into customers (workspace_id, phone, external_id) values (${workspaceId}, ${phone}, ${externalId}) returning id`
  return row!.id
}

const held = (work: (tx: Sql) => PromiseLike<unknown>) => openTransaction(database.sql, work)
const heldCustomers = (...ids: string[]) => held(tx => tx`select 1 from customers where id = any(${ids}) for update`)

/** Returns the PostgreSQL process ids of writers that wait for a lock. */
const waiting = async (): Promise<number[]> => {
  const rows = await database.sql<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and application_name = 'a writer'`
  return rows.map(({ pid }) => pid)
}

const eventsOf = async (type: string) =>
  (await database.sql<{ id: string }[]>`select id from events where type = ${type}`).map(({ id }) => id)

/** Returns `recorded`, `replayed` or the error for each event. */
const outcomesOf = async (added: ReturnType<EventWriter['add']>[]): Promise<string[]> =>
  (await Promise.allSettled(added)).map(one => {
    if (one.status === 'fulfilled') return one.value.recorded ? 'recorded' : 'replayed'
    if (one.reason instanceof DomainError) return `${one.reason.code} ${Object.keys(one.reason.details ?? {})}`
    throw one.reason
  })

describe('two processes at the same moment', () => {
  test.each([
    ['phones', 'phone', () => newCustomer({ externalId: newName() }), newPhone],
    ['external ids', 'externalId', () => newCustomer({ phone: newPhone() }), newName],
  ] as const)(
    'give a customer different %s: one is stored, the other is a contradiction',
    async (_, field, customer, newValue) => {
      const customerId = await customer()
      const release = await heldCustomers(customerId)
      const writers = [newWriter(), newWriter()]
      const added = writers.map(({ add }) => add({ customerId, [field]: newValue() }))
      await eventually('both have attempted', () => writers.every(({ rounds }) => rounds.length > 1))
      await release()
      expect((await outcomesOf(added)).sort()).toEqual([`invalid_request ${field}`, 'recorded'])
    },
  )

  test('enrol two customers under one key: only the customer of the recorded event exists, with the opt-in', async () => {
    for (let round = 0; round < 10; round++) {
      const phones = [newPhone(), newPhone()]
      const idempotencyKey = newName()
      const added = phones.map(phone => newWriter().add({ phone, idempotencyKey, optInEvidence: 'a box' }))
      expect((await outcomesOf(added)).sort()).toEqual(['recorded', 'replayed'])
      expect(await database.sql`select from customers where phone = any(${phones})`).toHaveLength(1)
      expect(
        await database.sql`select from consents c join customers p on p.id = c.customer_id where p.phone = any(${phones})`,
      ).toHaveLength(1)
    }
  })

  test('enrol one phone each and fill in the phone of the other: do not deadlock', async () => {
    const customers = [await newCustomer({ externalId: newName() }), await newCustomer({ externalId: newName() })]
    const phones = [newPhone(), newPhone()]
    const release = await heldCustomers(...customers)
    const writers = [newWriter(), newWriter()]
    const enrolling = writers.map(({ add }, one) => add({ phone: phones[one]! }))
    const filled = outcomesOf(
      writers.map(({ add }, one) => add({ customerId: customers[one]!, phone: phones[1 - one]! })),
    )
    expect(await outcomesOf(enrolling)).toEqual(['recorded', 'recorded'])
    await release()
    expect(await filled).toEqual(['invalid_request phone', 'invalid_request phone'])
    for (const { end } of writers) await end()
    await eventually('their writes are counted', async () => {
      const rows = await database.sql`
        select from pg_stat_activity where datname = current_database() and application_name = 'a writer'`
      return rows.length === 0
    })
    const [stat] = await database.sql`select deadlocks from pg_stat_database where datname = current_database()`
    expect(Number(stat!.deadlocks)).toBe(0)
  })
})

describe('a connection that breaks during the write', () => {
  const lockedTable = () => held(tx => tx`lock table events in share mode`)
  /**
   * Locks the monthly usage, so that the writer waits there. PostgreSQL has then received the complete statement. A
   * locked table would block the statement before its parameters arrive.
   */
  const lockedMonth = () =>
    held(
      tx => tx`
        insert into event_usage (workspace_id, month, shard, recorded)
        select ${workspaceId}, date_trunc('month', now() at time zone 'utc')::date, shard, 0 from generate_series(0, 63) shard
        on conflict (workspace_id, month, shard) do update set recorded = event_usage.recorded`,
    )

  test('writes events without a key at most once, and reports an unknown result', async () => {
    const type = newName()
    const release = await lockedTable()
    const { add } = newWriter()
    const added = [1, 2, 3].map(() => add({ type, phone: newPhone() }))
    const settled = Promise.allSettled(added)
    const [pid] = await eventually('they wait to be written', async () => {
      const pids = await waiting()
      return pids.length > 0 && pids
    })
    await database.sql`select pg_terminate_backend(${pid!})`
    for (const one of await settled) {
      expect((one as PromiseRejectedResult).reason).toBeInstanceOf(OutcomeUnknown)
      expect((one as PromiseRejectedResult).reason.message).toContain('This event has no idempotencyKey.')
    }
    await release()
    expect(await eventsOf(type)).toEqual([])
  })

  test('records events with a key exactly once and reports them as new', async () => {
    const type = newName()
    const proxy = await startProxy(database.url)
    const release = await lockedMonth()
    const { add } = newWriter(proxy.url)
    const added = [1, 2, 3].map(() =>
      add({ type, phone: newPhone(), idempotencyKey: newName(), optInEvidence: 'a box', data: { type } }),
    )
    await eventually('they wait to be written', async () => (await waiting()).length > 0)
    // PostgreSQL does not notice the broken connection and writes the events after the lock is released.
    proxy.reset()
    await release()
    expect(await outcomesOf(added)).toEqual(['recorded', 'recorded', 'recorded'])
    const ids = (await Promise.all(added)).map(({ event }) => event.id)
    expect((await Promise.all(added)).map(({ event }) => event.data)).toEqual([{ type }, { type }, { type }])
    expect((await eventsOf(type)).sort()).toEqual(ids.sort())
    const customers = (await Promise.all(added)).map(({ event }) => event.customerId)
    expect(await database.sql`select from consents where customer_id = any(${customers})`).toHaveLength(3)
    await proxy.stop()
  })
})

test('keys and names that contain separator characters are stored exactly', async () => {
  const { add } = newWriter()
  const type = newName()
  const keys = ['a\u001fb', '\u001e', '\u001f', 'plain', null, '{"a":"\\\\"}', 'null']
  const send = () =>
    keys.map(idempotencyKey => add({ type, phone: newPhone(), idempotencyKey, data: { idempotencyKey } }))
  expect(await outcomesOf(send())).toEqual(Array(keys.length).fill('recorded'))
  const rows = await database.sql`select idempotency_key as key, data from events where type = ${type} order by id`
  expect(rows.map(({ key }) => key)).toEqual(keys)
  expect(rows.map(({ data }) => data.idempotencyKey)).toEqual(keys)
  expect(await outcomesOf(send())).toEqual(keys.map(key => (key === null ? 'recorded' : 'replayed')))
  const externalId = 'x\u001fy'
  const id = await newCustomer({ externalId })
  expect((await add({ externalId })).event.customerId).toBe(id)
})

describe('the answers of a batch', () => {
  test('do not wait for a locked customer, and the events of that customer stay in order', async () => {
    const { add, writer } = newWriter()
    const customerId = await newCustomer({ phone: newPhone() })
    const type = newName()
    const release = await heldCustomers(customerId)
    const about = { workspaceId, type, customerId }
    const inOrder = writer.addAll([
      eventWith({ ...about, data: { n: 0 } }),
      eventWith({ ...about, data: { n: 1 }, optInEvidence: 'a box' }),
      eventWith({ ...about, data: { n: 2 } }),
    ])
    const alone = add({ customerId, optInEvidence: 'another box' })
    expect(await outcomesOf([1, 2, 3].map(() => add({ phone: newPhone() })))).toEqual(Array(3).fill('recorded'))
    await release()
    await Promise.all([alone, inOrder])
    const rows = await database.sql`select data from events where type = ${type} order by id`
    expect(rows.map(({ data }) => data.n)).toEqual([0, 1, 2])
  })

  test('do not wait long for a phone that another transaction is inserting', async () => {
    const { add } = newWriter()
    const [phone, type] = [newPhone(), newName()]
    const release = await held(tx => tx`insert into customers (workspace_id, phone) values (${workspaceId}, ${phone})`)
    const behind = add({ phone, type })
    const batch = [1, 2, 3].map(() => add({ phone: newPhone(), type }))
    expect(await outcomesOf(batch)).toEqual(Array(3).fill('recorded'))
    expect(await Promise.race([behind, 'not yet'])).toBe('not yet')
    // A new event does not even need a second round.
    expect(await outcomesOf([add({ phone: newPhone(), type })])).toEqual(['recorded'])
    await release()
    expect((await behind).recorded).toBe(true)
    expect(await eventsOf(type)).toHaveLength(5)
  })
})

test('large events are written in separate sequential rounds, so that small events do not wait for them', async () => {
  const { add, rounds, writer } = newWriter()
  const small = Array.from({ length: 5 }, () => ({ phone: newPhone() }))
  const lists = { long: Array.from({ length: 20_000 }, () => []) }
  const large = [lists, { text: 'x'.repeat(200_000) }, lists].map(data => ({ phone: newPhone(), data }))
  await Promise.all([...large, ...small].map(add))
  expect(rounds.sort()).toEqual([3, 5])

  const half = { text: 'x'.repeat(70_000) }
  const together = (data: Record<string, unknown>) =>
    writer.addAll([newPhone(), newPhone()].map(phone => eventWith({ workspaceId, phone, data })))
  await Promise.all([together(half), together({}), add({ phone: newPhone(), data: half })])
  expect(rounds.sort()).toEqual([1, 2, 2, 3, 5])
})

test('a repeated event of a batch is reported even if its data cannot be read; earlier events include theirs', async () => {
  const { writer } = newWriter()
  const [plan] = await database.sql<Plan[]>`select features, allowances from plans where id = 'unlimited'`
  const caller = { type: 'api_key' as const, id: workspaceId, workspaceId, plan: plan! }
  let readable = 0
  const sql = ((...statement: Parameters<Database>) =>
    readable-- > 0 ? database.sql(...statement) : Promise.reject(new Error('the connection broke'))) as Database
  const recordAll = (events: object[]) =>
    recordEvents(
      { sql: database.sql, caller },
      writer,
      (_, work) => work(sql),
      { events },
      { userAgent: null, traceparent: null },
    )
  const newEvent = (n: number) => ({ type: 'seen', phone: newPhone(), idempotencyKey: newName(), data: { n } })
  const seen = Array.from({ length: 30 }, (_, n) => newEvent(n))
  expect(await recordAll(seen)).toMatchObject(seen.map(({ data }) => ({ recorded: true, event: { data } })))
  readable = 1
  expect(JSON.parse(stringifyJson(await recordAll([...seen, newEvent(30)])))).toMatchObject([
    ...seen.map(({ data }, n) => ({ recorded: false, ...(n < 25 ? { event: { data } } : { dataLeftOut: true }) })),
    { recorded: true, event: { data: { n: 30 } } },
  ])
})
