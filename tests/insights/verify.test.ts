/** Tests that the verification accepts the records of a running service, and finds each kind of missing record. */
import { beforeAll, expect, test } from 'bun:test'
import { type CheckName, verifySnapshot, verifyWorkspace } from '../../src/insights/verify/index.ts'
import type { Sql } from '../../src/platform/postgres/client.ts'
import { retain } from '../../src/privacy/retention/index.ts'
import { skipHeldDeliveries } from '../../src/webhooks/deliveries/index.ts'
import { rollUpStats } from '../../src/webhooks/statistics/index.ts'
import { makeTemplate } from '../support/campaigns.ts'
import { runCommand } from '../support/command.ts'
import { startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { eventually, newPhone, unknownId, useWorld } from '../support/world.ts'

const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))
const sql = () => world.database.sql

/** Records events with each verdict, their runs, messages and deliveries, a campaign and a message of a customer. */
beforeAll(async () => {
  const channelId = await world.sandbox()
  await world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['message.status'] } })
  const thanks = { type: 'send_message', text: 'Thank you', next: null }
  const trigger = { eventType: 'order.created', where: { path: 'data.total', op: 'gt', value: 10 } }
  await world.workflow({ trigger, start: 'thanks', steps: { thanks } })
  const off = await world.workflow({ trigger: { eventType: 'cart.left' }, start: 'thanks', steps: { thanks } }, 'Off')
  await world.expect(200, 'PATCH', `/v1/workflows/${off}`, { body: { enabled: false } })
  const record = (type: string, total = 20) =>
    world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type, phone: newPhone(), data: { total } } })
  for (let n = 0; n < 3; n++) await record('order.created')
  await record('order.created', 5)
  await record('cart.left')
  await record('unknown.type')
  const templateId = await makeTemplate(sql(), world.workspaceId)
  const content = { channelId, templateId, variables: { name: 'you' }, audience: { all: true } }
  const { id } = await world.expect(201, 'POST', '/v1/campaigns', { body: { name: 'All', ...content } })
  await world.expect(202, 'POST', `/v1/campaigns/${id}/start`, { body: {} })
  await world.expect(201, 'POST', `/v1/channels/${channelId}/sandbox/messages`, {
    body: { from: newPhone(), text: 'Hello' },
  })
  await eventually('the campaign is completed', async () => {
    const { status } = await world.expect(200, 'GET', `/v1/campaigns/${id}`)
    return status === 'completed'
  })
  await receiver.waitFor(9)
  await eventually('every delivery is recorded', async () => {
    const rows = await sql()`select from deliveries where status = 'delivered'`
    return rows.length === 9
  })
})

test('accepts complete records, and has checked every kind', async () => {
  const { checked, differences, notCompared } = await verifyWorkspace(sql(), world.workspaceId)
  expect({ differences, notCompared }).toEqual({ differences: [], notCompared: [] })
  expect(checked).toMatchObject({
    events: 6,
    runs: 3,
    steps: 3,
    messages: 10,
    deliveries: 9,
    campaigns: 1,
    counters: 19,
  })
  expect(checked['outbound events']).toBeGreaterThan(9)
})

const undone = new Error('undone')
/** Returns the differences after a change, as the check and the problem. Undoes the change. */
const differencesAfter = async (change: (tx: Sql) => PromiseLike<unknown>): Promise<Record<string, string[]>> => {
  const found: Record<string, string[]> = {}
  const work = sql().begin('isolation level repeatable read', async tx => {
    await tx`set local session_replication_role = replica`
    await change(tx)
    for (const { check, id, problem } of (await verifySnapshot(tx, world.workspaceId)).differences) {
      found[check] ??= []
      found[check].push(check === 'counters' ? `${id}: ${problem}` : problem)
    }
    throw undone
  })
  await expect(work).rejects.toBe(undone)
  return found
}

test('accepts failed deliveries, also those that were skipped after a restore and then retried', async () => {
  const skip = { before: new Date(Date.now() + 1000), workspaceId: world.workspaceId, limit: 10 }
  const found = await differencesAfter(async tx => {
    await tx`update deliveries set status = 'pending', due_at = now() - interval '1 minute'`
    await tx`insert into hourly_stat_changes (workspace_id, hour, deliveries_delivered) values (${world.workspaceId}, now(), -9)`
    expect(await skipHeldDeliveries(tx, skip)).toBe(9)
    await tx`update deliveries set error = null where ctid = (select min(ctid) from deliveries)`
    await tx`update delivery_attempts a set manual = true from deliveries d where d.id = a.delivery_id and d.error is null`
  })
  expect(found).toEqual({})
})

