import { afterAll, describe, expect, setSystemTime, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { decodeSigningSecret } from '../../../src/core/secrets.ts'
import { runSync } from '../../../src/platform/slices.ts'
import { checkSignature as checkSchemes, combineChecks } from '../../../src/webhooks/signatures/diagnosis.ts'
import { type Evidence, explainMismatch as explainMismatchInSlices } from '../../../src/webhooks/signatures/explain.ts'
import type { ReceivedWebhook, Scheme } from '../../../src/webhooks/signatures/received.ts'
import { signStandard, signWebhook } from '../../../src/webhooks/signatures/sign.ts'
import { verifyStandard } from '../../support/receiver.ts'
import { standardVectors } from './vectors.ts'

const checkSignature = (received: ReceivedWebhook) => combineChecks(checkSchemes(received))
const explainMismatch = (received: ReceivedWebhook, evidence: Evidence, scheme: Scheme = 'service') =>
  runSync(explainMismatchInSlices(received, evidence, scheme))

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

describe('the headers of Standard Webhooks', () => {
  const id = '01981b7e-3c00-7a51-9a64-1f0f5c3d7e08'
  const standardSecret = `whsec_${Buffer.alloc(32, 'key?').toString('base64')}`
  const bytes = Buffer.alloc(32, 'key?')
  const other = Buffer.alloc(32, 'other')
  const endpoint = { id: 'e', url: 'https://hooks.example.com/', previousSecret: null }
  const endpoints = [{ ...endpoint, secret: `whsec_${other.toString('base64')}` }]
  const headers = {
    'Webhook-Id': id,
    'webhook-timestamp': String(t),
    'webhook-signature': signStandard([other, bytes], id, t, sent),
  }
  const check = (change: { headers?: Record<string, string>; secret?: string; seconds?: number; body?: string }) =>
    checkSignature({
      secret: change.secret ?? standardSecret,
      headers: { ...headers, ...change.headers },
      body: change.body ?? sent,
      at: new Date((t + (change.seconds ?? 0)) * 1000),
    })
  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))

  test('are valid if any signature matches', () => {
    const result = check({ seconds: 7 })
    const expected = signStandard([bytes], id, t, sent).slice('v1,'.length)
    const fields = { scheme: 'standard', valid: true, problems: [], timestamp: t, secondsOff: 7, matched: 2, expected }
    expect(result).toEqual({ ...fields, checks: [fields] } as never)
  })

  test.each([
    ['no signature', { 'webhook-signature': '' }, 'digest_missing'],
    ['an equals sign for the comma', { 'webhook-signature': 'v1=abc' }, 'digest_missing'],
    ['a hexadecimal digest', { 'webhook-signature': `v1,${'a'.repeat(64)}` }, 'digest_malformed'],
    ['a base64url digest', { 'webhook-signature': `v1,${'_'.repeat(43)}=` }, 'digest_malformed'],
    ['milliseconds', { 'webhook-timestamp': `${t}000` }, 'timestamp_malformed'],
    ['another time', { 'webhook-timestamp': `${t + 1}` }, 'digest_mismatch'],
    ['another ID', { 'Webhook-Id': 'another' }, 'digest_mismatch'],
    ['an empty ID', { 'Webhook-Id': '' }, 'id_missing'],
  ] as [string, Record<string, string>, string][])('with %s are reported', (_, change, code) => {
    expect(check({ headers: change }).problems.map(one => one.code as string)).toEqual([code])
  })

  test.each([
    ['webhook-signature', 'header_missing'],
    ['webhook-timestamp', 'timestamp_missing'],
    ['Webhook-Id', 'id_missing'],
  ])('without %s are reported by its name', (name, code) => {
    const received = { secret: standardSecret, headers: without(name), body: sent, at: new Date(t * 1000) }
    const { problems } = checkSignature(received)
    expect(problems).toEqual([{ code: code as never, message: expect.stringContaining(name.toLowerCase()) }])
  })

  test('are checked beside X-Service-Signature, and each scheme has its own problems', () => {
    const both = (service: string) => check({ headers: { 'X-Service-Signature': service } })
    expect(both(signWebhook([standardSecret], t, sent))).toMatchObject({ scheme: 'service', valid: true, problems: [] })
    const invalid = both('t=1')
    expect(invalid).toMatchObject({ valid: false, problems: [{ code: 'digest_missing' }] })
    expect(invalid.checks.map(({ scheme, valid }) => [scheme, valid])).toEqual([
      ['service', false],
      ['standard', true],
    ])
    const changed = check({ headers: { 'X-Service-Signature': signWebhook([standardSecret], t, sent) }, body: '' })
    expect(changed.problems.map(({ code }) => code as string)).toEqual(['digest_mismatch'])
    expect(changed.checks.map(({ problems }) => problems.length)).toEqual([1, 1])
  })

  test('with a secret in the earlier form are valid, with the advice to rotate it', () => {
    const earlier = standardSecret.replaceAll('+', '-').replaceAll('/', '_').replace('=', '')
    const { valid, problems, checks } = check({ secret: earlier })
    expect({ valid, problems }).toEqual({ valid: true, problems: [] })
    expect(checks[0]!.problems.map(({ code }) => code as string)).toEqual(['secret_not_standard'])
  })

  const signedWith = (key: string | Buffer, text: string) =>
    `v1,${createHmac('sha256', key).update(text).digest('base64')}`
  const whole = `${id}.${t}.${sent}`
  test.each([
    ['in quotes', { secret: `"${standardSecret}"` }, ['secret_padded']],
    ['as text', { signature: signedWith(standardSecret, whole) }, ['key_not_decoded']],
    ['as text without its prefix', { signature: signedWith(standardSecret.slice(6), whole) }, ['key_not_decoded']],
    ['without the ID', { signature: signedWith(bytes, `${t}.${sent}`) }, ['id_not_signed']],
    ['over the body alone', { signature: signedWith(bytes, sent) }, ['time_not_signed']],
    ['with a changed body', { body: JSON.stringify(JSON.parse(sent)) }, ['body_changed']],
    ['for another endpoint', { signature: signedWith(other, whole) }, ['secret_of_other_endpoint']],
    ['in another way', { signature: signedWith('else', whole) }, ['digest_mismatch']],
  ] as [string, { secret?: string; signature?: string; body?: string }, string[]][])(
    'signed %s are explained',
    (_, { secret = standardSecret, signature = headers['webhook-signature'], body = sent }, expected) => {
      const given = { ...headers, 'webhook-signature': signature }
      const received = { secret, headers: given, body, at: new Date(t * 1000) }
      const problems = explainMismatch(received, { sentBody: null, endpoints }, 'standard')
      expect(problems.map(({ code }) => code as string)).toEqual(expected)
    },
  )
})

