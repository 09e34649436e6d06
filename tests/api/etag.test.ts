/** Tests of ETag and If-Match: a record changes only when it still has the version that the caller read. */
import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { makeTemplate } from '../support/campaigns.ts'
import { newPhone, unknownId, useWorld } from '../support/world.ts'

const world = useWorld()

const definition = {
  trigger: { eventType: 'order.created' },
  start: 'wait',
  steps: { wait: { type: 'delay', for: '1h', next: null } },
}
type Noun = [name: string, path: string, make: () => Promise<object>, change: object, other: object]
const nouns: Noun[] = [
  ['workflow', '/v1/workflows', async () => ({ name: 'One', definition }), { name: 'Two' }, { name: 'Three' }],
  [
    'template',
    '/v1/templates',
    async () => ({ name: crypto.randomUUID(), category: 'utility', body: 'Hello' }),
    { body: 'Hello there' },
    { body: 'Hello again' },
  ],
  [
    'endpoint',
    '/v1/webhooks',
    async () => ({ url: 'https://hooks.example.com/x', events: ['sale.created'] }),
    { description: 'two' },
    { description: 'three' },
  ],
  [
    'campaign',
    '/v1/campaigns',
    async () => {
      const templateId = await makeTemplate(world.database.sql, world.workspaceId)
      const variables = { name: 'Ada' }
      return { name: 'One', channelId: await world.sandbox(), templateId, variables, audience: { all: true } }
    },
    { name: 'Two' },
    { name: 'Three' },
  ],
  [
    'conversation',
    '/v1/conversations',
    async () => {
      const { id } = await world.expect(201, 'POST', '/v1/customers', { body: { phone: newPhone() } })
      return { channelId: await world.sandbox(), customerId: id }
    },
    { status: 'closed' },
    { status: 'open' },
  ],
]

