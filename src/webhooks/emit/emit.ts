import type { Sql } from '../../platform/postgres/client.ts'
import { groupJobs } from '../deliveries/index.ts'
import { listenersOf } from './after-commit.ts'
import type { Emitted } from './sql.ts'

/**
 * Runs a statement that emits events and has `emitResult` as its column `emitted`. Returns the other columns of its rows.
 * After commit, it calls the listeners of this process. If the process crashes before that, a poll finds the rows.
 */
export const emit = async <Row extends { emitted: Emitted | null }>(
  sql: Sql,
  statement: PromiseLike<readonly Row[]>,
): Promise<Omit<Row, 'emitted'>[]> => {
  // The statement is sent only when it is awaited.
  const writeStartedAt = performance.now()
  const rows = await statement
  const emitted = rows[0]?.emitted
  if (emitted) notifyListeners(sql, emitted, writeStartedAt)
  return rows.map(({ emitted: _, ...row }) => row)
}

const notifyListeners = (sql: Sql, { inOutbox, deliveries }: Emitted, writeStartedAt: number): void => {
  for (const listener of listenersOf(sql)) {
    if (deliveries.webhooks.length > 0) listener.onDeliveriesCreated(groupJobs(deliveries), writeStartedAt)
    if (inOutbox) listener.onOutboxWritten()
  }
}
