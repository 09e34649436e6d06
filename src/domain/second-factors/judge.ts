/** Whether a code is its holder's. */
import type { Sql } from '../../db/client.ts'
import { tryLater } from '../errors.ts'
import type { Seals } from '../sealing.ts'
import { recoveryHashOf } from './recovery-codes.ts'
import { spendPeriod, spendRecoveryCode, takeTry } from './sql.ts'
import { openTotp, periodOf } from './totp.ts'

/** Whoever knows the password guesses one of three in a million with each of these. */
const limit = { maxTries: 10, withinSeconds: 3600 }

/** Where an accepted code came from. */
export type CodeSource = 'app' | 'recovery'

/**
 * Spends a code of the app or a recovery code, and returns which of the two it was; null for a wrong code. After ten wrong
 * codes within an hour, codes of the app are rejected for the rest of it. A recovery code, which nobody guesses, is always
 * judged.
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

/** The same for a code of the app alone. */
export const codeIsRight = async (sql: Sql, seals: Seals | null, userId: string, code: string): Promise<boolean> => {
  const attempt = await takeTry(sql, userId, limit)
  if (attempt === null) return false
  if (!attempt.admitted) throw tryLater('rate_limited', 'Too many wrong codes.', attempt.retryAfterSeconds)
  const period = periodOf(openTotp(seals, attempt.secret, userId), code.replaceAll(/[\s-]/g, ''))
  return period !== null && spendPeriod(sql, userId, period)
}
