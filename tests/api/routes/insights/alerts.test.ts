import { describe, expect, test } from 'bun:test'
import { newId } from '../../../../src/core/ids.ts'
import { alertKinds } from '../../../../src/insights/alerts/schema.ts'
import { endpointAlert, rejectedAlert, usageAlert } from '../../../../src/insights/alerts/texts.ts'
import { markConnected, markFailing } from '../../../../src/messaging/channels/index.ts'
import { deletePause, insertPause } from '../../../../src/queue/pauses/index.ts'
import { tell } from '../../../support/outbox.ts'
import { respond, startReceiver } from '../../../support/receiver.ts'
import { readStream } from '../../../support/stream.ts'
import { use } from '../../../support/use.ts'
import { play } from '../../../support/workflows.ts'
import { bearer, eventually, useWorld } from '../../../support/world.ts'

const receiver = use(startReceiver)
const world = useWorld(
  () => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target, WEBHOOK_RETRY_WAITS: Array(7).fill('1h').join() }),
  { liveFeedLimits: { minPollMs: 40, maxPollMs: 100, alertPollMs: 40 } },
)
const reader = use(() => streamOf(bearer(world.owner.token)))
const stranger = use(async () => streamOf(await world.otherOwner()))
const streamOf = async (headers: Record<string, string>) => {
  const stream = await readStream(world.url, headers)
  return { ...stream, stop: async () => stream.close() }
}

const { workflow, start, run, phone } = play(() => world)

type Attention = Record<'kind' | 'since' | 'title' | 'detail', string> & { subject: { type: string; id: string } }

const attention = async (): Promise<Attention[]> => (await world.expect(200, 'GET', '/v1/attention')).data

/** Waits for an alert in the list and in the live feed. */
const of = async (kind: string): Promise<Attention> => {
  const found = await eventually(kind, async () => (await attention()).find(one => one.kind === kind))
  const { subject } = found
  const { data } = await reader.hears(
    'attention',
    one => one.kind === kind && one.subject.id === subject.id && !one.over,
  )
  expect(data).toMatchObject({ kind, subject })
  return found
}

/** Waits until neither the list nor the live feed has the alert. */
const none = async (kind: string): Promise<void> => {
  await eventually(`no ${kind}`, async () => !(await attention()).some(one => one.kind === kind))
  await eventually(`the end of ${kind}`, () => {
    const last = reader.heard().findLast(({ event, data }) => event === 'attention' && data.kind === kind)
    return last?.data.over
  })
}

const endpoint = (name: string): Promise<{ id: string }> =>
  world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['campaign.completed'], name } })

const happen = (count: number) => tell(world.database.sql, world.workspaceId, 'campaign.completed', { count })

