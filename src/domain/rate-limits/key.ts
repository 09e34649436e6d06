import { createHash } from 'node:crypto'

/**
 * SHA-256 of the parts as a JSON array, so that no text in one part reads as another part. The database keeps no address in
 * clear.
 */
export const keyOf = (...parts: (string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')
