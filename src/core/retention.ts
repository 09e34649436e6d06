/** Retention: modules delete old rows one page at a time. */

/**
 * Deletes rows in pages until a page is empty. `deletePage` deletes at most `limit` rows (default 1,000) in one
 * statement, which holds few locks and stays below the time limit. Throws between two pages if `signal` has aborted.
 */
export const removeOld = async (
  deletePage: (limit: number) => PromiseLike<{ count: number }>,
  { limit = 1000, signal }: { limit?: number; signal?: AbortSignal } = {},
): Promise<void> => {
  while ((await deletePage(limit)).count > 0) signal?.throwIfAborted()
}

/** A page of rows of a workspace, in the order of their ids: rows after `after` and older than `olderThan`. */
export interface RetentionRange {
  workspaceId: string
  after: string
  olderThan: Date
  limit: number
}

/** Result of one page. */
export interface RetentionResult {
  /** Id of the last row checked, or null if there was none. */
  last: string | null
  /** Number of rows checked. Fewer than `limit` means that there are no more. */
  scanned: number
  removed: number
}
