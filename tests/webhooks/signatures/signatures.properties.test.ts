/** Property tests of signatures and their diagnosis, compared with HMAC and the published receiver code. */
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { verifyWebhook } from '../../../src/api/receivers/verify-webhook.ts'
import { decodeSigningSecret, newSigningSecret } from '../../../src/core/secrets.ts'
import { runSync } from '../../../src/platform/slices.ts'
import { checkSignature as checkSchemes, combineChecks } from '../../../src/webhooks/signatures/diagnosis.ts'
import { type Evidence, explainMismatch as explainMismatchInSlices } from '../../../src/webhooks/signatures/explain.ts'
import type { ReceivedWebhook, Scheme } from '../../../src/webhooks/signatures/received.ts'
import { signStandard, signWebhook } from '../../../src/webhooks/signatures/sign.ts'
import { verifySignature, verifyStandard } from '../../support/receiver.ts'

const checkSignature = (received: ReceivedWebhook) => combineChecks(checkSchemes(received))
const explainMismatch = (received: ReceivedWebhook, evidence: Evidence, scheme: Scheme = 'service') =>
  runSync(explainMismatchInSlices(received, evidence, scheme))

const t = 1_772_357_402
const secret = 'whsec_3kPzQ0vN8yX1rT5uW7aB9cD2eF4gH6iJ0kL_mN-oPqR'
const body = '{"type":"ping"}'
const [, good] = signWebhook([secret], t, body).split(',v1=')

