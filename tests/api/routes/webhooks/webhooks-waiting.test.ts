/** Tests of deliveries that wait for their next attempt, and of sending them earlier. */
import { afterEach, describe, expect, test } from 'bun:test'
import { type ReceivedRequest, respond, startReceiver } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { eventually, useWorld } from '../../../support/world.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads response bodies of any shape
type Body = any

const receiver = use(startReceiver)
const world = useWorld(() => ({
  WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target,
  // A manual second attempt that fails is followed soon by a third one.
  WEBHOOK_RETRY_WAITS: '1h,20ms,1h,1h,1h,1h,1h',
}))

let made: string[] = []
afterEach(async () => {
  receiver.behave(respond())
  for (const id of made) await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
  made = []
})

const create = async (): Promise<Body> => {
  const webhook = await world.expect(201, 'POST', '/v1/webhooks', {
    body: { url: receiver.url, events: ['campaign.completed'] },
  })
  made.push(webhook.id)
  return webhook
}
const ping = (id: string): Promise<Body> => world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
const read = (id: string, deliveryId: string): Promise<Body> =>
  world.expect(200, 'GET', `/v1/webhooks/${id}/deliveries/${deliveryId}`)
const health = (id: string): Promise<Body> => world.expect(200, 'GET', `/v1/webhooks/${id}/health`)
const retry = (id: string, deliveryId: string) =>
  world.call('POST', `/v1/webhooks/${id}/deliveries/${deliveryId}/retry`)
const settled = (id: string, deliveryId: string, status: string, attempts: number): Promise<Body> =>
  eventually(`delivery ${status} after ${attempts}`, async () => {
    const delivery = await read(id, deliveryId)
    return delivery.status === status && delivery.attempts === attempts && delivery
  })

const deliveryOf = ({ headers }: ReceivedRequest) => headers['x-service-delivery']!
const marksOf = (deliveryId: string) =>
  receiver.requests
    .filter(request => deliveryOf(request) === deliveryId)
    .map(({ headers }) => [headers['x-service-attempt'], headers['x-service-retry']])

/** Creates a delivery whose first attempt failed and whose second one is due in an hour. */
const waitingDelivery = async (id: string): Promise<string> => {
  receiver.behave(respond(503))
  const { id: deliveryId } = await ping(id)
  await settled(id, deliveryId, 'retrying', 1)
  return deliveryId
}

const hourMs = 3_600_000

