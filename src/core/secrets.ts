/** Secrets that are shown once and stored as a hash, or stored to sign with. */
import { createHash, randomBytes } from 'node:crypto'

/** Returns a new secret: a prefix that identifies its type, and 32 random bytes as 43 characters of base64url. */
export const newSecret = (prefix: string): string => prefix + randomBytes(32).toString('base64url')

/**
 * Returns a new secret that signs webhooks: `whsec_` and 32 random bytes as 44 characters of standard base64, the form
 * of Standard Webhooks (contract 13.5).
 */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/**
 * Returns the bytes that a signing secret encodes: 32 for every secret of this service. Also decodes base64url without
 * padding, the form of earlier secrets.
 */
export const decodeSigningSecret = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

/**
 * Returns the SHA-256 hash in hex. Sufficient for values of 32 random bytes, which cannot be guessed. Passwords need
 * users/password.ts.
 */
export const hashSecret = (value: string): string => createHash('sha256').update(value).digest('hex')
