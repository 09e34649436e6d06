import type { Plan } from '../../core/plan.ts'
import { hashSecret } from '../../core/secrets.ts'
import { clock } from '../../platform/clock.ts'
import { Batcher, Failed } from '../../platform/micro-batch.ts'
import { forgetPlace, WorkspaceMoving } from '../../platform/postgres/cells.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { readPlans } from '../workspace-access/index.ts'
import { type ActiveKeyRow, findActiveKeys, touchApiKeys } from './sql.ts'

/** A key that is not revoked, with the plan of its workspace. */
export interface ActiveKey extends Omit<ActiveKeyRow, 'isMoving'>, Plan {}

const keyPattern = /^ces_[A-Za-z0-9_-]{43}$/

/** Returns whether a value can be an API key. */
export const isWellFormedKey = (value: string): boolean => keyPattern.test(value)

/**
 * Verifies keys in the database on every request, so that a revocation takes effect immediately. Requests of the same
 * tick share one query. Only the time of use is kept in memory, for `lastUsedAt`.
 */
export class KeyVerifier {
  readonly #lookupBatcher: Batcher<string, ActiveKey | null>
  readonly #lastUsed = new Map<string, { workspaceId: string; id: string; at: Date }>()

  /** `background` is the connection pool for background writes. */
  constructor(
    private readonly sql: Sql,
    private readonly background: Sql = sql,
  ) {
    this.#lookupBatcher = new Batcher({ maxSize: 512, concurrency: 4, work: hashes => this.#findKeys(hashes) })
  }

  /**
   * Returns the key with its workspace, or null if the value is malformed, unknown or revoked. Rejects with
   * WorkspaceMoving while the workspace is being moved.
   */
  async verify(value: string): Promise<ActiveKey | null> {
    if (!isWellFormedKey(value)) return null
    const key = await this.#lookupBatcher.add(hashSecret(value))
    if (key) this.#lastUsed.set(key.id, { workspaceId: key.workspaceId, id: key.id, at: new Date(clock.now()) })
    return key
  }

  /** Writes the times of last use. Called twice a minute and at shutdown. */
  async flush(): Promise<void> {
    const used = [...this.#lastUsed.values()]
    this.#lastUsed.clear()
    if (used.length === 0) return
    try {
      await touchApiKeys(this.background, used)
    } catch (error) {
      // Kept for the next flush. Times recorded since then are newer and win.
      for (const key of used) if (!this.#lastUsed.has(key.id)) this.#lastUsed.set(key.id, key)
      throw error
    }
  }

  async #findKeys(hashes: string[]): Promise<(ActiveKey | Failed | null)[]> {
    const rows = await findActiveKeys(this.sql, [...new Set(hashes)])
    const plans = await readPlans(
      this.sql,
      rows.map(({ planId }) => planId),
    )
    const keysByHash = new Map<string, ActiveKey | Failed>()
    for (const { isMoving, ...row } of rows) {
      if (isMoving) {
        forgetPlace(this.sql, 'key', row.keyHash)
        keysByHash.set(row.keyHash, new Failed(new WorkspaceMoving()))
        continue
      }
      const { features, allowances } = plans.get(row.planId)!
      keysByHash.set(row.keyHash, { ...row, features, allowances })
    }
    return hashes.map(hash => keysByHash.get(hash) ?? null)
  }
}
