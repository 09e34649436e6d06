import type { Sql } from '../../platform/postgres/client.ts'
import { touchSessions } from './sql.ts'

/** Maximum number of hashes per statement. */
const pageSize = 1000

/**
 * Collects the sessions in use and writes them in batches, so that no request waits for the write. Most requests write
 * nothing.
 */
export class SessionUseBuffer {
  readonly #pending = new Set<string>()

  constructor(private readonly sql: Sql) {}

  /** Called for every session used by a request, with the hash of its token. */
  record(tokenHash: string, { isTouchDue }: { isTouchDue: boolean }): void {
    if (isTouchDue) this.#pending.add(tokenHash)
  }

  /** Writes the collected sessions. Called twice a minute and once at shutdown. */
  async flush(): Promise<void> {
    const tokenHashes = [...this.#pending]
    for (let from = 0; from < tokenHashes.length; from += pageSize) {
      const page = tokenHashes.slice(from, from + pageSize)
      await touchSessions(this.sql, page)
      for (const one of page) this.#pending.delete(one)
    }
  }
}
