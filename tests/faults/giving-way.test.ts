/** Tests of backpressure: recording is delayed while deliveries fall behind, but not because of slow receivers. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { tell } from '../support/outbox.ts'
import { type Behaviour, respond, startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { eventually, startWorld, useWorld, type World } from '../support/world.ts'

const restOf = async (world: World): Promise<number> => {
  const { body } = await world.call('GET', '/metrics', { as: 'nobody' })
  return Number(/^recording_rest_seconds (.*)$/m.exec(String(body))![1])
}

const record = (world: World) =>
  world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type: 'order.created', phone: '+4915112345678' } })

const optOut = async (world: World, customerId: string) =>
  world.expect(200, 'POST', `/v1/customers/${customerId}/opt-out`, { as: 'key', body: { reason: 'asked' } })

/** Returns the duration in milliseconds. */
const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now()
  await work()
  return performance.now() - from
}

const tellLongAgo = ({ database: { sql }, workspaceId }: World, count: number, seconds = 10) => sql`
  insert into outbound_events (workspace_id, type, data, created_at)
  select ${workspaceId}, 'message.status', '{}'::jsonb, now() - ${seconds} * interval '1 second'
  from generate_series(1, ${count}::integer)`

describe('a process with the http role only', () => {
  let world: World
  beforeEach(async () => {
    world = await startWorld({ ROLES: 'http' })
  })
  afterEach(() => world.stop())

  const callers = 16
  /** Runs concurrent callers that each record events and opt-outs. */
  const recordMuch = (rounds: number, customerId: string) =>
    Promise.all(
      Array.from({ length: callers }, async () => {
        for (let round = 0; round < rounds; round++) {
          await record(world)
          await optOut(world, customerId)
        }
      }),
    )

  test('records at a quarter of its speed or more while the outbox has no worker, and soon at full speed', async () => {
    const { event } = await record(world)
    expect(await restOf(world)).toBe(0)
    await recordMuch(2, event.customerId)
    const usual = await timeOf(() => recordMuch(5, event.customerId))

    await tellLongAgo(world, 200)
    await eventually('the outbox lag is noticed', async () => (await restOf(world)) === 0.5)
    expect(await timeOf(() => recordMuch(5, event.customerId))).toBeLessThan(6 * usual + 500)
    await eventually('no process handles it', async () => (await restOf(world)) === 0)
  })

  test('delays recording while the outbox is behind and a worker is active, and rejects nothing', async () => {
    const { sql } = world.database
    await tellLongAgo(world, 100, 60)
    await tellLongAgo(world, 100, 30)
    await eventually('the outbox lag is noticed', async () => (await restOf(world)) === 0.5)
    await eventually('no process handles it yet', async () => (await restOf(world)) === 0)
    await sql`update outbound_events set fanned_out_at = now() where created_at < now() - interval '50 seconds'`
    await eventually('a process handles it', async () => (await restOf(world)) === 0.5)
    await record(world)
    await sql`update outbound_events set fanned_out_at = now()`
    await eventually('everything is done', async () => (await restOf(world)) === 0)
  })

  test('does not delay recording because of a few locked rows', async () => {
    const { sql } = world.database
    await tellLongAgo(world, 51)
    await eventually('the backlog is large', async () => (await restOf(world)) === 0.5)
    await sql`update outbound_events set fanned_out_at = now() where id = (select id from outbound_events order by id desc limit 1)`
    await eventually('they are handled again', async () => (await restOf(world)) === 0)
    await sql`update outbound_events set fanned_out_at = now()`
  })
})

describe('a process with a worker', () => {
  const deliveries = 300
  const receiver = use(startReceiver)
  const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))
  beforeAll(async () => {
    await world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['message.status'] } })
  })

  const unruly: [string, Behaviour][] = [
    ['is slow', (socket, request) => setTimeout(() => respond()(socket, request), 150)],
    [
      'says at once that it has too much to do',
      (socket, request) => setTimeout(() => respond(429)(socket, request), 15),
    ],
    [
      'is quick now and slow then',
      (socket, request) => setTimeout(() => respond()(socket, request), receiver.requests.length % 2 === 0 ? 1 : 600),
    ],
  ]
  test.each(unruly)('does not delay events because a receiver %s', async (_, behaviour) => {
    const before = receiver.requests.length
    receiver.behave(behaviour)
    await tell(world.database.sql, world.workspaceId, 'message.status', { count: deliveries })
    await eventually('the outbox is empty', async () => {
      const { sql } = world.database
      return (await sql`select 1 from outbound_events where fanned_out_at is null limit 1`).length === 0
    })
    await eventually('no work of the service is late', async () => (await restOf(world)) === 0)
    const rests = new Set<number>()
    while (receiver.requests.length < before + deliveries) {
      await record(world)
      rests.add(await restOf(world))
    }
    expect([...rests]).toEqual([0])
  })
})
