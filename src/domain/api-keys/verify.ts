import { Batcher } from '../../db/batch.ts'
import type { Sql } from '../../db/client.ts'
import { clock } from '../../platform/clock.ts'
import { hashSecret } from '../secrets.ts'
import { findLivingKeys, type LivingKey, touchApiKeys } from './sql.ts'

const keyForm = /^ces_[A-Za-z0-9_-]{43}$/

/**
 * Verifies keys in the database on every request, so that a revocation takes effect immediately. Requests of the same
 * tick share one query. Only the time of use is kept in memory, for `lastUsedAt`.
 */
export class KeyVerifier {
  readonly #lookups: Batcher<string, LivingKey | null>
  readonly #used = new Map<string, { workspaceId: string; id: string; at: Date }>()

  /** `later` is the connection pool for background writes. */
  constructor(
    private readonly sql: Sql,
    private readonly later: Sql = sql,
  ) {
    this.#lookups = new Batcher({ maxSize: 512, lanes: 4, work: hashes => this.#lookUp(hashes) })
  }

  /** Returns the key with its workspace, or null if the value is malformed, unknown or revoked. */
  async verify(value: string): Promise<LivingKey | null> {
    if (!keyForm.test(value)) return null
    const key = await this.#lookups.add(hashSecret(value))
    if (key) this.#used.set(key.id, { workspaceId: key.workspaceId, id: key.id, at: new Date(clock.now()) })
    return key
  }

  /** Writes the times of last use. Called twice a minute and at shutdown. */
  async flush(): Promise<void> {
    const used = [...this.#used.values()]
    this.#used.clear()
    if (used.length === 0) return
    try {
      await touchApiKeys(this.later, used)
    } catch (error) {
      // Kept for the next flush. Times recorded since then are newer and win.
      for (const key of used) if (!this.#used.has(key.id)) this.#used.set(key.id, key)
      throw error
    }
  }

  async #lookUp(hashes: string[]): Promise<(LivingKey | null)[]> {
    const found = new Map<string, LivingKey>()
    for (const key of await findLivingKeys(this.sql, [...new Set(hashes)])) found.set(key.keyHash, key)
    return hashes.map(hash => found.get(hash) ?? null)
  }
}
