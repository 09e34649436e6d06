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

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=x', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['customerId=nope', 'customerId'],
    ['type=', 'type'],
    [`type=${'x'.repeat(201)}`, 'type'],
    ['type=a%00b', 'type'],
  ])('rejects ?%s', async (query, field) => {
    const { status, body } = await world.call('GET', `/v1/events?${query}`, { as: 'key' })
    expect(status).toBe(400)
    expect(Object.keys(body.error.details)).toEqual([field])
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

  test('is the same 404 for another workspace, an unknown id and an invalid id', async () => {
    const { id } = await record('mine', '+4915200000004')
    const as = await world.otherOwner()
    const answers = await Promise.all([
      world.call('GET', `/v1/events/${id}`, { as }),
      world.call('GET', '/v1/events/01981b7e-3c00-7a51-9a64-1f0f5c3d7e99', { as }),
      world.call('GET', '/v1/events/nope', { as }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.error))).size).toBe(1)
    expect((await world.expect(200, 'GET', '/v1/events', { as })).data).toEqual([])
  })

  test('is 401 without a credential, and 405 with a wrong method', async () => {
    expect((await world.call('GET', '/v1/events', { as: 'nobody' })).status).toBe(401)
    const { status, headers } = await world.call('DELETE', '/v1/events/01981b7e-3c00-7a51-9a64-1f0f5c3d7e99')
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})
