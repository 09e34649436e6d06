/** `writeEvents` composes one statement from what the events of a batch need. PostgreSQL accepts every composition. */
import { beforeAll, expect, test } from 'bun:test'
import { useWorld } from '../support/world.ts'

const world = useWorld()
let opened = 0

const steps = {
  say: { say: { type: 'send_message', text: 'Hello {{customer.name|you}}', next: null } },
  sell: {
    sell: { type: 'mark_sale', amount: '1', currency: 'EUR', next: 'note' },
    note: { type: 'set_attribute', set: { seen: true }, next: null },
  },
  await: {
    await: { type: 'wait_for', timeout: '1h', onTimeout: null, any: [{ event: 'paid', next: null }] },
  },
}

beforeAll(async () => {
  await world.sandbox()
  for (const [type, step] of Object.entries(steps))
    await world.workflow({ trigger: { eventType: type }, start: type, steps: step })
  await world.expect(201, 'POST', '/v1/workflows', {
    body: { name: 'Draft', definition: { trigger: { eventType: 'drafted' }, start: 'say', steps: steps.say } },
  })
  await record(known.map(phone => ({ type: 'plain', phone, data: {} })))
})

const record = (events: object[]) => world.expect(200, 'POST', '/v1/events/batch', { as: 'key', body: { events } })

const known = Array.from({ length: 9 }, (_, n) => `+49151000000${n}0`)
const fresh = () => `+4915200${String(++opened).padStart(6, '0')}`

/** Events that each require another part of the statement. */
const kinds: (() => object)[] = [
  () => ({ type: 'plain', phone: known[1], data: {}, optIn: { evidence: 'form' } }),
  () => ({ type: 'plain', phone: fresh(), data: {}, optIn: { evidence: 'form' }, idempotencyKey: fresh() }),
  () => ({ type: 'say', phone: known[2], data: {} }),
  () => ({ type: 'say', phone: fresh(), data: {} }),
  () => ({ type: 'sell', phone: known[3], data: {} }),
  () => ({ type: 'await', phone: known[5], data: {} }),
  () => ({ type: 'paid', phone: known[5], data: {} }),
  () => ({ type: 'drafted', phone: known[6], data: {} }),
]

test('every combination of event kinds in a batch is recorded by the first statement', async () => {
  for (let chosen = 1; chosen < 2 ** kinds.length; chosen++) {
    const events = kinds.filter((_, place) => chosen & (1 << place)).map(make => make())
    const { data } = await record(events)
    expect(data.map(({ status }: { status: number }) => status)).toEqual(events.map(() => 201))
  }
  const metrics = await world.expect(200, 'GET', '/metrics', { as: 'nobody' })
  expect(metrics).toContain('engagement_ingest_batch_events')
  expect(metrics).not.toContain('engagement_rejected_batches_total{')
}, 120_000)
