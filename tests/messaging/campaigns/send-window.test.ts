/** Tests how many messages a campaign hands to its channel at the same time. */
import { expect, test } from 'bun:test'
import { runCampaign, SendWindow } from '../../../src/messaging/campaigns/index.ts'
import { makeCustomers, makeTemplate } from '../../support/campaigns.ts'
import { useWorld } from '../../support/world.ts'

// No worker runs, so that only the test changes the state.
const world = useWorld({ ROLES: 'http' })

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
  const templateId = await makeTemplate(sql, workspaceId)
  await makeCustomers(sql, workspaceId, 1000)
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
