/** Tests how many messages a campaign hands to its channel at the same time. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Flow, takeTurn } from '../../../src/domain/campaigns/index.ts'
import { makeCustomers, makeTemplate } from '../../support/campaigns.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  // No worker runs, so that only the test changes the state.
  world = await startWorld({ ROLES: 'http' })
})
afterAll(() => world.stop())

/** Returns a `Flow` and the clock that the test moves. */
const flowAt = () => {
  const clock = { ms: 0 }
  return { clock, flow: new Flow(() => clock.ms) }
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
      flow.moved(perSecond / 10)
    }
    expect(flow.window).toBe(window)
  }
})

test('halves the window when nothing moves, and ignores the time in which the channel has no messages', () => {
  const { clock, flow } = flowAt()
  const before = flow.window
  clock.ms += 1000
  flow.moved(0)
  expect(flow.window).toBe(before / 2)
  clock.ms += 60_000
  flow.ranOut()
  clock.ms += 1000
  flow.moved(before)
  expect(flow.window).toBe(before)
})

test('grows the window of a channel that quickly sends all its messages', () => {
  const { clock, flow } = flowAt()
  for (let round = 0; round < 10; round++) {
    clock.ms += 100
    flow.moved(flow.window)
    flow.ranOut()
    // The window grows only after another second.
    clock.ms += 1000
    flow.ranOut()
  }
  expect(flow.window).toBe(2000)
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
  const deps = { sql, wakeChannel: () => {}, restMs: () => 0, isBusy: () => false, stopping }
  const campaign = (async () => {
    const flow = new Flow()
    while (!stopping.aborted) await takeTurn(deps, { workspaceId, id, idleMs: 0, flow })
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