const times = ['', '0', '+'].map(before => `t=${before}${t}`)
const digests = [
  good,
  ` ${good}`,
  `${good}=`,
  `=${good}`,
  `${good}0`,
  good!.slice(1),
  good!.toUpperCase(),
  '0'.repeat(64),
]
const malformed = [
  '',
  't',
  'v1',
  't=',
  'v1=',
  '=',
  ` t=${t}`,
  `T=${t}`,
  `V1=${good}`,
  ` v1=${good}`,
  `v0=${good}`,
  'k=9',
]
/** Generates header fields as a signer writes them, and malformed ones. */
const someField = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(`t=${t}`, `v1=${good}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[...times, ...['.0', ' ', '000'].map(after => `t=${t}${after}`), `t=${t - 301}`],
      ...[...digests.map(digest => `v1=${digest}`), `v11=${good}`, ...malformed],
    ),
  },
  { weight: 1, arbitrary: fc.string() },
)

const someHeader = fc.oneof(
  fc.array(someField, { maxLength: 5 }).map(fields => fields.join(',')),
  fc
    .tuple(fc.nat(100), fc.nat(2), fc.constantFrom('', ',', '=', ' ', '0', 't', 'v1='))
    .map(([place, missing, more]) => {
      const header = `t=${t},v1=${good}`
      return header.slice(0, place) + more + header.slice(place + missing)
    }),
)

const judge = (header: string | null, seconds = 0) =>
  checkSignature({
    secret,
    headers: header === null ? {} : { 'X-Service-Signature': header },
    body,
    at: new Date((t + seconds) * 1000),
  })

describe('the signature diagnosis', () => {
  test('reports valid exactly if every receiver would accept the signature, else the problems, and the matching digest', () => {
    const counts = { valid: 0, invalid: 0 }
    fc.assert(
      fc.property(fc.option(someHeader), fc.constantFrom(0, 0, 0, 300, -300, 301, -301, 10_000), (header, seconds) => {
        const { valid, problems, matched, expected } = judge(header, seconds)
        // Whitespace around a header value is not part of the value.
        expect(valid).toBe(verifyWebhook(secret, header?.trim(), body, t + seconds))
        if (valid) expect(verifySignature(header!.trim(), body, secret, t + seconds)).toBe(true)
        expect(problems.length === 0).toBe(valid)
        if (matched !== null) {
          const digests = header!.split(',').filter(field => field.trim().split('=', 1)[0] === 'v1')
          expect(digests[matched - 1]!.trim()).toBe(`v1=${expected}`)
        }
        counts[valid ? 'valid' : 'invalid']++
      }),
      { numRuns: 2000 },
    )
    expect(Math.min(counts.valid, counts.invalid)).toBeGreaterThan(50)
  })
})

describe('a signed body', () => {
  const nothing = { sentBody: null, endpoints: [] }
  const explain = (signed: string, given: string) =>
    explainMismatch(
      {
        secret,
        headers: { 'X-Service-Signature': signWebhook([secret], t, signed) },
        body: given,
        at: new Date(t * 1000),
      },
      nothing,
    )

  test('received in another JSON formatting is reported as changed', () => {
    const indent = fc.constantFrom(0, 2, 4)
    const end = fc.constantFrom('', '\n')
    const form = fc.record({ indent, end })
    fc.assert(
      fc.property(fc.jsonValue(), form, form, (value, before, after) => {
        const [signed, given] = [before, after].map(({ indent, end }) => JSON.stringify(value, null, indent) + end)
        const problems = explain(signed!, given!)
        expect(problems.map(({ code }) => code as string)).toEqual(signed === given ? [] : ['body_changed'])
      }),
    )
  })
})

test('the given secret never appears in a message', () => {
  const someSecret = fc.string({ unit: fc.constantFrom(...'ABCDEFGHJKLMNPQRSTUVWXYZ'), minLength: 20, maxLength: 40 })
  fc.assert(
    fc.property(someSecret, someSecret, fc.constantFrom('', 'whsec_'), fc.json(), (given, key, prefix, text) => {
      fc.pre(!text.includes(given))
      const headers = { 'X-Service-Signature': signWebhook([`whsec_${key}`], t, text) }
      const received = { secret: prefix + given, headers, body: `${text} `, at: new Date(t * 1000) }
      const endpoints = [{ id: 'e', url: 'https://hooks.example.com/', secret: `whsec_${key}`, previousSecret: given }]
      const said = [...checkSignature(received).problems, ...explainMismatch(received, { sentBody: text, endpoints })]
      expect(JSON.stringify(said)).not.toContain(given)
    }),
  )
})

const someTime = fc.integer({ min: 1_000_000_000, max: 10_000_000_000 })
const someBody = fc.oneof(fc.json(), fc.string({ unit: 'binary' }))

const verifyReceived: typeof verifyWebhook = (secret, header, body, now) =>
  verifySignature(header!, body as string, secret, now!)

/** HMAC-SHA256 by its definition, computed with SHA-256 only. */
const hmac = (key: string | Uint8Array, text: string): string => {
  const digest = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
  const bytes = typeof key === 'string' ? Buffer.from(key) : key
  const block = Buffer.concat([bytes.length > 64 ? digest(bytes) : bytes, Buffer.alloc(64)]).subarray(0, 64)
  const padded = (byte: number) => block.map(one => one ^ byte)
  return digest(padded(0x5c), digest(padded(0x36), Buffer.from(text))).toString('hex')
}

test('the header contains the time and, for each secret, the HMAC of time, dot and body, which a receiver accepts', () => {
  const anySecret = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(
      fc.array(anySecret, { minLength: 1, maxLength: 2 }),
      someTime,
      someBody,
      fc.integer({ min: -300, max: 300 }),
      (secrets, t, body, late) => {
        const digests = secrets.map(secret => `,v1=${hmac(secret, `${t}.${body}`)}`)
        const header = signWebhook(secrets, t, body)
        expect(header).toBe(`t=${t}${digests.join('')}`)
        for (const secret of secrets)
          expect([verifyWebhook, verifyReceived].map(verify => verify(secret, header, body, t + late))).toEqual([
            true,
            true,
          ])
      },
    ),
  )
})

describe('the signature of Standard Webhooks', () => {
  const someBytes = fc.uint8Array({ minLength: 32, maxLength: 32 })

  test('a secret decodes to its 32 bytes, in the current and in the earlier form', () => {
    fc.assert(
      fc.property(someBytes, bytes => {
        for (const form of ['base64', 'base64url'] as const) {
          const decoded = decodeSigningSecret(`whsec_${Buffer.from(bytes).toString(form)}`)
          expect(decoded).toEqual(Buffer.from(bytes))
        }
      }),
    )
    const secret = newSigningSecret()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(secret).toBe(`whsec_${decodeSigningSecret(secret).toString('base64')}`)
  })

  test('has for each secret the HMAC of ID, time and body, keyed with the decoded bytes, which a receiver accepts', () => {
    fc.assert(
      fc.property(
        fc.array(someBytes, { minLength: 1, maxLength: 2 }),
        fc.uuid(),
        someTime,
        someBody,
        fc.integer({ min: -300, max: 300 }),
        (keys, id, t, body, late) => {
          const header = signStandard(
            keys.map(key => Buffer.from(key)),
            id,
            t,
            body,
          )
          const digests = keys.map(key => Buffer.from(hmac(key, `${id}.${t}.${body}`), 'hex').toString('base64'))
          expect(header).toBe(digests.map(digest => `v1,${digest}`).join(' '))
          const headers = { 'webhook-id': id, 'webhook-timestamp': String(t), 'webhook-signature': header }
          for (const key of keys) {
            const secret = `whsec_${Buffer.from(key).toString('base64url')}`
            expect(verifyStandard(headers, body, secret, t + late)).toBe(true)
            expect(verifyStandard({ ...headers, 'webhook-id': `${id}0` }, body, secret, t)).toBe(false)
          }
        },
      ),
    )
  })
})
