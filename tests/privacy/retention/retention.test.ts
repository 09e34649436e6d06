/** Tests what retention removes, what it keeps, and what the API answers about removed records. */
import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { setAuditRetention } from '../../../src/accounts/audit/index.ts'
import { removeOldEvents } from '../../../src/events/index.ts'
import { receiveMessage } from '../../../src/messaging/inbound/index.ts'
import type { Database } from '../../../src/platform/postgres/client.ts'
import { type RetentionPeriods, retain } from '../../../src/privacy/retention/index.ts'
import { continueRetention } from '../../../src/queue/tasks.ts'
import { nodesOf, watched } from '../../support/plans.ts'
import { respond, startReceiver } from '../../support/receiver.ts'
import { use } from '../../support/use.ts'
import { ended, play } from '../../support/workflows.ts'
import { eventually, useWorld } from '../../support/world.ts'

const receiver = use(() => startReceiver({ behaviour: respond(200, 'thank you') }))
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target, RETENTION_EVENTS: '10d' }))
let sql: Database
beforeAll(async () => {
  sql = world.database.sql
})
afterEach(async () => {
  await sql`delete from retention_watermarks`
})

const { workflow, event, phone, start, run } = play(() => world)

const forEver: RetentionPeriods = {
  events: null,
  deliveries: null,
  runs: null,
  messages: null,
  audit: null,
  answers: null,
}

/** Removes all records of these kinds, regardless of age. */
const removeAll = async (...kinds: (keyof RetentionPeriods)[]): Promise<void> => {
  // A record from the current millisecond is not older than it, so the removal starts in the next one.
  const now = Date.now()
  await eventually('the next millisecond', () => Date.now() > now)
  while (await retain({ sql, periods: { ...forEver, ...Object.fromEntries(kinds.map(kind => [kind, 0])) } }));
}

/** Removes all records of these kinds as if a day had passed. */
const removeAllOnceMore = async (...kinds: (keyof RetentionPeriods)[]): Promise<void> => {
  await sql`update retention_watermarks set started_at = now() - interval '2 days'`
  await removeAll(...kinds)
  await removeAll(...kinds)
}

const count = async (table: string): Promise<number> =>
  (await sql`select count(*)::integer as count from ${sql(table)}`)[0]!.count

