/** Property tests of signatures, compared with the definition of HMAC and the published receiver code. */
import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { verifyWebhook } from '../../../src/api/receivers/verify-webhook.ts'
import { signWebhook } from '../../../src/webhooks/signatures/sign.ts'
import { verifySignature } from '../../support/receiver.ts'

const someTime = fc.integer({ min: 1_000_000_000, max: 10_000_000_000 })
const someBody = fc.oneof(fc.json(), fc.string({ unit: 'binary' }))

const verifyReceived: typeof verifyWebhook = (secret, header, body, now) => verifySignature(header!, body as string, secret, now!)

/** HMAC-SHA256 by its definition, computed with SHA-256 only. */
const hmac = (key: string, text: string): string => {
  const digest = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
  const bytes = Buffer.from(key)
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
