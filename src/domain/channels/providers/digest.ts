/** Signatures of callbacks. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Compares two texts in constant time. The duration depends only on the length of `given`. */
export const isSame = (given: string, expected: string): boolean => {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}

export const hmac = (algorithm: 'sha1' | 'sha256', key: string, data: string | Uint8Array): Buffer =>
  createHmac(algorithm, key).update(data).digest()
