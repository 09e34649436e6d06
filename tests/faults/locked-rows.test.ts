/** Tests of rows locked by an operator. Other requests must not wait for these locks. */
import { afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { transaction } from '../../src/platform/postgres/client.ts'
import { startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { eventually, useWorld } from '../support/world.ts'
import { expectVerified, openShop } from './support.ts'

setDefaultTimeout(30_000)

const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }), {
  errors: ['55P03', 'request failed: {"type":"LockConflict"'],
})
afterEach(() => expectVerified(world.database.sql))
/** Headers of two workspaces: one that sends a message for each order, and one that only records events. */
let shop: Record<string, string>
let other: Record<string, string>
beforeAll(async () => {
  shop = { 'X-API-Key': (await openShop(world.url, [receiver])).key }
  other = await world.otherOwner()
})

/** A request that waits for a locked row takes longer than this, or gets no success response. */
const soonMs = 2000
/** Enough orders per workspace that some share a micro-batch. */
const ordersOfEach = 20

let people = 0
const recordOrders = (as: Record<string, string>): Promise<{ event: { customerId: string } }[]> => {
  const phones = Array.from({ length: ordersOfEach }, () => `+49151${10_000_000 + people++}`)
  return Promise.all(
    phones.map(phone => world.expect(201, 'POST', '/v1/events', { as, body: { type: 'order.created', phone } })),
  )
}

test('locked workspaces, channels, webhooks, workflows or users delay no event, message, opt-out or rejection', async () => {
  for (const table of ['workspaces', 'channels', 'webhooks', 'workflows', 'users']) {
    const before = receiver.requests.length
    await transaction(world.database.sql, async tx => {
      await tx`select 1 from ${tx(table)} for update`
      const from = performance.now()
      const [orders] = await Promise.all([recordOrders(shop), recordOrders(other)])
      await receiver.waitFor(before + ordersOfEach)
      const path = `/v1/customers/${orders[0]!.event.customerId}/opt-out`
      await world.expect(200, 'POST', path, { as: shop, body: { reason: 'asked' } })
      await world.expect(400, 'POST', '/v1/events', { as: other, body: {} })
      // The list waits until the rejected request is stored.
      await world.expect(200, 'GET', '/v1/activity/not-accepted', { as: other })
      expect(performance.now() - from, table).toBeLessThan(soonMs)
    })
  }
})

test('locked conversations delay no other customers and get their messages later', async () => {
  // Its runs do not complete together with their events.
  const say = { type: 'send_message', text: 'Later', next: null }
  const steps = { wait: { type: 'delay', for: '1ms', next: 'say' }, say }
  await world.workflow({ trigger: { eventType: 'order.later' }, start: 'wait', steps }, 'Later')
  const held = idsOf(await recordOrders(shop))
  await done(held, 1)
  await world.database.sql`update customers set phone = '+4916' || substr(phone, 6) where id = any(${held}::uuid[])`
  await transaction(world.database.sql, async tx => {
    await tx`select 1 from conversations where customer_id = any(${held}::uuid[]) for update`
    const from = performance.now()
    await Promise.all(held.map(customerId => record({ type: 'order.later', customerId })))
    const [others] = await Promise.all([
      recordOrders(shop),
      recordOrders(other),
      ...held.map(customerId => record({ type: 'order.created', customerId })),
    ])
    await Promise.all(idsOf(others).map(customerId => record({ type: 'order.later', customerId })))
    await done(idsOf(others), 2)
    expect(performance.now() - from).toBeLessThan(soonMs)
  })
  await done(held, 3, 40_000)
}, 60_000)

test('a locked messages table delays events once, and their messages are written later', async () => {
  let orders: { event: { customerId: string } }[] = []
  await transaction(world.database.sql, async tx => {
    await tx`lock table conversations in access exclusive mode`
    orders = await recordOrders(shop)
    const from = performance.now()
    for (let round = 0; round < 5; round++)
      orders.push(...(await Promise.all([recordOrders(shop), recordOrders(other)]))[0])
    expect(performance.now() - from).toBeLessThan(soonMs)
  })
  await done(idsOf(orders), 1)
})

const idsOf = (orders: { event: { customerId: string } }[]) => orders.map(({ event }) => event.customerId)

const record = (body: { type: string; customerId: string }) =>
  world.expect(201, 'POST', '/v1/events', { as: shop, body })

/** Waits until each customer has `runsOfEach` completed runs. */
const done = (customerIds: string[], runsOfEach: number, withinMs?: number) => {
  const areDone = async () => {
    const { length } = await world.database.sql`
      select from workflow_runs where customer_id = any(${customerIds}::uuid[]) and status = 'done'`
    return length === customerIds.length * runsOfEach
  }
  return eventually('the runs are done', areDone, withinMs)
}
