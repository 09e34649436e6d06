/** Tests the statements of a campaign's actor in several processes, and how many messages it queues on its channel. */
import { beforeAll, expect, test } from 'bun:test'
import { runCampaign, SendWindow } from '../../../src/messaging/campaigns/index.ts'
import {
  beginRecipients,
  type CampaignState,
  collectOutcomes,
  completeCampaign,
  findCampaignState,
} from '../../../src/messaging/campaigns/run-sql.ts'
import { makeCustomers, makeTemplate } from '../../support/campaigns.ts'
import { useWorld } from '../../support/world.ts'

// No worker runs, so that only the test changes the state.
const world = useWorld({ ROLES: 'http' })
let channelId: string
let templateId: string
let customers: string[]
beforeAll(async () => {
  channelId = await world.sandbox()
  templateId = await makeTemplate(world.database.sql, world.workspaceId)
  customers = await makeCustomers(world.database.sql, world.workspaceId, 9)
})

/** Starts a campaign with all customers as its recipients and returns a function that reads it. */
const running = async () => {
  const { sql } = world.database
  const body = { name: 'Spring', channelId, templateId, variables: { name: 'you' }, audience: { all: true } }
  const { id } = await world.expect(201, 'POST', '/v1/campaigns', { body })
  await sql`insert into campaign_recipients (workspace_id, campaign_id, customer_id)
    select workspace_id, ${id}, id from customers where workspace_id = ${world.workspaceId}`
  await sql`update campaigns set status = 'running', started_at = now(), filled_at = now(), recipients = ${customers.length}
    where id = ${id}`
  return async () => (await findCampaignState(sql, world.workspaceId, id))!
}

const beginAll = (campaign: CampaignState) =>
  beginRecipients(
    world.database.sql,
    campaign,
    customers.map(customerId => ({
      customerId,
      reason: null,
      message: {
        workspaceId: world.workspaceId,
        customerId,
        channelId,
        handle: '+4915112345678',
        text: 'Hello',
        template: { id: templateId, marketing: false, provider: null },
        sentBy: { type: 'campaign' as const, id: campaign.id },
        writtenBy: null,
        skipped: null,
      },
    })),
  )

test('begins each recipient once when several processes run the same batch', async () => {
  const read = await running()
  const campaign = await read()
  const done = await Promise.all(Array.from({ length: 4 }, () => beginAll(campaign)))
  expect(done.filter(one => one)).toHaveLength(1)
  expect(await beginAll(await read())).toBe(true)
  const { sql } = world.database
  const [row] = await sql`select count(*)::integer as count from messages where sent_by_id = ${campaign.id}`
  expect(row!.count).toBe(customers.length)
  expect(await read()).toMatchObject({ queued: customers.length, ended: 0 })
})

test('counts each recipient by the outcome of its message, and emits the completion once', async () => {
  const { sql } = world.database
  const read = await running()
  const { id } = await read()
  await beginAll(await read())
  const became: [status: string, providerMessageId: string | null, detail: string | null, outcome: string][] = [
    ['sent', 'p1', null, 'sent'],
    ['delivered', 'p2', null, 'sent'],
    ['read', 'p3', null, 'sent'],
    ['failed', 'p4', 'Not reached.', 'sent'],
    ['failed', null, 'No such number.', 'refused'],
    ['skipped', null, 'opted_out: The customer has opted out.', 'opted_out'],
    ['skipped', null, 'The customer was erased.', 'no_address'],
    ['skipped', null, 'channel_disconnected: The channel was disconnected.', 'channel_disconnected'],
    ['unknown', null, 'No answer came.', 'unknown'],
  ]
  for (const [index, [status, providerMessageId, detail]] of became.entries())
    await sql`update messages set status = ${status}, provider_message_id = ${providerMessageId}, detail = ${detail}, due_at = null
      where sent_by_id = ${id} and customer_id = ${customers[index]!}`
  const campaign = await read()
  const collected = await Promise.all([collectOutcomes(sql, campaign, 100), collectOutcomes(sql, campaign, 100)])
  expect(collected.sort()).toEqual([became.length, null])
  const { data } = await world.expect(200, 'GET', `/v1/campaigns/${id}/recipients`)
  type Recipient = { customerId: string; outcome: string; reason: string | null }
  const found = new Map(data.map(({ customerId, outcome, reason }: Recipient) => [customerId, reason ?? outcome]))
  expect(customers.map(one => found.get(one))).toEqual(became.map(([, , , outcome]) => outcome))

  const last = await read()
  const completed = await Promise.all([completeCampaign(sql, last), completeCampaign(sql, last)])
  expect(completed.filter(one => one)).toHaveLength(1)
  const told = await sql`select data from outbound_events where type = 'campaign.completed'`
  expect(told.map(({ data }) => data)).toEqual([{ campaignId: id, name: 'Spring', sent: 4, skipped: 4, unknown: 1 }])
})

