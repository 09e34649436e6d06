/** Tests of outbound events between processes: direct fan-out in a worker process, otherwise through the outbox. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { type Database, transaction } from '../../src/platform/postgres/client.ts'
import { testDatabase } from '../support/database.ts'
import { endProcesses, startProcess } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { eventually } from '../support/world.ts'
import { openShop, type Shop, sendOrder, shopSettings } from './support.ts'

setDefaultTimeout(60_000)

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  await endProcesses()
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const setUp = async () => {
  const database = await testDatabase()
  const receiver = await startReceiver()
  cleanups.push(database.drop, receiver.stop)
  return { sql: database.sql, receiver, settings: shopSettings(database.url, [receiver]) }
}

/** Records every row that enters the outbox, and returns a function that counts them. */
const noteOutbox = async (sql: Database): Promise<() => Promise<number>> => {
  await sql.unsafe(`
    create table stood_in_outbox (id uuid);
    create function note_outbox() returns trigger language plpgsql as $$
      begin insert into stood_in_outbox values (new.id); return null; end $$;
    create trigger note_outbox after insert on outbound_events
      for each row when (new.fanned_out_at is null) execute function note_outbox()`)
  return async () => (await sql`select 1 from stood_in_outbox`).length
}

/** Makes every insert of a delivery wait while another session holds the advisory lock 1. */
const holdUpDeliveries = (sql: Database) =>
  sql.unsafe(`
    create function hold_up() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
    create trigger hold_up before insert on deliveries for each row execute function hold_up()`)

const subscribeToOptOuts = ({ webhooks, expect: ask }: Shop, url: string) =>
  ask(200, url, 'PATCH', `/v1/webhooks/${webhooks[0]}`, { events: ['customer.opted_out', 'message.status'] })

const newCustomer = async (shop: Shop, url: string): Promise<string> =>
  (await shop.expect(201, url, 'POST', '/v1/customers', { externalId: crypto.randomUUID() })).id

test('delivers the events of a worker process directly, without the outbox', async () => {
  const { sql, receiver, settings } = await setUp()
  const { url } = await startProcess(settings)
  const shop = await openShop(url, [receiver])
  await subscribeToOptOuts(shop, url)
  const noted = await noteOutbox(sql)
  await sendOrder(url, shop.key)
  await receiver.waitFor(1)
  await shop.expect(200, url, 'POST', `/v1/customers/${await newCustomer(shop, url)}/opt-out`, { reason: 'asked' })
  await receiver.waitFor(2)
  const types = receiver.requests.map(({ body }) => JSON.parse(body).type)
  expect(types).toEqual(['message.status', 'customer.opted_out'])
  expect(await noted()).toBe(0)
})

test('delivers the events of an http-only process through the outbox and a worker process', async () => {
  const { sql, receiver, settings } = await setUp()
  const acting = await startProcess(settings)
  const { url } = await startProcess({ ...settings, ROLES: 'http' })
  const shop = await openShop(acting.url, [receiver])
  await subscribeToOptOuts(shop, url)
  const noted = await noteOutbox(sql)
  await shop.expect(200, url, 'POST', `/v1/customers/${await newCustomer(shop, url)}/opt-out`, { reason: 'asked' })
  await receiver.waitFor(1)
  expect(await noted()).toBe(1)
})

test('delivers an event committed by a killed process from the next process', async () => {
  const { sql, receiver, settings } = await setUp()
  const killed = await startProcess(settings)
  const shop = await openShop(killed.url, [receiver])
  await subscribeToOptOuts(shop, killed.url)
  const customer = await newCustomer(shop, killed.url)
  await holdUpDeliveries(sql)
  const answer = { came: false }
  await transaction(sql, async tx => {
    // The statement waits at its delivery and continues when no process is left to wake the actor.
    await tx`select pg_advisory_xact_lock(1)`
    shop.expect(200, killed.url, 'POST', `/v1/customers/${customer}/opt-out`, { reason: 'asked' }).then(
      () => {
        answer.came = true
      },
      () => {},
    )
    await eventually('it waits', async () => {
      const waiting = await tx`
        select 1 from pg_locks where locktype = 'advisory' and objid = 1 and not granted
          and database = (select oid from pg_database where datname = current_database())`
      return waiting.length === 1
    })
    killed.signal('SIGSTOP')
  })
  await eventually('it is committed', async () => {
    const told = await sql`select 1 from deliveries where status = 'pending' and due_at <= now()`
    return told.length === 1
  })
  await killed.end('SIGKILL')
  expect(answer.came).toBe(false)
  expect(receiver.requests).toHaveLength(0)
  expect(await sql`select 1 from outbound_events where fanned_out_at is null`).toHaveLength(0)

  await startProcess(settings)
  await receiver.waitFor(1)
  expect(JSON.parse(receiver.requests[0]!.body)).toMatchObject({
    type: 'customer.opted_out',
    data: { reason: 'asked' },
  })
})
