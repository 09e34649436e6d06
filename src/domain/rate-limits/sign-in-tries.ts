import { createHash } from 'node:crypto'
import { retrying, type Sql } from '../../db/client.ts'
import { takeSignInTry } from './sql.ts'

export type SignInVerdict = { admitted: true } | { admitted: false; retryAfterSeconds: number }

/**
 * Counts a try to sign in as this person from this place, unless `max` were made in the last ten minutes. Exact in all
 * processes together: tries of one person from one place queue for one row.
 */
export const admitSignInTry = async (
  sql: Sql,
  { email, address, max }: { email: string; address: string; max: number },
): Promise<SignInVerdict> => {
  const who = createHash('sha256').update(`${email.trim().toLowerCase()} ${address}`).digest('hex')
  const { admitted, retryAfterSeconds } = await retrying(() => takeSignInTry(sql, who, max))
  return admitted ? { admitted } : { admitted, retryAfterSeconds }
}
