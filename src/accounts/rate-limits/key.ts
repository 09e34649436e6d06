import { createHash } from 'node:crypto'

/**
 * Returns SHA-256 of the parts as a JSON array, so that different parts never give the same text. The database stores
 * no address in plain text.
 */
export const hashKey = (...parts: (string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')
