import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { runSync } from '../../../src/platform/slices.ts'
import {
  checkSignature,
  explainMismatch as explainMismatchInSlices,
} from '../../../src/webhooks/signatures/diagnosis.ts'
import { signWebhook } from '../../../src/webhooks/signatures/sign.ts'
import { stretchOf } from '../../support/stretch.ts'

const explainMismatch = (...args: Parameters<typeof explainMismatchInSlices>) =>
  runSync(explainMismatchInSlices(...args))

const t = 1_772_357_402
const secret = 'whsec_3kPzQ0vN8yX1rT5uW7aB9cD2eF4gH6iJ0kL_mN-oPqR'
const bare = secret.slice('whsec_'.length)
const unknown = { sentBody: null, endpoints: [] }

const data = '{"note": "grüße", "link": "https://shop.example/1", "amount": 12.5, "items": [1, 2], "currency": "EUR"}'
/** The body as the service sends it. PostgreSQL writes `data` with shorter keys first. */
const sent = `{"id":"01981b7e","type":"sale.created","createdAt":"2026-03-01T09:30:02.050Z","workspaceId":"01981b7f","data":{"link": "https://shop.example/1", "note": "grüße", "items": [1, 2], "amount": 12.5, "currency": "EUR"}}`

const explain = (change: {
  secret?: string
  body?: string
  key?: string | Buffer
  signed?: string
  header?: string
}) => {
  const header = change.header ?? signWebhook([(change.key ?? secret) as string], t, change.signed ?? sent)
  const received = {
    secret: change.secret ?? secret,
    headers: { 'x-SERVICE-signature': header },
    body: change.body ?? sent,
    at: new Date(t * 1000),
  }
  expect(checkSignature(received).problems.map(({ code }) => code)).toEqual(['digest_mismatch'])
  return explainMismatch(received, unknown)
}
const codes = (change: Parameters<typeof explain>[0]) => explain(change).map(({ code }) => code as string)

const sorted = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => [key, sorted(inner)]),
      )
