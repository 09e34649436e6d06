/** Tests the migration that introduces key digests for customers who were erased before it. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { planOf } from '../../../src/db/migration-file.ts'
import { migrations } from '../../../src/db/migrations.ts'
import { newId } from '../../../src/domain/ids.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

test('the migration replaces the keys of erased customers by digests that still detect repeats, and keeps other keys', async () => {
  const { sql } = world.database
  const { workspaceId } = world
  const written = async (phone: string): Promise<string> => {
    const { event } = await world.expect(201, 'POST', '/v1/events', {
      as: 'key',
      body: { type: 'a', phone, idempotencyKey: `order of ${phone}` },
    })
    const [channel] = await sql`
      insert into channels (workspace_id, kind, name) values (${workspaceId}, 'sandbox', ${phone}) returning id`
    await sql`
      insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, status, idempotency_key)
      values (${workspaceId}, ${channel!.id}, ${newId()}, ${event.customerId}, 'outbound', 'failed', ${`reply to ${phone}`})`
    return event.customerId
  }
  const erased = await written('+4915100000001')
  const other = await written('+4915100000002')
  // Erases the customer in the way of the previous release.
  await sql`update customers set phone = null, erased_at = now() where id = ${erased}`

  const { steps } = planOf(migrations.find(({ name }) => name === '054_keys_of_erased')!.sql)
  for (const step of steps!.filter(({ again }) => again)) {
    while ((await sql.unsafe(step.sql)).count > 0);
  }

  const rowsOf = (customerId: string) => sql`
    select e::text as row from events e where customer_id = ${customerId}
    union all select m::text from messages m where customer_id = ${customerId}`
  expect((await rowsOf(erased)).map(({ row }) => row).join()).not.toContain('+4915100000001')
  expect((await rowsOf(other)).map(({ row }) => row).join()).toMatch(
    /order of \+4915100000002.*reply to \+4915100000002/s,
  )
  const again = await world.expect(200, 'POST', '/v1/events', {
    as: 'key',
    body: { type: 'a', phone: '+4915100000003', idempotencyKey: 'order of +4915100000001' },
  })
  expect(again).toMatchObject({ recorded: false, event: { customerId: erased } })
})
