import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { useWorld } from '../support/world.ts'

const world = useWorld()

const json = { 'Content-Type': 'application/json' }
const send = async (raw: BodyInit, headers: Record<string, string> = json) => {
  const { status, body } = await world.call('POST', '/v1/events', { as: 'key', raw, headers })
  return { answer: `${status} ${body.error?.code ?? 'recorded'}`, error: body.error }
}
const event = (data: string) => `{"type":"a","phone":"+4915112345678","data":${data}}`

test('only JSON is accepted as media type, and another or none is 415', async () => {
  const accepted = ['application/json', 'application/json; charset=utf-8', 'Application/JSON', ' application/json ;x=y']
  const rejected = `text/plain|application/x-www-form-urlencoded|multipart/form-data; boundary=x|application/jsonp|json|
    application/vnd.api+json|application/json, text/html`.split(/\|\s*/)
  const raw = new TextEncoder().encode(event('{}'))
  for (const type of accepted) expect((await send(raw, { 'Content-Type': type })).answer, type).toBe('201 recorded')
  for (const headers of [{}, ...rejected.map(type => ({ 'Content-Type': type }))])
    expect((await send(raw, headers)).answer, JSON.stringify(headers)).toBe('415 unsupported_media_type')
})

test.each<[string, string | number[]]>([
  ['empty', ''],
  ['white space', '  \n'],
  ['half a body', '{"type":'],
  ['two values', '{}{}'],
  ['a trailing comma', '{"type":"a",}'],
  ['single quotes', "{'type':'a'}"],
  ['a bare word', 'undefined'],
  ['a comment', '{/* */}'],
  ['NaN', event('{"n":NaN}')],
  ['a hexadecimal number', event('{"n":0x10}')],
  ['a leading zero', event('{"n":01}')],
  ['an unknown escape', event('{"n":"\\x"}')],
  ['a raw newline inside a string', '{"type":"a\nb"}'],
  ['a lone continuation byte', [0x22, 0x80, 0x22]],
  ['an overlong encoding', [0x22, 0xc0, 0xaf, 0x22]],
  ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
])('400 malformed_request: %s', async (_, raw) => {
  const body = typeof raw === 'string' ? raw : new Uint8Array(raw)
  expect((await send(body)).answer).toBe('400 malformed_request')
})

describe('400 invalid_request under body', () => {
  test.each([
    ['an array', '[]'],
    ['a string', '"text"'],
    ['a number', '7'],
    ['null', 'null'],
    ['U+0000 in a value', event('{"a":"x\\u0000y"}')],
    ['U+0000 in a name', event('{"a\\u0000":1}')],
    ['an unpaired surrogate', event('{"a":["\\ud800"]}')],
    ['the other half', event('{"a":{"b":"\\udc00x"}}')],
    ['an unpaired surrogate in the type', '{"type":"\\ud83d","phone":"+4915112345678"}'],
    ['65 levels', event(`${'['.repeat(64)}${']'.repeat(64)}`)],
  ])('%s', async (_, raw) => {
    const { answer, error } = await send(raw)
    expect(answer).toBe('400 invalid_request')
    expect(Object.keys(error.details)).toEqual(['body'])
  })

  test('accepts 64 levels, a complete surrogate pair, and numbers that a double can hold', async () => {
    const lists = `${'['.repeat(61)}${']'.repeat(61)}`
    const numbers = ['1e308', '9'.repeat(300), `0.${'0'.repeat(400)}1`, '1e-999', `"${'9'.repeat(400)}e999"`]
    for (const value of [lists, '"\\ud83d\\ude00"', '"\\\\u0000"', ...numbers])
      expect((await send(event(`{"a":${value}}`))).answer, value).toBe('201 recorded')
  })

  test.each(['1e999', '-1E+400', '1e0400', '9'.repeat(400), `${'9'.repeat(299)}e99`, `[1,{"a":"\\u0061"},1e309]`])(
    'names the field of a number that a double cannot hold: %s',
    async number => {
      const { answer, error } = await send(event(`{"price":${number}}`))
      expect(answer).toBe('400 invalid_request')
      const [[place, fault]] = Object.entries(error.details) as [[string, string]]
      expect(place).toStartWith('data.price')
      expect(fault).toContain('too large')
    },
  )

  test.each([
    ['large numbers', '1e308'],
    ['small numbers', '-1.5E-300'],
    ['numbers with a sign', '1e+99'],
    ['whole numbers', '1e20'],
    ['exponents with leading zeros', '1e0000308'],
  ])('rejects %s that would take megabytes in decimal notation', async (_, number) => {
    const fitting = Math.floor((1024 * 1024) / Number(/[eE][+-]?(\d+)/.exec(number)![1]))
    const list = (count: number) => event(`{"a":[${`${number},`.repeat(count)}0,true,false,"1e300"]}`)
    expect((await send(list(fitting))).answer).toBe('201 recorded')
    const { answer, error } = await send(list(fitting + 1))
    expect(answer).toBe('400 invalid_request')
    expect(error.details.body).toContain('written with all digits')
    const [newest] = (await world.expect(200, 'GET', '/v1/events?limit=1')).data
    expect(JSON.stringify(newest.data).length).toBeLessThan(2.5 * 1024 * 1024)
    const [{ bytes }] = (await world.database.sql`
      select octet_length(data::text)::integer as bytes from events order by id desc limit 1`) as [{ bytes: number }]
    expect(bytes).toBeLessThan(2.5 * 1024 * 1024)
  })

  test('accepts 1 MiB and rejects one byte more, with or without a declared length', async () => {
    const room = 1024 * 1024 - event('{"a":""}').length
    const body = (extra: number) => event(`{"a":"${'x'.repeat(room + extra)}"}`)
    expect((await send(body(0))).answer).toBe('201 recorded')
    expect((await send(body(1))).answer).toBe('400 invalid_request')
    expect((await send(new Blob([body(1)]).stream())).answer).toBe('400 invalid_request')
    expect((await send(body(8_000_000))).answer).toBe('400 invalid_request')
  })
})

test('200 KB of brackets cost less than 50 ms of CPU time', async () => {
  for (const bracket of ['[', '{"a":']) {
    const before = process.cpuUsage()
    expect((await send(bracket.repeat(200_000 / bracket.length))).answer).toBe('400 invalid_request')
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(50)
  }
})

test('a client that disconnects in the middle of its body does not affect other calls', async () => {
  const head = `Host: localhost\r\nX-API-Key: ${world.key.value}\r\nContent-Type: application/json`
  await new Promise<void>((resolve, reject) => {
    const socket = connect(Number(new URL(world.url).port), '127.0.0.1', () => {
      const begun = `POST /v1/events HTTP/1.1\r\n${head}\r\nContent-Length: 1000\r\n\r\n{"type":`
      socket.write(begun, () => socket.destroy())
    })
    socket.on('close', () => resolve())
    socket.on('error', reject)
  })
  expect((await send(event('{}'))).answer).toBe('201 recorded')
})

test('operations without a body need no Content-Type and ignore the body', async () => {
  const steps = { m: { type: 'send_message', text: 'hi', next: null } }
  const id = await world.workflow({ trigger: { eventType: 'x' }, start: 'm', steps })
  const headers = { 'Content-Type': 'text/plain' }
  await world.expect(200, 'POST', `/v1/workflows/${id}/publish`, { raw: 'whatever', headers })
})
