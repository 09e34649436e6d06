/** Whether a code is its holder's. */
import type { Sql } from '../../db/client.ts'
import { tryLater } from '../errors.ts'
import type { Seals } from '../sealing.ts'
import { recoveryHashOf } from './recovery-codes.ts'
import { spendPeriod, spendRecoveryCode, takeTry } from './sql.ts'
import { openTotp, periodOf } from './totp.ts'

/** Whoever knows the password guesses one of three in a million with each of these. */
const limit = { maxTries: 10, withinSeconds: 3600 }

/**
 * Takes a code of the app, or a recovery code: true where it is good, and now used up. Ten wrong codes within an hour,
 * and those of the app are refused for its rest; a recovery code, which nobody guesses, always goes.
 */
export const spendCode = async (sql: Sql, seals: Seals | null, userId: string, code: string): Promise<boolean> => {
  const recoveryHash = recoveryHashOf(code)
  return recoveryHash === null ? codeIsRight(sql, seals, userId, code) : spendRecoveryCode(sql, userId, recoveryHash)
}

/** The same for a code of the app alone. */
export const codeIsRight = async (sql: Sql, seals: Seals | null, userId: string, code: string): Promise<boolean> => {
  const attempt = await takeTry(sql, userId, limit)
  if (attempt === null) return false
  if (!attempt.admitted) throw tryLater('rate_limited', 'Too many wrong codes.', attempt.retryAfterSeconds)
  const period = periodOf(openTotp(seals, attempt.secret, userId), code.replaceAll(/[\s-]/g, ''))
  return period !== null && spendPeriod(sql, userId, period)
}
