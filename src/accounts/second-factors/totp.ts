/** Time-based codes (RFC 6238) with the settings of authenticator apps: SHA-1, six digits, 30 seconds. */
import { Secret, TOTP } from 'otpauth'
import { DomainError } from '../../core/errors.ts'
import { clock } from '../../platform/clock.ts'
import { DecryptionError, type Keyring } from '../../platform/encryption.ts'

const issuer = 'Customer Engagement Service'
const periodSeconds = 30
/**
 * Number of time steps before and after the current one that are accepted, because clocks differ and typing takes time.
 */
const toleranceSteps = 1

/** Returns a new secret as text and its URI for authenticator apps. */
export const newTotp = (email: string): { secret: string; uri: string } => {
  const totp = createTotp(new Secret({ size: 20 }).base32, email)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** Returns the time step of a code, counted from 1970; null if no nearby step matches. */
export const findPeriod = (secret: string, code: string, now = clock.now()): number | null => {
  const delta = createTotp(secret, '').validate({ token: code, timestamp: now, window: toleranceSteps })
  return delta === null ? null : Math.floor(now / 1000 / periodSeconds) + delta
}

const createTotp = (secret: string, label: string): TOTP =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period: periodSeconds })

export const totpAad = (userId: string): string[] => ['second factor', userId]

/** Encrypts the secret. Throws if no encryption key is configured. */
export const encryptTotp = (keyring: Keyring | null, secret: string, userId: string): Buffer => {
  if (keyring) return keyring.encrypt(secret, totpAad(userId))
  throw new DomainError(
    'unprocessable',
    'Second factors are stored encrypted, and this service has no key. Ask the operator to set SECRETS_KEY.',
  )
}

/** Decrypts the secret. Throws if its encryption key is missing. */
export const decryptTotp = (keyring: Keyring | null, encrypted: Uint8Array, userId: string): string => {
  try {
    if (keyring) return keyring.decrypt(encrypted, totpAad(userId))
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error
  }
  throw new DomainError(
    'unprocessable',
    'The second factor cannot be read with the SECRETS_KEY of this service. Use a recovery code, or ask the operator.',
  )
}
