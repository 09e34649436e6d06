/** Signatures of callbacks. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whether the texts are the same, told in a time that depends on nothing but the length of what was given. */
export const isSame = (given: string, expected: string): boolean => {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}

export const hmac = (algorithm: 'sha1' | 'sha256', key: string, data: string | Uint8Array): Buffer =>
  createHmac(algorithm, key).update(data).digest()
