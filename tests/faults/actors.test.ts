/** Tests of actors that lose leases, settlements and whole processes in the middle of a page. */
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import pino from 'pino'
import { createWorkspace } from '../../src/accounts/workspaces/index.ts'
import { startService } from '../../src/app/index.ts'
import { readConfig } from '../../src/config.ts'
import { startProxy } from '../platform/postgres/proxy.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { tell as tellAs } from '../support/outbox.ts'
import { hang, type Receiver, respond, startReceiver } from '../support/receiver.ts'
import { eventually } from '../support/world.ts'
import {
  after,
  connectionsLost,
  eventIdOf,
  expectAllToldTo,
  expectDeliveriesToAgree,
  pause,
  terminate,
} from './support.ts'

setDefaultTimeout(60_000)

let database: TestDatabase
let receivers: Receiver[]
let workspaceId: string
const running = new Set<{ stop(graceMs?: number): Promise<void> }>()

beforeEach(async () => {
  database = await testDatabase()
  database.expectErrors(...connectionsLost, 'P0001', '42P01')
  receivers = [await startReceiver(), await startReceiver()]
  const owner = { email: 'owner@shop.example', password: 'correct horse battery' }
  const workspace = await createWorkspace(database.sql, { name: 'Shop', planId: 'unlimited', owner })
  workspaceId = workspace.id
  for (const { url } of receivers) {
    await database.sql`
      insert into webhooks (workspace_id, url, events, secret) values (${workspaceId}, ${url}, '{message.status}', 'whsec_x')`
  }
})
afterEach(async () => {
  await Promise.all(receivers.map(receiver => receiver.stop()))
  await Promise.all([...running].map(service => service.stop(1000)))
  await database.drop()
})

/** Starts a service in this process with its own connections, as if it were a separate process. */
const serve = async (databaseUrl = database.url) => {
  const config = readConfig({
    PORT: '0',
    WEBHOOK_ALLOWED_PRIVATE_TARGETS: receivers.map(({ target }) => target).join(','),
    WEBHOOK_RETRY_WAITS: '100ms,100ms,100ms,100ms,100ms,100ms,100ms',
  })
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const service = await startService({ config, databaseUrl, log })
  const stop = async (graceMs?: number) => {
    if (!running.delete(handle)) return
    await service.stop(graceMs)
  }
  const handle = { stop, url: `http://127.0.0.1:${service.port}` }
  running.add(handle)
  return handle
}

/** Emits `count` events to every endpoint. */
const tell = (count: number): Promise<string[]> => tellAs(database.sql, workspaceId, 'message.status', { count })

test('delivers every event once while services start and stop', async () => {
  for (const receiver of receivers) receiver.behave(after(20))
  let told = 0
  for (let round = 0; round < 9; round++) {
    const [first, second] = await Promise.all([serve(), round % 3 === 0 ? serve() : null])
    await tell(20)
    told += 20
    await pause(round * 12)
    await Promise.all([first.stop(), second?.stop()])
  }
  await serve()
  await expectAllToldTo(database.sql, receivers)
  await expectDeliveriesToAgree(database.sql)
  for (const { requests } of receivers) expect(requests.length).toBe(told)
  const [left] = await database.sql`select count(*)::integer as count from processes`
  expect(left!.count).toBe(1)
})

const losses: [string, () => Promise<unknown>][] = [
  ['expire', () => database.sql`update processes set alive_until = now() - interval '1 hour'`],
  ['are forgotten with their process', () => database.sql`delete from processes`],
  [
    'are gone as after a crash of PostgreSQL',
    async () => {
      // Truncates one table after the other: together they could deadlock with a heartbeat.
      await database.sql`truncate leases`
      await database.sql`truncate processes`
    },
  ],
  [
    'are taken by a process that then dies',
    () => database.sql`
    with thief as (insert into processes (id, host, pid, alive_until)
      values (gen_random_uuid(), 'elsewhere', 1, clock_timestamp() + interval '300 milliseconds') returning id)
    update leases set holder = thief.id from thief`,
  ],
]
test.each(losses)('leases that %s in the middle of a page lose no delivery and record none twice', async (_, lose) => {
  for (const receiver of receivers) receiver.behave(after(100))
  await serve()
  await serve()
  await tell(300)
  for (let round = 1; round <= 8; round++) {
    await receivers[0]!.waitFor(20 * round)
    await lose()
  }
  await expectAllToldTo(database.sql, receivers)
  await expectDeliveriesToAgree(database.sql)
  const told = receivers[0]!.requests.length
  await tell(1)
  await receivers[0]!.waitFor(told + 1)
})

test('does not repeat an in-flight attempt after a database outage', async () => {
  const proxy = await startProxy(database.url)
  await serve(proxy.url)
  for (const receiver of receivers) receiver.behave(after(2000))
  await tell(2)
  for (const receiver of receivers) await receiver.waitFor(2)
  await proxy.refuse()
  await pause(1100)
  await proxy.accept()
  await expectDeliveriesToAgree(database.sql)
  for (const { requests } of receivers) expect(requests.length).toBe(2)
  await Promise.all([...running].map(service => service.stop()))
  await proxy.stop()
})

