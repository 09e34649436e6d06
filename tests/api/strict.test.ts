/** Tests of rules where HTTP and JSON allow more than this API (contract 1.3, 2.1, 3.1, 4.1, 6.4, 16.1). */
import { describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { eventually, startWorld, useWorld } from '../support/world.ts'

const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))

const json = { 'Content-Type': 'application/json' }
const unknownId = '01981b7e-3c00-7a51-9a64-1f0f5c3d7e99'
let phones = 0
const newPhone = () => `+49151${String(++phones).padStart(8, '0')}`

/** Returns the response as text, because parsing would round the numbers under test. */
const textOf = async (method: string, path: string, raw?: string, as: Record<string, string> = key()) => {
  const response = await fetch(`${world.url}${path}`, { method, headers: { ...as, ...(raw && json) }, body: raw })
  return { status: response.status, text: await response.text() }
}
const key = () => ({ 'X-API-Key': world.key.value })
const owner = () => ({ Authorization: `Bearer ${world.owner.token}` })

describe('405 names the methods of the exact path', () => {
  test.each([
    ['/v1/events/batch', ['GET', 'PUT', 'PATCH', 'DELETE'], 'POST'],
    ['/v1/events/check', ['GET', 'HEAD', 'DELETE'], 'POST'],
    ['/v1/workflows/check', ['GET', 'HEAD', 'DELETE'], 'POST'],
    ['/v1/webhooks/verify', ['GET', 'PATCH', 'DELETE', 'PUT'], 'POST'],
    ['/v1/webhooks/verify/', ['GET'], 'POST'],
    [`/v1/events/${unknownId}`, ['POST', 'DELETE'], 'GET, HEAD'],
    [`/v1/webhooks/${unknownId}`, ['POST'], 'DELETE, GET, HEAD, PATCH'],
  ])('%s', async (path, methods, allow) => {
    for (const method of methods) {
      const { status, headers } = await world.call(method, path)
      expect(`${method} ${status} ${headers.get('allow')}`).toBe(`${method} 405 ${allow}`)
    }
  })

  test('accepts an allowed method', async () => {
    expect((await world.call('POST', '/v1/events/batch', { body: { events: [{}] } })).status).toBe(200)
    expect((await world.call('GET', `/v1/events/${unknownId}`)).status).toBe(404)
  })
})

describe('a body with a Content-Encoding', () => {
  const body = JSON.stringify({ type: 'a', phone: '+4915112345678' })
  const send = (encoding: string, raw: string | Uint8Array<ArrayBuffer> = body) =>
    world.call('POST', '/v1/events', { as: 'key', raw, headers: { ...json, 'Content-Encoding': encoding } })

  test('is 415, and the error names the encoding and the accepted one', async () => {
    const { status, headers, body } = await send('gzip', gzipSync('{}'))
    expect(`${status} ${body.error.code}`).toBe('415 unsupported_media_type')
    expect(body.error.message).toContain('Content-Encoding gzip')
    expect(headers.get('accept-encoding')).toBe('identity')
    expect((await send('identity, BR')).body.error.message).toContain('Content-Encoding BR')
  })

  test('identity is accepted', async () => {
    expect((await send('identity')).status).toBe(201)
  })
})

