import { describe, expect, test } from 'bun:test'
import { useWorld } from '../../../support/world.ts'

const world = useWorld()

interface Recorded {
  id: string
  customerId: string
}

const record = async (type: string, phone: string, more: Record<string, unknown> = {}): Promise<Recorded> =>
  (await world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type, phone, ...more } })).event

const idsOf = ({ data }: { data: Recorded[] }) => data.map(({ id }) => id)

describe('GET /v1/events', () => {
  test('lists events as they were returned, newest first, by type, by customer, in pages', async () => {
    const [ana, ben] = ['+4915200000001', '+4915200000002']
    const events: Recorded[] = []
    for (const [type, phone] of [
      ['cart', ana],
      ['order', ana],
      ['order', ben],
      ['cart', ben],
      ['order', ana],
    ] as const)
      events.unshift(await record(type, phone, { data: { n: events.length } }))
    const [newest, , third, fourth, oldest] = events.map(({ id }) => id)

    for (const as of ['key', 'owner'] as const) {
      const list = (query = '') => world.expect(200, 'GET', `/v1/events${query}`, { as })
      expect(await list()).toEqual({ data: events, nextCursor: null })
      const { customerId } = events[0]!
      expect(idsOf(await list('?type=order'))).toEqual([newest!, third!, fourth!])
      expect(idsOf(await list(`?customerId=${customerId}`))).toEqual([newest!, fourth!, oldest!])
      expect(idsOf(await list(`?customerId=${customerId}&type=cart`))).toEqual([oldest!])
      expect(idsOf(await list('?type=Order'))).toEqual([])
      const pages = await world.pages('/v1/events?type=order&limit=2', { as })
      expect(pages.map(page => page.map(({ id }) => id))).toEqual([[newest!, third!], [fourth!]])
    }
  })
})

describe('GET /v1/events/{id}', () => {
  test('returns one event', async () => {
    const event = await record('one', '+4915200000003', { data: { a: [1] }, idempotencyKey: 'one' })
    const outcome = { matchedWorkflows: 0, outcomes: [], didYouMean: null, messages: [], idempotencyMismatch: null }
    for (const id of [event.id, event.id.toUpperCase()])
      for (const as of ['key', 'owner'] as const)
        expect(await world.expect(200, 'GET', `/v1/events/${id}`, { as })).toEqual({ ...event, ...outcome })
  })
})
