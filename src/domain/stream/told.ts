/**
 * Remembers which rows of a workspace were reported, so that none is reported twice. This is needed because polls
 * overlap.
 */
import type { SeenRow } from './sql.ts'

interface Told {
  version: string
  /** Database time of the poll that reported the row. */
  at: number
  seenAt: number
}

export class ToldRows {
  readonly #told = new Map<string, Told>()

  /**
   * Returns the new rows of a poll, oldest first, and remembers them. `silently`: remembers rows that existed before
   * without returning them.
   */
  take(rows: readonly SeenRow[], at: number, silently = false): SeenRow[] {
    const fresh: SeenRow[] = []
    for (const row of rows) {
      const name = nameOf(row)
      const before = this.#told.get(name)
      if (before?.version === row.version) {
        before.seenAt = at
        continue
      }
      const isQuiet = silently || (row.kind === 'attention' && row.version === 'over' && before === undefined)
      this.#told.set(name, { version: row.version, at, seenAt: at })
      if (!isQuiet) fresh.push(row)
    }
    return fresh.sort(byTime)
  }

  /** Returns whether this version of the row was visible at that poll, regardless of which poll reported it. */
  wasThereBy(row: SeenRow, at: number): boolean {
    const told = this.#told.get(nameOf(row))
    return told !== undefined && told.version === row.version && told.at <= at
  }

  /** Forgets rows that no poll has found since then. */
  forget(before: number): void {
    for (const [name, { seenAt }] of this.#told) if (seenAt < before) this.#told.delete(name)
  }
}

/** Compares rows by time, oldest first. */
export const byTime = (one: SeenRow, other: SeenRow): number => one.at.getTime() - other.at.getTime()

export const nameOf = ({ kind, id }: SeenRow): string => `${kind} ${id}`