describe('integers beyond 2^53 keep every digit', () => {
  const long = '9007199254740993'
  const longer = '-123456789012345678901234567890'
  const data = `{"orderId":${long},"within":[{"deep":${longer}}]}`

  test('in an event: in the response, in a list, in a batch and in a repeat', async () => {
    const event = `{"type":"order.long","phone":"${newPhone()}","data":${data},"idempotencyKey":"long-1"}`
    for (const [status, path, body] of [
      [201, '/v1/events', event],
      [200, '/v1/events', event],
      [200, '/v1/events/batch', `{"events":[${event},${event.replace('long-1', 'long-2')}]}`],
    ] as const) {
      const answer = await textOf('POST', path, body)
      expect(answer.status).toBe(status)
      expect(answer.text).toMatch(new RegExp(`"orderId": ?${long}\\b`))
      expect(answer.text).toMatch(new RegExp(`"deep": ?${longer}\\b`))
    }
    const { id } = (await world.expect(200, 'GET', '/v1/events?type=order.long&limit=1', { as: 'key' })).data[0]
    for (const path of [`/v1/events/${id}`, '/v1/events?type=order.long', '/v1/activity/events?type=order.long']) {
      const { text } = await textOf('GET', path, undefined, owner())
      expect(text, path).toMatch(new RegExp(`"orderId": ?${long}\\b`))
    }
  })

  test('in a customer, created and changed', async () => {
    const created = await textOf('POST', '/v1/customers', `{"phone":"${newPhone()}","attributes":{"n":${long}}}`)
    expect(created.text).toContain(`"n":${long}`)
    const { id } = JSON.parse(created.text)
    const changed = await textOf('PATCH', `/v1/customers/${id}`, `{"attributes":{"m":${longer}}}`)
    expect(changed.text).toContain(`"n":${long}`)
    expect(changed.text).toContain(`"m":${longer}`)
    expect((await textOf('GET', `/v1/customers/${id}`)).text).toContain(`"m":${longer}`)
  })

  test.each([
    ['that is executed with its event', {}],
    ['that is claimed after a wait', { wait: { type: 'delay', for: '1s', next: 'say' } }],
  ])('through a workflow %s: its filter, message, attribute, sale and webhook', async (_, waits) => {
    const type = `order.${crypto.randomUUID()}`
    const [endpoint, channel] = [await subscribe(), await sandbox()]
    const phone = newPhone()
    await world.expect(201, 'POST', `/v1/channels/${channel}/sandbox/messages`, { body: { from: phone, text: 'hi' } })
    const steps = {
      ...waits,
      say: { type: 'send_message', text: 'Order {{data.orderId}}, {{data.within}}', next: 'note' },
      note: { type: 'set_attribute', set: { order: '{{data.orderId}}' }, next: 'sell' },
      sell: { type: 'mark_sale', amount: '12.5', currency: 'EUR', note: '{{data.orderId}}', next: null },
    }
    await publish(type, `{"path":"data.orderId","op":"eq","value":${long}}`, 'wait' in waits ? 'wait' : 'say', steps)
    const record = (orderId: string) =>
      textOf('POST', '/v1/events', `{"type":"${type}","phone":"${phone}","data":${data.replace(long, orderId)}}`)
    expect((await record('9007199254740992')).text).toContain('"verdict":"not_run_for_customer"')
    const { text } = await record(long)
    expect(text).toContain('"verdict":"started"')
    const { customerId } = JSON.parse(text).event
    await receiver.waitFor(({ requests }) => requests.some(({ body }) => body.includes(customerId)))
    const sale = receiver.requests.find(({ body }) => body.includes(customerId))!
    expect(sale.body).toContain(`"${long}"`)
    const timeline = await textOf('GET', `/v1/customers/${customerId}/timeline`)
    expect(timeline.text).toContain(`Order ${long}, [{\\"deep\\":${longer}}]`)
    const customer = await world.expect(200, 'GET', `/v1/customers/${customerId}`)
    expect(customer.attributes.order).toBe(long)
    await world.expect(204, 'DELETE', `/v1/webhooks/${endpoint}`)
    await world.expect(204, 'DELETE', `/v1/channels/${channel}`)
  })

  test('in a trial of a workflow, and in its steps', async () => {
    const type = `order.${crypto.randomUUID()}`
    const steps = `{"set":{"type":"set_attribute","set":{"big":${longer}},"next":"exit"},"exit":{"type":"exit","reason":"done"}}`
    const definition = `{"trigger":{"eventType":"${type}","where":{"path":"data.n","op":"gt","value":${longer}}},"start":"set","steps":${steps}}`
    const made = await textOf('POST', '/v1/workflows', `{"name":"long","definition":${definition}}`, owner())
    expect(made.status).toBe(201)
    expect(made.text).toContain(longer)
    const { id } = JSON.parse(made.text)
    const tried = (n: string) =>
      textOf(
        'POST',
        `/v1/workflows/${id}/try`,
        `{"event":{"type":"${type}","phone":"+4915112345678","data":{"n":${n}}}}`,
        owner(),
      )
    expect((await tried(longer)).text).toContain('"verdict":"not_run_for_customer"')
    expect((await tried(longer.replace(/0$/, '1').replace('-', '-1'))).text).toContain(
      '"verdict":"not_run_for_customer"',
    )
    expect((await tried(longer.replace(/90$/, '89'))).text).toContain('"verdict":"started"')
    expect((await textOf('POST', `/v1/workflows/${id}/publish`, undefined, owner())).status).toBe(200)
  })

  test('and are rejected for a field with a smaller limit', async () => {
    const { status, text } = await textOf('POST', '/v1/workflows/x/replay', `{"days":${long}}`, owner())
    expect(status).toBe(400)
    expect(JSON.parse(text).error.details.days).toBe('Must be a whole number from 1 to 30.')
  })

  const subscribe = async (): Promise<string> =>
    (await world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['sale.created'] } })).id

  const sandbox = async (): Promise<string> =>
    (await world.expect(201, 'POST', '/v1/channels', { body: { kind: 'sandbox', name: 'box' } })).id

  const publish = async (eventType: string, where: string, start: string, steps: object) => {
    const definition = JSON.stringify({ trigger: { eventType, where: '?' }, start, steps }).replace('"?"', where)
    const { text } = await textOf('POST', '/v1/workflows', `{"name":"long","definition":${definition}}`, owner())
    const { id } = JSON.parse(text)
    await world.expect(200, 'POST', `/v1/workflows/${id}/publish`)
    await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled: true } })
  }
})

