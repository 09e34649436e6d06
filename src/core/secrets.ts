/** Secrets that are shown once and stored as a hash, or stored to sign with. */
import { createHash, randomBytes } from 'node:crypto'

/** Returns a new secret: a prefix that identifies its type, and 32 random bytes as 43 characters of base64url. */
export const newSecret = (prefix: string): string => prefix + randomBytes(32).toString('base64url')

/**
 * Returns the SHA-256 hash in hex. Sufficient for values of 32 random bytes, which cannot be guessed. Passwords need
 * users/password.ts.
 */
export const hashSecret = (value: string): string => createHash('sha256').update(value).digest('hex')
