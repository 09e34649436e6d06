/** Tests what retention removes, what it keeps, and what the API answers about removed records. */
import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { setAuditRetention } from '../../../src/accounts/audit/index.ts'
import type { Database } from '../../../src/platform/postgres/client.ts'
import { type RetentionPeriods, retain } from '../../../src/privacy/retention/index.ts'
import { continueRetention } from '../../../src/queue/tasks.ts'
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

  test('leaves only a digest of its key: it is not recorded again, and the answer contains what remains', async () => {
    await event('retention.keyless', phone())
    const body = { type: 'retention.once', phone: phone(), data: { secret: 'Ada' }, idempotencyKey: 'key-of-ada' }
    const { event: first } = await world.expect(201, 'POST', '/v1/events', { as: 'key', body })
    const removed = await count('removed_events')
    await removeAll('events')
    expect(await count('removed_events')).toBe(removed + 1)
    expect(await sql`select 1 from removed_events r where r::text ~ 'of-ada|Ada'`).toHaveLength(0)
    expect(await count('event_outcomes')).toBe(0)
    const before = await count('events')
    const again = await world.expect(200, 'POST', '/v1/events', { as: 'key', body: { ...body, type: 'other' } })
    const rest = { recorded: false, matchedWorkflows: 0, outcomes: [], event: { ...first, data: {} } }
    expect(again).toMatchObject(rest)
    const { data } = await world.expect(200, 'POST', '/v1/events/batch', { as: 'key', body: { events: [body] } })
    expect(data[0]).toMatchObject({ status: 200, recorded: false, event: { id: first.id } })
    const check = await world.expect(200, 'POST', '/v1/events/check', { as: 'key', body })
    expect(check).toMatchObject({ valid: true, status: 200, replay: first.id })
    expect(await count('events')).toBe(before)
  })

  test('was kept while a run worked on it', async () => {
    const type = 'retention.working'
    const steps = { wait: { type: 'delay', for: '1h', next: null } }
    await workflow({ trigger: { eventType: type }, start: 'wait', steps })
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
  const ending = { start: 'end', steps: { end: { type: 'exit', reason: 'x' } } }

  test('that is removed disappears from the outcomes of its event, and nothing else changes', async () => {
    const type = 'retention.run'
    const id = await workflow({ trigger: { eventType: type }, ...ending })
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
    await workflow({ trigger: { eventType: type }, entry: { reentry: 'once' }, ...ending })
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
    const body = { url: receiver.url, events: ['customer.opted_out'] }
    const { id } = await world.expect(201, 'POST', '/v1/webhooks', { body })
    const optOut = async () => {
      const customer = await world.expect(201, 'POST', '/v1/customers', { body: { phone: phone() } })
      await world.expect(200, 'POST', `/v1/customers/${customer.id}/opt-out`, { body: { reason: 'stop' } })
    }
    const newest = (what: string, isIt: (all: Awaited<ReturnType<typeof deliveriesOf>>) => boolean) =>
      eventually(what, async () => {
        const all = await deliveriesOf(id)
        return isIt(all) && all[0]!
      })
    await optOut()
    const done = await newest('it is delivered', all => all[0]?.status === 'delivered')
    await world.expect(200, 'POST', `/v1/webhooks/${id}/hold`)
    await optOut()
    const waiting = await newest('it waits', all => all.length === 2)

    await removeAll('deliveries')
    expect((await deliveriesOf(id)).map(one => one.id)).toEqual([waiting.id])
    expect(await sql`select 1 from delivery_attempts where delivery_id = ${done.id}`).toHaveLength(0)
    await world.expect(404, 'GET', `/v1/webhooks/${id}/deliveries/${done.id}`)
    await world.expect(404, 'POST', `/v1/webhooks/${id}/deliveries/${done.id}/retry`)
    await world.expect(404, 'GET', `/v1/outbound-events/${done.eventId}`)
    await world.expect(404, 'POST', `/v1/outbound-events/${done.eventId}/send`, { body: { webhookId: id } })
    await world.expect(200, 'GET', `/v1/outbound-events/${waiting.eventId}`)

    await world.expect(200, 'POST', `/v1/webhooks/${id}/release`)
    await eventually('it is delivered after all', async () => (await deliveriesOf(id))[0]?.status === 'delivered')
    await removeAllOnceMore('deliveries')
    expect(await deliveriesOf(id)).toEqual([])
    await world.expect(404, 'GET', `/v1/outbound-events/${waiting.eventId}`)
  })

  test('lose the responses of their receivers by age, even if they are recorded late', async () => {
    const soon = await oldAttempt('40 days', '40 days')
    const late = await oldAttempt('90 days', '40 days')
    const young = await oldAttempt('90 days', '20 days')
    const month = { sql, periods: { ...forEver, answers: 30 * 86_400_000 } }
    while (await retain(month));
    const rows = await sql`select delivery_id as id from delivery_attempts where response_body = 'an answer'`
    expect(rows.map(row => row.id)).toEqual([young])
    expect(await sql`select 1 from delivery_attempts where delivery_id in (${soon}, ${late})`).toHaveLength(2)
    // A response that is recorded after the scan passed its row is still found.
    const again = await oldAttempt('90 days', '31 days')
    while (await retain(month));
    expect(
      await sql`select 1 from delivery_attempts where delivery_id = ${again} and response_body is null`,
    ).toHaveLength(1)
  })

  const oldAttempt = async (made: string, attempted: string): Promise<string> => {
    const [row] = await sql`
      with d as (
        insert into deliveries (workspace_id, id, webhook_id, event_id, status, attempts)
        values (${world.workspaceId}, uuidv7(-${made}::interval), uuidv7(), uuidv7(), 'delivered', 1) returning *
      )
      insert into delivery_attempts (workspace_id, delivery_id, number, planned, at, duration_ms, response_body, signature)
      select workspace_id, id, 1, 8, now() - ${attempted}::interval, 1, 'an answer', 't=1' from d returning delivery_id as id`
    return row!.id
  }
})