describe('a retry of a waiting delivery', () => {
  test('is its next attempt, and the schedule continues afterwards', async () => {
    const { id } = await create()
    const deliveryId = await waitingDelivery(id)
    const before = Date.now()
    const reply = await retry(id, deliveryId)
    expect([reply.status, reply.body.status]).toEqual([202, 'retrying'])
    expect(Date.parse(reply.body.nextAttemptAt)).toBeLessThan(before + 60_000)
    // The second attempt fails. The third follows after the second wait of the schedule. Then the third wait starts.
    const third = await settled(id, deliveryId, 'retrying', 3)
    expect(marksOf(deliveryId)).toEqual([
      ['1/8', undefined],
      ['2/8', 'manual'],
      ['3/8', undefined],
    ])
    expect(Date.parse(third.nextAttemptAt) - before).toBeWithin(hourMs, hourMs + 60_000)
    receiver.behave(respond())
    expect((await retry(id, deliveryId)).status).toBe(202)
    await settled(id, deliveryId, 'delivered', 4)
    expect(marksOf(deliveryId).at(-1)).toEqual(['4/8', 'manual'])
  })

  test('waits while the endpoint is on hold, and is rejected when pending, already due or delivered', async () => {
    const { id } = await create()
    const deliveryId = await waitingDelivery(id)
    receiver.behave(respond())
    await world.expect(200, 'POST', `/v1/webhooks/${id}/hold`)
    const refusal = async (which: string) => {
      const { status, body } = await retry(id, which)
      return [status, body.error?.message]
    }
    const refused = (why: string) => [422, expect.stringContaining(why)]
    expect(await refusal((await ping(id)).id)).toEqual(refused('pending'))
    expect(await refusal(deliveryId)).toEqual([202, undefined])
    expect(await refusal(deliveryId)).toEqual(refused('already due'))
    expect(marksOf(deliveryId)).toHaveLength(1)
    await world.expect(200, 'POST', `/v1/webhooks/${id}/release`)
    await settled(id, deliveryId, 'delivered', 2)
    expect(await refusal(deliveryId)).toEqual(refused('delivered'))
  })

  test('requested repeatedly during attempts never makes two at the same time', async () => {
    const { id } = await create()
    const ids = await Promise.all(Array.from({ length: 12 }, () => waitingDelivery(id)))
    const inFlight = new Set<string>()
    let overlaps = 0
    receiver.behave(async (socket, request) => {
      const which = deliveryOf(request)
      if (inFlight.has(which)) overlaps++
      inFlight.add(which)
      await Bun.sleep(15)
      inFlight.delete(which)
      respond(503)(socket, request)
    })
    const statuses = new Set<number>()
    const retryAll = async () => {
      for (const { status } of await Promise.all(ids.flatMap(one => [retry(id, one), retry(id, one)])))
        statuses.add(status)
    }
    const readAll = () => Promise.all(ids.map(one => read(id, one)))
    await eventually(
      'the last attempts were made',
      async () => {
        await retryAll()
        return (await readAll()).every(({ attempts }) => attempts >= 8)
      },
      20_000,
    )
    receiver.behave(respond())
    await eventually('nothing is due any more', async () => {
      await retryAll()
      return (await health(id)).waiting === 0
    })
    expect([overlaps, [...statuses].sort()]).toEqual([0, [202, 422]])
    for (const { id: one, attempts, attemptLog } of await readAll()) {
      const numbers = marksOf(one).map(([mark]) => Number(mark!.split('/')[0]))
      expect(numbers).toEqual(Array.from({ length: attempts }, (_, index) => index + 1))
      expect(attemptLog).toHaveLength(attempts)
    }
  })
})

describe('a bulk replay', () => {
  const recoveries = (id: string, body: object, status = 202): Promise<Body> =>
    world.expect(status, 'POST', `/v1/webhooks/${id}/recoveries`, { body })
  const ended = (id: string, recoveryId: string): Promise<Body> =>
    eventually('the recovery has ended', async () => {
      const recovery = await world.expect(200, 'GET', `/v1/webhooks/${id}/recoveries/${recoveryId}`)
      return recovery.status !== 'running' && recovery
    })
  /** Sets the state of a delivery after its last attempt. */
  const failForGood = async (deliveryId: string) => world.database.sql`
    update deliveries set status = 'failed', due_at = null, attempts = 8 where id = ${deliveryId}`

  test('sends failed and waiting deliveries when the receiver works again', async () => {
    const webhook = await create()
    const all = await Promise.all(Array.from({ length: 8 }, () => waitingDelivery(webhook.id)))
    const failed = all.slice(5)
    for (const one of failed) await failForGood(one)
    receiver.behave(respond())
    const since = webhook.created
    expect(await recoveries(webhook.id, { since, preview: true }, 200)).toEqual({
      deliveries: 8,
      byType: [{ type: 'ping', deliveries: 8 }],
      estimatedSeconds: 1,
    })
    expect((await recoveries(webhook.id, { since, preview: true, events: ['sale.created'] }, 200)).deliveries).toBe(0)
    const { id } = await recoveries(webhook.id, { since })
    expect(await ended(webhook.id, id)).toMatchObject({ status: 'completed', total: 8, done: 8 })
    for (const one of all) {
      const attempts = failed.includes(one) ? 9 : 2
      expect(await read(webhook.id, one)).toMatchObject({ status: 'delivered', attempts })
      expect(marksOf(one).at(-1)![1]).toBe('manual')
    }
  })

  test('that is cancelled leaves failed deliveries failed, and waiting ones in their schedule', async () => {
    const webhook = await create()
    const waiting = await waitingDelivery(webhook.id)
    const failed = await waitingDelivery(webhook.id)
    await failForGood(failed)
    // The receiver does not answer yet, so the page of the replay is due but not completed.
    let answer = () => {}
    const held = new Promise<void>(resolve => (answer = resolve))
    receiver.behave((socket, request) => void held.then(() => respond(503)(socket, request)))
    const asked = receiver.requests.length
    const { id } = await recoveries(webhook.id, { since: webhook.created })
    await receiver.waitFor(asked + 2)
    await world.expect(204, 'DELETE', `/v1/webhooks/${webhook.id}/recoveries/${id}`)
    expect((await ended(webhook.id, id)).status).toBe('cancelled')
    answer()
    await settled(webhook.id, failed, 'failed', 9)
    // The second attempt failed, and the schedule makes the third one soon.
    await settled(webhook.id, waiting, 'retrying', 3)
  })
})