describe('a repeated name in an object', () => {
  const refused = async (raw: string, path = '/v1/events') => {
    const { status, body } = await world.call('POST', path, { raw, headers: json })
    expect(`${status} ${body.error?.code}`).toBe('400 invalid_request')
    return Object.entries(body.error.details)
  }
  const said = 'Occurs more than once in its object. Send it once.'

  test.each([
    ['{"type":"a","phone":"+4915112345678","type":"b"}', 'type'],
    ['{"type":"a","phone":"+4915112345678","data":{"a":[1,{"b":1,"b":1}]}}', 'data.a.1.b'],
    ['{"type":"a","phone":"+4915112345678","data":{"\\u0061":1,"a":1}}', 'data.a'],
    ['{"type":"a","phone":"+4915112345678","data":{"__proto__":{},"__proto__":1}}', 'data.__proto__'],
    ['{"data":{"a":{"\\ud800\\u0000":1,"\\ud800\\u0000":1},"a":1}}', 'data.a.\ufffd\ufffd'],
  ])('is 400 at its path: %s', async (raw, place) => {
    expect(await refused(raw)).toEqual([[place, said]])
  })

  test('rejects a whole batch and a check, and is listed as rejected', async () => {
    expect(await refused('{"events":[{},{"type":"a","type":"b"}]}', '/v1/events/batch')).toEqual([
      ['events.1.type', said],
    ])
    expect(await refused('{"type":"a","type":"b"}', '/v1/events/check')).toEqual([['type', said]])
    await eventually('it is listed', async () => {
      const { data } = await world.expect(200, 'GET', '/v1/activity/not-accepted')
      return data.some(({ details }: { details: object }) => 'events.1.type' in (details ?? {}))
    })
  })

  test('in different objects is accepted', async () => {
    const raw = `{"type":"a","phone":"${newPhone()}","data":{"type":"x","list":[{"type":1},{"type":2}]}}`
    expect((await world.call('POST', '/v1/events', { as: 'key', raw, headers: json })).status).toBe(201)
  })
})

test('rejects evidence of white space with a specific message', async () => {
  for (const evidence of [' ', '\n\t ']) {
    const { status, body } = await world.call('POST', '/v1/events', {
      as: 'key',
      body: { type: 'a', phone: '+4915112345678', optIn: { evidence } },
    })
    expect(status).toBe(400)
    expect(body.error.details).toEqual({
      'optIn.evidence': 'Must be a text of 1 to 2000 characters that is not all white space.',
    })
  }
})

test('rejects white space as evidence or reason in the ledger', async () => {
  const { id } = await world.expect(201, 'POST', '/v1/customers', { body: { phone: newPhone() } })
  const fault = async (path: string, body: object) =>
    (await world.expect(400, 'POST', `/v1/customers/${id}/${path}`, { body })).error.details
  const said = (most: number) => `Must be a text of 1 to ${most} characters that is not all white space.`
  expect(await fault('opt-in', { evidence: ' \n' })).toEqual({ evidence: said(2000) })
  expect(await fault('opt-out', { reason: ' ' })).toEqual({ reason: said(500) })
  expect(await fault('opt-out/lift', { reason: '\t' })).toEqual({ reason: said(500) })
})

