/** Tests of backpressure: recording is delayed while deliveries fall behind, but not because of slow receivers. */
import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { tell } from '../support/outbox.ts'
import { type Behaviour, startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { eventually, startWorld, useWorld, type World } from '../support/world.ts'
import { after, expectVerified, pause } from './support.ts'

const delayOf = async (world: World): Promise<number> => {
  const { body } = await world.call('GET', '/metrics', { as: 'nobody' })
  return Number(/^engagement_recording_delay_seconds (.*)$/m.exec(String(body))![1])
}

const record = (world: World) =>
  world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type: 'order.created', phone: '+4915112345678' } })

const tellLongAgo = ({ database: { sql }, workspaceId }: World, count: number, seconds = 10) => sql`
  insert into outbound_events (workspace_id, type, data, created_at)
  select ${workspaceId}, 'message.status', '{}'::jsonb, now() - ${seconds} * interval '1 second'
  from generate_series(1, ${count}::integer)`

test('a process without workers delays recording only while the outbox is behind and a worker is active', async () => {
  await using world = await startWorld({ ROLES: 'http' })
  const { sql } = world.database
  const becomes = (what: string, seconds: number) => eventually(what, async () => (await delayOf(world)) === seconds)
  await record(world)
  expect(await delayOf(world)).toBe(0)
  await tellLongAgo(world, 100, 60)
  await tellLongAgo(world, 100, 30)
  await becomes('the outbox lag is noticed', 0.5)
  await becomes('no process handles it yet', 0)
  await sql`update outbound_events set fanned_out_at = now() where created_at < now() - interval '50 seconds'`
  await becomes('a process handles it', 0.5)
  await record(world)
  await sql`update outbound_events set fanned_out_at = now()`
  await becomes('everything is done', 0)

  // A few rows can be late because they are locked.
  await tellLongAgo(world, 50)
  for (let round = 0; round < 10; round++) {
    await record(world)
    expect(await delayOf(world)).toBe(0)
    await pause(100)
  }
})

describe('a process with a worker', () => {
  const deliveries = 150
  const receiver = use(startReceiver)
  const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))
  afterEach(() => expectVerified(world.database.sql))
  beforeAll(async () => {
    await world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['message.status'] } })
  })

  const unruly: [string, Behaviour][] = [
    ['is slow', after(150)],
    ['responds immediately that it is overloaded', after(15, 429)],
    ['alternates', (socket, request) => after(receiver.requests.length % 2 === 0 ? 1 : 600)(socket, request)],
  ]
  test.each(unruly)('does not delay events because a receiver %s', async (_, behaviour) => {
    const before = receiver.requests.length
    receiver.behave(behaviour)
    await tell(world.database.sql, world.workspaceId, 'message.status', { count: deliveries })
    await eventually('the outbox is empty', async () => {
      const { sql } = world.database
      return (await sql`select 1 from outbound_events where fanned_out_at is null limit 1`).length === 0
    })
    await eventually('no work of the service is late', async () => (await delayOf(world)) === 0)
    const delays = new Set<number>()
    while (receiver.requests.length < before + deliveries) {
      await record(world)
      delays.add(await delayOf(world))
    }
    expect([...delays]).toEqual([0])
  })
})