describe('the health of an endpoint', () => {
  test('has its newest attempts, its last success and the start of its backlog, also if both are large', async () => {
    const webhook = await create()
    receiver.behave(respond())
    const { id: first } = await ping(webhook.id)
    const delivered = await settled(webhook.id, first, 'delivered', 1)
    receiver.behave(respond(429))
    const waiting = await waitingDelivery(webhook.id)
    // Deletes the stored failure, as after many quick successes.
    await eventually('the failure is saved', async () => (await health(webhook.id)).state === 'failing')
    await world.database.sql`delete from webhook_health where webhook_id = ${webhook.id}`
    await world.expect(200, 'POST', `/v1/webhooks/${webhook.id}/hold`)
    const { createdAt } = await ping(webhook.id)
    // Adds unattempted deliveries, more than one query reads.
    await world.database.sql`
      insert into deliveries (workspace_id, webhook_id, event_id, due_at)
      select d.workspace_id, d.webhook_id, d.event_id, now() - interval '5 minutes'
      from (select * from deliveries where webhook_id = ${webhook.id} order by id desc limit 1) d, generate_series(1, 20100)`
    const told = await health(webhook.id)
    expect(told.last50.map(({ deliveryId }: Body) => deliveryId)).toEqual([waiting, first])
    expect([told.lastSuccessAt, told.last50[1].at]).toEqual(Array(2).fill(delivered.lastAttemptAt))
    expect(told.waiting).toBe(10_000)
    const since = (await read(webhook.id, waiting)).createdAt
    expect(Math.abs(Date.parse(told.waitingSince) - Date.parse(since))).toBeLessThan(1000)
    expect(Date.parse(told.waitingSince)).toBeLessThan(Date.parse(createdAt))
    const { data } = await world.expect(200, 'GET', '/v1/attention')
    expect(data.filter(({ subject }: Body) => subject.id === webhook.id)).toMatchObject([
      { kind: 'deliveries_waiting', title: expect.stringContaining('10,000 or more deliveries are queued') },
    ])
  })

  test('matches its newest attempt, and has a success behind more failures than it lists', async () => {
    const webhook = await create()
    let lastSuccess = ''
    for (const [answer, status, state] of [
      [503, 'retrying', 'failing'],
      [200, 'delivered', 'healthy'],
      [503, 'retrying', 'failing'],
    ] as const) {
      receiver.behave(respond(answer))
      const { id } = await ping(webhook.id)
      const { lastAttemptAt } = await settled(webhook.id, id, status, 1)
      if (state === 'healthy') lastSuccess = lastAttemptAt
      const told = await health(webhook.id)
      expect([told.state, told.last50[0].deliveryId]).toEqual([state, id])
    }
    await Promise.all(Array.from({ length: 50 }, () => waitingDelivery(webhook.id)))
    await world.database.sql`delete from webhook_health where webhook_id = ${webhook.id}`
    const told = await health(webhook.id)
    expect([told.last50.length, told.lastSuccessAt]).toEqual([50, lastSuccess])
  })
})