describe('GET /v1/attention', () => {
  test('is empty without problems, and lists a failing endpoint until it succeeds', async () => {
    expect(await attention()).toEqual([])
    const { id } = await endpoint('Shop')
    receiver.behave(respond(503), respond(200))
    await happen(1)
    const { since, ...told } = await of('endpoint_failing')
    expect(told).toEqual({
      kind: 'endpoint_failing',
      title: '“Shop” is failing: HTTP 503.',
      detail: expect.stringMatching(
        /^The last attempt failed\. 1 delivery is retrying\. The next attempt is in (\d+ minutes|1 hour)\.$/,
      ),
      subject: { type: 'webhook', id },
    })
    expect(Date.parse(since)).toBeWithin(Date.now() - 60_000, Date.now() + 1)

    await world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
    await none('endpoint_failing')
    await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
    expect(await attention()).toEqual([])
  })

  test('lists an access token from seven days before its expiry until it is revoked', async () => {
    const make = (name: string, expiresInDays: number) =>
      world.expect(201, 'POST', '/v1/auth/tokens', { body: { name, access: 'read', expiresInDays } })
    await make('Later', 8)
    const { id, createdAt } = await make('Weekly report', 3)
    const found = await of('token_expiring')
    expect(found).toMatchObject({ since: createdAt, subject: { type: 'access_token', id } })
    expect(found.title).toMatch(/^The access token “Weekly report” of .+ expires on \w+ \d+ \(UTC\)\.$/)
    expect((await attention()).filter(({ kind }) => kind === 'token_expiring')).toHaveLength(1)
    await world.expect(204, 'DELETE', `/v1/auth/tokens/${id}`)
    await none('token_expiring')
  })

  test('lists waiting deliveries of an endpoint on hold, but not an endpoint without any', async () => {
    const { id } = await endpoint('Warehouse')
    await world.expect(200, 'POST', `/v1/webhooks/${id}/hold`)
    expect(await attention()).toEqual([])
    await happen(2)
    expect(await of('deliveries_waiting')).toMatchObject({
      title: '2 deliveries are queued for “Warehouse”.',
      detail: 'It is paused. Resume it to send them.',
      subject: { type: 'webhook', id },
    })
    await world.expect(200, 'POST', `/v1/webhooks/${id}/release`)
    await none('deliveries_waiting')
  })

  test('lists customers who wait for a reply until they get one', async () => {
    const channelId = await world.sandbox()
    const write = (from: string) =>
      world.expect(201, 'POST', `/v1/channels/${channelId}/sandbox/messages`, { body: { from, text: 'hello?' } })
    const first = await write(phone())
    await write(phone())
    expect(await of('customers_waiting')).toMatchObject({
      title: '2 customers are waiting for a reply.',
      detail: 'The longest wait is less than a minute.',
      subject: { type: 'conversation', id: first.conversationId },
    })
    for (const { id } of (await world.expect(200, 'GET', '/v1/conversations')).data)
      await world.expect(201, 'POST', `/v1/conversations/${id}/messages`, { body: { text: 'here' } })
    await none('customers_waiting')
  })

  test('lists a channel whose provider returns errors, since the first error until the next success', async () => {
    const { database, workspaceId } = world
    const id = newId()
    await database.sql`
      insert into channels (workspace_id, id, kind, name) values (${workspaceId}, ${id}, 'whatsapp_cloud', 'WhatsApp')`
    const fail = (detail: string) => markFailing(database.sql, { workspaceId, id, detail, afterMs: 1000 })
    await fail('Too many requests.')
    const { since } = (await of('channel_failing'))!
    await fail('The token was refused.')
    expect(await of('channel_failing')).toEqual({
      kind: 'channel_failing',
      since,
      title: 'The provider is rejecting requests from “WhatsApp”.',
      detail: 'The token was refused.',
      subject: { type: 'channel', id },
    })
    await markConnected(database.sql, workspaceId, id)
    await none('channel_failing')
  })

  test('lists failed runs of the last day by workflow', async () => {
    const steps = { wait: { type: 'delay', for: '1h', next: null } }
    const id = await workflow({ trigger: { eventType: 'fails' }, start: 'wait', steps }, 'Remind')
    for (const ago of ['1 hour', '23 hours', '25 hours']) {
      const runId = await start('fails', phone())
      await run(runId, ({ status }) => status === 'waiting')
      await world.database.sql`
        update workflow_runs set status = 'failed', end_reason = 'too_many_steps', wake_at = null,
          ended_at = now() - ${ago}::interval
        where id = ${runId}`
    }
    expect(await of('runs_failing')).toMatchObject({
      title: '2 runs of “Remind” failed in the last 24 hours.',
      detail: 'The newest ended with too_many_steps.',
      subject: { type: 'workflow', id },
    })
    await world.database.sql`update workflow_runs set ended_at = now() - interval '25 hours'`
    await none('runs_failing')
  })

  test('counts the rejected events of the same 24 hours as the summary, with the field of the most frequent error', async () => {
    for (const body of [{ type: 'order.paid' }, { type: 'order.paid' }, { phone: phone() }])
      await world.expect(400, 'POST', '/v1/events', { as: 'key', body })
    const { data } = await world.expect(200, 'GET', '/v1/activity/not-accepted')
    const twice = data.find(({ count }: { count: number }) => count === 2)
    const told = await of('events_rejected')
    expect(told).toEqual({
      kind: 'events_rejected',
      since: twice.firstAt,
      title: '3 events were rejected in the last 24 hours.',
      detail: 'The newest was less than a minute ago. The most common error is in the field “phone” of the event.',
      subject: { type: 'not_accepted', id: twice.id },
    })
    await world.database.sql`
      insert into hourly_stats (workspace_id, hour, refused)
      select ${world.workspaceId}, date_trunc('hour', now()) - hours * interval '1 hour', 5 from unnest(array[23, 24]) hours`
    const summary = await world.expect(200, 'GET', '/v1/activity/summary')
    const refused = summary.data.reduce((sum: number, hour: { refused: number }) => sum + hour.refused, 0)
    expect(refused).toBe(8)
    expect((await of('events_rejected')).title).toBe('8 events were rejected in the last 24 hours.')
    // Less than 24 hours ago, but before the first hour of the summary.
    await world.database.sql`
      update rejected_requests set first_at = date_trunc('hour', now()) - interval '82801 seconds',
        last_at = date_trunc('hour', now()) - interval '82801 seconds'`
    await none('events_rejected')
  })

  describe('for event types that no enabled workflow handles', () => {
    const waiting = (type: string, wait: object = { type: 'delay', for: '1h', next: null }) => ({
      trigger: { eventType: type },
      start: 'wait',
      steps: { wait },
    })
    const record = (type: string) =>
      world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type, phone: phone() } })
    const unhandled = async () => (await attention()).filter(({ kind }) => kind === 'event_type_unhandled')
    const details = async () =>
      Object.fromEntries((await unhandled()).map(({ subject, detail }) => [subject.id, detail]))
    const draft = (name: string, type: string) =>
      world.expect(201, 'POST', '/v1/workflows', { body: { name, definition: waiting(type) } })
    const enable = (id: string, enabled: boolean) =>
      world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled } })
    const forget = () => world.database.sql`update events set created_at = created_at - interval '25 hours'`

    test('lists the most frequent type first, until a workflow for it is enabled or a day has passed', async () => {
      await forget()
      const { event: first } = await record('order.shipped')
      await record('order.shipped')
      await record('order.returned')
      await of('event_type_unhandled')
      const [shipped, returned] = await unhandled()
      const count = '2 events of this type started nothing in the last 24 hours.'
      expect(shipped).toEqual({
        kind: 'event_type_unhandled',
        since: first.createdAt,
        title: 'No workflow that is on handles “order.shipped”.',
        detail: `Create a workflow for this type, or stop sending it. ${count}`,
        subject: { type: 'event_type', id: 'order.shipped' },
      })
      expect(returned!.subject.id).toBe('order.returned')
      await workflow(waiting('order.shipped'), 'Shipped')
      expect(Object.keys(await details())).toEqual(['order.returned'])
      await forget()
      await none('event_type_unhandled')
    })

    test('names a draft and a disabled workflow, which do not end the alert', async () => {
      await forget()
      const { id } = await draft('Thanks', 'order.rated')
      await record('order.rated')
      await record('order.rated')
      const count = '2 events of this type started nothing in the last 24 hours.'
      const withReason = (reason: string) => ({
        'order.rated': `The workflow “Thanks” handles this type but ${reason}. ${count}`,
      })
      expect(await details()).toEqual(withReason('is turned off and was never published'))
      await enable(id, true)
      expect(await details()).toEqual(withReason('was never published'))
      await world.expect(200, 'POST', `/v1/workflows/${id}/publish`)
      expect(await details()).toEqual({})
      await enable(id, false)
      await draft('Newer', 'order.rated')
      expect(await details()).toEqual(withReason('is turned off'))
      await enable(id, true)
      expect(await details()).toEqual({})
    })

    test('finds a rare type beside a frequent one', async () => {
      await forget()
      await record('rare')
      const { sql } = world.database
      await sql`
        insert into events (workspace_id, id, sender, customer_id, type, source, data, matched_workflows, reason, created_at)
        select workspace_id, uuidv7(), sender, customer_id, 'frequent', source, '{}', 0, reason, now()
        from events cross join generate_series(1, 3000) where workspace_id = ${world.workspaceId} and type = 'rare'`
      const advice = 'Create a workflow for this type, or stop sending it.'
      expect(await details()).toEqual({
        frequent: `${advice} 100 or more events of this type started nothing in the last 24 hours.`,
        rare: `${advice} 1 event of this type started nothing in the last 24 hours.`,
      })
    })

    test('finds a frequent type beside hundreds of later types', async () => {
      await forget()
      const { event } = await record('checkout.completed')
      const { sql } = world.database
      await sql`
        insert into events (workspace_id, id, sender, customer_id, type, source, data, matched_workflows, reason, created_at)
        select workspace_id, uuidv7(), sender, customer_id, case when n <= 29 then type else 'x.page.' || n end, source,
          '{}', 0, reason, now()
        from events cross join generate_series(1, 329) n where workspace_id = ${world.workspaceId} and id = ${event.id}`
      const [type, detail] = Object.entries(await details())[0]!
      expect(type).toBe('checkout.completed')
      expect(detail).toContain('30 events of this type')
    })

    test('excludes a type that an enabled workflow or an active run waits for', async () => {
      await forget()
      const wait = { type: 'wait_for', timeout: '1h', onTimeout: null, any: [{ event: 'order.paid', next: null }] }
      await record('order.paid')
      expect(Object.keys(await details())).toEqual(['order.paid'])
      const id = await workflow(waiting('cart.left', wait), 'Cart')
      expect(await details()).toEqual({})
      const runId = await start('cart.left', phone())
      await run(runId, ({ status }) => status === 'waiting')
      await enable(id, false)
      expect(await details()).toEqual({})
      await world.expect(200, 'POST', `/v1/runs/${runId}/stop`)
      expect(Object.keys(await details())).toEqual(['order.paid'])
    })
  })

  test('is ordered by severity, and within a kind by age', async () => {
    const { sql } = world.database
    await sql`insert into channels (workspace_id, kind, name, status, failing_since)
      select ${world.workspaceId}, 'twilio_sms', 'SMS ' || n, 'failing', now() - n * interval '1 hour' from generate_series(1, 60) n`
    const { id } = await endpoint('Last')
    await world.expect(200, 'POST', `/v1/webhooks/${id}/hold`)
    await happen(1)
    await of('deliveries_waiting')
    const [first, ...channels] = await attention()
    expect(first!.title).toBe('1 delivery is queued for “Last”.')
    expect(channels.map(({ kind }) => kind)).toEqual(Array(49).fill('channel_failing'))
    expect(channels.map(({ since }) => since)).toEqual(channels.map(({ since }) => since).sort())
  })

  test('lists a nearly used monthly allowance', async () => {
    const { sql } = world.database
    const plan = (id: string) => sql`update workspaces set plan_id = ${id} where id = ${world.workspaceId}`
    const [usage] = await sql`select sum(recorded)::integer as events from event_usage`
    await sql`insert into plans (id, name, features, allowances)
      select 'full', 'Full', features, allowances || jsonb_build_object('monthlyEvents', ${usage!.events}::integer)
      from plans where id = 'unlimited'`
    await plan('full')
    expect((await of('allowance_nearly_full')).subject).toEqual({ type: 'allowance', id: 'monthlyEvents' })
    await plan('unlimited')
    await none('allowance_nearly_full')
  })

  test('lists a hold of all sending', async () => {
    const { sql } = world.database
    await sql`update service_identity set held_since = now(), hold_reason = 'requested'`
    expect((await of('sending_held')).subject).toEqual({ type: 'workspace', id: world.workspaceId })
    await eventually('the hold in the live feed of the other workspace', () =>
      stranger.heard().some(({ data }) => data?.kind === 'sending_held'),
    )
    await sql`update service_identity set held_since = null, hold_reason = null`
    await none('sending_held')
  })

  test('lists work that the operator has paused', async () => {
    const { sql } = world.database
    await insertPause(sql, 'campaigns', world.workspaceId)
    const { title, subject } = await of('work_paused')
    expect(title).toBe('The operator of the service has paused campaigns.')
    expect(subject).toEqual({ type: 'workspace', id: world.workspaceId })
    await deletePause(sql, 'campaigns', world.workspaceId)
    await none('work_paused')
  })

  test('reported every kind in the live feed, and only the hold to another workspace', () => {
    const heard = reader.heard().filter(one => one.event === 'attention')
    expect(new Set(heard.map(({ data }) => data.kind))).toEqual(new Set(alertKinds))
    expect(new Set(stranger.heard().map(({ data }) => data.kind))).toEqual(new Set(['sending_held']))
  })
})

