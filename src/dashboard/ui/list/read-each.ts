/** Reads of records for an export. */
import { withRetryAfter } from '../../api/retry.ts'

/** Reads a record of each row, one after the other, so that an export leaves room for other requests. */
export const readEach = async <Row extends { id: string }, Result>(
  rows: readonly Row[],
  read: (row: Row, signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<ReadonlyMap<string, Result>> => {
  const results = new Map<string, Result>()
  for (const row of rows) {
    onProgress(results.size, rows.length)
    results.set(row.id, await withRetryAfter(() => read(row, signal), signal))
    signal.throwIfAborted()
  }
  return results
}
