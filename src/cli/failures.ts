/** Which failures of a command are told in one sentence. Apart, since it takes all that may fail to know them. */
import { MigrationError } from '../db/migrate.ts'
import { AccountError } from '../domain/accounts/index.ts'
import { WorkspaceError } from '../domain/workspaces/index.ts'
import { StartError, startProblem } from '../service/problem.ts'

/** Null for what is a fault of ours. */
export const toldToOperator = (error: unknown): Error | null => (isForOperator(error) ? error : startProblem(error))

const isForOperator = (error: unknown): error is Error =>
  [StartError, MigrationError, WorkspaceError, AccountError].some(kind => error instanceof kind) ||
  (error instanceof Error && error.name === 'EmbeddedPostgresError')
