import type { Sql } from '../../db/client.ts'
import { touchSessions } from './sql.ts'

/** Maximum number of hashes per statement. */
const pageSize = 1000

/**
 * Collects the sessions in use and writes them in batches, so that no request waits for the write. Most requests write
 * nothing.
 */
export class SessionsInUse {
  readonly #unwritten = new Set<string>()

  constructor(private readonly sql: Sql) {}

  /** Called for every session used by a request, with the hash of its token. */
  note(tokenHash: string, { isUnnoted }: { isUnnoted: boolean }): void {
    if (isUnnoted) this.#unwritten.add(tokenHash)
  }

  /** Writes the collected sessions. Called twice a minute and once at shutdown. */
  async flush(): Promise<void> {
    const used = [...this.#unwritten]
    for (let from = 0; from < used.length; from += pageSize) {
      const page = used.slice(from, from + pageSize)
      await touchSessions(this.sql, page)
      for (const one of page) this.#unwritten.delete(one)
    }
  }
}