describe('the official library for JavaScript', () => {
  afterAll(() => void setSystemTime())
  const isGenuine = (secret: string, headers: Record<string, string>, body: string): boolean => {
    try {
      new Webhook(secret).verify(body, headers, { jsonParse: false })
      return true
    } catch {
      return false
    }
  }

  test.each(standardVectors.map(vector => [vector.name, vector] as const))(
    'agrees with the diagnosis, a receiver and the vector about %s',
    (_, { secret, headers, body, now, valid, reason, signed }) => {
      setSystemTime(new Date(now * 1000))
      const result = checkSignature({
        secret,
        headers,
        body,
        at: new Date(now * 1000),
      })
      expect(result.valid).toBe(valid)
      const [first] = result.problems.map(({ code }) => code as string)
      expect(first ?? null).toBe(reason)
      expect(verifyStandard(headers, body, secret, now)).toBe(valid)
      expect(isGenuine(secret, headers, body)).toBe(valid)
      if (!signed) return
      const keys = signed.secrets.map(decodeSigningSecret)
      expect(signStandard(keys, signed.id, signed.t, body)).toBe(headers['webhook-signature']!)
    },
  )

  test('cannot read an earlier secret with a letter of base64url', () => {
    const [{ secret, headers, body, now }] = standardVectors as [(typeof standardVectors)[number]]
    setSystemTime(new Date(now * 1000))
    const earlier = secret.replaceAll('+', '-').replaceAll('/', '_').replace('=', '')
    expect([secret, earlier].map(one => isGenuine(one, headers, body))).toEqual([true, false])
    expect(verifyStandard(headers, body, earlier, now)).toBe(true)
  })
})
