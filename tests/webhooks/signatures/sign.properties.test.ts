/** Property tests of signatures, compared with the definition of HMAC and the published receiver code. */
import { expect, test } from 'bun:test'
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
