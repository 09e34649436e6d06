/** Removing what is too old, a page at a time: what retention asks of each noun, and what that answers. */

/** Rows of a workspace in the order of their ids, those behind `after` and older than a time: a page of them. */
export interface OldSpan {
  workspaceId: string
  after: string
  olderThan: Date
  limit: number
}

/** What became of a page. */
export interface OldPage {
  /** The last row that was looked at; null where there was none. */
  last: string | null
  /** Fewer than were asked for: there are no more. */
  looked: number
  removed: number
}