describe('a removed event', () => {
  test('is in no list and no timeline, and is not found by its id', async () => {
    const { event: first } = await event('retention.gone', phone())
    await removeAll('events')
    await world.expect(404, 'GET', `/v1/events/${first.id}`)
    expect((await world.expect(200, 'GET', '/v1/events?type=retention.gone')).data).toEqual([])
    expect((await world.expect(200, 'GET', '/v1/activity/events?type=retention.gone')).data).toEqual([])
    const { data } = await world.expect(200, 'GET', `/v1/customers/${first.customerId}/timeline`)
    expect(data.map(({ kind }: { kind: string }) => kind)).not.toContain('event')
  })

  test('is not recorded again when its key is repeated, and the answer contains what remains of it', async () => {
    const body = { type: 'retention.once', phone: phone(), data: { total: 12 }, idempotencyKey: 'order-4711' }
    const { event: first } = await world.expect(201, 'POST', '/v1/events', { as: 'key', body })
    await removeAll('events')
    const before = await count('events')
    const again = await world.expect(200, 'POST', '/v1/events', { as: 'key', body: { ...body, type: 'other' } })
    expect(again).toMatchObject({
      recorded: false,
      matchedWorkflows: 0,
      outcomes: [],
      event: { ...first, data: {} },
    })
    const { data } = await world.expect(200, 'POST', '/v1/events/batch', { as: 'key', body: { events: [body] } })
    expect(data[0]).toMatchObject({ status: 200, recorded: false, event: { id: first.id } })
    const check = await world.expect(200, 'POST', '/v1/events/check', { as: 'key', body })
    expect(check).toMatchObject({ valid: true, status: 200, replay: first.id })
    expect(await count('events')).toBe(before)
  })

  test('leaves a digest of its key, and nothing if it had no key', async () => {
    await event('retention.keyless', phone())
    const body = { type: 'retention.keyed', phone: phone(), data: { secret: 'Ada' }, idempotencyKey: 'key-of-ada' }
    await world.expect(201, 'POST', '/v1/events', { as: 'key', body })
    const before = await count('removed_events')
    await removeAll('events')
    expect(await count('removed_events')).toBe(before + 1)
    expect(await sql`select 1 from removed_events r where r::text ~ 'of-ada|Ada'`).toHaveLength(0)
    expect(await count('event_outcomes')).toBe(0)
  })

  test('was kept while a run worked on it', async () => {
    const type = 'retention.working'
    await workflow({
      trigger: { eventType: type },
      start: 'wait',
      steps: { wait: { type: 'delay', for: '1h', next: null } },
    })
    const { event: first, outcomes } = await event(type, phone())
    await removeAll('events', 'runs')
    await world.expect(200, 'GET', `/v1/events/${first.id}`)
    await world.expect(200, 'GET', `/v1/runs/${outcomes[0].runId}`)
    await world.expect(200, 'POST', `/v1/runs/${outcomes[0].runId}/stop`)
    await removeAllOnceMore('runs', 'events')
    await world.expect(404, 'GET', `/v1/events/${first.id}`)
    await world.expect(404, 'GET', `/v1/runs/${outcomes[0].runId}`)
    expect(await sql`select 1 from workflow_run_steps where run_id = ${outcomes[0].runId}`).toHaveLength(0)
  })
})

describe('a run', () => {
  test('that is removed disappears from the outcomes of its event, and nothing else changes', async () => {
    const type = 'retention.run'
    const id = await workflow({
      trigger: { eventType: type },
      start: 'end',
      steps: { end: { type: 'exit', reason: 'x' } },
    })
    const { event: first, outcomes } = await event(type, phone())
    await run(outcomes[0].runId, ended)
    await removeAll('runs')
    expect((await world.expect(200, 'GET', `/v1/workflows/${id}/runs`)).data).toEqual([])
    expect(await world.expect(200, 'GET', `/v1/events/${first.id}`)).toMatchObject({
      outcomes: [],
      matchedWorkflows: 1,
    })
    const { data } = await world.expect(200, 'GET', `/v1/activity/events?type=${type}`)
    expect(data[0]).toMatchObject({ reason: null, automations: [], explanation: null })
  })

  test('that prevents a second entry of its customer is kept, and still prevents it', async () => {
    const type = 'retention.entry'
    const entry = { reentry: 'once' }
    await workflow({
      trigger: { eventType: type },
      entry,
      start: 'end',
      steps: { end: { type: 'exit', reason: 'x' } },
    })
    const number = phone()
    const runId = await start(type, number)
    await run(runId, ended)
    await removeAll('runs', 'events')
    await world.expect(200, 'GET', `/v1/runs/${runId}`)
    const { outcomes } = await event(type, number)
    expect(outcomes[0]).toMatchObject({ verdict: 'not_run_for_customer', rule: 'once', runId })
  })
})