describe('messages', () => {
  let channelId: string
  beforeAll(async () => {
    channelId = await world.sandbox()
  })
  const receive = (from: string): Promise<{ id: string; conversationId: string; customerId: string }> => {
    const body = { from, text: 'Where is my order?' }
    return world.expect(201, 'POST', `/v1/channels/${channelId}/sandbox/messages`, { body })
  }
  const reply = (id: string, body: unknown, status = 201) =>
    world.expect(status, 'POST', `/v1/conversations/${id}/messages`, { body })
  const delivered = (id: string) =>
    eventually('it is delivered', async () => {
      return (await world.expect(200, 'GET', `/v1/messages/${id}`)).status === 'delivered'
    })

  test('stay while their customer waits for an answer, and are removed after one', async () => {
    const { conversationId, id: messageId } = await receive(phone())
    await removeAll('messages')
    await world.expect(200, 'GET', `/v1/messages/${messageId}`)
    const answer = await reply(conversationId, { text: 'Soon.', idempotencyKey: 'answer-1' })
    await delivered(answer.id)
    await removeAllOnceMore('messages')
    for (const id of [messageId, answer.id]) await world.expect(404, 'GET', `/v1/messages/${id}`)
    expect((await world.expect(200, 'GET', `/v1/conversations/${conversationId}/messages`)).data).toEqual([])
    expect(await world.expect(200, 'GET', `/v1/conversations/${conversationId}`)).toMatchObject({ lastMessage: null })
    expect(await sql`select 1 from message_statuses where message_id = ${answer.id}`).toHaveLength(0)
  })

  test('with an idempotency key are not sent again, and still count as a conversation that the customer opened', async () => {
    const { conversationId, customerId } = await receive(phone())
    const body = { text: 'Soon.', idempotencyKey: 'answer-2' }
    await delivered((await reply(conversationId, body)).id)
    await removeAll('messages')
    const { error } = await reply(conversationId, body, 422)
    expect(error.message).toContain('no longer stored')
    await world.expect(200, 'POST', `/v1/customers/${customerId}/opt-out`, { body: { reason: 'stop' } })
    await reply(conversationId, { ...body, idempotencyKey: 'answer-3' })
  })

  test('that a campaign has not counted yet are kept', async () => {
    const { conversationId, customerId, id: messageId } = await receive(phone())
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

  test('removes each row once in two processes, skips locked rows, and stops after the current page', async () => {
    await old(6000)
    const before = await count('removed_events')
    const periods = { ...forEver, events: 86_400_000 * 10 }
    await sql.begin(async holder => {
      await holder`select 1 from events where type = 'retention.old' order by id limit 5 for update`
      const stopping = new AbortController()
      const working = retain({ sql, periods, stopping: stopping.signal, backpressureMs: () => 10_000 })
      await eventually('a page is done', async () => (await left()) < 6000)
      stopping.abort()
      expect(await working).toBe(true)
      expect(await left()).toBeGreaterThan(5)
      await Promise.all([retain({ sql, periods }), retain({ sql, periods })])
      while (await retain({ sql, periods }));
      expect(await left()).toBe(5)
      expect(await count('removed_events')).toBe(before + 5995)
    })
  })
})
