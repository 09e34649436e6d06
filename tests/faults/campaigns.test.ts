/**
 * Tests of campaigns with killed processes, two processes at the same time, and concurrent pause, resume and cancel
 * calls.
 */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import type { Database } from '../../src/platform/postgres/client.ts'
import { booksOf, makeCustomers, makeTemplate } from '../support/campaigns.ts'
import { testDatabase } from '../support/database.ts'
import { endProcesses, type ServiceProcess, startProcess } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { eventually } from '../support/world.ts'
import { openShop, pause, type Shop, shopSettings } from './support.ts'

setDefaultTimeout(120_000)

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  await endProcesses()
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const setUp = async (customers: number) => {
  const database = await testDatabase()
  const receiver = await startReceiver()
  cleanups.push(database.drop, receiver.stop)
  const settings = shopSettings(database.url, [receiver])
  const { sql } = database
  const first = await startProcess(settings)
  const shop = await openShop(first.url, [receiver])
  const { data } = await shop.expect(200, first.url, 'GET', '/v1/channels')
  const [workspace] = await sql<{ id: string }[]>`select id from workspaces`
  await makeCustomers(sql, workspace!.id, customers)
  const templateId = await makeTemplate(sql, workspace!.id)
  const start = async (url: string, audience: unknown = { all: true }): Promise<string> => {
    const body = {
      name: 'Spring',
      channelId: data[0].id,
      templateId,
      variables: { name: '{{customer.name}}' },
      audience,
    }
    const { id } = await shop.expect(201, url, 'POST', '/v1/campaigns', body)
    await shop.expect(202, url, 'POST', `/v1/campaigns/${id}/start`)
    return id
  }
  return { sql, settings, first, shop, start }
}

/** Reads the counters from the database, because the process may be gone. */
const countersOf = async (sql: Database, id: string) => {
  const [row] = await sql<{ status: string; recipients: number; ended: number; queued: number }[]>`
    select status, recipients, sent + skipped + unknown as ended, queued from campaigns where id = ${id}`
  return row!
}

const completed = (sql: Database, id: string) =>
  eventually('the campaign is completed', async () => (await countersOf(sql, id)).status === 'completed', 60_000)

/** Fails unless all campaigns are completed and their counters match the messages. */
const expectBooksToBalance = async (sql: Database, recipients: number) => {
  for (const { messages, ...book } of await booksOf(sql)) {
    expect(book).toEqual({
      status: 'completed',
      recipients,
      counted: recipients,
      sent: recipients,
      skipped: 0,
      unknown: 0,
      queued: 0,
      moved: true,
      twice: 0,
      withMessage: recipients,
      told: 1,
      toldRight: 1,
    })
    expect(messages).toBe(recipients)
  }
  // A message sent twice would be settled twice, so each status must exist once.
  const [row] = await sql`
    select count(*)::integer as count from (
      select 1 from message_statuses s join messages m on m.workspace_id = s.workspace_id and m.id = s.message_id
      where m.sent_by = 'campaign' group by s.message_id, s.status having count(*) > 1) t`
  expect(row!.count).toBe(0)
}

test('sends one message to each recipient and emits one event when it is killed repeatedly', async () => {
  const customers = 3000
  const { sql, settings, first, start } = await setUp(customers)
  const id = await start(first.url, { where: { path: 'customer.attributes.number', op: 'gt', value: 0 } })
  let process: ServiceProcess = first
  let kills = 0
  for (const wait of [5, 60, 150, 300, 500, 700]) {
    await pause(wait + Math.random() * 50)
    if ((await countersOf(sql, id)).status === 'completed') break
    await process.end('SIGKILL')
    kills++
    process = await startProcess(settings)
  }
  expect(kills).toBeGreaterThan(2)
  await completed(sql, id)
  await expectBooksToBalance(sql, customers)
})

test('continues several campaigns over one channel in the other process when one is killed', async () => {
  const customers = 1500
  const { sql, settings, first, start } = await setUp(customers)
  const second = await startProcess(settings)
  const ids = [await start(first.url), await start(second.url), await start(first.url)]
  await eventually('all have started', async () => {
    const counters = await Promise.all(ids.map(id => countersOf(sql, id)))
    return counters.every(({ queued, ended }) => queued + ended > 0)
  })
  await first.end('SIGKILL')
  for (const id of ids) await completed(sql, id)
  await expectBooksToBalance(sql, customers)
})

