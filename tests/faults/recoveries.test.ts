/** Tests that a bulk replay survives the kill of its process. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { tell } from '../support/outbox.ts'
import { startProcess } from '../support/process.ts'
import { eventually } from '../support/world.ts'
import { connectionsLost, eventIdOf, useProcesses } from './support.ts'

setDefaultTimeout(180_000)

const { start } = useProcesses()

const missedCount = 1000

test('every missed event arrives when the process is killed in the middle of a recovery', async () => {
  const { sql, settings, shop, service, ask, receiver } = await start({ errors: connectionsLost })
  const [webhookId] = shop.webhooks
  await ask(200, 'PATCH', `/v1/webhooks/${webhookId}`, { enabled: false })
  const [workspace] = await sql`select id from workspaces`
  const missed = await tell(sql, workspace!.id, 'message.status', { count: missedCount })
  await eventually('they are fanned out', async () => {
    const [row] = await sql`select count(*)::integer as count from outbound_events where fanned_out_at is null`
    return row!.count === 0
  })
  await ask(200, 'PATCH', `/v1/webhooks/${webhookId}`, { enabled: true })
  const recoveries = `/v1/webhooks/${webhookId}/recoveries`
  const { id, total } = await ask(202, 'POST', recoveries, { since: '2020-01-01T00:00:00Z', of: 'missing' })
  expect(total).toBe(missedCount)
  await eventually('some have arrived', () => receiver.requests.length > 100)
  await service.end('SIGKILL')
  const [created] = await sql`select count(*)::integer as count from deliveries where webhook_id = ${webhookId!}`
  expect(created!.count).toBeLessThan(missedCount)

  const { url } = await startProcess(settings)
  await eventually(
    'the recovery is completed',
    async () => (await shop.expect(200, url, 'GET', `${recoveries}/${id}`)).status === 'completed',
    // Another process releases the task of the dead one within about a minute.
    90_000,
  )
  expect([...new Set(receiver.requests.map(eventIdOf))].sort()).toEqual(missed.toSorted())
  const deliveries = await sql`select event_id, status from deliveries where webhook_id = ${webhookId!}`
  expect(deliveries.length).toBe(missedCount)
  expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['delivered']))
})
