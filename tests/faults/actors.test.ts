/** Tests of actors that lose leases, settlements and whole processes in the middle of a page. */
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import pino from 'pino'
import { type RunningService, startService } from '../../src/app/index.ts'
import { readConfig } from '../../src/config.ts'
import { newWorkspace, type TestDatabase, testDatabase } from '../support/database.ts'
import { tell as tellAs } from '../support/outbox.ts'
import { hang, type Receiver, respond, startReceiver } from '../support/receiver.ts'
import { eventually } from '../support/world.ts'
import {
  after,
  connectionsLost,
  expectAllToldTo,
  expectDeliveriesToAgree,
  expectVerified,
  pause,
  terminate,
} from './support.ts'

setDefaultTimeout(60_000)

let database: TestDatabase
let receivers: Receiver[]
let workspaceId: string
let running: RunningService[] = []

beforeEach(async () => {
  database = await testDatabase()
  database.expectErrors(...connectionsLost, 'P0001')
  receivers = [await startReceiver(), await startReceiver()]
  workspaceId = await newWorkspace(database.sql)
  for (const { url } of receivers)
    await database.sql`
      insert into webhooks (workspace_id, url, events, secret) values (${workspaceId}, ${url}, '{message.status}', 'whsec_x')`
})
afterEach(async () => {
  await Promise.all(receivers.map(receiver => receiver.stop()))
  await Promise.all(running.map(service => service.stop(1000)))
  running = []
  await expectVerified(database.sql)
  await database.drop()
})

/** Starts a service in this process with its own connections, as if it were a separate process. */
const serve = async () => {
  const config = readConfig({
    PORT: '0',
    WEBHOOK_ALLOWED_PRIVATE_TARGETS: receivers.map(({ target }) => target).join(','),
    WEBHOOK_RETRY_WAITS: '100ms,100ms,100ms,100ms,100ms,100ms,100ms',
  })
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const service = await startService({ config, databaseUrl: database.url, log })
  running.push(service)
  return service
}

/** Emits `count` events to every endpoint. */
const tell = (count: number): Promise<string[]> => tellAs(database.sql, workspaceId, 'message.status', { count })

test('delivers every event once while services start and stop', async () => {
  for (const receiver of receivers) receiver.behave(after(20))
  let told = 0
  for (let round = 0; round < 4; round++) {
    const [first, second] = await Promise.all([serve(), round % 2 === 0 ? serve() : null])
    await tell(20)
    told += 20
    await pause(round * 25)
    await Promise.all([first.stop(), second?.stop()])
  }
  await serve()
  await expectAllToldTo(database.sql, receivers)
  await expectDeliveriesToAgree(database.sql)
  for (const { requests } of receivers) expect(requests.length).toBe(told)
  const [left] = await database.sql`select count(*)::integer as count from processes`
  expect(left!.count).toBe(1)
})

/** Ways to lose every lease. */
const losses: (() => Promise<unknown>)[] = [
  () => database.sql`update processes set alive_until = now() - interval '1 hour'`,
  () => database.sql`delete from processes`,
  // As after a crash of PostgreSQL. One table after the other, because together they could deadlock with a heartbeat.
  () => database.sql`truncate leases`.then(() => database.sql`truncate processes`),
  // Another process takes them and then dies.
  () => database.sql`
    with other as (insert into processes (id, host, pid, alive_until)
      values (gen_random_uuid(), 'elsewhere', 1, clock_timestamp() + interval '300 milliseconds') returning id)
    update leases set holder = other.id from other`,
]
test('lost leases in the middle of a page lose no delivery and record none twice', async () => {
  for (const receiver of receivers) receiver.behave(after(100))
  await serve()
  await serve()
  await tell(240)
  for (let round = 1; round <= 8; round++) {
    await receivers[0]!.waitFor(20 * round)
    await losses[round % losses.length]!()
  }
  await expectAllToldTo(database.sql, receivers)
  await expectDeliveriesToAgree(database.sql)
  const told = receivers[0]!.requests.length
  await tell(1)
  await receivers[0]!.waitFor(told + 1)
})

test('leases that are lost while an attempt hangs do not delay the deliveries after it', async () => {
  await serve()
  receivers[0]!.behave(hang(), respond())
  await tell(1)
  await receivers[0]!.waitFor(1)
  await database.sql`delete from processes`
  await eventually('the process runs again', async () => (await database.sql`select from processes`).length === 1)
  for (let count = 2; count <= 4; count++) {
    await tell(1)
    await receivers[0]!.waitFor(count, 4000)
  }
})

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

test('settles a locked delivery when it is unlocked, and repeats a settlement after a lost connection', async () => {
  await serve()
  for (const receiver of receivers) receiver.behave(after(300))
  await tell(3)
  for (const receiver of receivers) await receiver.waitFor(3)
  await database.sql.begin(async tx => {
    const [row] = await tx<{ id: string }[]>`select id from deliveries limit 1 for update`
    await eventually('all others are settled', async () => (await unsettled()).length === 1)
    expect(await unsettled()).toEqual([row!.id])
    await tell(3)
    for (const receiver of receivers) await receiver.waitFor(6)
    await eventually('later rows are settled too', async () => (await unsettled()).length === 1)
  })
  await expectDeliveriesToAgree(database.sql)

  await tell(4)
  for (const receiver of receivers) await receiver.waitFor(10)
  // The transaction locks the table, so that each settlement waits in its statement until its connection is ended.
  await database.sql.begin(async tx => {
    await tx`lock table delivery_attempts in share row exclusive mode`
    await eventually('settlements are waiting', async () => {
      const waiting = await database.sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like '%next_wait_ms%'`
      return waiting.length > 0
    })
    await terminate(database.sql, 'customer-engagement')
  })
  await expectDeliveriesToAgree(database.sql)
  for (const { requests } of receivers) expect(requests.length).toBe(10)
})

const unsettled = async (): Promise<string[]> => {
  const rows = await database.sql<{ id: string }[]>`select id from deliveries where attempts = 0`
  return rows.map(({ id }) => id)
}

test('isolates a delivery whose settlement the database rejects from the rest of its batch', async () => {
  const { port } = await serve()
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
  expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toMatch(
    /^engagement_rejected_batches_total\{sqlstate="P0001"\} [1-9]/m,
  )
  const made = receivers.flatMap(({ requests }) => requests).length
  await database.sql`drop trigger refuse on delivery_attempts`
  await expectDeliveriesToAgree(database.sql)
  expect(made).toBeLessThanOrEqual(10)
})
