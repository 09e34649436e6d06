/** Tests of alerts in `GET /v1/stream`: each kind when it starts and when it ends. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '../../../../src/core/ids.ts'
import { alertKinds } from '../../../../src/insights/alerts/schema.ts'
import { markConnected, markFailing } from '../../../../src/messaging/channels/index.ts'
import { tell } from '../../../support/outbox.ts'
import { type Receiver, respond, startReceiver } from '../../../support/receiver.ts'
import { readStream, type StreamReader } from '../../../support/stream.ts'
import { play } from '../../../support/workflows.ts'
import { startWorld, type World } from '../../../support/world.ts'

let receiver: Receiver
let world: World
let reader: StreamReader
let stranger: StreamReader
beforeAll(async () => {
  receiver = await startReceiver()
  world = await startWorld(
    { WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target, WEBHOOK_RETRY_WAITS: Array(7).fill('1h').join() },
    { liveFeedLimits: { minPollMs: 40, maxPollMs: 100, alertPollMs: 40 } },
  )
  reader = await readStream(world.url, { Authorization: `Bearer ${world.owner.token}` })
  stranger = await readStream(world.url, await world.otherOwner())
})
afterAll(async () => {
  reader?.close()
  stranger?.close()
  await world.stop()
  await receiver.stop()
})

const { workflow, start, run, phone, event } = play(() => world)

/** Starts and ends an alert, and waits until the live feed reports each. */
const comesAndGoes = async (
  kind: string,
  subject: () => { type: string; id: string },
  [come, go]: [come: () => Promise<unknown>, go: () => Promise<unknown>],
): Promise<void> => {
  await come()
  const { data } = await reader.hears(
    'attention',
    one => one.kind === kind && one.subject.id === subject().id && !one.over,
  )
  expect(data).toMatchObject({ kind, subject: subject(), over: false })
  await go()
  await reader.hears('attention', one => one.kind === kind && one.subject.id === subject().id && one.over)
}

const endpoint = (name: string): Promise<{ id: string }> =>
  world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['campaign.completed'], name } })

test('a failing endpoint', async () => {
  const { id } = await endpoint('Shop')
  receiver.behave(respond(503), respond(200))
  const ping = () => world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
  await comesAndGoes('endpoint_failing', () => ({ type: 'webhook', id }), [ping, ping])
})

test('waiting deliveries of an endpoint on hold', async () => {
  const { id } = await endpoint('Warehouse')
  await world.expect(200, 'POST', `/v1/webhooks/${id}/hold`)
  await comesAndGoes('deliveries_waiting', () => ({ type: 'webhook', id }), [
    () => tell(world.database.sql, world.workspaceId, 'campaign.completed', { count: 1 }),
    () => world.expect(200, 'POST', `/v1/webhooks/${id}/release`),
  ])
})

test('a nearly used monthly allowance', async () => {
  const { sql } = world.database
  const plan = (id: string) => sql`update workspaces set plan_id = ${id} where id = ${world.workspaceId}`
  await sql`insert into plans (id, name, features, allowances)
    select 'four', 'Four', features, allowances || '{"monthlyEvents": 4}' from plans where id = 'unlimited'`
  for (let n = 0; n < 4; n++) await event('full', phone())
  const subject = () => ({ type: 'allowance', id: 'monthlyEvents' })
  await comesAndGoes('allowance_nearly_full', subject, [() => plan('four'), () => plan('unlimited')])
  const heard = reader.heard().filter(one => one.data?.kind === 'allowance_nearly_full')
  expect(new Set(heard.map(({ data }) => data.id))).toEqual(new Set([world.workspaceId]))
})

test('a channel whose provider returns errors', async () => {
  const { sql } = world.database
  const { workspaceId } = world
  const id = newId()
  await sql`insert into channels (workspace_id, id, kind, name) values (${workspaceId}, ${id}, 'whatsapp_cloud', 'WhatsApp')`
  await comesAndGoes('channel_failing', () => ({ type: 'channel', id }), [
    () => markFailing(sql, { workspaceId, id, detail: 'The token was refused.', afterMs: 1000 }),
    () => markConnected(sql, workspaceId, id),
  ])
})

test('customers who wait for a reply', async () => {
  const channel = await world.expect(201, 'POST', '/v1/channels', { body: { kind: 'sandbox', name: 'Sandbox' } })
  const body = { from: phone(), text: 'hello?' }
  let id = ''
  await comesAndGoes('customers_waiting', () => ({ type: 'conversation', id }), [
    async () => {
      id = (await world.expect(201, 'POST', `/v1/channels/${channel.id}/sandbox/messages`, { body })).conversationId
    },
    () => world.expect(201, 'POST', `/v1/conversations/${id}/messages`, { body: { text: 'here' } }),
  ])
})

test('failed runs of the last day', async () => {
  const { sql } = world.database
  const id = await workflow({
    trigger: { eventType: 'fails' },
    start: 'wait',
    steps: { wait: { type: 'delay', for: '1h', next: null } },
  })
  const runId = await start('fails', phone())
  await run(runId, ({ status }) => status === 'waiting')
  const failed = (ago: string) => sql`
    update workflow_runs set status = 'failed', end_reason = 'too_many_steps', wake_at = null, ended_at = now() - ${ago}::interval
    where id = ${runId}`
  const subject = () => ({ type: 'workflow', id })
  await comesAndGoes('runs_failing', subject, [() => failed('1 hour'), () => failed('25 hours')])
})

test('rejected events of the last day', async () => {
  const { sql } = world.database
  let id = ''
  await comesAndGoes('events_rejected', () => ({ type: 'not_accepted', id }), [
    async () => {
      await world.call('POST', '/v1/events', { as: 'key', body: { type: 'order.paid' } })
      id = (await world.expect(200, 'GET', '/v1/activity/not-accepted')).data[0].id
    },
    () => sql`update rejected_requests set last_at = last_at - interval '25 hours' where id = ${id}`,
  ])
})

test('an event type without a workflow', async () => {
  const { sql } = world.database
  await comesAndGoes('event_type_unhandled', () => ({ type: 'event_type', id: 'unheard' }), [
    () => event('unheard', phone()),
    () => sql`update events set created_at = created_at - interval '25 hours' where type = 'unheard'`,
  ])
})

test('a hold of all sending', async () => {
  const { sql } = world.database
  await comesAndGoes('sending_held', () => ({ type: 'workspace', id: world.workspaceId }), [
    () => sql`update service_identity set held_since = now(), hold_reason = 'requested'`,
    () => sql`update service_identity set held_since = null, hold_reason = null`,
  ])
})

test('every alert kind was reported, and only the hold to another workspace', () => {
  const heard = reader.heard().filter(one => one.event === 'attention')
  expect(new Set(heard.map(({ data }) => data.kind))).toEqual(new Set(alertKinds))
  expect(new Set(stranger.heard().map(({ data }) => data.kind))).toEqual(new Set(['sending_held']))
})
