/** Somebody, as an operator, holds the rows that everything else points to: nobody waits for them. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { transaction } from '../../src/db/client.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startWorld, type World } from '../support/world.ts'
import { openShop } from './support.ts'

setDefaultTimeout(30_000)

let receiver: Receiver
let world: World
/** Headers of two workspaces: one that messages whoever orders, and one that records. */
let shop: Record<string, string>
let other: Record<string, string>
beforeAll(async () => {
  receiver = await startReceiver()
  world = await startWorld({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target })
  shop = { 'X-API-Key': (await openShop(world.url, [receiver])).key }
  other = await world.otherOwner()
})
afterAll(async () => {
  await world.stop()
  await receiver.stop()
})

/** What waits for a held row is answered later than this, if at all. */
const soonMs = 2000
/** Enough of each workspace that some are written together. */
const ordersOfEach = 20

let people = 0
const recordOrders = (as: Record<string, string>): Promise<{ event: { customerId: string } }[]> => {
  const phones = Array.from({ length: ordersOfEach }, () => `+49151${10_000_000 + people++}`)
  return Promise.all(
    phones.map(phone => world.expect(201, 'POST', '/v1/events', { as, body: { type: 'order.created', phone } })),
  )
}

test.each(['workspaces', 'channels', 'webhooks', 'workflows', 'users'])(
  'rows of %s that are held hold up no new customer, no message, no opt-out and no refusal',
  async table => {
    const told = receiver.requests.length
    await transaction(world.database.sql, async tx => {
      await tx`select 1 from ${tx(table)} for update`
      const from = performance.now()
      const [orders] = await Promise.all([recordOrders(shop), recordOrders(other)])
      await receiver.waitFor(told + ordersOfEach)
      await world.expect(200, 'POST', `/v1/customers/${orders[0]!.event.customerId}/opt-out`, {
        as: shop,
        body: { reason: 'asked' },
      })
      await world.expect(400, 'POST', '/v1/events', { as: other, body: {} })
      // The list waits until the refusal is written.
      await world.expect(200, 'GET', '/v1/activity/not-accepted', { as: other })
      expect(performance.now() - from).toBeLessThan(soonMs)
    })
  },
)
