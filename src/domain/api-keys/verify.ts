import { Batcher } from '../../db/batch.ts'
import type { Sql } from '../../db/client.ts'
import { clock } from '../../platform/clock.ts'
import { hashSecret } from '../secrets.ts'
import { findLivingKeys, type LivingKey, touchApiKeys } from './sql.ts'

const keyForm = /^ces_[A-Za-z0-9_-]{43}$/

/**
 * Verifies keys against the database at every request, so that revocation is exact; all requests of the same tick
 * share one look-up. Remembers only which keys were used, for `lastUsedAt`.
 */
export class KeyVerifier {
  readonly #lookups: Batcher<string, LivingKey | null>
  readonly #used = new Map<string, { workspaceId: string; id: string; at: Date }>()

  /** `later` is for what nobody waits for. */
  constructor(
    private readonly sql: Sql,
    private readonly later: Sql = sql,
  ) {
    this.#lookups = new Batcher({ maxSize: 512, lanes: 4, work: hashes => this.#lookUp(hashes) })
  }

  /** The key's workspace, or null for a value that is malformed, unknown or revoked. */
  async verify(value: string): Promise<LivingKey | null> {
    if (!keyForm.test(value)) return null
    const key = await this.#lookups.add(hashSecret(value))
    if (key) this.#used.set(key.id, { workspaceId: key.workspaceId, id: key.id, at: new Date(clock.now()) })
    return key
  }

  /** Writes down when keys were last used; called twice a minute and once at the end. */
  async flush(): Promise<void> {
    const used = [...this.#used.values()]
    this.#used.clear()
    if (used.length === 0) return
    try {
      await touchApiKeys(this.later, used)
    } catch (error) {
      // Written with the next ones; what was used meanwhile is newer.
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
