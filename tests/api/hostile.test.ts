/**
 * Hostile requests to every operation that writes. None can answer 5xx, leave a partial record or take much CPU time.
 */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { useWorld } from '../support/world.ts'

const document = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../openapi/openapi.json'), 'utf8'))
const writes = Object.entries<
  Record<
    string,
    {
      requestBody?: { content: Record<string, { example: Record<string, unknown> }> }
      security: Record<string, unknown>[]
    }
  >
>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    // Callbacks of providers have no fixed schema.
    .filter(([, { requestBody }]) => requestBody?.content['application/json']?.example)
    .map(([method, { requestBody, security }]) => ({
      method: method.toUpperCase(),
      path,
      example: requestBody!.content['application/json']!.example,
      takesKey: security.some(one => 'apiKey' in one),
    })),
)

const world = useWorld()

const json = { 'Content-Type': 'application/json' }
const text = (value: unknown) => JSON.stringify(value)
const deep = (open: string, close: string, levels: number) => `${open.repeat(levels)}${close.repeat(levels)}`
const bytes = (...values: number[]) => new Uint8Array(values)

interface Hostile {
  name: string
  raw: (example: Record<string, unknown>) => BodyInit
  headers?: Record<string, string>
}

const whole = (name: string, raw: BodyInit, headers = json): Hostile => ({ name, raw: () => raw, headers })

/** Unexpected values, each put into every field of the example. */
const strange: [string, unknown][] = [
  ['null', null],
  ['true', true],
  ['zero', 0],
  ['a negative number', -1],
  ['a fraction', 0.1],
  ['a huge number', 1e308],
  ['an empty text', ''],
  ['blanks', '   '],
  ['a long text', 'x'.repeat(100_000)],
  ['an emoji', '😀'],
  ['a right-to-left mark', '\u202e'],
  ['a quote', "'; drop table events; --"],
  ['a backslash', '\\'],
  ['a template', '{{customer.name}} <script>'],
  ['an empty list', []],
  ['a list of lists', [[[]]]],
  ['a long list', Array.from({ length: 10_000 }, (_, i) => i)],
  ['an empty object', {}],
  ['an object with __proto__', JSON.parse('{"__proto__":{"admin":true}}')],
  ['an object with toString', { toString: 1, constructor: { prototype: {} } }],
]

const hostile: Hostile[] = [
  whole('nothing', ''),
  whole('a blank', ' '),
  whole('a null byte', '\0'),
  whole('an array', '[]'),
  whole('null', 'null'),
  whole('true', 'true'),
  whole('a number', '1'),
  whole('a text', '"x"'),
  whole('half an object', '{"a":'),
  whole('two objects', '{}{}'),
  whole('comments', '{/* */}'),
  whole('NaN', '{"a":NaN}'),
  whole('Infinity', '{"a":Infinity}'),
  whole('a hex number', '{"a":0x10}'),
  whole('a leading zero', '{"a":01}'),
  whole('a raw tab in a text', '{"a":"\t"}'),
  whole('an unknown escape', '{"a":"\\x"}'),
  whole('U+0000', '{"a":"\\u0000"}'),
  whole('U+0000 in a name', '{"\\u0000":1}'),
  whole('half a pair', '{"a":"\\ud800"}'),
  whole('1e999', '{"a":1e999}'),
  whole('a thousand digits', `{"a":${'9'.repeat(1000)}}`),
  whole('65 arrays', `{"a":${deep('[', ']', 65)}}`),
  whole('100,000 arrays', deep('[', ']', 100_000)),
  whole('100,000 open objects', '{"a":'.repeat(100_000)),
  whole('a million open brackets', '['.repeat(1_000_000)),
  whole('60,000 fields', `{${Array.from({ length: 60_000 }, (_, i) => `"f${i}":1`).join(',')}}`),
  whole('the same field many times', `{${Array.from({ length: 60_000 }, () => '"a":1').join(',')}}`),
  whole('more than 1 MiB', `{"a":"${'x'.repeat(1_100_000)}"}`),
  whole('invalid UTF-8', bytes(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)),
  whole('UTF-16', bytes(0xff, 0xfe, 0x7b, 0, 0x7d, 0)),
  whole('gzip', bytes(0x1f, 0x8b, 8, 0, 0, 0, 0, 0), { ...json, 'Content-Encoding': 'gzip' } as never),
  whole('a BOM alone', bytes(0xef, 0xbb, 0xbf)),
  whole('a form', 'a=1', { 'Content-Type': 'application/x-www-form-urlencoded' }),
  whole('multipart', '--x\r\n\r\n--x--', { 'Content-Type': 'multipart/form-data; boundary=x' }),
  whole('XML', '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>', {
    'Content-Type': 'application/xml',
  }),
  whole('text', '{}', { 'Content-Type': 'text/plain' }),
  whole('a media type with junk', '{}', { 'Content-Type': 'application/json, text/html' }),
  { name: 'an unknown field', raw: example => text({ ...example, surprise: 1 }) },
  { name: 'the example as text', raw: example => text(text(example)) },
  ...strange.map(
    ([name, value]): Hostile => ({
      name: `every field as ${name}`,
      raw: example => text(Object.fromEntries(Object.keys(example).map(key => [key, value]))),
    }),
  ),
]

