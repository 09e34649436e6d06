/** Tests of rules where HTTP and JSON allow more than this API (contract 1.3, 2.1, 3.1, 4.1, 6.4, 16.1). */
import { describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { eventually, newPhone, startWorld, unknownId, useWorld } from '../support/world.ts'

const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))

const json = { 'Content-Type': 'application/json' }

/** Returns the response as text, because parsing would round the numbers under test. */
const textOf = async (method: string, path: string, raw?: string, as: Record<string, string> = key()) => {
  const response = await fetch(`${world.url}${path}`, { method, headers: { ...as, ...(raw && json) }, body: raw })
  return { status: response.status, text: await response.text() }
}
const key = () => ({ 'X-API-Key': world.key.value })
const owner = () => ({ Authorization: `Bearer ${world.owner.token}` })

test.each([
  ['/v1/events/batch', 'GET PUT PATCH DELETE', 'POST'],
  ['/v1/events/check', 'GET HEAD DELETE', 'POST'],
  ['/v1/workflows/check', 'GET HEAD DELETE', 'POST'],
  ['/v1/webhooks/verify', 'GET PATCH DELETE PUT', 'POST'],
  ['/v1/webhooks/verify/', 'GET', 'POST'],
  ['/v1/webhooks', 'PUT', 'GET, HEAD, POST'],
  ['/', 'POST', 'GET, HEAD'],
  [`/v1/events/${unknownId}`, 'POST DELETE', 'GET, HEAD'],
  [`/v1/webhooks/${unknownId}`, 'POST', 'DELETE, GET, HEAD, PATCH'],
])('405 names the methods of the exact path %s', async (path, methods, allow) => {
  for (const method of methods.split(' ')) {
    const { status, headers } = await world.call(method, path, { as: path === '/' ? 'nobody' : 'owner' })
    expect(`${method} ${status} ${headers.get('allow')}`).toBe(`${method} 405 ${allow}`)
  }
})

test('a body with a Content-Encoding is 415, the error names it and the accepted one, and identity is accepted', async () => {
  const body = JSON.stringify({ type: 'a', phone: '+4915112345678' })
  const send = (encoding: string, raw: string | Uint8Array<ArrayBuffer> = body) =>
    world.call('POST', '/v1/events', { as: 'key', raw, headers: { ...json, 'Content-Encoding': encoding } })
  for (const [encoding, named] of [
    ['gzip', 'gzip'],
    ['identity, BR', 'BR'],
  ] as const) {
    const { status, headers, body } = await send(encoding, gzipSync('{}'))
    expect(`${status} ${body.error.code}`).toBe('415 unsupported_media_type')
    expect(body.error.message).toContain(`Content-Encoding ${named}`)
    expect(headers.get('accept-encoding')).toBe('identity')
  }
  expect((await send('identity')).status).toBe(201)
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

  test('through a workflow: its filter, message, attribute, sale and webhook, with its event and after a wait', async () => {
    const type = `order.${crypto.randomUUID()}`
    const subscription = { url: receiver.url, events: ['sale.created'] }
    await world.expect(201, 'POST', '/v1/webhooks', { body: subscription })
    const channel = await world.sandbox()
    const phone = newPhone()
    await world.expect(201, 'POST', `/v1/channels/${channel}/sandbox/messages`, { body: { from: phone, text: 'hi' } })
    const steps = {
      say: { type: 'send_message', text: 'Order {{data.orderId}}, {{data.within}}', next: 'wait' },
      wait: { type: 'delay', for: '1s', next: 'note' },
      note: { type: 'set_attribute', set: { order: '{{data.orderId}}' }, next: 'sell' },
      sell: { type: 'mark_sale', amount: '12.5', currency: 'EUR', note: '{{data.orderId}}', next: null },
    }
    const where = `{"path":"data.orderId","op":"eq","value":${long}}`
    const definition = JSON.stringify({ trigger: { eventType: type, where: '?' }, start: 'say', steps })
    const body = `{"name":"long","definition":${definition.replace('"?"', where)}}`
    const { id } = JSON.parse((await textOf('POST', '/v1/workflows', body, owner())).text)
    await world.expect(200, 'POST', `/v1/workflows/${id}/publish`)
    await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled: true } })
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
  })

  test('in a trial of a workflow, and in its steps', async () => {
    const steps = `{"set":{"type":"set_attribute","set":{"big":${longer}},"next":null}}`
    const where = `{"path":"data.n","op":"gt","value":${longer}}`
    const definition = `{"trigger":{"eventType":"long","where":${where}},"start":"set","steps":${steps}}`
    const made = await textOf('POST', '/v1/workflows', `{"name":"long","definition":${definition}}`, owner())
    expect(made.status).toBe(201)
    expect(made.text).toContain(longer)
    const { id } = JSON.parse(made.text)
    for (const [number, verdict] of [
      [longer, 'not_run_for_customer'],
      [longer.replace(/0$/, '1').replace('-', '-1'), 'not_run_for_customer'],
      [longer.replace(/90$/, '89'), 'started'],
    ]) {
      const event = `{"type":"long","phone":"+4915112345678","data":{"n":${number}}}`
      const { text } = await textOf('POST', `/v1/workflows/${id}/try`, `{"event":${event}}`, owner())
      expect(text).toContain(`"verdict":"${verdict}"`)
    }
    expect((await textOf('POST', `/v1/workflows/${id}/publish`, undefined, owner())).status).toBe(200)
  })

  test('and are rejected for a field with a smaller limit', async () => {
    const { error } = await world.expect(400, 'POST', '/v1/workflows/x/replay', {
      raw: `{"days":${long}}`,
      headers: json,
    })
    expect(error.details.days).toBe('Must be a whole number from 1 to 30.')
  })
})

