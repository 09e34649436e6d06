import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { openTransaction } from '../../../support/database.ts'
import { answerOf, unknownId, untilBlocked, useWorld, type World } from '../../../support/world.ts'

const world = useWorld()
beforeAll(async () => {
  const features = { api: true, webhooks: true, workflows: true, campaigns: true, ai: true }
  const few = { activeWorkflows: 3, teamSeats: 4, connectedNumbers: 2, templates: 0, monthlyEvents: 5 }
  const { sql } = world.database
  await sql`
    insert into plans (id, name, features, allowances) values
      ('few', 'Few', ${sql.json(features)}, ${sql.json(few)}),
      ('nothing', 'Nothing', '{}', ${sql.json(few)})`
})

const onPlan = async (plan: string): Promise<void> => {
  await world.database.sql`update workspaces set plan_id = ${plan} where id = ${world.workspaceId}`
}

const allowances = async () => (await world.expect(200, 'GET', '/v1/entitlements')).allowances

/** Makes 50 concurrent calls. Returns the answers in order, and the message of the last rejection. */
const fifty = async (call: (position: number) => ReturnType<World['call']>) => {
  const replies = await Promise.all(Array.from({ length: 50 }, (_, position) => call(position)))
  const refusal = replies.findLast(({ status }) => status === 409)?.body.error.message as string
  return { answers: replies.map(answerOf).sort(), refusal }
}
const upTo = (count: number, status: number) => [
  ...Array(count).fill(String(status)),
  ...Array(50 - count).fill('409 plan_limit_reached'),
]

const definition = {
  trigger: { eventType: 'x' },
  start: 'a',
  steps: { a: { type: 'send_message', text: 'x', next: null } },
}
const newWorkflow = async (): Promise<string> =>
  (await world.expect(201, 'POST', '/v1/workflows', { body: { name: 'w', definition } })).id

const change = (id: string, body: object) => world.call('PATCH', `/v1/workflows/${id}`, { body })
const switchTo = async (id: string, enabled: boolean) => (await change(id, { enabled })).status

const invite = () =>
  world.call('POST', '/v1/members', { body: { email: `${crypto.randomUUID()}@shop.example`, role: 'agent' } })

const connect = () => world.call('POST', '/v1/channels', { body: { kind: 'sandbox', name: 'Sandbox' } })

test('GET /v1/entitlements returns the plan, its features, and the limit and use of each allowance', async () => {
  await onPlan('starter')
  const now = new Date()
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1))
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

test("GET /v1/entitlements returns null without a limit, and sums all rows of the month's events", async () => {
  await onPlan('unlimited')
  await world.database.sql`
    insert into event_usage (workspace_id, month, shard, recorded)
    select ${world.workspaceId}, date_trunc('month', now() at time zone 'utc') - m * interval '1 month', shard, 100
    from generate_series(0, 1) as m, generate_series(100, 102) as shard`
  for (let i = 0; i < 3; i++) {
    const body = { type: 'order.created', phone: '+4915112345678', idempotencyKey: `k${i % 2}` }
    await world.call('POST', '/v1/events', { as: 'key', body })
  }
  expect((await allowances()).monthlyEvents).toMatchObject({ limit: null, used: 302 })
  const theirs = await world.expect(200, 'GET', '/v1/entitlements', { as: await world.otherOwner() })
  expect(theirs.allowances).toMatchObject({ teamSeats: { used: 1 }, monthlyEvents: { used: 0 } })
})

