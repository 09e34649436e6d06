/** Whose fault a failed transaction is. Pure. */
import { isConnectionError, sqlState } from '../../db/client.ts'

/** Whether it is the database that failed, and not what was asked of it: every run would fail alike. */
export const isFailureOfDatabase = (error: unknown): boolean => blameOf(error) === 'database'

/**
 * Whose fault it is that a run's transaction failed. `run`: what it did cannot be stored. `others`: somebody held what
 * it needed. `database`: it is away, full, being changed or not ours to write to, and would refuse any run. `unknown`:
 * any of these, a statement that took too long among them.
 */
export const blameOf = (error: unknown): 'run' | 'others' | 'database' | 'unknown' => {
  if (isConnectionError(error)) return 'database'
  const state = sqlState(error) ?? ''
  if (state === statementTimeout) return 'unknown'
  if (/^(21|22|23|54)/.test(state)) return 'run'
  if (/^(40|55)/.test(state)) return 'others'
  return /^(08|0A|25|28|3D|3F|42|53|57|58)/.test(state) ? 'database' : 'unknown'
}

const statementTimeout = '57014'
