/** Signs and verifies webhooks as the service does (contract 13.1, contract 13.5). Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface SignedEvent {
  id: string
  type: string
  /** Raw body. */
  body: string
}

/** Returns the bytes that a secret encodes, or null if it is no secret of an endpoint. */
export const decodeSecret = (secret: string): Buffer | null => {
  const [, encoded] = /^whsec_([A-Za-z0-9+/_-]{43}=?)$/.exec(secret) ?? []
  return encoded === undefined ? null : Buffer.from(encoded, 'base64')
}

/** Returns the headers of a delivery (contract 12.1). `t` is the time in whole unix seconds. */
export const signedHeaders = (
  { id, type, body }: SignedEvent,
  secret: string,
  deliveryId: string,
  t: number,
): Record<string, string> => ({
  'Content-Type': 'application/json',
  'User-Agent': 'customer-engagement-service',
  'X-Service-Event': type,
  'X-Service-Event-Id': id,
  'X-Service-Delivery': deliveryId,
  'X-Service-Attempt': '1/1',
  'X-Service-Signature': `t=${t},v1=${digestOf(secret, `${t}.${body}`, 'hex')}`,
  'webhook-id': id,
  'webhook-timestamp': String(t),
  'webhook-signature': `v1,${digestOf(decodeSecret(secret)!, `${id}.${t}.${body}`, 'base64')}`,
})

const toleranceSeconds = 300

/** Returns whether both signatures of a request with one secret are valid. `now` is in unix seconds. */
export const isSigned = (
  headers: Record<string, string | string[] | undefined>,
  body: string,
  secret: string,
  now: number,
): boolean => {
  const [, time = '', ours = ''] = /^t=(\d{1,11}),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature'])) ?? []
  const standardTime = String(headers['webhook-timestamp'])
  const standard = String(headers['webhook-signature']).replace(/^v1,/, '')
  return (
    [time, standardTime].every(t => t !== '' && Math.abs(now - Number(t)) <= toleranceSeconds) &&
    isEqual(ours, digestOf(secret, `${time}.${body}`, 'hex')) &&
    isEqual(standard, digestOf(decodeSecret(secret)!, `${headers['webhook-id']}.${standardTime}.${body}`, 'base64'))
  )
}

const digestOf = (key: string | Buffer, text: string, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', key).update(text).digest(encoding)

const isEqual = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