describe('50 concurrent calls succeed up to the limit of the plan', () => {
  beforeEach(() => onPlan('few'))

  test('active workflows', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, newWorkflow))
    const { answers, refusal } = await fifty(position => change(ids[position]!, { enabled: true }))
    expect(answers).toEqual(upTo(3, 200))
    expect(refusal).toContain('active workflows')
    expect((await allowances()).activeWorkflows).toEqual({ limit: 3, used: 3 })

    const { data } = await world.expect(200, 'GET', '/v1/workflows?limit=100')
    const [on, off] = [true, false].map(enabled => data.find((one: { enabled: boolean }) => one.enabled === enabled).id)
    expect(await switchTo(on, true)).toBe(200)
    expect((await change(off, { name: 'other', enabled: true })).status).toBe(409)
    expect((await world.expect(200, 'GET', `/v1/workflows/${off}`)).name).toBe('w')
    expect((await change(off, { name: 'other' })).status).toBe(200)
    expect([await switchTo(on, false), await switchTo(off, true), await switchTo(on, true)]).toEqual([200, 200, 409])
    expect(await switchTo(unknownId, true)).toBe(404)
  })

  test('switching a workflow on waits for a concurrent change and counts it', async () => {
    const { sql } = world.database
    await sql`update workflows set enabled = false where workspace_id = ${world.workspaceId}`
    const [first, second, third, other] = await Promise.all(Array.from({ length: 4 }, newWorkflow))
    for (const id of [first, second, third]) expect(await switchTo(id!, true)).toBe(200)
    const swapped = [first!, other!]
    const commit = await openTransaction(
      sql,
      tx => tx`update workflows set enabled = not enabled where id in ${tx(swapped)}`,
    )
    const again = switchTo(first!, true)
    await untilBlocked(sql)
    await commit()
    expect(await again).toBe(409)
    expect((await allowances()).activeWorkflows.used).toBe(3)
  })

  test('team seats, including invitations', async () => {
    const { answers, refusal } = await fifty(invite)
    expect(answers).toEqual(upTo(3, 201))
    expect(refusal).toContain('team seats')
    expect((await allowances()).teamSeats).toEqual({ limit: 4, used: 4 })
    const { data } = await world.expect(200, 'GET', '/v1/members')
    const again = { body: { email: data[0].email, role: 'agent' } }
    expect(await world.answer('POST', '/v1/members', again)).toBe('409 conflict email')
    await world.expect(204, 'DELETE', `/v1/members/${data[0].id}`)
    expect([(await invite()).status, (await invite()).status]).toEqual([201, 409])
  })

  test('connected numbers; a larger plan allows more, and a smaller one removes nothing', async () => {
    const { answers, refusal } = await fifty(connect)
    expect(answers).toEqual(upTo(2, 201))
    expect(refusal).toBe('The plan allows 2 connected numbers, and all are in use. Upgrade the plan.')
    expect((await allowances()).connectedNumbers).toEqual({ limit: 2, used: 2 })
    await onPlan('unlimited')
    expect((await connect()).status).toBe(201)
    await onPlan('few')
    expect((await allowances()).connectedNumbers).toEqual({ limit: 2, used: 3 })
    expect((await connect()).status).toBe(409)
  })
})

// Reading and removing stay possible, so that a workspace on a smaller plan can clean up.
test.each([
  ['owner POST /v1/workflows', 'workflows'],
  [`owner PATCH /v1/workflows/${unknownId}`, 'workflows'],
  [`owner POST /v1/workflows/${unknownId}/publish`, 'workflows'],
  ['owner POST /v1/webhooks', 'webhooks'],
  [`owner PATCH /v1/webhooks/${unknownId}`, 'webhooks'],
  [`owner POST /v1/webhooks/${unknownId}/secret`, 'webhooks'],
  [`owner POST /v1/webhooks/${unknownId}/test`, 'webhooks'],
  [`owner POST /v1/webhooks/${unknownId}/deliveries/${unknownId}/retry`, 'webhooks'],
  ['owner POST /v1/api-keys', 'api'],
  ['key POST /v1/events', 'api'],
  [`key GET /v1/customers/${unknownId}`, 'api'],
])('%s is 403 on a plan without the feature %s, before body and record are checked', async (asking, feature) => {
  const [as, method, path] = asking.split(' ') as ['owner' | 'key', string, string]
  await onPlan('nothing')
  const { status, body } = await world.call(method, path, { as, ...(method !== 'GET' && { raw: '{' }) })
  expect([status, body.error.code]).toEqual([403, 'feature_not_available'])
  expect(body.error.message).toContain(feature)
})
