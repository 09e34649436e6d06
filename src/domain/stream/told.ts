/** What was told of a workspace's rows, so that none is told twice: a look goes back a little behind the one before. */
import type { SeenRow } from './sql.ts'

interface Told {
  version: string
  /** By the clock of the database: as of which look. */
  at: number
  seenAt: number
}

export class ToldRows {
  readonly #told = new Map<string, Told>()

  /** Of what a look of that time has found what is new, oldest first. `silently`: it was there before. */
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

  /** Whether it was there for everybody to see by that look, whoever told it. */
  wasThereBy(row: SeenRow, at: number): boolean {
    const told = this.#told.get(nameOf(row))
    return told !== undefined && told.version === row.version && told.at <= at
  }

  /** Forgets what no look has found since then. */
  forget(before: number): void {
    for (const [name, { seenAt }] of this.#told) if (seenAt < before) this.#told.delete(name)
  }
}

/** In the order in which it happened. */
export const byTime = (one: SeenRow, other: SeenRow): number => one.at.getTime() - other.at.getTime()

export const nameOf = ({ kind, id }: SeenRow): string => `${kind} ${id}`
