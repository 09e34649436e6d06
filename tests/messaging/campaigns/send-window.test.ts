/** Tests how many messages a campaign hands to its channel at the same time. */
import { expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
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

test('keeps at most about two seconds of a campaign queued on a slow channel', async () => {
  const { sql } = world.database
  const { workspaceId } = world
  const channelId = (await world.expect(201, 'POST', '/v1/channels', { body: { kind: 'sandbox', name: 'Slow' } })).id
  const templateId = await makeTemplate(sql, workspaceId)
  await makeCustomers(sql, workspaceId, 5000)
  const body = { name: 'Spring', channelId, templateId, variables: { name: 'you' }, audience: { all: true } }
  const { id } = await world.expect(201, 'POST', '/v1/campaigns', { body })
  await world.expect(202, 'POST', `/v1/campaigns/${id}/start`)

  const stopped = new AbortController()
  const stopping = stopped.signal
  const deps = { sql, wakeChannel: () => {}, delayMs: () => 0, isBusy: () => false, stopping }
  const campaign = (async () => {
    const flow = new SendWindow()
    while (!stopping.aborted) await runCampaign(deps, { workspaceId, id, idleMs: 0, sendWindow: flow })
  })()
  const perSecond = 200
  const queued: number[] = []
  for (const end = performance.now() + 4000; performance.now() < end; ) {
    const began = performance.now()
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from messages where channel_id = ${channelId} and due_at is not null`
    queued.push(row!.count)
    await sql`
      update messages set status = 'sent', due_at = null, provider_message_id = id::text where id in (
        select id from messages where channel_id = ${channelId} and due_at is not null order by due_at, id
        limit ${perSecond / 10})`
    await sleep(Math.max(0, 100 - (performance.now() - began)))
  }
  stopped.abort()
  await campaign
  expect(Math.max(...queued)).toBeGreaterThan(perSecond / 4)
  expect(Math.max(...queued)).toBeLessThanOrEqual(2 * perSecond)
}, 60_000)
