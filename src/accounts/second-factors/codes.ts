/** Checks second-factor codes. */

import { retryLater } from '../../core/errors.ts'
import type { Keyring } from '../../platform/encryption.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { consumePeriod, consumeRecoveryCode, countAttempt } from './sql.ts'
import { decryptTotp, findPeriod } from './totp.ts'

/** Limit on wrong codes. A person who knows the password has a chance of three in a million with each guess. */
const limit = { maxAttempts: 10, withinSeconds: 3600 }

/** Origin of an accepted code. */
export type CodeSource = 'app' | 'recovery'

/**
 * Consumes a code of the app or a recovery code and returns which one it was; null for a wrong code. After ten wrong
 * codes within an hour, app codes are rejected until the hour ends. Recovery codes cannot be guessed and are always
 * checked.
 */
export const consumeCode = async (
  sql: Sql,
  keyring: Keyring | null,
  userId: string,
  code: string,
): Promise<CodeSource | null> => {
  const recoveryHash = hashRecoveryCode(code)
  if (recoveryHash === null) return (await consumeAppCode(sql, keyring, userId, code)) ? 'app' : null
  return (await consumeRecoveryCode(sql, userId, recoveryHash)) ? 'recovery' : null
}

/** Consumes a code of the app. Returns false for a wrong code and throws 429 after too many wrong codes. */
export const consumeAppCode = async (
  sql: Sql,
  keyring: Keyring | null,
  userId: string,
  code: string,
): Promise<boolean> => {
  const attempt = await countAttempt(sql, userId, limit)
  if (attempt === null) return false
  if (!attempt.admitted) throw retryLater('rate_limited', 'Too many wrong codes.', attempt.retryAfterSeconds)
  const period = findPeriod(decryptTotp(keyring, attempt.secret, userId), code.replaceAll(/[\s-]/g, ''))
  return period !== null && consumePeriod(sql, userId, period)
}
