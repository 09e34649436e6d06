/** Tests of outbound events between processes: direct fan-out in a worker process, otherwise through the outbox. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { type Database, transaction } from '../../src/platform/postgres/client.ts'
import { startProcess } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { eventually, startWorld } from '../support/world.ts'
import { type Started, sendOrder, useProcesses } from './support.ts'

setDefaultTimeout(60_000)

const { start, atEnd } = useProcesses()

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

/** Subscribes the endpoint to opt-outs. Returns a function that opts out a new customer at this URL. */
const prepareOptOuts = async ({ shop, ask, service }: Started) => {
  await ask(200, 'PATCH', `/v1/webhooks/${shop.webhooks[0]}`, { events: ['customer.opted_out', 'message.status'] })
  return async (url = service.url) => {
    const { id } = await ask(201, 'POST', '/v1/customers', { externalId: crypto.randomUUID() })
    return shop.expect(200, url, 'POST', `/v1/customers/${id}/opt-out`, { reason: 'asked' })
  }
}

test('delivers events of a worker process directly, and of an http-only process through the outbox', async () => {
  const started = await start()
  const { sql, receiver, service, shop, settings } = started
  const optOut = await prepareOptOuts(started)
  const noted = await noteOutbox(sql)
  await sendOrder(service.url, shop.key)
  await receiver.waitFor(1)
  await optOut()
  await receiver.waitFor(2)
  const types = receiver.requests.map(({ body }) => JSON.parse(body).type)
  expect(types).toEqual(['message.status', 'customer.opted_out'])
  expect(await noted()).toBe(0)

  const { url } = await startProcess({ ...settings, ROLES: 'http' })
  await optOut(url)
  await receiver.waitFor(3)
  expect(await noted()).toBe(1)
})

test('delivers an event committed by a killed process from the next process', async () => {
  const started = await start()
  const { sql, receiver, service: killed, settings } = started
  const optOut = await prepareOptOuts(started)
  await holdUpDeliveries(sql)
  let answered = false
  await transaction(sql, async tx => {
    // The statement waits at its delivery and continues when no process is left to wake the actor.
    await tx`select pg_advisory_xact_lock(1)`
    optOut().then(
      () => {
        answered = true
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
  expect(answered).toBe(false)
  expect(receiver.requests).toHaveLength(0)
  expect(await sql`select 1 from outbound_events where fanned_out_at is null`).toHaveLength(0)

  await startProcess(settings)
  await receiver.waitFor(1)
  expect(JSON.parse(receiver.requests[0]!.body)).toMatchObject({
    type: 'customer.opted_out',
    data: { reason: 'asked' },
  })
})

test('delivers the events of its own calls immediately without notifications', async () => {
  const receiver = await startReceiver()
  atEnd(receiver.stop)
  await using world = await startWorld({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target })
  await world.database.sql`alter table outbound_events disable trigger outbound_events_notify`
  await world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['customer.opted_out'] } })
  const customers: string[] = []
  for (let n = 0; n < 8; n++)
    customers.push((await world.expect(201, 'POST', '/v1/customers', { body: { phone: `+49151000000${n}` } })).id)

  const from = performance.now()
  for (const [n, id] of customers.entries()) {
    await world.expect(200, 'POST', `/v1/customers/${id}/opt-out`, { body: { reason: 'stop' } })
    await receiver.waitFor(n + 1)
  }
  // Polling the outbox would take one second for each.
  expect(performance.now() - from).toBeLessThan(4000)
})
