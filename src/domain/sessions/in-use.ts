import type { Sql } from '../../db/client.ts'
import { touchSessions } from './sql.ts'

/** Hashes in one statement. */
const pageSize = 1000

/**
 * Remembers which sessions are in use, to be written down for all of them together now and then: no call waits for it, and
 * most write nothing.
 */
export class SessionsInUse {
  readonly #unwritten = new Set<string>()

  constructor(private readonly sql: Sql) {}

  /** To be told of every session that was shown, by the hash of its token. */
  note(tokenHash: string, { isUnnoted }: { isUnnoted: boolean }): void {
    if (isUnnoted) this.#unwritten.add(tokenHash)
  }

  /** Writes down which were used; called twice a minute and once at the end. */
  async flush(): Promise<void> {
    const used = [...this.#unwritten]
    for (let from = 0; from < used.length; from += pageSize) {
      const page = used.slice(from, from + pageSize)
      await touchSessions(this.sql, page)
      for (const one of page) this.#unwritten.delete(one)
    }
  }
}
