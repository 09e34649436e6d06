/** Tests of ETag and If-Match: a record changes only when it still has the version that the caller read. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { makeTemplate } from '../support/campaigns.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
let channelId: string
beforeAll(async () => {
  channelId = await world.sandbox()
})

const definition = {
  trigger: { eventType: 'order.created' },
  start: 'wait',
  steps: { wait: { type: 'delay', for: '1h', next: null } },
}
let phones = 0
const newPhone = () => `+49176${String(++phones).padStart(8, '0')}`

interface Noun {
  path: string
  make: () => Promise<object>
  change: object
  other: object
  /** Whether DELETE removes the record. */
  removed: boolean
}

const nouns: Record<string, Noun> = {
  workflow: {
    path: '/v1/workflows',
    make: async () => ({ name: 'One', definition }),
    change: { name: 'Two' },
    other: { name: 'Three' },
    removed: true,
  },
  template: {
    path: '/v1/templates',
    make: async () => ({ name: crypto.randomUUID(), category: 'utility', body: 'Hello' }),
    change: { body: 'Hello there' },
    other: { body: 'Hello again' },
    removed: true,
  },
  endpoint: {
    path: '/v1/webhooks',
    make: async () => ({ url: 'https://hooks.example.com/x', events: ['sale.created'] }),
    change: { description: 'two' },
    other: { description: 'three' },
    removed: true,
  },
  campaign: {
    path: '/v1/campaigns',
    make: async () => ({
      name: 'One',
      channelId,
      templateId: await makeTemplate(world.database.sql, world.workspaceId),
      variables: { name: 'Ada' },
      audience: { all: true },
    }),
    change: { name: 'Two' },
    other: { name: 'Three' },
    removed: true,
  },
  conversation: {
    path: '/v1/conversations',
    make: async () => {
      const { id } = await world.expect(201, 'POST', '/v1/customers', { body: { phone: newPhone() } })
      return { channelId, customerId: id }
    },
    change: { status: 'closed' },
    other: { status: 'open' },
    removed: false,
  },
}

describe.each(Object.entries(nouns))('a %s', (_, { path, make, change, other, removed }) => {
  const create = async () => {
    const { status, headers, body } = await world.call('POST', path, { body: await make() })
    expect(status).toBe(201)
    return { at: `${path}/${body.id}`, tag: headers.get('etag')!, made: body }
  }
  const patch = (at: string, body: object, tag: string) =>
    world.call('PATCH', at, { body, headers: { 'If-Match': tag } })

  test('has an ETag that changes with it and is the same in every response', async () => {
    const { at, tag, made } = await create()
    expect(tag).toBe(`"${made.updatedAt ?? made.updated}"`)
    const read = await world.call('GET', at)
    expect(read.headers.get('etag')).toBe(tag)
    const changed = await patch(at, change, tag)
    expect(changed.status).toBe(200)
    const next = changed.headers.get('etag')
    expect(next).not.toBe(tag)
    expect((await world.call('GET', at)).headers.get('etag')).toBe(next)
    expect((await world.call('GET', path)).headers.get('etag')).toBeNull()
  })

  test('is not changed from another version: 409 returns the current one', async () => {
    const { at, tag } = await create()
    const current = (await patch(at, change, tag)).headers.get('etag')!
    const before = await world.expect(200, 'GET', at)
    for (const stale of [tag, '"x"', `W/${current}`, `"x", ${tag}`]) {
      const { status, body } = await patch(at, other, stale)
      expect([status, body.error.code, body.error.details]).toEqual([409, 'conflict', { version: current }])
      if (removed) {
        const refused = await world.call('DELETE', at, { headers: { 'If-Match': stale } })
        expect([refused.status, refused.body.error.details]).toEqual([409, { version: current }])
      }
    }
    expect(await world.expect(200, 'GET', at)).toEqual(before)
    expect((await patch(at, other, `"x", ${current}`)).status).toBe(200)
    expect((await patch(at, change, '*')).status).toBe(200)
    if (!removed) return
    const last = (await world.call('GET', at)).headers.get('etag')!
    expect((await world.call('DELETE', at, { headers: { 'If-Match': last } })).status).toBe(204)
  })

  test('is changed once by ten concurrent calls with the same ETag', async () => {
    const { at, tag } = await create()
    const replies = await Promise.all(Array.from({ length: 10 }, () => patch(at, change, tag)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  })

  test('is 400 when If-Match is not an ETag, and 404 when the record does not exist', async () => {
    const { at, tag } = await create()
    const { status, body } = await patch(at, change, tag.slice(1, -1))
    expect([status, Object.keys(body.error.details)]).toEqual([400, ['If-Match']])
    expect((await patch(`${path}/01981b7e-3c00-7a51-9a64-1f0f5c3d7e99`, change, tag)).status).toBe(404)
    expect(
      (await world.call('PATCH', at, { body: change, headers: { 'If-Match': tag }, as: await world.otherOwner() }))
        .status,
    ).toBe(404)
  })
})

test('a workflow is published only in the version that was read', async () => {
  const { headers, body } = await world.call('POST', '/v1/workflows', { body: { name: 'One', definition } })
  const at = `/v1/workflows/${body.id}`
  const tag = headers.get('etag')!
  await world.expect(200, 'PATCH', at, { body: { name: 'Two' } })
  const publish = (version: string) => world.call('POST', `${at}/publish`, { headers: { 'If-Match': version } })
  const refused = await publish(tag)
  expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict'])
  const current = refused.body.error.details.version
  const published = await publish(current)
  expect([published.status, published.body.publishedVersion]).toEqual([200, 1])
  expect(published.headers.get('etag')).not.toBe(current)
})