describe('the header Idempotency-Key', () => {
  const record = (header: string, body: object = {}, path = '/v1/events') =>
    world.call('POST', path, {
      as: 'key',
      body: { type: 'a', phone: '+4915112345678', ...body },
      headers: { 'Idempotency-Key': header },
    })

  test('is equivalent to the field: a repeat with either records nothing', async () => {
    const first = await record('h-1')
    expect(first.status).toBe(201)
    expect(first.body.event.idempotencyKey).toBe('h-1')
    expect((await record('h-1')).status).toBe(200)
    expect((await record('"h-1"')).body.event.id).toBe(first.body.event.id)
    expect((await record('h-1', { idempotencyKey: 'h-1' })).status).toBe(200)
    const checked = await record('h-1', {}, '/v1/events/check')
    expect(checked.body.replay).toBe(first.body.event.id)
  })

  test('with a different field is 400', async () => {
    const { status, body } = await record('h-2', { idempotencyKey: 'h-3' })
    expect(status).toBe(400)
    expect(body.error.details.idempotencyKey).toContain('header Idempotency-Key')
  })

  test.each(['', 'x'.repeat(256), 'k\u00fcche'])('has the same limits as the field: %p', async header => {
    const { status, body } = await record(header)
    expect(status).toBe(400)
    expect(Object.keys(body.error.details)).toEqual(['idempotencyKey'])
  })

  test('is accepted for a message to a customer', async () => {
    const { id: channelId } = await world.expect(201, 'POST', '/v1/channels', { body: { kind: 'sandbox', name: 'k' } })
    const from = newPhone()
    const { conversationId } = await world.expect(201, 'POST', `/v1/channels/${channelId}/sandbox/messages`, {
      body: { from, text: 'hello' },
    })
    const write = () =>
      world.call('POST', `/v1/conversations/${conversationId}/messages`, {
        body: { text: 'hi' },
        headers: { 'Idempotency-Key': 'once' },
      })
    const [first, second] = [await write(), await write()]
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body.id).toBe(first.body.id)
    expect(first.headers.get('location')).toBe(`/v1/messages/${first.body.id}`)
    expect(second.headers.get('location')).toBeNull()
  })
})

test('an API key in the place of a session is rejected with the correct header', async () => {
  const places: Record<string, string>[] = [
    { Authorization: `Bearer ${world.key.value}` },
    { Authorization: world.key.value },
    { Authorization: `ApiKey ${world.key.value}` },
    { Cookie: `session=${world.key.value}` },
  ]
  for (const as of places) {
    const { status, body } = await world.call('GET', '/v1/events', { as })
    expect(status).toBe(401)
    expect(body.error.message).toContain('This is an API key. Send it in the header X-API-Key')
  }
})

describe('an unknown query parameter', () => {
  test.each([
    ['GET', '/v1/events?limt=5', 'limt', 'Is not a known field. Did you mean limit?'],
    ['GET', `/v1/events/${unknownId}?expand=data`, 'expand', 'Is not a known field. Remove it.'],
    ['POST', '/v1/events?dryRun=true', 'dryRun', 'Is not a known field. Remove it.'],
    ['DELETE', `/v1/customers/${unknownId}?force=1`, 'force', 'Is not a known field. Remove it.'],
    ['GET', '/v1/events?type=a&type=b', 'type', 'Occurs more than once. Send it once.'],
  ])('%s %s is 400', async (method, path, name, reason) => {
    const { status, body } = await world.call(method, path, {
      ...(method === 'POST' && { body: { type: 'a', phone: '+4915112345678' } }),
    })
    expect(`${status} ${body.error?.code}`).toBe('400 invalid_request')
    expect(body.error.details).toEqual({ [name]: reason })
  })
})

describe('a cursor', () => {
  test('works in its own list, and is rejected in any other', async () => {
    const customers = [newPhone(), newPhone()]
    for (const phone of customers)
      for (const type of ['one', 'two']) await world.expect(201, 'POST', '/v1/events', { body: { type, phone } })
    const page = await world.expect(200, 'GET', '/v1/events?limit=1')
    const next = await world.expect(200, 'GET', `/v1/events?limit=1&cursor=${page.nextCursor}`)
    expect(next.data[0].id).not.toBe(page.data[0].id)
    const [one, other] = [
      page.data[0].customerId,
      (await world.expect(200, 'GET', '/v1/events?type=one&limit=2')).data[1].customerId,
    ]
    const timeline = await world.expect(200, 'GET', `/v1/customers/${one}/timeline?limit=1`)
    await world.expect(200, 'GET', `/v1/customers/${one}/timeline?limit=1&cursor=${timeline.nextCursor}`)
    for (const [path, cursor] of [
      ['/v1/customers', page.nextCursor],
      ['/v1/activity/events', page.nextCursor],
      ['/v1/events', timeline.nextCursor],
      [`/v1/customers/${other}/timeline`, timeline.nextCursor],
    ]) {
      const { status, body } = await world.call('GET', `${path}?cursor=${cursor}`)
      expect(`${path} ${status}`).toBe(`${path} 400`)
      expect(body.error.details.cursor).toStartWith('Is not a cursor of this list')
    }
  })
})