test('a repeated name in an object is 400 at its path, and the request is listed as rejected', async () => {
  const begun = '"type":"a","phone":"+4915112345678"'
  for (const [raw, place, path = '/v1/events'] of [
    [`{${begun},"type":"b"}`, 'type'],
    [`{${begun},"data":{"a":[1,{"b":1,"b":1}]}}`, 'data.a.1.b'],
    [`{${begun},"data":{"\\u0061":1,"a":1}}`, 'data.a'],
    [`{${begun},"data":{"__proto__":{},"__proto__":1}}`, 'data.__proto__'],
    ['{"data":{"a":{"\\ud800\\u0000":1,"\\ud800\\u0000":1},"a":1}}', 'data.a.\ufffd\ufffd'],
    ['{"type":"a","type":"b"}', 'type', '/v1/events/check'],
    [`{"events":[{},{${begun},"type":"b"}]}`, 'events.1.type', '/v1/events/batch'],
  ] as const) {
    const { error } = await world.expect(400, 'POST', path, { raw, headers: json })
    expect(error.code).toBe('invalid_request')
    expect(Object.entries(error.details)).toEqual([[place, 'Occurs more than once in its object. Send it once.']])
  }
  await eventually('it is listed', async () => {
    const { data } = await world.expect(200, 'GET', '/v1/activity/not-accepted')
    return data.some(({ details }: { details: object }) => 'events.1.type' in (details ?? {}))
  })
  const inOthers = `{${begun},"data":{"type":"x","list":[{"type":1},{"type":2}]}}`
  await world.expect(201, 'POST', '/v1/events', { raw: inOthers, headers: json })
})