const first = (tx: Sql, table: string, condition = tx`true`) =>
  tx`delete from ${tx(table)} where ctid = (select ctid from ${tx(table)} where ${condition} limit 1)`

test.each<[string, (tx: Sql) => PromiseLike<unknown>, Partial<Record<CheckName, string[]>>]>([
  [
    'a run',
    tx => first(tx, 'workflow_runs'),
    {
      events: ['1 workflows matched, but 0 runs and 0 refusals are stored'],
      counters: ['runs: it is 3, but 2 are stored'],
    },
  ],
  [
    'the refusal of a workflow',
    tx => first(tx, 'event_outcomes', tx`verdict = 'not_run_for_customer'`),
    { events: ['1 workflows matched, but 0 runs and 0 refusals are stored'] },
  ],
  [
    'the outcome of a disabled workflow',
    tx => first(tx, 'event_outcomes', tx`verdict = 'switched_off'`),
    { events: ['the outcome switched_off is missing'] },
  ],
  [
    'an event',
    tx => first(tx, 'events', tx`reason is null`),
    {
      runs: ['its event is missing'],
      counters: ['events: it is 6, but 5 are stored', 'monthlyEvents: it is 6, but 5 are stored'],
    },
  ],
  ['a step', tx => first(tx, 'workflow_run_steps'), { runs: ['1 steps were taken, but 0 are stored'] }],
  [
    'the next execution of a run',
    tx =>
      tx`update workflow_runs set status = 'active', ended_at = null where id = (select min(id::text)::uuid from workflow_runs)`,
    { runs: ['its status active contradicts its next execution or its end'] },
  ],
  [
    'a message of a run',
    tx => first(tx, 'messages', tx`run_id is not null`),
    {
      steps: ['the message of its step 0 is missing'],
      counters: [
        'delivered: it is 9, but 8 are stored',
        'queued: it is 9, but 8 are stored',
        'sent: it is 9, but 8 are stored',
      ],
    },
  ],
  [
    'the status of a message',
    tx => first(tx, 'message_statuses', tx`status = 'delivered'`),
    { messages: ['its status delivered is not stored'], counters: ['delivered: it is 9, but 8 are stored'] },
  ],
  [
    'the time to send a message',
    tx =>
      tx`update messages set status = 'queued' where id = (select id from messages where direction = 'outbound' limit 1)`,
    { messages: ['it is queued and has no time to send it'] },
  ],
  [
    'a conversation',
    tx => first(tx, 'conversations', tx`last_inbound_at is not null`),
    { messages: ['its conversation is missing'] },
  ],
  [
    'a message of a customer',
    tx => first(tx, 'messages', tx`direction = 'inbound'`),
    { counters: ['received: it is 1, but 0 are stored'] },
  ],
  [
    'a delivery',
    tx => first(tx, 'deliveries'),
    {
      'outbound events': ['1 of its deliveries are missing'],
      counters: ['attempts: it is 9, but 8 are stored', 'deliveredDeliveries: it is 9, but 8 are stored'],
    },
  ],
  [
    'an outbound event',
    tx => first(tx, 'outbound_events', tx`sent_to is not null`),
    { deliveries: ['its outbound event is missing'] },
  ],
  [
    'an attempt',
    tx => first(tx, 'delivery_attempts'),
    { deliveries: ['1 attempts were made, but 0 are stored'], counters: ['attempts: it is 9, but 8 are stored'] },
  ],
  [
    'the next attempt of a delivery',
    tx => tx`update deliveries set status = 'retrying' where id = (select id from deliveries limit 1)`,
    {
      deliveries: ['it is retrying and has no next attempt'],
      counters: ['deliveredDeliveries: it is 9, but 8 are stored'],
    },
  ],
  [
    'the reason why nothing handled an event',
    tx => tx`update events set reason = null where reason = 'no_listener'`,
    { counters: ['unhandledEvents: it is 2, but 1 are stored'] },
  ],
  [
    'the count of a failed delivery',
    tx =>
      tx`update delivery_attempts set status_code = 503, planned = number where ctid = (select min(ctid) from delivery_attempts)`,
    { counters: ['failedDeliveries: it is 0, but 1 are stored'] },
  ],
  [
    'a failed delivery',
    tx =>
      tx`insert into hourly_stat_changes (workspace_id, hour, deliveries_failed) values (${world.workspaceId}, now(), 1)`,
    { counters: ['failedDeliveries: it is 1, but 0 are stored'] },
  ],
  [
    'the statistics of a day',
    async tx => {
      await rollUpStats(tx)
      await tx`delete from group_stats where unit = 'day' and kind = 'webhook'`
    },
    { counters: ['attemptsByEndpoint: its days are 0, but the hours are 9'] },
  ],
  [
    'the reason of a skipped recipient',
    tx => tx`update campaigns set skipped_by = '{"opted_out": 1}'`,
    { campaigns: ['its counter skippedBy.opted_out is 1, but there are 0'] },
  ],
  [
    'a recipient of a campaign',
    tx => first(tx, 'campaign_recipients'),
    { campaigns: ['its counter recipients is 6, but there are 5; its counter sent is 6, but there are 5'] },
  ],
  ['a row of counters', tx => tx`delete from event_usage`, { counters: expect.any(Array) }],
])('finds a missing record: %s', async (_, change, expected) => {
  const found = await differencesAfter(change)
  for (const problems of Object.values(found)) problems.sort()
  expect(found).toEqual(expected as Record<string, string[]>)
})