describe('deliveries', () => {
  const deliveriesOf = async (id: string) =>
    (await world.expect(200, 'GET', `/v1/webhooks/${id}/deliveries`)).data as {
      id: string
      eventId: string
      status: string
    }[]

  test('that ended are removed with their attempts and events, and a waiting one stays with its event', async () => {
    const { id } = await world.expect(201, 'POST', '/v1/webhooks', {
      body: { url: receiver.url, events: ['customer.opted_out'] },
    })
    const { id: customerId } = await world.expect(201, 'POST', '/v1/customers', { body: { phone: phone() } })
    await world.expect(200, 'POST', `/v1/customers/${customerId}/opt-out`, { body: { reason: 'stop' } })
    const [done] = await eventually('it is delivered', async () => {
      const all = await deliveriesOf(id)
      return all[0]?.status === 'delivered' && all
    })
    await world.expect(200, 'POST', `/v1/webhooks/${id}/hold`)
    const { id: other } = await world.expect(201, 'POST', '/v1/customers', { body: { phone: phone() } })
    await world.expect(200, 'POST', `/v1/customers/${other}/opt-out`, { body: { reason: 'stop' } })
    const waiting = (await eventually('it waits', async () => {
      const all = await deliveriesOf(id)
      return all.length === 2 && all
    }))![0]!

    await removeAll('deliveries')
    expect((await deliveriesOf(id)).map(one => one.id)).toEqual([waiting.id])
    expect(await sql`select 1 from delivery_attempts where delivery_id = ${done!.id}`).toHaveLength(0)
    await world.expect(404, 'GET', `/v1/webhooks/${id}/deliveries/${done!.id}`)
    await world.expect(404, 'POST', `/v1/webhooks/${id}/deliveries/${done!.id}/retry`)
    await world.expect(404, 'GET', `/v1/outbound-events/${done!.eventId}`)
    await world.expect(404, 'POST', `/v1/outbound-events/${done!.eventId}/send`, { body: { webhookId: id } })
    await world.expect(200, 'GET', `/v1/outbound-events/${waiting.eventId}`)

    await world.expect(200, 'POST', `/v1/webhooks/${id}/release`)
    await eventually('it is delivered after all', async () => (await deliveriesOf(id))[0]?.status === 'delivered')
    await removeAllOnceMore('deliveries')
    expect(await deliveriesOf(id)).toEqual([])
    await world.expect(404, 'GET', `/v1/outbound-events/${waiting.eventId}`)
  })

  test('lose the responses of their receivers, both young and old ones', async () => {
    const { id } = await world.expect(201, 'POST', '/v1/webhooks', {
      body: { url: receiver.url, events: ['customer.opted_out'] },
    })
    const { id: ping } = await world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
    const bodies = async () =>
      (await world.expect(200, 'GET', `/v1/webhooks/${id}/deliveries/${ping}`)).attemptLog.map(
        ({ responseBody }: { responseBody: string | null }) => responseBody,
      )
    await eventually('it is delivered', async () => (await bodies())[0] === 'thank you')
    await removeAll('answers')
    expect(await bodies()).toEqual(['thank you'])

    const soon = await oldAttempt(id, '40 days', '40 days')
    const late = await oldAttempt(id, '90 days', '40 days')
    const young = await oldAttempt(id, '90 days', '20 days')
    const month = { sql, periods: { ...forEver, answers: 30 * 86_400_000 } }
    while (await retain(month));
    const rows = await sql`select delivery_id as id from delivery_attempts where response_body = 'an answer'`
    expect(rows.map(row => row.id)).toEqual([young])
    expect(await sql`select 1 from delivery_attempts where delivery_id in (${soon}, ${late})`).toHaveLength(2)
    // A response that is recorded after the scan passed its row is still found.
    const again = await oldAttempt(id, '90 days', '31 days')
    while (await retain(month));
    expect(
      await sql`select 1 from delivery_attempts where delivery_id = ${again} and response_body is null`,
    ).toHaveLength(1)
  })

  const oldAttempt = async (webhookId: string, made: string, attempted: string): Promise<string> => {
    const [row] = await sql`
      with d as (
        insert into deliveries (workspace_id, id, webhook_id, event_id, status, attempts)
        values (${world.workspaceId}, uuidv7(-${made}::interval), ${webhookId}, uuidv7(), 'delivered', 1) returning *
      )
      insert into delivery_attempts (workspace_id, delivery_id, number, planned, at, duration_ms, response_body, signature)
      select workspace_id, id, 1, 8, now() - ${attempted}::interval, 1, 'an answer', 't=1' from d returning delivery_id as id`
    return row!.id
  }
})

