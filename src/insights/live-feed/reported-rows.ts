/**
 * Remembers which rows of a workspace were reported, so that none is reported twice. This is needed because polls
 * overlap.
 */
import type { FeedRow } from './sql.ts'

interface ReportedRow {
  version: string
  /** Database time of the poll that reported the row. */
  at: number
  seenAt: number
}

export class ReportedRows {
  readonly #reported = new Map<string, ReportedRow>()

  /**
   * Returns the new rows of a poll, oldest first, and remembers them. `isBaseline`: remembers rows that existed before
   * without returning them.
   */
  add(rows: readonly FeedRow[], at: number, isBaseline = false): FeedRow[] {
    const newRows: FeedRow[] = []
    for (const row of rows) {
      const name = keyOf(row)
      const before = this.#reported.get(name)
      if (before?.version === row.version) {
        before.seenAt = at
        continue
      }
      const isSilent = isBaseline || (row.kind === 'attention' && row.version === 'over' && before === undefined)
      this.#reported.set(name, { version: row.version, at, seenAt: at })
      if (!isSilent) newRows.push(row)
    }
    return newRows.sort(byTime)
  }

  /** Returns whether this version of the row was visible at that poll, regardless of which poll reported it. */
  wasVisibleAt(row: FeedRow, at: number): boolean {
    const reported = this.#reported.get(keyOf(row))
    return reported !== undefined && reported.version === row.version && reported.at <= at
  }

  /** Forgets rows that no poll has found since then. */
  forget(before: number): void {
    for (const [name, { seenAt }] of this.#reported) if (seenAt < before) this.#reported.delete(name)
  }
}

/** Compares rows by time, oldest first. */
export const byTime = (one: FeedRow, other: FeedRow): number => one.at.getTime() - other.at.getTime()

export const keyOf = ({ kind, id }: FeedRow): string => `${kind} ${id}`