test('lists a bounded number of differences and counts the others', async () => {
  await sql()
    .begin('isolation level repeatable read', async tx => {
      await tx`insert into outbound_events (workspace_id, id, type, data, fanned_out_at, sent_to)
        select ${world.workspaceId}, uuidv7(), 'ping', '{}', now(), jsonb_build_object(uuidv7(), uuidv7()) from generate_series(1, 1100)`
      const { differing, differences } = await verifySnapshot(tx, world.workspaceId)
      expect([differing['outbound events'], differences.length]).toEqual([1100, 20])
      throw undone
    })
    .catch(error => expect(error).toBe(undone))
})

test('the command reports the result by its status and as JSON', async () => {
  const settings = { DATABASE_URL: world.database.url }
  const balanced = await runCommand(['verify'], settings)
  expect(balanced).toMatchObject({ status: 0, error: '' })
  expect(balanced.out).toContain('Everything matches in 1 workspace.\n')
  const [attempt] =
    await sql()`delete from delivery_attempts where ctid = (select min(ctid) from delivery_attempts) returning *`
  const differing = await runCommand(['verify', '--workspace', world.workspaceId, '--json'], settings)
  expect(differing.status).toBe(1)
  expect(JSON.parse(differing.out)).toMatchObject({
    balanced: false,
    workspaces: 1,
    differing: { deliveries: 1, counters: 1 },
    differences: [
      { check: 'deliveries', id: attempt!.delivery_id },
      { check: 'counters', id: 'attempts' },
    ],
  })
  expect((await runCommand(['verify'], settings)).out).toContain('2 records differ.\n')
  await sql()`insert into delivery_attempts ${sql()(attempt!)}`

  const unknown = await runCommand(['verify', '--workspace', unknownId], settings)
  const error = `There is no workspace "${unknownId}". "workspace list" lists all workspaces.`
  expect(unknown).toEqual({ status: 2, out: '', error })
  const unreachable = await runCommand(['verify'], { DATABASE_URL: 'postgres://127.0.0.1:1/none' })
  expect(unreachable).toMatchObject({ status: 2, out: '' })
  expect((await runCommand(['verify', '--workspace', 'x'], settings)).status).toBe(2)
})

test('does not report what retention has removed', async () => {
  const periods = { events: 1, deliveries: null, runs: 1, messages: null, audit: null, answers: null }
  while (await retain({ sql: sql(), periods })) {}
  const [left] = await sql()`select count(*)::integer as events from events`
  expect(left!.events).toBe(0)
  const { differences, checked } = await verifyWorkspace(sql(), world.workspaceId)
  expect(differences).toEqual([])
  expect(checked.messages).toBe(10)
})

test('accepts the records of a customer who was erased before their message was sent', async () => {
  const settings = { DATABASE_URL: world.database.url }
  expect((await runCommand(['pause', 'messages', '--workspace', world.workspaceId], settings)).status).toBe(0)
  const { event } = await world.expect(201, 'POST', '/v1/events', {
    as: 'key',
    body: { type: 'order.created', phone: newPhone(), data: { total: 20 } },
  })
  const messages = () => sql()<{ id: string; status: string }[]>`
    select id, status from messages where customer_id = ${event.customerId}`
  const [queued] = await eventually('the message is queued', async () => (await messages()).length === 1 && messages())
  await world.expect(204, 'DELETE', `/v1/customers/${event.customerId}`, { as: 'key' })
  expect(await messages()).toMatchObject([{ status: 'skipped' }])
  expect(await sql()`select status, detail from message_statuses where message_id = ${queued!.id}`).toEqual([
    { status: 'skipped', detail: 'The customer was erased.' },
  ] as never)
  expect((await runCommand(['resume', 'messages', '--workspace', world.workspaceId], settings)).status).toBe(0)
  expect((await verifyWorkspace(sql(), world.workspaceId)).differences).toEqual([])
})
