/**
 * Decides which failures of a command are reported in one sentence. This is a separate file, because it imports every
 * module whose errors it knows.
 */

import { AccountError } from '../../accounts/people/index.ts'
import { WorkspaceError } from '../../accounts/workspaces/index.ts'
import { CellUnavailable, SeveralCells } from '../../platform/postgres/cells.ts'
import { MigrationError } from '../../platform/postgres/migrate.ts'
import { TransferError } from '../../privacy/workspaces/index.ts'
import { explainStartError, StartError } from '../start-error.ts'

/** Returns the error to report. Null for a fault of the service. */
export const toOperatorError = (error: unknown): Error | null => {
  if (error instanceof SeveralCells) return new StartError(error.message)
  if (error instanceof CellUnavailable) return new StartError('The database of a cell does not respond.')
  return isForOperator(error) ? error : explainStartError(error)
}

const isForOperator = (error: unknown): error is Error =>
  [StartError, MigrationError, WorkspaceError, AccountError, TransferError].some(kind => error instanceof kind) ||
  (error instanceof Error && error.name === 'EmbeddedPostgresError')
