/**
 * Hostile requests to every operation that writes. None can answer 5xx, leave a partial record or take much CPU time.
 * The pipeline judges the form of a body in the same way for every operation (`body.test.ts`).
 */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { unknownId, useWorld } from '../support/world.ts'

interface Operation {
  requestBody?: { content: Record<string, { example?: Record<string, unknown> }> }
  parameters?: { in: string; name: string }[]
  security: object[]
}

const document = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../openapi/openapi.json'), 'utf8'))
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path: path.replaceAll(/\{[^}]+\}/g, unknownId),
    // Callbacks of providers have no example.
    example: operation.requestBody?.content['application/json']?.example,
  })),
)

const world = useWorld()

const json = { 'Content-Type': 'application/json' }
const text = (value: unknown) => JSON.stringify(value)

/** Unexpected values, each put into every field of the example. */
const values: unknown[] = [
  ...[null, true, 0, -1, 0.1, 1e308, '', '   ', 'x'.repeat(100_000), '😀', '\u202e', "'; drop table events; --", '\\'],
  ...['{{customer.name}} <script>', [], [[[]]], Array.from({ length: 10_000 }, (_, i) => i), {}],
  ...[JSON.parse('{"__proto__":{"admin":true}}'), { toString: 1, constructor: { prototype: {} } }],
]

/** Bodies that the pipeline rejects. */
const bodies: [raw: BodyInit, headers?: Record<string, string>][] = [
  ...['', '\0', 'null', '{"a":"\t"}', '{"\\u0000":1}', `{"a":${'9'.repeat(1000)}}`].map((raw): [string] => [raw]),
  ['['.repeat(100_000) + ']'.repeat(100_000)],
  ['{"a":'.repeat(100_000)],
  ['['.repeat(1_000_000)],
  [`{${Array.from({ length: 60_000 }, (_, i) => `"f${i}":1`)}}`],
  [`{${Array.from({ length: 60_000 }, () => '"a":1')}}`],
  [`{"a":"${'x'.repeat(1_100_000)}"}`],
  [new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  [new Uint8Array([0xef, 0xbb, 0xbf])],
  ['<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>', { 'Content-Type': 'application/xml' }],
]

const counts = async () => {
  const tables = `events customers webhooks workflows channels api_keys members workflow_runs messages outbound_events`
  const rows = await world.database.sql.unsafe(
    tables
      .split(' ')
      .map(table => `select '${table}' as name, count(*)::integer as count from ${table}`)
      .join(' union all '),
  )
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

const maxCpuMs = 50
/** Operations that hash a password, which costs more than `maxCpuMs` by design. */
const hashesPasswords = /^\/v1\/auth\/(sign-in|accept-invitation|password|reset-password|totp.*|user)$/

/** Sends the body and returns the CPU time in milliseconds. */
const send = async (
  { method, path, security }: (typeof operations)[number],
  raw: BodyInit,
  headers: Record<string, string> = json,
) => {
  const as = security.some(one => 'apiKey' in one) ? 'key' : 'owner'
  const before = await counts()
  const begun = process.cpuUsage()
  const reply = await world.call(method, path, { as, raw, headers })
  const { user, system } = process.cpuUsage(begun)
  const what = `${String(raw).slice(0, 100)} ${JSON.stringify(reply.body).slice(0, 300)}`
  expect(reply.status, what).toBeLessThan(500)
  if (reply.status >= 400) {
    expect(reply.body.error.code, what).toBeString()
    expect(await counts(), what).toEqual(before)
  }
  return (user + system) / 1000
}

test.each(
  operations.filter(({ example }) => example).map(one => [`${one.method} ${one.path}`, one, one.example!] as const),
)('%s accepts or rejects any values of its fields and any body', async (name, operation, example) => {
  const isSample = ['POST /v1/events', 'POST /v1/workflows', 'POST /v1/auth/sign-in'].includes(name)
  const all: typeof bodies = [
    ...values.map((value): [string] => [text(Object.fromEntries(Object.keys(example).map(key => [key, value])))]),
    [text({ ...example, surprise: 1 })],
    [text(text(example))],
    ...(isSample ? bodies : []),
  ]
  for (const [raw, headers] of all) {
    let cpuMs = await send(operation, raw, headers)
    // CPU time includes this test and its garbage collection, so the minimum of three attempts counts.
    for (let tries = 0; tries < 2 && cpuMs > maxCpuMs; tries++)
      cpuMs = Math.min(cpuMs, await send(operation, raw, headers))
    if (!hashesPasswords.test(operation.path)) expect(cpuMs, String(raw).slice(0, 100)).toBeLessThan(maxCpuMs)
  }
})

test('no query value causes a 5xx', async () => {
  const queries = operations.flatMap(({ method, path, parameters = [] }) =>
    parameters.filter(one => one.in === 'query' && method === 'GET').map(({ name }) => `${path}?${name}=`),
  )
  expect(queries.length).toBeGreaterThan(10)
  for (const query of queries)
    for (const value of ['%00', '%ED%A0%80', '%zz', '%27', 'x'.repeat(10_000), '-1', '1e9', '[]'])
      expect((await world.call('GET', query + value)).status, query + value.slice(0, 20)).toBeLessThan(500)
})
