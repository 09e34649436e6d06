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

    for (const as of ['key', 'owner'] as const) {
      const list = (query = '') => world.expect(200, 'GET', `/v1/events${query}`, { as })
      expect(await list()).toEqual({ data: events, nextCursor: null })
      const anas = events.filter(({ customerId }) => customerId === events[0]!.customerId)
      expect(idsOf(await list('?type=order'))).toEqual([events[0]!.id, events[2]!.id, events[3]!.id])
      expect(idsOf(await list(`?customerId=${anas[0]!.customerId}`))).toEqual(idsOf({ data: anas }))
      expect(idsOf(await list(`?customerId=${anas[0]!.customerId}&type=cart`))).toEqual([events[4]!.id])
      expect(idsOf(await list('?type=Order'))).toEqual([])
      const first = await list('?type=order&limit=2')
      expect(idsOf(first)).toEqual([events[0]!.id, events[2]!.id])
      const second = await list(`?type=order&limit=2&cursor=${first.nextCursor}`)
      expect(second).toEqual({ data: [events[3]], nextCursor: null })
    }
  })
})

describe('GET /v1/events/{id}', () => {
  test('returns one event', async () => {
    const event = await record('one', '+4915200000003', { data: { a: [1] }, idempotencyKey: 'one' })
    const expected = {
      ...event,
      matchedWorkflows: 0,
      outcomes: [],
      didYouMean: null,
      messages: [],
      idempotencyMismatch: null,
    }
    expect(await world.expect(200, 'GET', `/v1/events/${event.id}`, { as: 'key' })).toEqual(expected)
    expect(await world.expect(200, 'GET', `/v1/events/${event.id}`)).toEqual(expected)
    expect(await world.expect(200, 'GET', `/v1/events/${event.id.toUpperCase()}`)).toEqual(expected)
  })
})
