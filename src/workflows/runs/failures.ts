/** Classifies the cause of a failed transaction. Pure. */
import { isConnectionError, sqlState } from '../../platform/postgres/client.ts'

/** Returns whether the database failed, not the statement. Every run would fail in the same way. */
export const isDatabaseFailure = (error: unknown): boolean => failureCauseOf(error) === 'database'

/**
 * Returns the cause of a failed transaction of a run.
 *
 * `run`: its effects cannot be stored. `others`: another transaction held a lock. `database`: it is unavailable, full,
 * being changed or not writable, and would reject any run. `unknown`: any of these, including a statement timeout.
 */
export const failureCauseOf = (error: unknown): 'run' | 'others' | 'database' | 'unknown' => {
  if (isConnectionError(error)) return 'database'
  const state = sqlState(error) ?? ''
  if (state === statementTimeout) return 'unknown'
  if (/^(21|22|23|54)/.test(state)) return 'run'
  if (/^(40|55)/.test(state)) return 'others'
  return /^(08|0A|25|28|3D|3F|42|53|57|58)/.test(state) ? 'database' : 'unknown'
}

const statementTimeout = '57014'
