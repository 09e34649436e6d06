/**
 * Tests of campaigns with killed processes, two processes at the same time, and concurrent pause, resume and cancel
 * calls.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Database } from '../../src/platform/postgres/client.ts'
import { booksOf, makeCustomers, makeTemplate } from '../support/campaigns.ts'
import { type ServiceProcess, startProcess } from '../support/process.ts'
import { eventually } from '../support/world.ts'
import { pause, sendOrder, useProcesses } from './support.ts'

setDefaultTimeout(120_000)

const { start: startShop } = useProcesses()

const setUp = async (customers: number, processes = 1) => {
  const started = await startShop({ processes })
  const { sql, ask, shop, service } = started
  const { data } = await ask(200, 'GET', '/v1/channels')
  const [workspace] = await sql<{ id: string }[]>`select id from workspaces`
  await makeCustomers(sql, workspace!.id, customers)
  const templateId = await makeTemplate(sql, workspace!.id)
  const content = { name: 'Spring', channelId: data[0].id, templateId, variables: { name: '{{customer.name}}' } }
  const start = async ({ url } = service, audience: unknown = { all: true }): Promise<string> => {
    const { id } = await shop.expect(201, url, 'POST', '/v1/campaigns', { ...content, audience })
    await shop.expect(202, url, 'POST', `/v1/campaigns/${id}/start`)
    return id
  }
  return { ...started, start, second: started.services[1]! }
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
  const { sql, settings, service, start } = await setUp(customers)
  const id = await start(service, { where: { path: 'customer.attributes.number', op: 'gt', value: 0 } })
  let process: ServiceProcess = service
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
  const { sql, service, second, start } = await setUp(customers, 2)
  const ids = [await start(), await start(second), await start()]
  await eventually('all have started', async () => {
    const counters = await Promise.all(ids.map(id => countersOf(sql, id)))
    return counters.every(({ queued, ended }) => queued + ended > 0)
  })
  await service.end('SIGKILL')
  for (const id of ids) await completed(sql, id)
  await expectBooksToBalance(sql, customers)
})

test('ends in one state with matching counts after concurrent pause, resume and cancel calls', async () => {
  const customers = 1500
  const { sql, service, second, shop, start } = await setUp(customers, 2)
  const ids = [await start(), await start(second)]
  const act = async (url: string, id: string, action: string) =>
    shop.expect(202, url, 'POST', `/v1/campaigns/${id}/${action}`).catch(error => {
      // Ignores only the error that the action does not fit the state.
      if (!String(error).includes(': 422, not 202')) throw error
    })
  for (let round = 0; round < 12; round++) {
    await Promise.all(
      ids.flatMap(id => [
        act(service.url, id, round % 2 === 0 ? 'pause' : 'resume'),
        act(second.url, id, round % 3 === 0 ? 'resume' : 'pause'),
      ]),
    )
    await pause(20)
  }
  await act(service.url, ids[0]!, 'cancel')
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
  const { sql, ask, start } = await setUp(customers)
  const id = await start()
  await eventually('it has started', async () => (await countersOf(sql, id)).ended > 0)
  await ask(202, 'POST', `/v1/campaigns/${id}/cancel`)
  await eventually('it is finished', async () => {
    const { recipients, ended } = await countersOf(sql, id)
    return recipients === ended
  })
  const [book] = await booksOf(sql)
  expect(book).toMatchObject({ status: 'cancelled', moved: true, twice: 0, told: 0, queued: 0, unknown: 0 })
  expect(book!.skipped).toBeGreaterThan(0)
  const { progress } = await ask(200, 'GET', `/v1/campaigns/${id}`)
  expect(progress.skippedBy).toEqual({ cancelled: book!.skipped })
  expect(await sql`select 1 from messages where due_at is not null`).toHaveLength(0)
})

test('does not delay other messages of the channel', async () => {
  const { sql, service, shop, ask, start } = await setUp(20_000)
  const id = await start()
  await eventually('it has started', async () => (await countersOf(sql, id)).ended > 0)
  const { sentAt, body } = await sendOrder(service.url, shop.key)
  await eventually('its message was sent', async () => {
    const rows = await sql`
      select 1 from messages m join workflow_runs r on r.workspace_id = m.workspace_id and r.id = m.run_id
      where r.event_id = ${body.event.id} and m.status = 'delivered'`
    return rows.length > 0
  })
  expect(performance.now() - sentAt).toBeLessThan(5000)
  const { ended, recipients } = await countersOf(sql, id)
  expect(recipients).toBe(20_000)
  expect(ended).toBeLessThan(15_000)
  await ask(202, 'POST', `/v1/campaigns/${id}/cancel`)
})
