import { describe, expect, test } from 'bun:test'
import { deleteOldGroupStats, rollUpStats } from '../../../../src/webhooks/statistics/index.ts'
import { randomFrom } from '../../../support/random.ts'
import { respond, startReceiver } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { eventually, newPhone, useWorld } from '../../../support/world.ts'

const receiver = use(startReceiver)
const world = useWorld(() => ({
  WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target,
  WEBHOOK_RETRY_WAITS: '1h,1h,1h,1h,1h,1h,1h',
}))

interface Group {
  id: string | null
  name: string | null
  counts: Record<string, number[]>
  reasons?: { reason: string; count: number }[]
}

const groupsOf = async (group: string, query = ''): Promise<Group[]> =>
  (await world.expect(200, 'GET', `/v1/activity/summary?group=${group}${query}`)).groups

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** Totals by id and counter, without zeros. */
const totalsOf = (groups: readonly Group[]) =>
  Object.fromEntries(
    groups.map(({ id, counts }) => [
      id,
      Object.fromEntries(
        Object.entries(counts).flatMap(([name, series]) => (sum(series) ? [[name, sum(series)]] : [])),
      ),
    ]),
  )

/** Counts rows (id, name) of a statement. */
const countedBy = (rows: readonly { id: string; name: string; count: number }[]) => {
  const totals: Record<string, Record<string, number>> = {}
  for (const { id, name, count } of rows) totals[id] = { ...totals[id], [name]: count }
  return totals
}

/** Reads the same totals before and after the roll-up, by the hour and by the day. */
const readAll = async (group: string) => {
  const before = totalsOf(await groupsOf(group))
  await rollUpStats(world.database.sql)
  const after = await Promise.all(['', '&by=day'].map(async query => totalsOf(await groupsOf(group, query))))
  for (const totals of after) expect(totals).toEqual(before)
  return before
}

const greet = {
  trigger: { eventType: 'greet' },
  start: 'say',
  steps: { say: { type: 'send_message', text: 'hi', next: null } },
}