describe.each(nouns)('a %s', (name, path, make, change, other) => {
  const canBeDeleted = name !== 'conversation'
  const create = async () => {
    const { status, headers, body } = await world.call('POST', path, { body: await make() })
    expect(status).toBe(201)
    return { at: `${path}/${body.id}`, tag: headers.get('etag')!, made: body }
  }
  const patch = (at: string, body: object, tag: string) =>
    world.call('PATCH', at, { body, headers: { 'If-Match': tag } })

  const tagOf = async (at: string) => (await world.call('GET', at)).headers.get('etag')

  test('has an ETag that changes with it and is the same in every response', async () => {
    const { at, tag, made } = await create()
    expect(tag).toBe(`"${made.updatedAt ?? made.updated}"`)
    expect(await tagOf(at)).toBe(tag)
    const changed = await patch(at, change, tag)
    const next = changed.headers.get('etag')
    expect([changed.status, next === tag]).toEqual([200, false])
    expect([await tagOf(at), await tagOf(path)]).toEqual([next, null])
  })

  test('is not changed from another version: 409 returns the current one', async () => {
    const { at, tag } = await create()
    const current = (await patch(at, change, tag)).headers.get('etag')!
    const before = await world.expect(200, 'GET', at)
    for (const stale of [tag, '"x"', `W/${current}`, `"x", ${tag}`]) {
      const remove = () => world.call('DELETE', at, { headers: { 'If-Match': stale } })
      for (const { status, body } of [await patch(at, other, stale), ...(canBeDeleted ? [await remove()] : [])])
        expect([status, body.error.code, body.error.details]).toEqual([409, 'conflict', { version: current }])
    }
    expect(await world.expect(200, 'GET', at)).toEqual(before)
    expect((await patch(at, other, `"x", ${current}`)).status).toBe(200)
    expect((await patch(at, change, '*')).status).toBe(200)
    if (canBeDeleted) await world.expect(204, 'DELETE', at, { headers: { 'If-Match': (await tagOf(at))! } })
  })

  test('is changed once by ten concurrent calls with the same ETag', async () => {
    const { at, tag } = await create()
    const replies = await Promise.all(Array.from({ length: 10 }, () => patch(at, change, tag)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  })

  test('is 400 when If-Match is not an ETag, and 404 when the record does not exist', async () => {
    const { at, tag } = await create()
    const asking = (version: string) => ({ body: change, headers: { 'If-Match': version } })
    expect(await world.answer('PATCH', at, asking(tag.slice(1, -1)))).toBe('400 invalid_request If-Match')
    expect(await world.answer('PATCH', `${path}/${unknownId}`, asking(tag))).toBe('404 not_found')
    expect(await world.answer('PATCH', at, { ...asking(tag), as: await world.otherOwner() })).toBe('404 not_found')
  })
})

describe('a long record', () => {
  const steps = { write: { type: 'send_message', text: 'Hello '.repeat(500), next: null } }
  const create = async () => {
    const body = { name: 'One', definition: { trigger: { eventType: 'order.created' }, start: 'write', steps } }
    return world.expect(201, 'POST', '/v1/workflows', { body })
  }
  const read = (id: string, acceptEncoding: string) =>
    fetch(`${world.url}/v1/workflows/${id}`, {
      headers: { Authorization: `Bearer ${world.owner.token}`, 'Accept-Encoding': acceptEncoding },
      decompress: false,
    })

  test('has an ETag per encoding, and can be changed with both, but only once', async () => {
    const { id, updatedAt } = await create()
    const answers = [await read(id, 'identity'), await read(id, 'gzip')]
    expect(
      answers.map(({ headers }) => [headers.get('content-encoding'), headers.get('etag'), headers.get('vary')]),
    ).toEqual([
      [null, `"${updatedAt}"`, 'Accept-Encoding'],
      ['gzip', `"${updatedAt}-gzip"`, 'Accept-Encoding'],
    ])
    const [plain, compressed] = await Promise.all(answers.map(answer => answer.bytes()))
    expect(Buffer.from(Bun.gunzipSync(compressed!))).toEqual(Buffer.from(plain!))

    const patch = (name: string, tag: string) =>
      world.call('PATCH', `/v1/workflows/${id}`, { body: { name }, headers: { 'If-Match': tag } })
    expect((await patch('Two', `W/"${updatedAt}-gzip"`)).status).toBe(409)
    const changed = await patch('Two', `"${updatedAt}-gzip"`)
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, `"${changed.body.updatedAt}"`])
    const stale = await patch('Three', `"${updatedAt}-gzip"`)
    expect([stale.status, stale.body.error.details]).toEqual([409, { version: `"${changed.body.updatedAt}"` }])
    expect((await patch('Three', `"x", "${changed.body.updatedAt}"`)).status).toBe(200)
  })

  test('has one ETag header and the length of its compressed form', async () => {
    const { id, updatedAt } = await create()
    const answer = await new Promise<Buffer>((resolve, reject) => {
      const chunks: Buffer[] = []
      const { port, hostname } = new URL(world.url)
      const socket = connect(Number(port), hostname, () =>
        socket.write(
          `GET /v1/workflows/${id} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${world.owner.token}\r\n` +
            'Accept-Encoding: gzip\r\nConnection: close\r\n\r\n',
        ),
      )
      socket.on('data', chunk => chunks.push(chunk))
      socket.on('end', () => resolve(Buffer.concat(chunks)))
      socket.on('error', reject)
    })
    const end = answer.indexOf('\r\n\r\n')
    const head = answer.subarray(0, end).toString('latin1').toLowerCase().split('\r\n')
    const body = answer.subarray(end + 4)
    const valuesOf = (name: string) =>
      head.flatMap(line => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2)] : []))
    expect([valuesOf('etag'), valuesOf('content-encoding'), valuesOf('content-length')]).toEqual([
      [`"${updatedAt}-gzip"`.toLowerCase()],
      ['gzip'],
      [String(body.length)],
    ])
    expect(JSON.parse(Buffer.from(Bun.gunzipSync(new Uint8Array(body))).toString())).toMatchObject({ id, updatedAt })
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

/** Operations that change one campaign or endpoint, with the status that the campaign must have. */
const actions: [noun: string, action: string, status?: string][] = [
  ['campaign', 'start'],
  ['campaign', 'pause', 'running'],
  ['campaign', 'resume', 'paused'],
  ['campaign', 'cancel', 'paused'],
  ['endpoint', 'hold'],
  ['endpoint', 'release'],
  ['endpoint', 'secret'],
]

describe.each(actions)('%s %s', (noun, action, status) => {
  test('changes only the version that was read, and returns the next one', async () => {
    const [, path, make] = nouns.find(([name]) => name === noun)!
    const { id } = await world.expect(201, 'POST', path, { body: await make() })
    const at = `${path}/${id}`
    // The workers never run the campaign, because it is not due.
    if (status) await world.database.sql`update campaigns set status = ${status}, due_at = null where id = ${id}`
    if (action === 'release') await world.expect(200, 'POST', `${at}/hold`)
    const { headers, body } = await world.call('GET', at)
    const tag = headers.get('etag')!
    const act = (version: string) => world.call('POST', `${at}/${action}`, { headers: { 'If-Match': version } })
    const stale = await act('"x"')
    expect([stale.status, stale.body.error?.code, stale.body.error?.details]).toEqual([
      409,
      'conflict',
      { version: tag },
    ])
    expect(await world.expect(200, 'GET', at)).toEqual(body)
    expect(await world.answer('POST', `${at}/${action}`, { headers: { 'If-Match': 'x' } })).toBe(
      '400 invalid_request If-Match',
    )
    const done = await act(tag)
    expect([done.status < 300, done.headers.get('etag') === `"${done.body.updatedAt}"`]).toEqual([true, true])
    expect(done.headers.get('etag')).not.toBe(tag)
    expect((await act(tag)).status).toBe(409)
  })
})