const counts = async () => {
  const tables = [
    'events',
    'customers',
    'webhooks',
    'workflows',
    'channels',
    'api_keys',
    'members',
    'workflow_runs',
    'messages',
    'outbound_events',
  ]
  const rows = await world.database.sql.unsafe(
    tables.map(table => `select '${table}' as name, count(*)::integer as count from ${table}`).join(' union all '),
  )
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

const unknownId = '01981b7e-3c00-7a51-9a64-1f0f5c3d7e99'
const maxCpuMs = 50
/** Operations that hash a password, which costs more than `maxCpuMs` by design. */
const hashesPasswords = new Set([
  '/v1/auth/sign-in',
  '/v1/auth/accept-invitation',
  '/v1/auth/password',
  '/v1/auth/reset-password',
  '/v1/auth/totp',
  '/v1/auth/totp/recovery-codes',
  '/v1/auth/user',
])

const measured = async <T>(work: () => Promise<T>): Promise<{ reply: T; cpuMs: number }> => {
  const before = process.cpuUsage()
  const reply = await work()
  const { user, system } = process.cpuUsage(before)
  return { reply, cpuMs: (user + system) / 1000 }
}

test('no query value causes a 5xx', async () => {
  const reads = Object.entries<Record<string, { parameters?: { in: string; name: string }[] }>>(document.paths).flatMap(
    ([path, { get }]) =>
      (get?.parameters ?? [])
        .filter(one => one.in === 'query')
        .map(({ name }) => ({ path: path.replaceAll(/\{[^}]+\}/g, unknownId), name })),
  )
  expect(reads.length).toBeGreaterThan(10)
  for (const { path, name } of reads) {
    for (const value of ['%00', '%ED%A0%80', '%zz', '%27', 'x'.repeat(10_000), '-1', '1e9', '[]']) {
      const { status } = await world.call('GET', `${path}?${name}=${value}`)
      expect(status, `${path}?${name}=${value.slice(0, 20)}`).toBeLessThan(500)
    }
  }
})

test('there are at least 150 hostile requests', () => {
  expect(writes.length * hostile.length).toBeGreaterThan(150)
})

describe.each(writes.map(write => [`${write.method} ${write.path}`, write] as const))(
  '%s',
  (_, { method, path, example, takesKey }) => {
    test.each(hostile.map(request => [request.name, request] as const))('%s', async (name, { raw, headers = json }) => {
      const send = async () => {
        const body = raw(example)
        const before = await counts()
        const { reply, cpuMs } = await measured(() =>
          world.call(method, path.replaceAll(/\{[^}]+\}/g, unknownId), {
            as: takesKey ? 'key' : 'owner',
            raw: body,
            headers,
          }),
        )
        expect(reply.status, JSON.stringify(reply.body).slice(0, 300)).toBeLessThan(500)
        if (reply.status >= 400) {
          expect(reply.body.error.code, name).toBeString()
          expect(await counts()).toEqual(before)
        }
        return cpuMs
      }
      let cpuMs = await send()
      // CPU time includes this test and its garbage collection, so the minimum of three attempts counts.
      for (let tries = 0; tries < 2 && cpuMs > maxCpuMs; tries++) cpuMs = Math.min(cpuMs, await send())
      if (!hashesPasswords.has(path)) expect(cpuMs).toBeLessThan(maxCpuMs)
    })
  },
)