/** Returns a `SendWindow` and the clock that the test moves. */
const flowAt = () => {
  const clock = { ms: 0 }
  return { clock, flow: new SendWindow(() => clock.ms) }
}

test('the window is what the channel sends in one second, within bounds', () => {
  for (const [perSecond, window] of [
    [10, 100],
    [400, 400],
    [9000, 2000],
  ] as const) {
    const { clock, flow } = flowAt()
    for (let tenth = 0; tenth < 100; tenth++) {
      clock.ms += 100
      flow.onProcessed(perSecond / 10)
    }
    expect(flow.size).toBe(window)
  }
})

test('halves the window when nothing moves, and ignores the time in which the channel has no messages', () => {
  const { clock, flow } = flowAt()
  const before = flow.size
  clock.ms += 1000
  flow.onProcessed(0)
  expect(flow.size).toBe(before / 2)
  clock.ms += 60_000
  flow.onEmpty()
  clock.ms += 1000
  flow.onProcessed(before)
  expect(flow.size).toBe(before)
})

test('grows the window of a channel that quickly sends all its messages', () => {
  const { clock, flow } = flowAt()
  for (let round = 0; round < 10; round++) {
    clock.ms += 100
    flow.onProcessed(flow.size)
    flow.onEmpty()
    // The window grows only after another second.
    clock.ms += 1000
    flow.onEmpty()
  }
  expect(flow.size).toBe(2000)
})

test('a campaign queues at most its window on the channel', async () => {
  const { sql } = world.database
  const { workspaceId } = world
  const channelId = await world.sandbox()
  await sql`insert into customers (workspace_id, phone)
    select ${workspaceId}, '+4916' || n from generate_series(100000001, 100001000) n`
  const body = { name: 'Spring', channelId, templateId, variables: { name: 'you' }, audience: { all: true } }
  const { id } = await world.expect(201, 'POST', '/v1/campaigns', { body })
  await world.expect(202, 'POST', `/v1/campaigns/${id}/start`)
  const deps = {
    sql,
    wakeChannel: () => {},
    delayMs: () => 0,
    isBusy: () => false,
    stopping: new AbortController().signal,
  }
  const { flow: sendWindow } = flowAt()
  const queued = async () =>
    (await sql`select 1 from messages where channel_id = ${channelId} and due_at is not null`).length
  for (const sent of [0, 150]) {
    await sql`update messages set status = 'sent', due_at = null, provider_message_id = id::text where id in (
      select id from messages where channel_id = ${channelId} and due_at is not null limit ${sent})`
    await runCampaign(deps, { workspaceId, id, idleMs: 0, sendWindow })
    expect(await queued()).toBeWithin(sendWindow.size / 2, sendWindow.size + 1)
  }
})

test('a campaign skips no recipient while its workspace is being moved', async () => {
  const { sql } = world.database
  const { workspaceId } = world
  world.database.expectErrors('40MOV')
  const body = { name: 'Spring', channelId, templateId, variables: { name: 'you' }, audience: { all: true } }
  const { id } = await world.expect(201, 'POST', '/v1/campaigns', { body })
  await world.expect(202, 'POST', `/v1/campaigns/${id}/start`)
  // As if the workspace had been closed after its settings were read.
  await sql`
    create function reject_moved() returns trigger language plpgsql as
    $$ begin raise exception 'moving' using errcode = '40MOV'; end $$`
  await sql`create trigger reject_moved after insert on messages for each row execute function reject_moved()`
  const deps = {
    sql,
    wakeChannel: () => {},
    delayMs: () => 0,
    isBusy: () => false,
    stopping: AbortSignal.timeout(60_000),
  }
  await expect(runCampaign(deps, { workspaceId, id, idleMs: 0, sendWindow: flowAt().flow })).rejects.toMatchObject({
    code: '40MOV',
  })
  expect(await findCampaignState(sql, workspaceId, id)).toMatchObject({ filled: true, ended: 0, queued: 0 })
  await sql`drop function reject_moved cascade`
})
