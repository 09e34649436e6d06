/** Property tests of signatures, compared with the definition of HMAC and the published receiver code. */
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { verifyWebhook } from '../../../src/api/receivers/verify-webhook.ts'
import { signWebhook } from '../../../src/webhooks/signatures/sign.ts'
import { verifySignature } from '../../support/receiver.ts'

const someSecret = fc
  .base64String({ minLength: 44, maxLength: 44 })
  .map(text => `whsec_${text.replaceAll('+', '-').replaceAll('/', '_').slice(0, 43)}`)
const someTime = fc.integer({ min: 1_000_000_000, max: 10_000_000_000 })
const someBody = fc.oneof(fc.json(), fc.string({ unit: 'binary' }))

/** HMAC-SHA256 by its definition, computed with SHA-256 only. */
const hmac = (key: string, text: string): string => {
  const digest = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
  const bytes = Buffer.from(key)
  const block = Buffer.concat([bytes.length > 64 ? digest(bytes) : bytes, Buffer.alloc(64)]).subarray(0, 64)
  const padded = (byte: number) => block.map(one => one ^ byte)
  return digest(padded(0x5c), digest(padded(0x36), Buffer.from(text))).toString('hex')
}

test('the header contains the time and, for each secret, the HMAC-SHA256 of time, dot and body', () => {
  const anySecret = fc.oneof(someSecret, fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }))
  fc.assert(
    fc.property(fc.array(anySecret, { minLength: 1, maxLength: 2 }), someTime, someBody, (secrets, t, body) => {
      const digests = secrets.map(secret => `,v1=${hmac(secret, `${t}.${body}`)}`)
      expect(signWebhook(secrets, t, body)).toBe(`t=${t}${digests.join('')}`)
    }),
  )
})

test('a receiver with either secret verifies it within 300 seconds', () => {
  fc.assert(
    fc.property(
      fc.array(someSecret, { minLength: 1, maxLength: 2 }),
      someTime,
      someBody,
      fc.integer({ min: -300, max: 300 }),
      (secrets, t, body, late) => {
        const header = signWebhook(secrets, t, body)
        for (const secret of secrets) {
          expect(verifyWebhook(secret, header, body, t + late)).toBe(true)
          expect(verifySignature(header, body, secret, t + late)).toBe(true)
        }
      },
    ),
  )
})

describe('verification fails', () => {
  const fails = (secret: string, header: string, body: Uint8Array, now: number) => {
    expect(verifyWebhook(secret, header, body, now)).toBe(false)
    const text = Buffer.from(body).toString()
    // Bytes that are not UTF-8 cannot be given as text.
    if (Buffer.from(text).equals(body)) expect(verifySignature(header, text, secret, now)).toBe(false)
  }

  /**
   * Returns the text with one character replaced by the next one of the alphabet. `place` is taken modulo the length.
   */
  const changed = (text: string, place: number, alphabet: string) => {
    const at = place % text.length
    const next = alphabet[(alphabet.indexOf(text[at]!) + 1) % alphabet.length]!
    return text.slice(0, at) + next + text.slice(at + 1)
  }

  test('if any byte of the body differs', () => {
    const change = fc.record({ place: fc.nat(), by: fc.integer({ min: 1, max: 255 }) })
    fc.assert(
      fc.property(
        someSecret,
        someTime,
        fc.string({ unit: 'binary', minLength: 1 }),
        change,
        (secret, t, body, { place, by }) => {
          const bytes = Buffer.from(body)
          bytes[place % bytes.length]! ^= by
          fails(secret, signWebhook([secret], t, body), bytes, t)
        },
      ),
    )
  })

  test('if a byte is added or missing', () => {
    fc.assert(
      fc.property(
        someSecret,
        someTime,
        someBody,
        fc.nat(),
        fc.constantFrom(' ', '\n', '\0', '0'),
        (secret, t, body, place, more) => {
          const header = signWebhook([secret], t, body)
          const at = place % (body.length + 1)
          fails(secret, header, Buffer.from(body.slice(0, at) + more + body.slice(at)), t)
          if (body !== '') fails(secret, header, Buffer.from(body).subarray(1), t)
        },
      ),
    )
  })

  test('if any digit of the time differs, even if that time is also current', () => {
    fc.assert(
      fc.property(someSecret, someTime, someBody, fc.nat(), (secret, t, body, place) => {
        const other = changed(String(t), place, '0123456789')
        const header = signWebhook([secret], t, body).replace(`t=${t}`, `t=${other}`)
        fails(secret, header, Buffer.from(body), Number(other))
        fails(secret, header, Buffer.from(body), t)
      }),
    )
  })

  test('if any digit of the digest differs', () => {
    fc.assert(
      fc.property(someSecret, someTime, someBody, fc.nat(), (secret, t, body, place) => {
        const [time, digest] = signWebhook([secret], t, body).split(',v1=')
        fails(secret, `${time},v1=${changed(digest!, place, '0123456789abcdef')}`, Buffer.from(body), t)
      }),
    )
  })

  test('with another secret', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(someSecret, { minLength: 3, maxLength: 3 }),
        someTime,
        someBody,
        ([one, two, other], t, body) => {
          fails(other!, signWebhook([one!, two!], t, body), Buffer.from(body), t)
        },
      ),
    )
  })
})
