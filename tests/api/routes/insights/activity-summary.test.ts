import { describe, expect, test } from 'bun:test'
import { rollUpStats } from '../../../../src/webhooks/statistics/index.ts'
import { respond, startReceiver } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { play } from '../../../support/workflows.ts'
import { eventually, useWorld } from '../../../support/world.ts'

const receiver = use(startReceiver)
const world = useWorld(() => ({
  WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target,
  WEBHOOK_RETRY_WAITS: '1h,1h,1h,1h,1h,1h,1h',
}))

const { workflow, event, phone } = play(() => world)

const hourMs = 3_600_000

interface Summary {
  at: string
  events: number
  unhandled: number
  refused: number
  runsStarted: number
  messages: Record<string, number>
  deliveries: Record<string, number>
}

const summary = async (query = '', as: 'owner' | Record<string, string> = 'owner'): Promise<Summary[]> =>
  (await world.expect(200, 'GET', `/v1/activity/summary${query}`, { as })).data

/** Sums the last two hours, because a test can run across the end of an hour. */
const counted = async (): Promise<Omit<Summary, 'at'>> => {
  const [one, two] = (await summary()).slice(-2).map(({ at: _, ...row }) => row)
  return sum(one!, two!)
}
const sum = <T extends object>(one: T, two: T): T =>
  Object.fromEntries(
    Object.entries(one).map(([name, value]) => {
      const other = two[name as keyof T]
      return [name, typeof value === 'number' ? value + Number(other) : sum(value, other as object)]
    }),
  ) as T

const nothing = {
  events: 0,
  unhandled: 0,
  refused: 0,
  runsStarted: 0,
  messages: { queued: 0, sent: 0, delivered: 0, read: 0, failed: 0, skipped: 0, unknown: 0, received: 0 },
  deliveries: { delivered: 0, failed: 0, attempts: 0 },
}

