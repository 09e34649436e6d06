/** Tests sales that a run marks, with SQL fragments that can be executed twice. */
import { beforeAll, expect, test } from 'bun:test'
import { newId } from '../../../src/core/ids.ts'
import { insertSales, type SaleToMark } from '../../../src/customers/sales/sql.ts'
import { useWorld } from '../../support/world.ts'

// No worker fans out the outbound events.
const world = useWorld({ ROLES: 'http' })
const channels: string[] = []
beforeAll(async () => {
  for (const _ of [1, 2]) channels.push(await world.sandbox())
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

const emitted = async (customerId: string): Promise<string[]> => {
  const rows = await world.database.sql<{ text: string }[]>`
    select data::text as text from outbound_events
    where workspace_id = ${world.workspaceId} and type = 'sale.created' and data ->> 'customerId' = ${customerId}
    order by id`
  return rows.map(({ text }) => text)
}

test('a run marks a sale once per execution or id, in the newest conversation, and emits the exact amount', async () => {
  const customerId = await customer()
  await conversation(customerId)
  const conversationId = await conversation(customerId, channels[1])
  const first = byRun(customerId)
  const again = { ...first, writtenBy: { ...first.writtenBy!, position: 1 } }
  const named = byRun(customerId, { id: newId(), writtenBy: null })
  const marked = []
  for (const sales of [[first], [first, again], [first, again], [named], [named]]) marked.push(await mark(...sales))
  expect(marked.map(({ length }) => length)).toEqual([1, 1, 0, 1, 0])
  const events = await emitted(customerId)
  expect(events).toHaveLength(3)
  expect(events[0]).toContain('"amount": 129.90')
  const { id } = marked[0]![0]!
  expect(JSON.parse(events[0]!)).toMatchObject({ saleId: id, conversationId })
  const expected = { conversationId, customerId, amount: 129.9, markedBy: first.markedBy }
  expect(await world.expect(200, 'GET', `/v1/sales/${id}`)).toMatchObject(expected)
})

test('no sale is marked without a conversation, for an erased customer or in another workspace', async () => {
  const [without, erased, other] = [await customer(), await customer(), await customer()]
  await conversation(erased)
  const conversationId = await conversation(other)
  await world.expect(204, 'DELETE', `/v1/customers/${erased}`)
  const elsewhere = [{}, { conversationId }].map(more => byRun(other, { workspaceId: newId(), ...more }))
  const marked = await mark(byRun(without), byRun(erased), ...elsewhere, byRun(other))
  expect(marked.map(({ customerId, workspaceId }) => [customerId, workspaceId])).toEqual([[other, world.workspaceId]])
})
