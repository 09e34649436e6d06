/** Types for retention: modules delete old rows one page at a time. */

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
  looked: number
  removed: number
}