describe('messages', () => {
  let channelId: string
  beforeAll(async () => {
    channelId = (await world.expect(201, 'POST', '/v1/channels', { body: { kind: 'sandbox', name: 'test' } })).id
  })
  const receive = (handle: string) =>
    receiveMessage(sql, {
      workspaceId: world.workspaceId,
      channelId,
      channelKind: 'sandbox',
      providerMessageId: randomUUID(),
      handle,
      otherHandle: null,
      name: null,
      type: 'text',
      text: 'Where is my order?',
      sentAt: new Date(),
    })
  const reply = (id: string, body: unknown, status = 201) =>
    world.expect(status, 'POST', `/v1/conversations/${id}/messages`, { body })

  test('stay while their customer waits for an answer, and are removed after one', async () => {
    const { conversationId, messageId } = await receive(phone())
    await removeAll('messages')
    await world.expect(200, 'GET', `/v1/messages/${messageId}`)
    const answer = await reply(conversationId, { text: 'Soon.', idempotencyKey: 'answer-1' })
    await eventually('it is delivered', async () => {
      return (await world.expect(200, 'GET', `/v1/messages/${answer.id}`)).status === 'delivered'
    })
    await removeAllOnceMore('messages')
    for (const id of [messageId, answer.id]) await world.expect(404, 'GET', `/v1/messages/${id}`)
    expect((await world.expect(200, 'GET', `/v1/conversations/${conversationId}/messages`)).data).toEqual([])
    expect(await world.expect(200, 'GET', `/v1/conversations/${conversationId}`)).toMatchObject({ lastMessage: null })
    expect(await sql`select 1 from message_statuses where message_id = ${answer.id}`).toHaveLength(0)
  })

  test('with an idempotency key are not sent again', async () => {
    const { conversationId } = await receive(phone())
    const body = { text: 'Soon.', idempotencyKey: 'answer-2' }
    const { id } = await reply(conversationId, body)
    await eventually(
      'it is sent',
      async () => (await world.expect(200, 'GET', `/v1/messages/${id}`)).status === 'delivered',
    )
    await removeAll('messages')
    const { error } = await reply(conversationId, body, 422)
    expect(error.message).toContain('no longer stored')
    await reply(conversationId, { ...body, idempotencyKey: 'answer-3' })
  })

  test('leave the information on who opened the conversation', async () => {
    const { conversationId, customerId } = await receive(phone())
    await reply(conversationId, { text: 'Soon.' })
    await eventually(
      'nothing waits',
      async () => (await sql`select 1 from messages where due_at is not null`).length === 0,
    )
    await removeAll('messages')
    await world.expect(200, 'POST', `/v1/customers/${customerId}/opt-out`, { body: { reason: 'stop' } })
    await reply(conversationId, { text: 'Understood.' })
  })

  test('that a campaign has not counted yet are kept', async () => {
    const { conversationId, customerId, messageId } = await receive(phone())
    const campaignId = randomUUID()
    await sql`update conversations set waiting_since = null where id = ${conversationId}`
    await sql`insert into campaign_recipients (workspace_id, campaign_id, customer_id, outcome, message_id)
      values (${world.workspaceId}, ${campaignId}, ${customerId}, 'queued', ${messageId})`
    await sql`update messages set sent_by = 'campaign', sent_by_id = ${campaignId} where id = ${messageId}`
    await removeAll('messages')
    await world.expect(200, 'GET', `/v1/messages/${messageId}`)
    await sql`update campaign_recipients set outcome = 'sent' where campaign_id = ${campaignId}`
    await removeAllOnceMore('messages')
    await world.expect(404, 'GET', `/v1/messages/${messageId}`)
  })
})

