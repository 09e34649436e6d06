/** Tests sales that a run marks, with SQL fragments that can be executed twice. */
import { beforeAll, expect, test } from 'bun:test'
import { newId } from '../../../src/core/ids.ts'
import { insertSales, type SaleToMark } from '../../../src/customers/sales/sql.ts'
import { useWorld } from '../../support/world.ts'

// No worker fans out the outbound events.
const world = useWorld({ ROLES: 'http' })
const channels: string[] = []
beforeAll(async () => {
  for (const name of ['One', 'Two'])
    channels.push((await world.expect(201, 'POST', '/v1/channels', { body: { kind: 'sandbox', name } })).id)
})

const customer = async (): Promise<string> =>
  (await world.expect(201, 'POST', '/v1/customers', { body: { externalId: crypto.randomUUID() } })).id

const conversation = async (customerId: string, channelId = channels[0]!): Promise<string> => {
  const [row] = await world.database.sql<{ id: string }[]>`
    insert into conversations (workspace_id, channel_id, customer_id, handle)
    values (${world.workspaceId}, ${channelId}, ${customerId}, '+4915112345678') returning id`
  return row!.id
}

const byRun = (customerId: string, more: Partial<SaleToMark> = {}): SaleToMark => ({
  workspaceId: world.workspaceId,
  id: null,
  conversationId: null,
  customerId,
  amount: '129.90',
  currency: 'EUR',
  note: null,
  markedBy: { type: 'workflow', id: newId() },
  writtenBy: { runId: newId(), position: 0 },
  ...more,
})

const mark = (...sales: SaleToMark[]) => insertSales(world.database.sql, sales)

const told = async (customerId: string): Promise<string[]> => {
  const rows = await world.database.sql<{ text: string }[]>`
    select data::text as text from outbound_events
    where workspace_id = ${world.workspaceId} and type = 'sale.created' and data ->> 'customerId' = ${customerId}
    order by id`
  return rows.map(({ text }) => text)
}

test('a run marks its sale in the newest conversation of its customer, and emits the exact amount', async () => {
  const customerId = await customer()
  await conversation(customerId)
  const conversationId = await conversation(customerId, channels[1])
  const markedBy = { type: 'workflow', id: newId() } as const
  const [sale] = await mark(byRun(customerId, { markedBy, note: 'cart' }))
  expect(await world.expect(200, 'GET', `/v1/sales/${sale!.id}`)).toMatchObject({
    conversationId,
    customerId,
    amount: 129.9,
    note: 'cart',
    markedBy,
  })
  const [event, ...others] = await told(customerId)
  expect(others).toEqual([])
  expect(event).toContain('"amount": 129.90')
  expect(JSON.parse(event!)).toMatchObject({ saleId: sale!.id, conversationId })
})

test('one execution of a step marks and emits one sale; another execution marks another', async () => {
  const customerId = await customer()
  await conversation(customerId)
  const first = byRun(customerId)
  const again = { ...first, writtenBy: { ...first.writtenBy!, position: 1 } }
  expect(await mark(first)).toHaveLength(1)
  expect(await mark(first, again)).toHaveLength(1)
  expect(await mark(first, again)).toHaveLength(0)
  expect(await told(customerId)).toHaveLength(2)
})

test('a sale with a given id is marked and emitted once, however often it is requested', async () => {
  const customerId = await customer()
  await conversation(customerId)
  const sale = byRun(customerId, { id: newId(), writtenBy: null })
  expect(await mark(sale)).toHaveLength(1)
  expect(await mark(sale)).toHaveLength(0)
  expect(await told(customerId)).toHaveLength(1)
})

test('no sale is marked without a conversation or for an erased customer, and other sales of the statement are', async () => {
  const [without, erased, other] = [await customer(), await customer(), await customer()]
  await conversation(erased)
  await conversation(other)
  await world.expect(204, 'DELETE', `/v1/customers/${erased}`)
  const marked = await mark(byRun(without), byRun(erased), byRun(other))
  expect(marked.map(({ customerId }) => customerId)).toEqual([other])
})

test('the conversation must belong to the same workspace', async () => {
  const customerId = await customer()
  const conversationId = await conversation(customerId)
  expect(await mark(byRun(customerId, { workspaceId: newId(), conversationId }))).toEqual([])
  expect(await mark(byRun(customerId, { workspaceId: newId() }))).toEqual([])
})
