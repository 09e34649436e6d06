/** `GET /v1/stream`, over connections as browsers have them. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { connect as connectTcp, type Socket } from 'node:net'
import { streamKinds } from '../../../src/domain/stream/index.ts'
import { type Receiver, respond, startReceiver } from '../../support/receiver.ts'
import { readStream, type StreamReader } from '../../support/stream.ts'
import { eventually, startWorld, type World } from '../../support/world.ts'

let world: World
let receiver: Receiver
const readers: StreamReader[] = []
beforeAll(async () => {
  receiver = await startReceiver()
  world = await startWorld(
    { WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target, SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') },
    { streamLimits: { everyMs: 40, judgeMs: 100, maxEachPerson: 250 } },
  )
})
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close()
})
afterAll(async () => {
  await world.stop()
  await receiver.stop()
})

const ownerHeaders = () => ({ Authorization: `Bearer ${world.owner.token}` })
const listen = async (headers: Record<string, string> = ownerHeaders(), url = world.url) => {
  const reader = await readStream(url, headers)
  readers.push(reader)
  return reader
}

let phones = 0
const newPhone = () => `+4917${String(510_000_001 + 10 * phones++)}`
const record = async (type = 'order.created') =>
  (await world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type, phone: newPhone() } })).event

describe('GET /v1/stream', () => {
  test('tells of an event that is recorded, with what a row of a list needs', async () => {
    const reader = await listen()
    expect(reader.status).toBe(200)
    expect(reader.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(reader.headers.get('cache-control')).toBe('no-store')
    const event = await record()

    const { data } = await reader.hears('event', ({ id }) => id === event.id)
    expect(data).toEqual({
      id: event.id,
      at: event.createdAt,
      type: 'order.created',
      source: 'api',
      customerId: event.customerId,
      matchedWorkflows: 0,
      reason: 'no_listener',
    })
  })
})