test('rejects white space as evidence or reason', async () => {
  const { id } = await world.expect(201, 'POST', '/v1/customers', { body: { phone: newPhone() } })
  const rows: [path: string, body: object, field: string, max: number][] = [
    ['/v1/events', { type: 'a', phone: newPhone(), optIn: { evidence: '\n\t ' } }, 'optIn.evidence', 2000],
    [`/v1/customers/${id}/opt-in`, { evidence: ' \n' }, 'evidence', 2000],
    [`/v1/customers/${id}/opt-out`, { reason: ' ' }, 'reason', 500],
    [`/v1/customers/${id}/opt-out/lift`, { reason: '\t' }, 'reason', 500],
  ]
  for (const [path, body, field, max] of rows)
    expect((await world.expect(400, 'POST', path, { body })).error.details).toEqual({
      [field]: `Must be a text of 1 to ${max} characters that is not all white space.`,
    })
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
    const { id, idempotencyKey } = first.body.event
    expect([first.status, idempotencyKey]).toEqual([201, 'h-1'])
    for (const repeat of [await record('h-1'), await record('"h-1"'), await record('h-1', { idempotencyKey: 'h-1' })])
      expect([repeat.status, repeat.body.event.id]).toEqual([200, id])
    expect((await record('h-1', {}, '/v1/events/check')).body.replay).toBe(id)
  })

  test('has the same limits as the field, and is 400 with a different field', async () => {
    for (const header of ['', 'x'.repeat(256), 'k\u00fcche']) {
      const { status, body } = await record(header)
      expect([status, Object.keys(body.error.details)]).toEqual([400, ['idempotencyKey']])
    }
    const { status, body } = await record('h-2', { idempotencyKey: 'h-3' })
    expect([status, body.error.details.idempotencyKey]).toEqual([
      400,
      expect.stringContaining('header Idempotency-Key'),
    ])
  })

  test('is accepted for a message to a customer', async () => {
    const channelId = await world.sandbox()
    const inbound = { body: { from: newPhone(), text: 'hello' } }
    const received = await world.expect(201, 'POST', `/v1/channels/${channelId}/sandbox/messages`, inbound)
    const asking = { body: { text: 'hi' }, headers: { 'Idempotency-Key': 'once' } }
    const write = () => world.call('POST', `/v1/conversations/${received.conversationId}/messages`, asking)
    const [first, second] = [await write(), await write()]
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body.id).toBe(first.body.id)
    expect(first.headers.get('location')).toBe(`/v1/messages/${first.body.id}`)
    expect(second.headers.get('location')).toBeNull()
  })
})

// `tests/contract.test.ts` has an unknown, a repeated and an invalid parameter of every list.
test.each([
  ['GET', '/v1/events?limt=5', 'limt', 'Is not a known field. Did you mean limit?'],
  ['POST', '/v1/events?dryRun=true', 'dryRun', 'Is not a known field. Remove it.'],
  ['DELETE', `/v1/customers/${unknownId}?force=1`, 'force', 'Is not a known field. Remove it.'],
  ['GET', '/v1/events?type=a&type=b', 'type', 'Occurs more than once. Send it once.'],
])('an unknown query parameter is 400: %s %s', async (method, path, name, reason) => {
  const event = { type: 'a', phone: '+4915112345678' }
  const { error } = await world.expect(400, method, path, { ...(method === 'POST' && { body: event }) })
  expect([error.code, error.details]).toEqual(['invalid_request', { [name]: reason }])
})

test('a cursor works in its own list, and is rejected in any other', async () => {
  const customers = [newPhone(), newPhone()]
  for (const phone of customers)
    for (const type of ['one', 'two']) await world.expect(201, 'POST', '/v1/events', { body: { type, phone } })
  const page = await world.expect(200, 'GET', '/v1/events?limit=1')
  const next = await world.expect(200, 'GET', `/v1/events?limit=1&cursor=${page.nextCursor}`)
  expect(next.data[0].id).not.toBe(page.data[0].id)
  const one = page.data[0].customerId
  const other = (await world.expect(200, 'GET', '/v1/events?type=one&limit=2')).data[1].customerId
  const timeline = await world.expect(200, 'GET', `/v1/customers/${one}/timeline?limit=1`)
  await world.expect(200, 'GET', `/v1/customers/${one}/timeline?limit=1&cursor=${timeline.nextCursor}`)
  for (const [path, cursor] of [
    ['/v1/customers', page.nextCursor],
    ['/v1/activity/events', page.nextCursor],
    ['/v1/events', timeline.nextCursor],
    [`/v1/customers/${other}/timeline`, timeline.nextCursor],
  ]) {
    const { error } = await world.expect(400, 'GET', `${path}?cursor=${cursor}`)
    expect(error.details.cursor, path).toStartWith('Is not a cursor of this list')
  }
})