describe('GET /v1/activity/summary with groups', () => {
  test('returns what a count of all records returns', async () => {
    const { sql } = world.database
    const random = randomFrom(21)
    await world.sandbox()
    await world.workflow(greet)
    const off = await world.workflow({ ...greet, trigger: { eventType: 'off' } })
    await world.expect(200, 'PATCH', `/v1/workflows/${off}`, { body: { enabled: false } })
    await world.expect(201, 'POST', '/v1/webhooks', {
      body: { url: receiver.url, events: ['message.status'], name: 'Orders' },
    })
    await world.expect(201, 'POST', '/v1/webhooks', {
      body: { url: `${receiver.url}/two`, events: ['message.status'] },
    })
    receiver.behave(respond(200), respond(500), respond(200), respond(404), respond(200))

    const types = ['greet', 'off', 'order.created', 'unknown type'] as const
    for (let n = 0; n < 60; n++) {
      const type = types[Math.floor(random() ** 2 * types.length)]!
      const phone = random() < 0.2 ? `${newPhone().slice(0, -4)}0000` : newPhone()
      const body = random() < 0.2 ? { type, phone: random() < 0.5 ? 'no phone' : undefined } : { type, phone }
      await world.call('POST', '/v1/events', { as: 'key', body })
      if (n === 30) await rollUpStats(sql)
    }
    await eventually('all messages have their last status, and all deliveries are attempted', async () => {
      const [row] = await sql<[{ attempted: number; emitted: number; unfinished: number }]>`
        select (select count(*)::integer from delivery_attempts) as attempted,
          (select count(*)::integer * 2 from outbound_events where type = 'message.status') as emitted,
          (select count(*)::integer from messages where status in ('queued', 'sent'))
            + (select count(*)::integer from workflow_runs where ended_at is null) as unfinished`
      return row.unfinished === 0 && row.attempted === row.emitted && row.emitted > 0
    })
    await world.expect(200, 'GET', '/v1/activity/not-accepted')

    const events = await sql<{ id: string; name: string; count: number }[]>`
      select type as id, coalesce(reason, 'started') as name, count(*)::integer as count from events group by 1, 2`
    expect(await readAll('type')).toEqual(countedBy(events))
    const { data } = await world.expect(200, 'GET', '/v1/activity/summary')
    const unhandled = events.filter(({ name }) => name !== 'started')
    expect(sum(data.map((row: { unhandled: number }) => row.unhandled))).toBe(sum(unhandled.map(({ count }) => count)))

    expect(await readAll('channel')).toEqual(
      countedBy(
        await sql`select m.channel_id as id, s.status as name, count(*)::integer as count
          from (select workspace_id, message_id, status from message_statuses
            union all select workspace_id, id, 'queued' from messages where direction = 'outbound') s
          join messages m on m.workspace_id = s.workspace_id and m.id = s.message_id group by 1, 2`,
      ),
    )
    expect(await readAll('webhook')).toEqual(
      countedBy(
        await sql`select d.webhook_id as id, t.name, count(*)::integer as count
          from delivery_attempts a join deliveries d on d.workspace_id = a.workspace_id and d.id = a.delivery_id,
            unnest(array['attempts', case when a.status_code = 200 then 'delivered' else 'retried' end]) as t(name) group by 1, 2`,
      ),
    )
    const problems = await sql<{ id: string; name: string; count: number }[]>`
      select encode(digest, 'hex') as id, 'refused' as name, sum(count)::integer as count from rejected_requests group by 1`
    expect(problems.length).toBeGreaterThan(1)
    expect(await readAll('problem')).toEqual(countedBy(problems))
  })

  test('names groups and the reasons of failures, and links problems to rejected events', async () => {
    expect((await groupsOf('webhook')).map(({ name }) => name).toSorted()).toEqual(['Orders', `${receiver.url}/two`])
    const [channel] = await groupsOf('channel')
    expect(channel).toMatchObject({
      name: 'Sandbox',
      reasons: [{ reason: 'other', count: sum(channel!.counts.failed!) }],
    })
    const { data } = await world.expect(200, 'GET', '/v1/activity/not-accepted')
    for (const { id, name } of await groupsOf('problem'))
      expect(data).toContainEqual(expect.objectContaining({ problemId: id, message: name }))
  })

  test('counts failures by their code, without other text', async () => {
    const { id } = await world.expect(201, 'POST', '/v1/channels', {
      body: { kind: 'sandbox', name: 'Manual', sandbox: { delivery: 'manual' } },
    })
    const { event } = await world.expect(201, 'POST', '/v1/events', {
      as: 'key',
      body: { type: 'x', phone: newPhone() },
    })
    const body = { channelId: id, customerId: event.customerId }
    const conversation = await world.expect(201, 'POST', '/v1/conversations', { body })
    for (const detail of ['Not on WhatsApp (code 131026).', 'Ada Lovelace: gone', 'too_long: Shorten it.']) {
      const message = await world.expect(201, 'POST', `/v1/conversations/${conversation.id}/messages`, {
        body: { text: 'hi' },
      })
      await eventually(
        'it is sent',
        async () => (await world.expect(200, 'GET', `/v1/messages/${message.id}`)).status === 'sent',
      )
      const status = { messageId: message.id, status: 'failed', detail }
      await world.call('POST', `/v1/channels/${id}/sandbox/statuses`, { body: status })
    }
    await world.workflow({
      trigger: { eventType: 'skipped' },
      start: 'say',
      steps: { say: { type: 'send_message', channelId: id, text: 'Hi', next: null } },
    })
    const customer = `/v1/customers/${event.customerId}`
    await world.expect(200, 'POST', `${customer}/opt-out`, { as: 'key', body: { reason: 'STOP' } })
    const skipped = { type: 'skipped', customerId: event.customerId }
    await world.expect(201, 'POST', '/v1/events', { as: 'key', body: skipped })
    const reasons = await eventually('the skipped message is counted', async () => {
      const group = (await groupsOf('channel')).find(one => one.id === id)
      return group!.reasons!.length === 4 && group!.reasons
    })
    expect(reasons).toEqual(['131026', 'opted_out', 'other', 'too_long'].map(reason => ({ reason, count: 1 })))
  })

  test('limits the groups of an answer, and the event types of an hour', async () => {
    const { sql } = world.database
    const { workspaceId } = world
    const at = '2026-01-05T10:00:00Z'
    await sql`insert into hourly_stat_changes (workspace_id, hour, kind, group_id, outcome, outcome_events)
      select ${workspaceId}, ${at}, 'type', 'type ' || n, 'started', n from generate_series(1, 150) n`
    const range = '&from=2026-01-05T09:00:00Z&to=2026-01-05T12:00:00Z'
    const largest = Array.from({ length: 20 }, (_, n) => `type ${150 - n}`)
    const check = async (query: string) => {
      const groups = await groupsOf('type', query)
      expect(groups.map(({ id }) => id)).toEqual([...largest, null])
      expect(sum(groups.flatMap(({ counts }) => Object.values(counts).flat()))).toBe((150 * 151) / 2)
      return groups
    }
    expect((await check(range))[0]!.counts.started).toEqual([0, 150, 0])
    await rollUpStats(sql)
    expect((await check(range))[0]!.counts.started).toEqual([0, 150, 0])
    await check('&by=day&from=2026-01-01T00:00:00Z&to=2026-01-31T00:00:00Z')
    const stored = await sql`select group_id from group_stats where kind = 'type' and unit = 'hour' and at = ${at}`
    expect(stored).toHaveLength(101)
  })

  test('bounds the names that a channel counts', async () => {
    const { sql } = world.database
    const [{ id }] = await sql<[{ id: string }]>`select id from channels`
    await sql`insert into hourly_stat_changes (workspace_id, hour, messages_failed, kind, group_id, reasons)
      select ${world.workspaceId}, '2026-01-06', 1, 'channel', ${id}, array['code' || n % 900] from generate_series(1, 2000) n`
    await rollUpStats(sql)
    const rows =
      await sql`select (select count(*)::integer from jsonb_object_keys(counts)) as names, counts -> 'failed' as failed
      from group_stats where kind = 'channel' and at = '2026-01-06'`
    expect(rows.map(({ names, failed }) => [names <= 701, failed])).toEqual([
      [true, 2000],
      [true, 2000],
    ])
  })

  test('removes groups beyond their retention and keeps the totals', async () => {
    const { sql } = world.database
    const { data } = await world.expect(200, 'GET', '/v1/activity/summary?by=day')
    await sql`insert into group_stats (workspace_id, kind, unit, at, group_id, total, counts)
      select ${world.workspaceId}, 'type', unit, now() - days * interval '1 day', 'old', 1, '{"started": 1}'
      from unnest(array['hour', 'hour', 'day', 'day'], array[63, 61, 402, 400]) as t(unit, days)`
    for (const unit of ['hour', 'day'] as const) await deleteOldGroupStats(sql, unit, 1000)
    expect(await sql`select unit from group_stats where group_id = 'old' order by 1`).toHaveLength(2)
    expect((await world.expect(200, 'GET', '/v1/activity/summary?by=day')).data).toEqual(data)
  })

  test('rejects an unknown group, and shows other workspaces nothing', async () => {
    expect(await world.answer('GET', '/v1/activity/summary?group=customer')).toBe('400 invalid_request group')
    const as = await world.otherOwner()
    for (const group of ['type', 'channel', 'webhook', 'problem'])
      expect((await world.expect(200, 'GET', `/v1/activity/summary?group=${group}`, { as })).groups).toEqual([])
  })
})
