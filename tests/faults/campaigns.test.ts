/** Tests of campaigns with a killed process, and with concurrent calls. `repeated-kills.test.ts` kills one repeatedly. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Database } from '../../src/platform/postgres/client.ts'
import { booksOf, makeCustomers, makeTemplate } from '../support/campaigns.ts'
import { eventually } from '../support/world.ts'
import { pause, sendOrder, useProcesses } from './support.ts'

setDefaultTimeout(120_000)

const { start: startShop } = useProcesses()

const setUp = async (customers: number, processes = 2) => {
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

test('ends in one state, with one message for each recipient, after concurrent calls and a killed process', async () => {
  const customers = 1500
  const { sql, service, second, shop, start } = await setUp(customers)
  const ids = [
    await start(),
    await start(second, { where: { path: 'customer.attributes.number', op: 'gt', value: 0 } }),
  ]
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
  for (const id of ids) await act(service.url, id, 'resume')
  await service.end('SIGKILL')
  await act(second.url, ids[0]!, 'cancel')
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
  const books = await booksOf(sql)
  expect(books[1]!.status).toBe('completed')
  for (const { status, sent, skipped, messages, withMessage, ...book } of books) {
    const told = status === 'completed' ? 1 : 0
    const counts = { recipients: customers, counted: customers, unknown: 0, queued: 0, twice: 0 }
    expect(book).toEqual({ ...counts, moved: true, told, toldRight: told })
    expect(sent + skipped).toBe(customers)
    if (told === 1) expect([sent, messages, withMessage]).toEqual([customers, customers, customers])
  }
  // A message sent twice would be settled twice, so each status must exist once.
  const twice = await sql`
    select from message_statuses s join messages m on m.workspace_id = s.workspace_id and m.id = s.message_id
    where m.sent_by = 'campaign' group by s.message_id, s.status having count(*) > 1`
  expect(twice).toHaveLength(0)
})

test('does not delay other messages of the channel, and leaves nothing in its queue when it is cancelled', async () => {
  const { sql, service, shop, ask, start } = await setUp(20_000, 1)
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
  await eventually('it is finished', async () => (await countersOf(sql, id)).ended === recipients)
  const [book] = await booksOf(sql)
  expect(book).toMatchObject({ status: 'cancelled', moved: true, twice: 0, told: 0, queued: 0, unknown: 0 })
  const { progress } = await ask(200, 'GET', `/v1/campaigns/${id}`)
  expect(progress.skippedBy).toEqual({ cancelled: book!.skipped })
  expect(await sql`select 1 from messages where due_at is not null`).toHaveLength(0)
})
