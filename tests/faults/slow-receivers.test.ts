/** Tests of receivers that answer slowly but within the timeout. They get all offered events. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { tell } from '../support/outbox.ts'
import { type Behaviour, type Receiver, respond, startReceiver } from '../support/receiver.ts'
import { eventually, startWorld, type World } from '../support/world.ts'

setDefaultTimeout(120_000)

/** Answers after `ms` and counts the requests that are in progress. */
const counted = (ms: number, status = 200) => {
  const count = { now: 0, most: 0, answered: 0 }
  const behaviour: Behaviour = (socket, request) => {
    count.most = Math.max(count.most, ++count.now)
    setTimeout(() => {
      count.now--
      count.answered++
      respond(status)(socket, request)
    }, ms)
  }
  return { count, behaviour }
}

let world: World
let receivers: Receiver[]
afterEach(async () => {
  await Promise.all(receivers.map(receiver => receiver.stop()))
  await world.stop()
})

const subscribe = async (behaviours: Behaviour[], settings: Record<string, unknown> = {}) => {
  receivers = await Promise.all(behaviours.map(behaviour => startReceiver({ behaviour })))
  world = await startWorld({
    WEBHOOK_ALLOWED_PRIVATE_TARGETS: receivers.map(({ target }) => target).join(','),
    BUN_CONFIG_MAX_HTTP_REQUESTS: '256',
  })
  const made = receivers.map(({ url }) =>
    world.expect(201, 'POST', '/v1/webhooks', { body: { url, events: ['message.status'], ...settings } }),
  )
  return Promise.all(made)
}

test('reaches the offered throughput with receivers that take 1.5, 2.2 and 8 seconds', async () => {
  const [perSecond, seconds] = [6, 30]
  const slow = [1500, 2200, 8000].map(ms => counted(ms))
  await subscribe(slow.map(({ behaviour }) => behaviour))
  for (let second = 0; second < seconds; second++) {
    await tell(world.database.sql, world.workspaceId, 'message.status', { count: perSecond })
    await sleep(1000)
  }
  await eventually(
    'every receiver has answered everything',
    () => slow.every(({ count }) => count.answered === perSecond * seconds),
    30_000,
  ).catch(error => {
    throw new Error(`${error.message}: ${JSON.stringify(slow.map(({ count }) => count))}`)
  })
})

test('limits a receiver that slowly answers 503 to a few connections', async () => {
  const failing = counted(300, 503)
  await subscribe([failing.behaviour])
  await tell(world.database.sql, world.workspaceId, 'message.status', { count: 60 })
  await eventually('all were attempted', () => failing.count.answered >= 60)
  expect(failing.count.most).toBeLessThanOrEqual(4)
})

test('limits deliveries in progress to maxConcurrency and applies changes to waiting ones', async () => {
  const receiver = counted(50)
  const [webhook] = await subscribe([receiver.behaviour], { maxConcurrency: 2 })
  await tell(world.database.sql, world.workspaceId, 'message.status', { count: 40 })
  await eventually('half were delivered', () => receiver.count.answered >= 20)
  expect(receiver.count.most).toBe(2)
  await world.expect(200, 'PATCH', `/v1/webhooks/${webhook.id}`, { body: { maxConcurrency: null } })
  await tell(world.database.sql, world.workspaceId, 'message.status', { count: 60 })
  await eventually('all were delivered', () => receiver.count.answered === 100)
  expect(receiver.count.most).toBeGreaterThan(2)
})
