import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { startService } from '../../../../src/app/index.ts'
import { readConfig } from '../../../../src/config.ts'
import { useWorld } from '../../../support/world.ts'

const world = useWorld()
beforeAll(async () => {
  const { sql } = world.database
  const features = { api: true, webhooks: true, workflows: true, campaigns: true, ai: true }
  await sql`insert into plans (id, name, features, allowances) values
    ('ten', 'Ten', ${sql.json(features)}, ${sql.json({ monthlyEvents: 10 })})`
  await sql`update workspaces set plan_id = 'ten' where id = ${world.workspaceId}`
})

/** Sets the number of events recorded this month, in several `lane` rows. */
const used = async (count: number) => {
  const { sql } = world.database
  await sql`delete from event_usage where workspace_id = ${world.workspaceId}`
  await sql`
    insert into event_usage (workspace_id, month, shard, recorded)
    select ${world.workspaceId}, date_trunc('month', now() at time zone 'utc')::date, shard, case shard when 0 then ${count - 3} else 1 end
    from generate_series(0, 3) shard where ${count} >= 3`
}
beforeEach(() => used(9))

const usage = async () => (await world.expect(200, 'GET', '/v1/entitlements')).allowances.monthlyEvents.used as number

let phones = 0
const newPhone = () => `+4917${String(310_000_001 + phones++)}`
const record = (body: Record<string, unknown> = {}) =>
  world.call('POST', '/v1/events', { as: 'key', body: { type: 'a', phone: newPhone(), ...body } })

const tally = (statuses: number[]) =>
  Object.fromEntries([...Map.groupBy(statuses, status => status)].map(([status, all]) => [status, all.length]))

describe('the monthly allowance', () => {
  test('accepts the last event and rejects the next with a message that names the allowance', async () => {
    expect((await record()).status).toBe(201)
    const { status, body } = await record()
    expect(status).toBe(409)
    expect(body.error.code).toBe('plan_limit_reached')
    expect(body.error.message).toContain('monthly events')
    expect(await usage()).toBe(10)
  })

  test('accepts exactly one of fifty concurrent events', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => record()))
    expect(tally(replies.map(({ status }) => status))).toEqual({ 201: 1, 409: 49 })
    expect(await usage()).toBe(10)
  })

  describe('in two processes with slow writes', () => {
    let second: { port: number; stop: () => Promise<void> }
    beforeAll(async () => {
      const { sql, url } = world.database
      await sql`create function dawdle() returns trigger language plpgsql as 'begin perform pg_sleep(0.1); return null; end'`
      await sql`create trigger dawdle before insert on events for each statement execute function dawdle()`
      const config = readConfig({ PORT: '0', RATE_LIMIT_KEY: '0', ROLES: 'http' })
      const service = await startService({ config, databaseUrl: url, log: pino({ level: 'silent' }) })
      second = { port: service.port, stop: () => service.stop() }
    })
    afterAll(async () => {
      await second.stop()
      await world.database.sql`drop trigger dawdle on events`
    })

    const fiftyInBoth = (body: () => Record<string, unknown>) =>
      Promise.all(
        Array.from({ length: 50 }, async (_, n) => {
          if (n % 2 === 0) return (await record(body())).status
          const response = await fetch(`http://127.0.0.1:${second.port}/v1/events`, {
            method: 'POST',
            headers: { 'X-API-Key': world.key.value, 'Content-Type': 'application/json' },
            body: JSON.stringify({ type: 'a', phone: newPhone(), ...body() }),
          })
          return response.status
        }),
      )

    test('accepts exactly one of fifty concurrent events', async () => {
      expect(tally(await fiftyInBoth(() => ({})))).toEqual({ 201: 1, 409: 49 })
      expect(await usage()).toBe(10)
    })

    test('records one of fifty concurrent events with one key, and returns the others as repeats', async () => {
      const phone = newPhone()
      const statuses = await fiftyInBoth(() => ({ phone, idempotencyKey: 'last in both' }))
      expect(tally(statuses)).toEqual({ 200: 49, 201: 1 })
      expect(await usage()).toBe(10)
    })
  })

  test('rejects an event without enrolling a customer or using its key, and lists it as rejected', async () => {
    await used(10)
    const phone = newPhone()
    const refused = await record({ phone, idempotencyKey: 'over' })
    expect(refused.status).toBe(409)
    const customers = await world.database.sql`select 1 from customers where phone = ${phone}`
    expect(customers).toHaveLength(0)
    const { data } = await world.expect(200, 'GET', '/v1/activity/not-accepted')
    expect(data.find(({ status }: { status: number }) => status === 409)).toMatchObject({
      code: 'plan_limit_reached',
      message: refused.body.error.message,
    })
    await used(9)
    expect((await record({ phone, idempotencyKey: 'over' })).status).toBe(201)
  })

  test('does not count or reject repeats', async () => {
    const first = await record({ idempotencyKey: 'first' })
    expect(first.status).toBe(201)
    for (let n = 0; n < 3; n++) {
      const again = await record({ idempotencyKey: 'first' })
      expect([again.status, again.body.event.id]).toEqual([200, first.body.event.id])
    }
    expect(await usage()).toBe(10)
  })

  test('records one of fifty concurrent events with one key, and returns the others as repeats', async () => {
    const phone = newPhone()
    const replies = await Promise.all(Array.from({ length: 50 }, () => record({ phone, idempotencyKey: 'last' })))
    expect(tally(replies.map(({ status }) => status))).toEqual({ 200: 49, 201: 1 })
    expect(await usage()).toBe(10)
  })

  test('accepts the events of a batch in order up to the limit', async () => {
    await used(6)
    const phone = newPhone()
    const events = [
      { type: 'a', phone, idempotencyKey: 'b-1' },
      { type: 'a', phone },
      { type: 'a', phone: newPhone() },
      { type: 'wrong' },
      { type: 'a', phone, idempotencyKey: 'b-1' },
      { type: 'a', phone, optIn: { evidence: 'box' } },
      { type: 'a', phone: newPhone() },
      { type: 'a', phone, idempotencyKey: 'b-1' },
    ]
    const { data } = await world.expect(200, 'POST', '/v1/events/batch', { as: 'key', body: { events } })
    expect(data.map(({ status }: { status: number }) => status)).toEqual([201, 201, 201, 400, 200, 201, 409, 200])
    expect(await usage()).toBe(10)
  })

  test('counts the current month only', async () => {
    await used(10)
    expect((await record()).status).toBe(409)
    await world.database
      .sql`update event_usage set month = month - interval '1 month' where workspace_id = ${world.workspaceId}`
    expect((await record()).status).toBe(201)
    expect(await usage()).toBe(1)
  })

  test('that is used up is returned by a check', async () => {
    await used(10)
    const body = { type: 'a', phone: newPhone() }
    expect(await world.expect(200, 'POST', '/v1/events/check', { as: 'key', body })).toMatchObject({
      valid: false,
      status: 409,
      error: { code: 'plan_limit_reached' },
    })
  })

  test('is separate for each workspace', async () => {
    await used(10)
    const as = await world.otherOwner()
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 === 0 ? record() : world.call('POST', '/v1/events', { as, body: { type: 'a', phone: newPhone() } }),
      ),
    )
    expect(tally(replies.map(({ status }) => status))).toEqual({ 201: 20, 409: 20 })
  })
})
