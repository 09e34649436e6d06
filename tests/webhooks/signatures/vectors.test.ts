import { describe, expect, test } from 'bun:test'
import { verifyWebhook } from '../../../src/api/receivers/verify-webhook.ts'
import { checkSignature } from '../../../src/webhooks/signatures/diagnosis.ts'
import { signWebhook } from '../../../src/webhooks/signatures/sign.ts'
import { verifySignature } from '../../support/receiver.ts'
import { type Vector, vectors } from './vectors.ts'

const named = (list: readonly Vector[]) => list.map(vector => [vector.name, vector] as const)
const judge = ({ secret, header, body, now }: Vector) =>
  checkSignature({
    secret,
    headers: header === null ? {} : { 'X-Service-Signature': header },
    body,
    at: new Date(now * 1000),
  })

describe('the signer writes the header of', () => {
  test.each(named(vectors.filter(({ signed }) => signed)))('%s', (_, { signed, body, header }) => {
    expect(signWebhook(signed!.secrets, signed!.t, body)).toBe(header!)
  })
})

describe('the verifier accepts', () => {
  test.each(named(vectors.filter(({ valid }) => valid)))('%s', (_, vector) => {
    expect(judge(vector)).toMatchObject({ valid: true, problems: [], matched: expect.any(Number) })
    expect(verifySignature(vector.header!, vector.body, vector.secret, vector.now)).toBe(true)
    expect(verifyWebhook(vector.secret, vector.header!, vector.body, vector.now)).toBe(true)
  })
})

describe('the verifier rejects', () => {
  test.each(named(vectors.filter(({ valid }) => !valid)))('%s', (_, vector) => {
    const { valid, problems } = judge(vector)
    expect(valid).toBe(false)
    expect(problems[0]?.code as string).toBe(vector.reason!)
    expect(verifyWebhook(vector.secret, vector.header ?? undefined, vector.body, vector.now)).toBe(false)
    // The receiver of the tests does not look for repeated fields.
    if (vector.header !== null && vector.reason !== 'timestamp_repeated')
      expect(verifySignature(vector.header, vector.body, vector.secret, vector.now)).toBe(false)
  })
})
