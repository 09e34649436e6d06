/** Checks second-factor codes. */
import type { Sql } from '../../db/client.ts'
import { tryLater } from '../errors.ts'
import type { Seals } from '../sealing.ts'
import { recoveryHashOf } from './recovery-codes.ts'
import { spendPeriod, spendRecoveryCode, takeTry } from './sql.ts'
import { openTotp, periodOf } from './totp.ts'

/** Limit on wrong codes. A person who knows the password has a chance of three in a million with each guess. */
const limit = { maxTries: 10, withinSeconds: 3600 }

/** Origin of an accepted code. */
export type CodeSource = 'app' | 'recovery'

/**
 * Consumes a code of the app or a recovery code and returns which one it was; null for a wrong code. After ten wrong
 * codes within an hour, app codes are rejected until the hour ends. Recovery codes cannot be guessed and are always
 * checked.
 */
export const spendCode = async (
  sql: Sql,
  seals: Seals | null,
  userId: string,
  code: string,
): Promise<CodeSource | null> => {
  const recoveryHash = recoveryHashOf(code)
  if (recoveryHash === null) return (await codeIsRight(sql, seals, userId, code)) ? 'app' : null
  return (await spendRecoveryCode(sql, userId, recoveryHash)) ? 'recovery' : null
}

/** Consumes a code of the app. Returns false for a wrong code and throws 429 after too many wrong codes. */
export const codeIsRight = async (sql: Sql, seals: Seals | null, userId: string, code: string): Promise<boolean> => {
  const attempt = await takeTry(sql, userId, limit)
  if (attempt === null) return false
  if (!attempt.admitted) throw tryLater('rate_limited', 'Too many wrong codes.', attempt.retryAfterSeconds)
  const period = periodOf(openTotp(seals, attempt.secret, userId), code.replaceAll(/[\s-]/g, ''))
  return period !== null && spendPeriod(sql, userId, period)
}
