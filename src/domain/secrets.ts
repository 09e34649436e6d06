/** Values that are shown once and kept as a hash, or kept to sign with. */
import { createHash, randomBytes } from 'node:crypto'

/** A prefix that tells what the value is, and 32 random bytes as 43 characters of base64url. */
export const newSecret = (prefix: string): string => prefix + randomBytes(32).toString('base64url')

/** SHA-256 in hex. Enough for values of 32 random bytes, which nobody guesses; passwords need users/password.ts. */
export const hashSecret = (value: string): string => createHash('sha256').update(value).digest('hex')
