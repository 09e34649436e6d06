/** Time-based codes (RFC 6238) with the settings of authenticator apps: SHA-1, six digits, 30 seconds. */
import { Secret, TOTP } from 'otpauth'
import { clock } from '../../platform/clock.ts'
import { DomainError } from '../errors.ts'
import { CannotOpen, type Seals } from '../sealing.ts'

const issuer = 'Customer Engagement Service'
const periodSeconds = 30
/**
 * Number of time steps before and after the current one that are accepted, because clocks differ and typing takes time.
 */
const leniency = 1

/** Returns a new secret as text and its URI for authenticator apps. */
export const newTotp = (email: string): { secret: string; uri: string } => {
  const totp = totpOf(new Secret({ size: 20 }).base32, email)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** Returns the time step of a code, counted from 1970; null if no nearby step matches. */
export const periodOf = (secret: string, code: string, now = clock.now()): number | null => {
  const delta = totpOf(secret, '').validate({ token: code, timestamp: now, window: leniency })
  return delta === null ? null : Math.floor(now / 1000 / periodSeconds) + delta
}

const totpOf = (secret: string, label: string): TOTP =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period: periodSeconds })

export const placeOfTotp = (userId: string): string[] => ['second factor', userId]

/** Encrypts the secret. Throws if no encryption key is configured. */
export const sealTotp = (seals: Seals | null, secret: string, userId: string): Buffer => {
  if (seals) return seals.seal(secret, placeOfTotp(userId))
  throw new DomainError(
    'unprocessable',
    'A second factor is kept encrypted, for which this service has no key. Whoever runs it sets SECRETS_KEY.',
  )
}

/** Decrypts the secret. Throws if its encryption key is missing. */
export const openTotp = (seals: Seals | null, sealed: Uint8Array, userId: string): string => {
  try {
    if (seals) return seals.open(sealed, placeOfTotp(userId))
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error
  }
  throw new DomainError(
    'unprocessable',
    'The second factor cannot be read with the SECRETS_KEY of this service. Use a recovery code, or ask whoever runs it.',
  )
}
