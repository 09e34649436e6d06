import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { type RunningService, startService } from '../../../../src/app/index.ts'
import { readConfig } from '../../../../src/config.ts'
import { newPhone, useWorld } from '../../../support/world.ts'

const world = useWorld()
beforeAll(async () => {
  const { sql } = world.database
  await sql`insert into plans (id, name, features, allowances)
    select 'ten', 'Ten', features, '{"monthlyEvents": 10}' from plans where id = 'unlimited'`
  await sql`update workspaces set plan_id = 'ten' where id = ${world.workspaceId}`
})

/** Sets the number of events recorded this month, in several rows. */
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

const record = (body: Record<string, unknown> = {}) =>
  world.call('POST', '/v1/events', { as: 'key', body: { type: 'a', phone: newPhone(), ...body } })

const tally = (statuses: number[]) =>
  Object.fromEntries([...Map.groupBy(statuses, status => status)].map(([status, all]) => [status, all.length]))

describe('the monthly allowance', () => {
  test('accepts the last event, and lists the next as rejected, without a customer or a used key', async () => {
    expect((await record()).status).toBe(201)
    const phone = newPhone()
    const { status, body } = await record({ phone, idempotencyKey: 'over' })
    expect([status, body.error.code]).toEqual([409, 'plan_limit_reached'])
    expect(body.error.message).toContain('monthly events')
    expect(await usage()).toBe(10)
    expect(await world.database.sql`select 1 from customers where phone = ${phone}`).toHaveLength(0)
    const { data } = await world.expect(200, 'GET', '/v1/activity/not-accepted')
    const { code, message } = body.error
    expect(data.find((entry: { status: number }) => entry.status === 409)).toMatchObject({ code, message })
    const checked = await world.expect(200, 'POST', '/v1/events/check', { as: 'key', body: { type: 'a', phone } })
    expect(checked).toMatchObject({ valid: false, status: 409, error: { code } })
    await used(9)
    expect((await record({ phone, idempotencyKey: 'over' })).status).toBe(201)
  })

  describe('in two processes with slow writes accepts one of fifty concurrent events', () => {
    let second: RunningService
    beforeAll(async () => {
      const { sql, url } = world.database
      await sql`create function dawdle() returns trigger language plpgsql as 'begin perform pg_sleep(0.1); return null; end'`
      await sql`create trigger dawdle before insert on events for each statement execute function dawdle()`
      const config = readConfig({ PORT: '0', RATE_LIMIT_KEY: '0', ROLES: 'http' })
      second = await startService({ config, databaseUrl: url, log: pino({ level: 'silent' }) })
    })
    afterAll(async () => {
      await second.stop()
      await world.database.sql`drop trigger dawdle on events`
    })
    const recordInSecond = (body: object) =>
      fetch(`http://127.0.0.1:${second.port}/v1/events`, {
        method: 'POST',
        headers: { 'X-API-Key': world.key.value, 'Content-Type': 'application/json' },
        body: JSON.stringify({ type: 'a', phone: newPhone(), ...body }),
      })

    test.each([
      ['of different customers', () => ({}), { 201: 1, 409: 49 }],
      ['with one key', () => ({ phone: '+4917310000000', idempotencyKey: 'last in both' }), { 200: 49, 201: 1 }],
    ])('%s', async (_, body, statuses) => {
      const calls = Array.from({ length: 50 }, (_, n) => (n % 2 ? record(body()) : recordInSecond(body())))
      expect(tally((await Promise.all(calls)).map(({ status }) => status))).toEqual(statuses)
      expect(await usage()).toBe(10)
    })
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

  test('is separate for each workspace', async () => {
    await used(10)
    const as = await world.otherOwner()
    const asking = { as, body: { type: 'a', phone: newPhone() } }
    const replies = await Promise.all([record(), world.call('POST', '/v1/events', asking), record()])
    expect(replies.map(({ status }) => status)).toEqual([409, 201, 409])
  })
})
