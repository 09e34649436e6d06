/** Tests the migration that finds the customer of outbound events that were written before the column for it. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Database } from '../../../src/db/client.ts'
import { migrations } from '../../../src/db/migrations.ts'
import { newId } from '../../../src/domain/ids.ts'
import { testServer } from '../../support/database.ts'

const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
const number = migrations.findIndex(migration => migration.name.endsWith('outbound_events_of_person'))
let sql: Database
beforeAll(async () => {
  sql = connect({ url: await (await testServer()).ensureDatabase(name), applicationName: 'test', max: 1 })
  for (const migration of migrations.slice(0, number)) await sql.unsafe(migration.sql)
})
afterAll(async () => {
  await sql.end({ timeout: 1 })
  await (await testServer()).dropDatabase(name)
})

test('an event gets the customer whose phone or text it contains, and no other', async () => {
  const [workspaceId, customerId, conversationId] = [newId(), newId(), newId()]
  await sql`insert into workspaces (id, name, plan_id) values (${workspaceId}, 'Shop', 'free')`
  const [channel] =
    await sql`insert into channels (workspace_id, kind, name) values (${workspaceId}, 'sandbox', 'c') returning id`
  await sql`
    insert into conversations (workspace_id, id, channel_id, customer_id)
    values (${workspaceId}, ${conversationId}, ${channel!.id}, ${customerId})`
  const tell = async (type: string, data: Record<string, string | null>): Promise<string> => {
    const [row] = await sql<{ id: string }[]>`
      insert into outbound_events (workspace_id, type, data) values (${workspaceId}, ${type}, ${sql.json(data)}) returning id`
    return row!.id
  }
  const telling = [
    await tell('message.received', { customerId, conversationId, text: 'hello' }),
    await tell('sale.created', { customerId, conversationId, note: 'two pairs' }),
    await tell('message.status', { conversationId, status: 'failed', detail: 'no such number' }),
    await tell('customer.opted_out', { handle: '+4915112345678', reason: 'STOP' }),
  ]
  await sql`
    insert into consents (workspace_id, customer_id, kind, source, outbound_event_id)
    values (${workspaceId}, ${customerId}, 'opt_out', 'api', ${telling[3]!})`
  const others = [
    await tell('message.status', { conversationId, status: 'delivered', detail: null }),
    await tell('message.status', {
      conversationId: newId(),
      status: 'failed',
      detail: 'of a conversation that is gone',
    }),
    await tell('campaign.completed', { name: 'Spring' }),
  ]

  await sql.unsafe(migrations[number]!.sql)

  const rows = await sql`select id, tells_of from outbound_events order by id`
  expect(rows.map(({ id, tells_of }) => [id, tells_of])).toEqual([
    ...telling.map(id => [id, customerId]),
    ...others.map(id => [id, null]),
  ])
})