test.each(losses.slice(1, 3))(
  'leases that %s while an attempt hangs do not delay the deliveries after it',
  async (_, lose) => {
    await serve()
    receivers[0]!.behave(hang(), respond())
    await tell(1)
    await receivers[0]!.waitFor(1)
    await lose()
    await eventually('the process runs again', async () => {
      const [row] = await database.sql`
      select count(*)::integer as count from processes where host <> 'elsewhere' and alive_until > clock_timestamp()`
      return row!.count === 1
    })
    for (let count = 2; count <= 4; count++) {
      await tell(1)
      await receivers[0]!.waitFor(count, 4000)
    }
  },
)

test('keeps the first outcome when two processes make the same attempt', async () => {
  const [receiver] = receivers
  receiver!.behave(after(1000), after(1000, 500))
  const first = await serve()
  await tell(1)
  await receiver!.waitFor(1)
  await database.sql`delete from leases`
  const second = await serve()
  await receiver!.waitFor(2)
  await first.stop()
  await second.stop()
  await expectDeliveriesToAgree(database.sql)
  const settled = await database.sql`select number, status_code from delivery_attempts`
  expect([...settled]).toEqual([
    { number: 1, status_code: 200 },
    { number: 1, status_code: 200 },
  ])
})

test('repeats the settlement, not the attempt, after a lost connection', async () => {
  await serve()
  for (const receiver of receivers) receiver.behave(after(300))
  await tell(4)
  for (const receiver of receivers) await receiver.waitFor(4)
  // The transaction locks the table, so that each settlement waits in its statement until its connection is ended.
  await database.sql.begin(async tx => {
    await tx`lock table delivery_attempts in share row exclusive mode`
    await eventually('settlements are waiting', async () => (await waiting()) > 0)
    await terminate(database.sql, 'customer-engagement')
  })
  await expectDeliveriesToAgree(database.sql)
  for (const { requests } of receivers) expect(requests.length).toBe(4)
})

/** Counts the settlements that wait for a lock. */
const waiting = async (): Promise<number> => {
  const [row] = await database.sql`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%planned smallint%'`
  return row!.count
}

test('settles a locked delivery when it is unlocked, and the others immediately', async () => {
  await serve()
  const [held, other] = receivers as [Receiver, Receiver]
  for (const receiver of receivers) receiver.behave(after(300))
  await tell(3)
  for (const receiver of receivers) await receiver.waitFor(3)
  await database.sql.begin(async tx => {
    const [row] = await tx<{ id: string }[]>`
      select d.id from deliveries d join webhooks w on w.id = d.webhook_id where w.url = ${held.url} limit 1 for update of d`
    await eventually('all others are settled', async () => (await unsettled()).length === 1)
    expect(await unsettled()).toEqual([row!.id])
    await tell(3)
    for (const receiver of receivers) await receiver.waitFor(6)
    await eventually('later rows are settled too', async () => (await unsettled()).length === 1)
  })
  await expectDeliveriesToAgree(database.sql)
  for (const { requests } of [held, other]) expect(requests.length).toBe(6)
})

const unsettled = async (): Promise<string[]> => {
  const rows = await database.sql<{ id: string }[]>`select id from deliveries where attempts = 0`
  return rows.map(({ id }) => id)
}

test('isolates a delivery whose settlement the database rejects from the rest of its batch', async () => {
  const { url } = await serve()
  const gate = Promise.withResolvers<void>()
  for (const receiver of receivers)
    receiver.behave((socket, request) => void gate.promise.then(() => respond()(socket, request)))
  await tell(4)
  for (const receiver of receivers) await receiver.waitFor(4)
  const [bad] = await unsettled()
  await database.sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin
      if new.delivery_id = '${bad}' then raise 'not this one'; end if;
      return new;
    end $$;
    create trigger refuse before insert on delivery_attempts for each row execute function refuse()`)
  gate.resolve()
  await eventually('all others are settled', async () => (await unsettled()).length === 1)
  expect(await unsettled()).toEqual([bad!])
  expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^refused_batches_total\{sqlstate="P0001"\} [1-9]/m)
  const made = receivers.flatMap(({ requests }) => requests).length
  await database.sql`drop trigger refuse on delivery_attempts`
  await expectDeliveriesToAgree(database.sql)
  expect(made).toBeLessThanOrEqual(10)
})

test('retries deliveries with delay when the database rejects their settlements', async () => {
  await serve()
  for (const receiver of receivers) receiver.behave(after(50))
  await database.sql`alter table delivery_attempts rename to hidden`
  await tell(3)
  for (const receiver of receivers) await receiver.waitFor(6)
  await database.sql`alter table hidden rename to delivery_attempts`
  await expectDeliveriesToAgree(database.sql)
  for (const { requests } of receivers) {
    expect(requests.length).toBeLessThanOrEqual(9)
    expect(new Set(requests.map(eventIdOf)).size).toBe(3)
  }
  const made = await database.sql`select distinct attempts from deliveries`
  expect([...made]).toEqual([{ attempts: 1 }])
})
