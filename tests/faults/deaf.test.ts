/** Test of a process that receives no notifications. It still knows about its own events. */
import { expect, test } from 'bun:test'
import { startReceiver } from '../support/receiver.ts'
import { startWorld } from '../support/world.ts'

test('delivers its own events immediately without notifications', async () => {
  const receiver = await startReceiver()
  const world = await startWorld({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target })
  try {
    await world.database.sql`alter table outbound_events disable trigger outbound_events_notify`
    await world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['customer.opted_out'] } })
    const customers: string[] = []
    for (let n = 0; n < 8; n++)
      customers.push((await world.expect(201, 'POST', '/v1/customers', { body: { phone: `+49151000000${n}` } })).id)

    const from = performance.now()
    for (const [n, id] of customers.entries()) {
      await world.expect(200, 'POST', `/v1/customers/${id}/opt-out`, { body: { reason: 'stop' } })
      await receiver.waitFor(n + 1)
    }
    // Polling the outbox would take one second for each.
    expect(performance.now() - from).toBeLessThan(4000)
  } finally {
    await world.stop()
    await receiver.stop()
  }
})