describe('GET /v1/activity/summary', () => {
  test('counts recorded and rejected events, started runs, messages and deliveries', async () => {
    const channelId = await world.sandbox()
    const steps = { say: { type: 'send_message', text: 'hello', next: null } }
    await workflow({ trigger: { eventType: 'greet' }, start: 'say', steps })
    const events = ['message.status', 'message.received']
    await world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events } })
    expect(await counted()).toEqual(nothing)

    const [ana, ben] = [phone(), phone()]
    const { event: recorded } = await event('greet', ana)
    await event('greet', `${ben.slice(0, -4)}0000`)
    await event('nobody listens', ben)
    const body = { type: 'greet', phone: ana, idempotencyKey: 'once' }
    await world.expect(201, 'POST', '/v1/events', { as: 'key', body })
    await world.expect(200, 'POST', '/v1/events', { as: 'key', body })
    for (const phone of ['no phone', 'no phone', 'nor this'])
      await world.expect(400, 'POST', '/v1/events', { as: 'key', body: { type: 'greet', phone } })
    await world.expect(201, 'POST', `/v1/channels/${channelId}/sandbox/messages`, { body: { from: ana, text: 'hi' } })
    await receiver.waitFor(4)

    const all = {
      events: 4,
      unhandled: 1,
      refused: 3,
      runsStarted: 3,
      messages: { ...nothing.messages, queued: 3, sent: 3, delivered: 2, failed: 1, received: 1 },
      deliveries: { delivered: 4, failed: 0, attempts: 4 },
    }
    await eventually('all of it', async () => {
      const { refused, deliveries } = await counted()
      return refused === 3 && deliveries.delivered === 4
    })
    expect(await counted()).toEqual(all)

    await rollUpStats(world.database.sql)
    expect(await world.database.sql`select id from hourly_stat_changes`).toHaveLength(0)
    expect(await counted()).toEqual(all)

    await world.expect(204, 'DELETE', `/v1/customers/${recorded.customerId}`)
    expect(await counted()).toEqual(all)
  })

  test('counts failed attempts', async () => {
    const { deliveries: before } = await counted()
    const [{ id }] = (await world.expect(200, 'GET', '/v1/webhooks')).data
    receiver.behave(respond(500), respond(200))
    await world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
    const isCounted = async () => (await counted()).deliveries.attempts !== before.attempts
    await eventually('the first attempt', isCounted)
    expect((await counted()).deliveries).toEqual({ ...before, attempts: before.attempts! + 1 })
  })

  test('keeps the counts of a past hour and starts the next hour at zero', async () => {
    const before = await counted()
    await rollUpStats(world.database.sql)
    // Moves all counts five hours back.
    await world.database.sql`
      with moved as (update hourly_stats set hour = hour - interval '5 hours'),
        groups as (update group_stats set at = at - interval '5 hours' where unit = 'hour')
      update event_usage set hour = hour - interval '5 hours' where hour is not null`
    expect(await counted()).toEqual(nothing)
    for (let n = 0; n < 61; n++) await event('later', phone())
    expect(await counted()).toEqual({ ...nothing, events: 61, unhandled: 61 })

    const past = (await summary()).slice(0, -2).map(({ at: _, ...row }) => row)
    expect(past.reduce(sum)).toEqual(before)
  })

  test('counts everything once, and recording does not wait for the roll-up', async () => {
    const { sql } = world.database
    await rollUpStats(sql)
    const before = await counted()
    await sql.begin(async tx => {
      await tx`select from hourly_stats for update`
      await tx`select from hourly_stat_changes for update`
      await event('greet', phone())
      await world.expect(400, 'POST', '/v1/events', { as: 'key', body: { type: 'greet', phone: 'held' } })
      await eventually('it is delivered', async () => {
        const { messages, refused } = await counted()
        return messages.delivered === before.messages.delivered! + 1 && refused === before.refused + 1
      })
    })
    await Promise.all([rollUpStats(sql), rollUpStats(sql), rollUpStats(sql)])
    const { messages, ...after } = await counted()
    expect(messages.delivered).toBe(before.messages.delivered! + 1)
    expect(after).toMatchObject({ events: before.events + 1, refused: before.refused + 1 })
  })

  test('returns every hour and every day, with zeros where nothing was counted', async () => {
    const now = Date.now()
    const to = new Date(Math.ceil(now / hourMs) * hourMs).toISOString()
    const hours = await summary(`?to=${to}`)
    expect(hours.map(({ at }) => at)).toEqual(
      Array.from({ length: 24 }, (_, n) => new Date(Date.parse(to) - (24 - n) * hourMs).toISOString()),
    )
    const days = await summary('?by=day')
    expect(days).toHaveLength(30)
    expect(days.every(({ at }) => at.endsWith('T00:00:00.000Z'))).toBe(true)
    const total = (rows: Summary[]) => rows.reduce((sum, { events }) => sum + events, 0)
    expect(total(days)).toBe(total(await summary()))
    const at = async (query: string) => (await summary(query)).map(row => row.at)
    expect(await summary('?from=2024-02-28T10:59:59Z&to=2024-02-28T13:00:00Z')).toEqual(
      ['10', '11', '12'].map(hour => ({ at: `2024-02-28T${hour}:00:00.000Z`, ...nothing })),
    )
    expect(await at('?from=2024-02-28T23:30:00%2B01:00&to=2024-03-01T00:00:00.001Z&by=day')).toEqual(
      ['02-28', '02-29', '03-01'].map(day => `2024-${day}T00:00:00.000Z`),
    )
    for (const [query, count] of [
      ['from=2024-01-01T00:00:00Z&to=2024-01-01T00:00:00Z', 1],
      ['from=9999-12-31T00:00:00Z&to=9999-12-31T23:59:59Z', 24],
      ['from=0001-01-01T00:00:00Z&to=0001-01-02T00:00:00Z', 24],
      ['from=2024-01-01T00:00:00Z&to=2024-02-01T00:00:00Z', 744],
      ['from=2024-01-01T00:00:00Z&to=2025-02-04T00:00:00Z&by=day', 400],
    ] as const)
      expect(await at(`?${query}`), query).toHaveLength(count)
    for (const query of [
      'from=2024-01-02T00:00:00Z&to=2024-01-01T00:00:00Z',
      'from=2024-01-01T00:00:00Z&to=2024-02-01T00:00:00.001Z',
      'from=2024-01-01T00:00:00Z&to=2025-02-04T00:00:00.001Z&by=day',
    ])
      expect(await world.answer('GET', `/v1/activity/summary?${query}`)).toBe('400 invalid_request from')
  })

  test('excludes other workspaces', async () => {
    const rows = await summary('', await world.otherOwner())
    for (const { at: _, ...row } of rows) expect(row).toEqual(nothing)
  })
})