test('X-Workspace-Id with an API key must name its workspace, which is checked after the paths of the key', async () => {
  const answer = (path: string, workspaceId: string) =>
    world.answer('GET', path, { as: { ...key(), 'X-Workspace-Id': workspaceId } })
  expect(await answer('/v1/events', world.workspaceId.toUpperCase())).toBe('200')
  for (const other of [unknownId, 'nonsense']) expect(await answer('/v1/events', other)).toBe('404 not_found')
  expect(await answer('/v1/webhooks', unknownId)).toBe('403 forbidden')
})

/** Parses a list of one string with integer parameters (RFC 9651). Throws for any other field. */
const parseItem = (field: string | null): [string, Record<string, number>] => {
  const match = /^"([\x20\x21\x23-\x5b\x5d-\x7e]*)"((?:;[a-z*][a-z0-9_.*-]*=-?[0-9]{1,15})*)$/.exec(field ?? '')
  if (!match) throw new Error(`not a structured field: ${field}`)
  const parameters = match[2]!
    .split(';')
    .slice(1)
    .map(one => one.split('='))
  return [match[1]!, Object.fromEntries(parameters.map(([name, value]) => [name, Number(value)]))]
}

test('RateLimit headers are in every counted response, including errors, and omitted without a limit', async () => {
  const rateOf = ({ headers }: { headers: Headers }) =>
    ['limit', 'remaining', 'reset'].map(name => headers.get(`ratelimit-${name}`))
  const fieldsOf = ({ headers }: { headers: Headers }) => [headers.get('ratelimit-policy'), headers.get('ratelimit')]
  await using limited = await startWorld({ RATE_LIMIT_KEY: '1/4', RATE_LIMIT_PERSON: '2/10' })
  const get = () => limited.call('GET', `/v1/customers/${unknownId}`, { as: 'key' })
  const answer = await get()
  expect(rateOf(answer)).toEqual(['4', '3', '1'])
  expect(fieldsOf(answer).map(parseItem)).toEqual([
    ['key', { q: 4, w: 4 }],
    ['key', { r: 3, t: 1 }],
  ])
  await get()
  const events = Array(9).fill({ type: 'a', phone: '+4915112345678' })
  const batch = await limited.call('POST', '/v1/events/batch', { as: 'key', body: { events } })
  expect(rateOf(batch).slice(0, 2)).toEqual(['4', '0'])
  const rejected = await get()
  const [limit, remaining, reset] = rateOf(rejected)
  expect([rejected.status, limit, remaining]).toEqual([429, '4', '0'])
  expect(fieldsOf(rejected).map(parseItem)[1]).toEqual(['key', { r: 0, t: Number(reset) }])
  expect(Number(reset)).toBeGreaterThanOrEqual(Number(rejected.headers.get('retry-after')))
  const byPerson = await limited.call('GET', '/v1/events')
  expect(rateOf(byPerson)[0]).toBe('10')
  expect(parseItem(fieldsOf(byPerson)[0]!)).toEqual(['person', { q: 10, w: 5 }])
  expect(fieldsOf(await limited.call('GET', '/v1/events', { as: 'nobody' }))).toEqual([null, null])
  expect(rateOf(await limited.call('GET', '/v1/events', { as: 'nobody' }))).toEqual([null, null, null])
  expect(rateOf(await world.call('GET', '/v1/events', { as: 'key' }))).toEqual([null, null, null])
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