test('ends in one state with matching counts after concurrent pause, resume and cancel calls', async () => {
  const customers = 1500
  const { sql, settings, first, shop, start } = await setUp(customers)
  const second = await startProcess(settings)
  const ids = [await start(first.url), await start(second.url)]
  const act = async (url: string, id: string, action: string) =>
    shop.expect(202, url, 'POST', `/v1/campaigns/${id}/${action}`).catch(error => {
      // Ignores only the error that the action does not fit the state.
      if (!String(error).includes(': 422, not 202')) throw error
    })
  for (let round = 0; round < 12; round++) {
    await Promise.all(
      ids.flatMap(id => [
        act(first.url, id, round % 2 === 0 ? 'pause' : 'resume'),
        act(second.url, id, round % 3 === 0 ? 'resume' : 'pause'),
      ]),
    )
    await pause(20)
  }
  await act(first.url, ids[0]!, 'cancel')
  await act(second.url, ids[1]!, 'resume')
  await eventually(
    'no work remains',
    async () => {
      const counters = await Promise.all(ids.map(id => countersOf(sql, id)))
      return counters.every(
        ({ status, recipients, ended }) => ['completed', 'cancelled'].includes(status) && recipients === ended,
      )
    },
    60_000,
  )
  for (const book of await booksOf(sql)) {
    expect(book).toMatchObject({ moved: true, twice: 0, queued: 0, counted: book.recipients })
    expect(book.sent + book.skipped + book.unknown).toBe(book.recipients)
    expect(book.told).toBe(book.status === 'completed' ? 1 : 0)
    expect(book.toldRight).toBe(book.told)
  }
})

test('stops sending when it is cancelled and leaves nothing in the queue of the channel', async () => {
  const customers = 5000
  const { sql, first, shop, start } = await setUp(customers)
  const id = await start(first.url)
  await eventually('it has started', async () => (await countersOf(sql, id)).ended > 0)
  await shop.expect(202, first.url, 'POST', `/v1/campaigns/${id}/cancel`)
  await eventually('it is finished', async () => {
    const { recipients, ended } = await countersOf(sql, id)
    return recipients === ended
  })
  const [book] = await booksOf(sql)
  expect(book).toMatchObject({ status: 'cancelled', moved: true, twice: 0, told: 0, queued: 0, unknown: 0 })
  expect(book!.skipped).toBeGreaterThan(0)
  const { progress } = await shop.expect(200, first.url, 'GET', `/v1/campaigns/${id}`)
  expect(progress.skippedBy).toEqual({ cancelled: book!.skipped })
  expect(await sql`select 1 from messages where due_at is not null`).toHaveLength(0)
})

/** Returns how long a message of the shop takes while a campaign is running. */
const waitOf = async (shop: Shop, url: string, sql: Database): Promise<number> => {
  const at = performance.now()
  const { event } = await fetch(`${url}/v1/events`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': shop.key },
    body: JSON.stringify({ type: 'order.created', phone: '+4917012345678' }),
  }).then(response => response.json())
  await eventually('its message was sent', async () => {
    const rows = await sql`
      select 1 from messages m join workflow_runs r on r.workspace_id = m.workspace_id and r.id = m.run_id
      where r.event_id = ${event.id} and m.status = 'delivered'`
    return rows.length > 0
  })
  return performance.now() - at
}

test('does not delay other messages of the channel', async () => {
  const { sql, first, shop, start } = await setUp(20_000)
  const id = await start(first.url)
  await eventually('it has started', async () => (await countersOf(sql, id)).ended > 0)
  const wait = await waitOf(shop, first.url, sql)
  const { ended, recipients } = await countersOf(sql, id)
  expect(recipients).toBe(20_000)
  expect(ended).toBeLessThan(15_000)
  expect(wait).toBeLessThan(5000)
  await shop.expect(202, first.url, 'POST', `/v1/campaigns/${id}/cancel`)
})
