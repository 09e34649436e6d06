/** Signatures of callbacks. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Compares two texts in constant time. The duration depends only on the length of `actual`. */
export const isSame = (actual: string, expected: string): boolean => {
  const [left, right] = [Buffer.from(actual), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}

export const hmac = (algorithm: 'sha1' | 'sha256', key: string, data: string | Uint8Array): Buffer =>
  createHmac(algorithm, key).update(data).digest()