describe('X-Workspace-Id with an API key', () => {
  const ask = async (path: string, workspaceId: string) => {
    const { status, body } = await world.call('GET', path, { as: { ...key(), 'X-Workspace-Id': workspaceId } })
    return `${status} ${body.error?.code ?? ''}`.trim()
  }

  test('that names the workspace of the key changes nothing', async () => {
    expect(await ask('/v1/events', world.workspaceId.toUpperCase())).toBe('200')
  })

  test('that names another is 404, after the permissions of the key are checked', async () => {
    expect(await ask('/v1/events', unknownId)).toBe('404 not_found')
    expect(await ask('/v1/events', 'nonsense')).toBe('404 not_found')
    expect(await ask('/v1/webhooks', unknownId)).toBe('403 forbidden')
  })
})

describe('RateLimit headers', () => {
  const standing = (headers: Headers) => ['limit', 'remaining', 'reset'].map(name => headers.get(`ratelimit-${name}`))

  test('are in every counted response, including errors', async () => {
    await using limited = await startWorld({ RATE_LIMIT_KEY: '1/4', RATE_LIMIT_PERSON: '2/10' })
    const path = `/v1/customers/${unknownId}`
    const first = await limited.call('GET', path, { as: 'key' })
    expect(standing(first.headers)).toEqual(['4', '3', '1'])
    await limited.call('GET', path, { as: 'key' })
    const event = { type: 'a', phone: '+4915112345678' }
    const batch = await limited.call('POST', '/v1/events/batch', {
      as: 'key',
      body: { events: Array(9).fill(event) },
    })
    expect(standing(batch.headers).slice(0, 2)).toEqual(['4', '0'])
    const refused = await limited.call('GET', path, { as: 'key' })
    expect(refused.status).toBe(429)
    expect(standing(refused.headers).slice(0, 2)).toEqual(['4', '0'])
    expect(Number(refused.headers.get('ratelimit-reset'))).toBeGreaterThanOrEqual(
      Number(refused.headers.get('retry-after')),
    )
    expect(standing((await limited.call('GET', '/v1/events')).headers)[0]).toBe('10')
    expect(standing((await limited.call('GET', '/v1/events', { as: 'nobody' })).headers)).toEqual([null, null, null])
  })

  test('are omitted without a limit', async () => {
    expect(standing((await world.call('GET', '/v1/events', { as: 'key' })).headers)).toEqual([null, null, null])
  })
})

test('Location names the created record', async () => {
  const made = [
    ['/v1/events', { type: 'a', phone: newPhone() }],
    ['/v1/customers', { phone: newPhone() }],
    ['/v1/webhooks', { url: 'https://hooks.example.com/x', events: ['sale.created'] }],
    ['/v1/channels', { kind: 'sandbox', name: 'l' }],
  ] as const
  for (const [path, body] of made) {
    const { status, headers, body: answer } = await world.call('POST', path, { body })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`${path}/${answer.id ?? answer.event.id}`)
    expect((await world.call('GET', headers.get('location')!)).status).toBe(200)
  }
})

test('a webhook endpoint has its times under the names that all records use', async () => {
  const url = 'https://hooks.example.com/times'
  const made = await world.expect(201, 'POST', '/v1/webhooks', { body: { url, events: ['sale.created'] } })
  expect(made.createdAt).toBe(made.created)
  const changed = await world.expect(200, 'PATCH', `/v1/webhooks/${made.id}`, { body: { description: 'x' } })
  expect(changed).toMatchObject({ createdAt: made.createdAt, created: made.createdAt, updated: changed.updatedAt })
  expect(changed.updatedAt > made.updatedAt).toBe(true)
})