test.each([
  [
    'phone: Must be an E.164 number: + and 7 to 15 digits.',
    { phone: 'Must be an E.164 number: + and 7 to 15 digits.' },
    'in the field “phone” of the event',
  ],
  ['Too many events. Retry later.', { type: 'Is required.' }, '“Too many events”'],
  ['The plan has no events.', null, '“The plan has no events”'],
  ['x'.repeat(201), null, `“${'x'.repeat(200)}…”`],
])('the alert of the error %p names its field, or else quotes its first sentence', (message, details, text) => {
  const at = new Date()
  const { detail } = rejectedAlert(2, { since: at, lastAt: at, id: '', message, details }, at)
  expect(detail).toBe(`The newest was less than a minute ago. The most common error is ${text}.`)
})

test('the text of the monthly allowance names the day on which it is used up', () => {
  const resetsAt = new Date('2026-12-01T00:00:00Z')
  const alert = (used: number, limit: number | null, day: string) =>
    usageAlert({ used, limit, resetsAt }, new Date(`2026-11-${day}T00:00:00Z`))
  for (const [used, day, title, detail] of [
    [8700, '21', "87% of this month's events are used.", 'At this rate, you reach the limit on November 23 (UTC).'],
    [8000, '30', "80% of this month's events are used.", 'At this rate, you stay within the limit this month.'],
    [5000, '11', "50% of this month's events are used.", 'At this rate, you reach the limit on November 21 (UTC).'],
    [
      10_000,
      '21',
      "This month's event limit is reached.",
      'Further events are rejected until December 1 (UTC), unless',
    ],
  ] as const) {
    const subject = { type: 'allowance', id: 'monthlyEvents' }
    expect(alert(used, 10_000, day)).toMatchObject({ since: '2026-11-01T00:00:00.000Z', title, subject })
    expect(alert(used, 10_000, day)!.detail).toStartWith(`${used.toLocaleString('en')} of 10,000. ${detail}`)
  }
  // Enough for the rest of the month, no limit, and a plan without events.
  expect([alert(6000, 10_000, '25'), alert(1e9, null, '25'), alert(0, 0, '25')]).toEqual([null, null, null])
})

test('an endpoint put on hold by the service is more severe than one put on hold by an owner', () => {
  const now = new Date('2026-11-22T12:00:00Z')
  const row = {
    ...{ id: newId(), name: null, url: 'https://shop.example.com/hook', heldAt: now, heldBy: 'service' as const },
    ...{ failingSince: now, failedAttempts: 40, statusCode: null, error: 'timed out' },
    ...{ waiting: 10_000, countedTo: 10_000, firstDueAt: now },
  }
  expect(endpointAlert(row, now)).toMatchObject({
    kind: 'endpoint_failing',
    title: '“shop.example.com” was paused, because all attempts failed for five days.',
    detail: '10,000 or more deliveries are queued. Fix the endpoint, then resume it.',
  })
  expect(endpointAlert({ ...row, heldBy: 'owner' }, now)).toMatchObject({ kind: 'deliveries_waiting' })
  expect(endpointAlert({ ...row, heldBy: null, heldAt: null }, now)).toMatchObject({
    title: '“shop.example.com” is failing: timed out.',
    detail: 'The last 40 attempts failed. 10,000 or more deliveries are retrying. The next attempt is due now.',
  })
})
