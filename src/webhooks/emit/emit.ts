import type { Sql } from '../../platform/postgres/client.ts'
import { groupJobs } from '../deliveries/index.ts'
import { listenersOf } from './after-commit.ts'
import type { Emitted } from './sql.ts'

/**
 * Runs a statement that emits events and has `emitResult` as its column `told`. Returns the other columns of its rows.
 * After commit, it calls the listeners of this process. If the process crashes before that, a poll finds the rows.
 */
export const emit = async <Row extends { told: Emitted | null }>(
  sql: Sql,
  statement: PromiseLike<readonly Row[]>,
): Promise<Omit<Row, 'told'>[]> => {
  // The statement is sent only when it is awaited.
  const writeStartedAt = performance.now()
  const rows = await statement
  const told = rows[0]?.told
  if (told) notifyListeners(sql, told, writeStartedAt)
  return rows.map(({ told: _, ...row }) => row)
}

const notifyListeners = (sql: Sql, { inOutbox, made }: Emitted, writeStartedAt: number): void => {
  for (const listener of listenersOf(sql)) {
    if (made.webhooks.length > 0) listener.onDeliveriesCreated(groupJobs(made), writeStartedAt)
    if (inOutbox) listener.onOutboxWritten()
  }
}
