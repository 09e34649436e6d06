import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { runSync } from '../../../src/platform/slices.ts'
import {
  checkSignature,
  explainMismatch as explainMismatchInSlices,
} from '../../../src/webhooks/signatures/diagnosis.ts'
import { signWebhook } from '../../../src/webhooks/signatures/sign.ts'

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
    ['with its keys sorted', JSON.stringify(sorted(parsed)), /compact JSON.*keys sorted/],
    ['with letters escaped', ascii(JSON.stringify(parsed)), /compact JSON.*escaped as \\uXXXX/],
    ['with slashes escaped', JSON.stringify(parsed).replaceAll('/', '\\/'), /compact JSON.*slashes escaped/],
    ['as PHP does', ascii(JSON.stringify(parsed)).replaceAll('/', '\\/'), /escaped as \\uXXXX, slashes escaped/],
    ['indented, with a line end', `${JSON.stringify(parsed, null, 2)}\n`, /by 2 spaces, a line end at the end/],
    ['with a line end added', `${sent}\n`, /a line end or a space was added at its end/],
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

test('uses the body that the service sent to say what was changed', () => {
  const headers = { 'X-Service-Signature': signWebhook([secret], t, sent) }
  const received = { secret, headers, at: new Date(t * 1000) }
  const messageFor = (amount: string) => {
    const body = sent.replace('12.5', amount)
    return explainMismatch({ ...received, body }, { sentBody: sent, endpoints: [] })[0]!.message
  }
  expect(messageFor('12.50')).toMatch(/the same JSON in another form, first at character/)
  expect(messageFor('13.5')).toMatch(/its content differs, first at character/)
})
