import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eventually, useWorld, type World } from '../../../support/world.ts'

const world = useWorld()
beforeAll(async () => {
  const features = { api: true, webhooks: true, workflows: true, campaigns: true, ai: true }
  const none = { api: false, webhooks: false, workflows: false, campaigns: false, ai: false }
  const few = { activeWorkflows: 3, teamSeats: 4, connectedNumbers: 2, templates: 0, monthlyEvents: 5 }
  const { sql } = world.database
  await sql`
    insert into plans (id, name, features, allowances) values
      ('few', 'Few', ${sql.json(features)}, ${sql.json(few)}),
      ('nothing', 'Nothing', ${sql.json(none)}, ${sql.json(few)})`
})

const onPlan = async (plan: string): Promise<void> => {
  await world.database.sql`update workspaces set plan_id = ${plan} where id = ${world.workspaceId}`
}

const allowances = async () => (await world.expect(200, 'GET', '/v1/entitlements')).allowances

/** Makes 50 concurrent calls. Returns the number of calls per outcome. */
const fifty = async (call: (position: number) => ReturnType<World['call']>) => {
  const replies = await Promise.all(Array.from({ length: 50 }, (_, position) => call(position)))
  const tally: Record<string, number> = {}
  for (const { status, body } of replies) {
    const outcome = body.error ? `${status} ${body.error.code}` : String(status)
    tally[outcome] = (tally[outcome] ?? 0) + 1
  }
  return { tally, refusal: replies.find(({ status }) => status === 409)?.body.error.message as string }
}

const workflow = {
  trigger: { eventType: 'x' },
  start: 'a',
  steps: { a: { type: 'send_message', text: 'x', next: null } },
}

const newWorkflow = async (): Promise<string> =>
  (await world.expect(201, 'POST', '/v1/workflows', { body: { name: 'w', definition: workflow } })).id

const switchTo = (id: string, enabled: boolean) => world.call('PATCH', `/v1/workflows/${id}`, { body: { enabled } })

const invite = () =>
  world.call('POST', '/v1/members', { body: { email: `${crypto.randomUUID()}@shop.example`, role: 'agent' } })

const connect = () => world.call('POST', '/v1/channels', { body: { kind: 'sandbox', name: 'Sandbox' } })