test('audit log entries are removed by age', async () => {
  await setAuditRetention(sql, 8 * 86_400_000)
  const old = async () => (await sql`select 1 from audit_entries where at < now() - interval '8 days'`).length
  await sql`insert into audit_entries (workspace_id, at, actor_type, action, target_type, target_id)
    select ${world.workspaceId}, now() - interval '9 days', 'unknown', 'signInFailed', 'user', uuidv7() from generate_series(1, 600)`
  const young = (await count('audit_entries')) - 600
  while (await retain({ sql, periods: { ...forEver, audit: 8 * 86_400_000 } }));
  expect(await old()).toBe(0)
  expect(await count('audit_entries')).toBe(young)
})

describe('the retention task', () => {
  /** Inserts old events of this workspace or another. */
  const old = (number: number, workspaceId = world.workspaceId) => sql`
    insert into events (workspace_id, id, type, source, sender, customer_id, data, idempotency_key, matched_workflows)
    select ${workspaceId}, uuidv7(interval '-20 days'), 'retention.old', 'api', 'custom', uuidv7(), '{}', 'old-' || n || uuidv7(), 0
    from generate_series(1, ${number}::integer) n`
  const left = async () => (await sql`select 1 from events where type = 'retention.old'`).length

  test('is scheduled and uses the settings, for every workspace', async () => {
    await world.otherOwner()
    const [other] = await sql`select id from workspaces where id <> ${world.workspaceId} limit 1`
    await old(10)
    await old(10, other!.id)
    const { event: young } = await event('retention.young', phone())
    await continueRetention(sql)
    await eventually('the old rows are deleted', async () => (await left()) === 0)
    await world.expect(200, 'GET', `/v1/events/${young.id}`)
  })

  test('in two processes at the same time removes each row once, and skips locked rows', async () => {
    await old(1200)
    const before = await count('removed_events')
    const periods = { ...forEver, events: 86_400_000 * 10 }
    await sql.begin(async holder => {
      await holder`select 1 from events where type = 'retention.old' order by id limit 5 for update`
      await Promise.all([retain({ sql, periods }), retain({ sql, periods })])
      while (await retain({ sql, periods }));
      expect(await left()).toBe(5)
      expect(await count('removed_events')).toBe(before + 1195)
    })
  })

  test('stops after the current page when the service stops, and continues later', async () => {
    await old(600)
    const before = await left()
    const stopping = new AbortController()
    const periods = { ...forEver, events: 86_400_000 * 10 }
    const working = retain({ sql, periods, stopping: stopping.signal, backpressureMs: () => 10_000 })
    await eventually('a page is done', async () => (await left()) < before)
    stopping.abort()
    expect(await working).toBe(true)
    expect(await left()).toBeGreaterThan(0)
    while (await retain({ sql, periods }));
    expect(await left()).toBe(0)
  })

  test('reads as much for the last page of 200,000 rows as for the first', async () => {
    await old(200_000)
    await sql`analyze events`
    const olderThan = new Date(Date.now() - 86_400_000 * 10)
    const pool = watched(world.database.url, 'generic')
    const readFor = async (after: string) => {
      pool.executed()
      const span = { workspaceId: world.workspaceId, after, olderThan, limit: 1000 }
      expect((await removeOldEvents(pool.sql, span)).removed).toBe(1000)
      return pool
        .executed()
        .filter(({ text }) => text.includes('removed_events'))
        .map(({ plan }) => Math.max(...nodesOf(plan).map(({ rows }) => rows)))
    }
    const first = await readFor('00000000-0000-0000-0000-000000000000')
    const [behind] = await sql`select id from events where type = 'retention.old' order by id desc offset 1000 limit 1`
    await sql`delete from events where type = 'retention.old' and id <= ${behind!.id}`
    const last = await readFor(behind!.id)
    await pool.end()
    expect([first, last]).toEqual([[1000], [1000]])
    expect(await left()).toBe(0)
  }, 60_000)
})