const ascii = (text: string) =>
  text.replaceAll(/[\u0080-\uffff]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

describe('a body that was changed in transit is reported', () => {
  const parsed = JSON.parse(sent)
  const unknownForm = /the same JSON in another form, first at character 24: signed ".*", given ".*"/
  test.each([
    ['serialized again by JSON.stringify', JSON.stringify(parsed), /serialized again as compact JSON/],
    ['indented by two', JSON.stringify(parsed, null, 2), /JSON indented by 2 spaces/],
    ['indented by four', JSON.stringify(parsed, null, 4), /JSON indented by 4 spaces/],
    ['with its keys sorted', JSON.stringify(sorted(parsed)), /compact JSON.*keys sorted/],
    ['with letters escaped', ascii(JSON.stringify(parsed)), /compact JSON.*escaped as \\uXXXX/],
    ['with slashes escaped', JSON.stringify(parsed).replaceAll('/', '\\/'), /compact JSON.*slashes escaped/],
    ['as PHP does', ascii(JSON.stringify(parsed)).replaceAll('/', '\\/'), /escaped as \\uXXXX, slashes escaped/],
    ['indented, with a line end', `${JSON.stringify(parsed, null, 2)}\n`, /by 2 spaces, a line end at the end/],
    ['with a line end added', `${sent}\n`, /a line end or a space was added at its end/],
    ['with two characters of line end added', `${sent}\r\n`, /was added at its end/],
    ['with a byte order mark', `\ufeff${sent}`, /byte order mark was added at its beginning/],
    ['with white space around it', `  ${sent} `, /white space around it/],
    ['in an unknown JSON form', JSON.stringify(parsed).replace('"type":', '"type"   :'), unknownForm],
  ])('%s', (_, body, says) => {
    const problems = explain({ body })
    expect(problems).toEqual([{ code: 'body_changed', message: expect.stringMatching(says) }])
    expect(problems[0]!.message).toEndWith('Verify the raw bytes before they are parsed or changed.')
  })

  test('also if the signed body was not written by the service, but not if its content differs', () => {
    const pretty = JSON.stringify({ b: 1, a: 'ü/' }, null, 2)
    expect(codes({ signed: pretty, body: '{"b":1,"a":"ü/"}' })).toEqual(['body_changed'])
    expect(codes({ signed: `${pretty}\n`, body: pretty })).toEqual(['body_changed'])
    expect(codes({ signed: '{\r\n"a":1}', body: '{\n"a":1}' })).toEqual(['body_changed'])
    expect(codes({ signed: 'a=1&b=2\n', body: 'a=1&b=2' })).toEqual(['body_changed'])
    // The keys of the data have another order than in the database.
    const body = JSON.stringify({ ...JSON.parse(sent), data: JSON.parse(data) })
    expect(codes({ body })).toEqual(['body_changed'])
    expect(codes({ body: sent.replace('12.5', '12.6') })).toEqual(['digest_mismatch'])
  })
})

describe('a secret that is not used unchanged', () => {
  test.each([
    ['is given with a line end', { secret: `${secret}\n` }, ['secret_padded']],
    ['is given in quotes', { secret: `"${secret}"` }, ['secret_padded']],
    ['is given without its prefix', { secret: bare }, ['secret_without_prefix']],
    ['signed without its prefix', { key: bare }, ['key_without_prefix']],
    ['signed decoded from base64', { key: Buffer.from(bare, 'base64url') }, ['key_base64_decoded']],
    ['and the body changed too', { secret: bare, body: `${sent}\n` }, ['secret_without_prefix', 'body_changed']],
    ['is another one', { secret: 'whsec_other' }, ['digest_mismatch']],
  ] as [string, Parameters<typeof explain>[0], string[]][])('%s', (_, change, expected) => {
    expect(codes(change)).toEqual(expected)
  })
})

test('a digest of the body alone is reported', () => {
  const alone = signWebhook([secret], t, sent).replace(
    /v1=.*/,
    `v1=${createHmac('sha256', secret).update(sent).digest('hex')}`,
  )
  expect(codes({ header: alone })).toEqual(['time_not_signed'])
})

test('uses what only the service knows: the sent body and the secrets of other endpoints', () => {
  const received = {
    secret: 'whsec_mine',
    headers: { 'X-Service-Signature': signWebhook(['whsec_theirs'], t, sent) },
    body: sent,
    at: new Date(t * 1000),
  }
  const endpoint = { id: 'e', url: 'https://hooks.example.com/', secret: 'whsec_theirs', previousSecret: null }
  const code = (known: Parameters<typeof explainMismatch>[1], change = {}) =>
    explainMismatch({ ...received, ...change }, known).map(({ code }) => code as string)
  expect(code({ sentBody: null, endpoints: [endpoint] })).toEqual(['secret_of_other_endpoint'])
  const rotated = { ...endpoint, previousSecret: 'whsec_mine' }
  expect(code({ sentBody: null, endpoints: [rotated] })).toEqual(['secret_rotated'])
  expect(code({ sentBody: sent, endpoints: [endpoint] }, { body: 'other' })).toEqual(['secret_of_other_endpoint'])
  const messageFor = (amount: string) => {
    const change = { secret: 'whsec_theirs', body: sent.replace('12.5', amount) }
    return explainMismatch({ ...received, ...change }, { sentBody: sent, endpoints: [] })[0]!.message
  }
  expect(messageFor('12.50')).toMatch(/the same JSON in another form, first at character/)
  expect(messageFor('13.5')).toMatch(/its content differs, first at character/)
})

test.each([
  [0, null, ''],
  [300, null, ''],
  [-300, null, ''],
  [301, 'timestamp_too_old', 'It was signed 301 seconds before'],
  [-7200, 'timestamp_in_future', 'It was signed 7200 seconds after'],
])('a clock that differs by %p seconds is reported as %p', (seconds, code, says) => {
  const headers = { 'X-Service-Signature': signWebhook([secret], t, sent) }
  const checked = checkSignature({ secret, headers, body: sent, at: new Date((t + seconds) * 1000) })
  expect(checked).toMatchObject({ valid: code === null, secondsOff: seconds, timestamp: t, matched: 1 })
  const problems = code === null ? [] : [{ code, message: expect.stringContaining(says) }]
  expect(checked.problems).toMatchObject(problems as never)
})

describe('limits the time for a body:', () => {
  const received = { secret, headers: { 'X-Service-Signature': signWebhook(['x'], t, '') }, at: new Date(t * 1000) }
  const nested = (inner: string) => `${'['.repeat(99)}${inner}${']'.repeat(99)}`
  test.each([
    ['one nested deeply', '['.repeat(131_072), 1000],
    ['a large one', JSON.stringify(Array(20_000).fill('ü/')), 1000],
    ['an unclosed text full of quotes', `"${'\\"'.repeat(65_535)}`, 250],
    ['one that grows to megabytes when it is indented', nested(Array(16_000).fill(1).join()), 500],
  ])('%s', (_, body, maxMs) => {
    const explain = () => expect(explainMismatch({ ...received, body }, unknown)[0]!.code).toBe('digest_mismatch')
    expect(stretchOf(explain, 1)).toBeLessThan(maxMs)
  })
})