describe('GET /v1/entitlements', () => {
  test('returns the plan, its features, and the limit and use of each allowance', async () => {
    await onPlan('starter')
    const [now, next] = [new Date(), new Date()]
    next.setUTCFullYear(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
    next.setUTCHours(0, 0, 0, 0)
    expect(await world.expect(200, 'GET', '/v1/entitlements')).toEqual({
      plan: { id: 'starter', name: 'Starter' },
      features: { api: true, webhooks: true, workflows: true, campaigns: true, ai: false },
      allowances: {
        activeWorkflows: { limit: 20, used: 0 },
        teamSeats: { limit: 5, used: 1 },
        connectedNumbers: { limit: 2, used: 0 },
        templates: { limit: 50, used: 0 },
        monthlyEvents: { limit: 50000, used: 0, resetsAt: next.toISOString() },
      },
    })
  })

  test("returns null without a limit, and sums all rows of the month's events", async () => {
    await onPlan('unlimited')
    const { sql } = world.database
    await sql`
      insert into event_usage (workspace_id, month, shard, recorded)
      select ${world.workspaceId}, date_trunc('month', now() at time zone 'utc') - m * interval '1 month', shard, 100
      from generate_series(0, 1) as m, generate_series(100, 102) as shard`
    for (let i = 0; i < 3; i++) {
      const body = { type: 'order.created', phone: '+4915112345678', idempotencyKey: `k${i % 2}` }
      await world.call('POST', '/v1/events', { as: 'key', body })
    }
    expect((await allowances()).monthlyEvents).toMatchObject({ limit: null, used: 302 })
  })

  test('counts each workspace separately', async () => {
    await connect()
    const { allowances } = await world.expect(200, 'GET', '/v1/entitlements', { as: await world.otherOwner() })
    expect(allowances).toMatchObject({ connectedNumbers: { used: 0 }, monthlyEvents: { used: 0 } })
    await world.database.sql`delete from channels where workspace_id = ${world.workspaceId}`
  })
})

describe('50 concurrent calls succeed up to the limit of the plan', () => {
  beforeEach(() => onPlan('few'))

  test('active workflows', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, newWorkflow))
    const { tally, refusal } = await fifty(position => switchTo(ids[position]!, true))
    expect(tally).toEqual({ 200: 3, '409 plan_limit_reached': 47 })
    expect(refusal).toContain('active workflows')
    expect((await allowances()).activeWorkflows).toEqual({ limit: 3, used: 3 })

    const { data } = await world.expect(200, 'GET', '/v1/workflows?limit=100')
    const on = data.filter((one: { enabled: boolean }) => one.enabled)
    const off = data.find((one: { enabled: boolean }) => !one.enabled)
    expect((await switchTo(on[0].id, true)).status).toBe(200)
    const named = await world.call('PATCH', `/v1/workflows/${off.id}`, { body: { name: 'other', enabled: true } })
    expect(named.status).toBe(409)
    expect((await world.expect(200, 'GET', `/v1/workflows/${off.id}`)).name).toBe('w')
    await world.expect(200, 'PATCH', `/v1/workflows/${off.id}`, { body: { name: 'other' } })

    expect((await switchTo(on[0].id, false)).status).toBe(200)
    expect((await switchTo(off.id, true)).status).toBe(200)
    expect((await switchTo(on[0].id, true)).status).toBe(409)
    expect((await switchTo('01981b7e-3c00-7a51-9a64-1f0f5c3d7e99', true)).status).toBe(404)
  })

  test('switching a workflow on waits for a concurrent change and counts it', async () => {
    const { sql } = world.database
    await sql`update workflows set enabled = false where workspace_id = ${world.workspaceId}`
    const [first, second, third, other] = await Promise.all(Array.from({ length: 4 }, newWorkflow))
    for (const id of [first, second, third]) expect((await switchTo(id!, true)).status).toBe(200)
    const gate = await sql.reserve()
    await gate`begin`
    await gate`update workflows set enabled = (id = ${other!}) where id in (${first!}, ${other!})`
    const again = switchTo(first!, true)
    await eventually('the call that waits', async () => {
      const waiting = await sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length === 1
    })
    await gate`commit`
    gate.release()
    expect((await again).status).toBe(409)
    expect((await allowances()).activeWorkflows.used).toBe(3)
  })

  test('team seats, including invitations', async () => {
    const { tally, refusal } = await fifty(invite)
    expect(tally).toEqual({ 201: 3, '409 plan_limit_reached': 47 })
    expect(refusal).toContain('team seats')
    expect((await allowances()).teamSeats).toEqual({ limit: 4, used: 4 })
    const { data } = await world.expect(200, 'GET', '/v1/members')
    const again = { body: { email: data[0].email, role: 'agent' } }
    expect((await world.call('POST', '/v1/members', again)).body.error.code).toBe('conflict')
    await world.expect(204, 'DELETE', `/v1/members/${data[0].id}`)
    expect((await invite()).status).toBe(201)
    expect((await invite()).status).toBe(409)
  })

  test('connected numbers', async () => {
    const { tally, refusal } = await fifty(connect)
    expect(tally).toEqual({ 201: 2, '409 plan_limit_reached': 48 })
    expect(refusal).toBe('The plan allows 2 connected numbers, and all are in use. Upgrade the plan.')
    expect((await allowances()).connectedNumbers).toEqual({ limit: 2, used: 2 })
  })

  test('a larger plan allows more, and a smaller one removes nothing', async () => {
    await onPlan('unlimited')
    expect((await connect()).status).toBe(201)
    await onPlan('few')
    expect((await allowances()).connectedNumbers).toEqual({ limit: 2, used: 3 })
    expect((await connect()).status).toBe(409)
  })
})

describe('403 feature_not_available', () => {
  const id = '01981b7e-3c00-7a51-9a64-1f0f5c3d7e99'

  // Reading and removing stay possible, so that a workspace on a smaller plan can clean up.
  test.each([
    ['POST', '/v1/workflows', 'workflows'],
    ['PATCH', `/v1/workflows/${id}`, 'workflows'],
    ['POST', `/v1/workflows/${id}/publish`, 'workflows'],
    ['POST', '/v1/webhooks', 'webhooks'],
    ['PATCH', `/v1/webhooks/${id}`, 'webhooks'],
    ['POST', `/v1/webhooks/${id}/secret`, 'webhooks'],
    ['POST', `/v1/webhooks/${id}/test`, 'webhooks'],
    ['POST', `/v1/webhooks/${id}/deliveries/${id}/retry`, 'webhooks'],
    ['POST', '/v1/api-keys', 'api'],
  ])('%s %s on a plan without it, before the body and the record are checked', async (method, path, feature) => {
    await onPlan('nothing')
    const { status, body } = await world.call(method, path, { raw: '{' })
    expect([status, body.error.code]).toEqual([403, 'feature_not_available'])
    expect(body.error.message).toContain(feature)
  })

  test('for all operations of a key on a plan without the API', async () => {
    await onPlan('nothing')
    for (const reply of [
      await world.call('POST', '/v1/events', { as: 'key', raw: '{' }),
      await world.call('GET', `/v1/customers/${id}`, { as: 'key' }),
    ]) {
      expect([reply.status, reply.body.error.code]).toEqual([403, 'feature_not_available'])
    }
  })
})
