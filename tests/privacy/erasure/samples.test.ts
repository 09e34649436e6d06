/** Tests that an erasure also clears the column samples that PostgreSQL keeps for its planner. */
import { expect, test } from 'bun:test'
import { personalColumns, sampledTables } from '../../../src/privacy/erasure/index.ts'
import { eventually, useWorld } from '../../support/world.ts'

const world = useWorld()

const mark = 'Unverwechselbar'

/** Returns the table and column of every sample that contains the text. */
const samplesWith = async (text: string): Promise<string[]> => {
  const rows = await world.database.sql<{ name: string }[]>`
    select distinct s.starelid::regclass || '.' || a.attname as name
    from pg_statistic s join pg_attribute a on a.attrelid = s.starelid and a.attnum = s.staattnum
    where s::text like ${`%${text}%`}`
  return rows.map(({ name }) => name).sort()
}

/** Creates a customer with a record of every kind and returns the customer's id. */
const somebody = async (channel: string, phone: string, word: string): Promise<string> => {
  const texts = { name: word, idempotencyKey: `order of ${word}`, data: { note: word }, optIn: { evidence: word } }
  const event = { type: 'sampled', phone, ...texts }
  const { customerId } = (await world.expect(201, 'POST', '/v1/events', { as: 'key', body: event })).event
  const message = { body: { from: phone, text: word } }
  const { conversationId } = await world.expect(201, 'POST', `/v1/channels/${channel}/sandbox/messages`, message)
  const sale = { body: { amount: 1, currency: 'EUR', note: word } }
  await world.expect(201, 'POST', `/v1/conversations/${conversationId}/sale`, sale)
  return customerId
}

test('an erasure clears the planner samples', async () => {
  const { sql } = world.database
  const channel = await world.sandbox()
  const customerId = await somebody(channel, '+4915112345601', `Ada ${mark}`)
  await somebody(channel, '+4915112345602', 'Ben')
  await somebody(channel, '+4915112345603', 'Cem')
  await sql`analyze`
  // Only columns that statements filter by are sampled.
  expect(await samplesWith(mark)).toContain('customers.name')
  expect(await samplesWith('4915112345601')).toContain('conversations.handle')
  for (const column of await samplesWith(mark)) expect(column).toMatch(new RegExp(`^(${sampledTables.join('|')})`))

  await world.expect(204, 'DELETE', `/v1/customers/${customerId}`)
  // The second pass of the erasure runs a minute later and enqueues an hourly analysis. The test runs both tasks now.
  for (const key of [`erase:${customerId}`, 'samples:%'])
    await eventually(`the task ${key} is there`, async () => {
      const { count } = await sql`
        update graphile_worker._private_jobs set run_at = now() where key like ${key} and locked_at is null`
      return count > 0
    })
  await eventually('no sample contains their data', async () => {
    const left = [...(await samplesWith(mark)), ...(await samplesWith('4915112345601'))]
    return left.length === 0
  })
})

test('each personal column is excluded from sampling, or its table is analysed after an erasure', async () => {
  const { sql } = world.database
  const sampled = await sql<{ table: string; column: string }[]>`
    select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and a.attstattarget is distinct from 0`
  const left = sampled.filter(({ table, column }) => personalColumns[table]?.includes(column)).map(({ table }) => table)
  expect([...new Set(left)].sort()).toEqual([...sampledTables].sort())
})
