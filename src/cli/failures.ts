/**
 * Decides which failures of a command are reported in one sentence. This is a separate file, because it imports every
 * module whose errors it knows.
 */
import { MigrationError } from '../db/migrate.ts'
import { AccountError } from '../domain/accounts/index.ts'
import { WorkspaceError } from '../domain/workspaces/index.ts'
import { StartError, startProblem } from '../service/problem.ts'

/** Returns the error to report. Null for a fault of the service. */
export const toldToOperator = (error: unknown): Error | null => (isForOperator(error) ? error : startProblem(error))

const isForOperator = (error: unknown): error is Error =>
  [StartError, MigrationError, WorkspaceError, AccountError].some(kind => error instanceof kind) ||
  (error instanceof Error && error.name === 'EmbeddedPostgresError')
