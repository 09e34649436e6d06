/** Finds the cell of a workspace, an API key or a channel, and remembers it. */
import { LRUCache } from 'lru-cache'
import { hasApiKey } from '../../accounts/api-keys/index.ts'
import { findWorkspaceIds } from '../../accounts/workspace-access/index.ts'
import { hasChannel } from '../../messaging/channels/index.ts'
import { askCell, CellUnavailable } from '../../platform/postgres/cells.ts'
import type { Database, Sql } from '../../platform/postgres/client.ts'

/** A record that a request names, which determines the workspace. A key is named by its hash. */
export type Named = 'workspace' | 'key' | 'channel'

const lookups: Record<Named, (sql: Sql, id: string) => Promise<boolean>> = {
  workspace: async (sql, id) => (await findWorkspaceIds(sql, [id])).length > 0,
  key: hasApiKey,
  channel: hasChannel,
}

/** Maximum number of places that are remembered, and milliseconds until one is asked for again. */
const [maxRemembered, rememberedMs] = [100_000, 10_000]

/** Maximum number of searches at the same time. Callers need no credential for one. */
const maxSearches = 500

/**
 * Asks all cells for a record that is not known yet. A place says in which cell a record is, and not whether it is valid.
 * It changes only when an operator moves a workspace.
 */
export class CellLocator {
  readonly #places = new LRUCache<string, string>({ max: maxRemembered, ttl: rememberedMs })
  readonly #searches = new Map<string, Promise<string | null>>()

  /** `cells` are pools by the names of their cells. */
  constructor(private readonly cells: ReadonlyMap<string, Database>) {}

  /** Returns the name of the cell. Returns null if no cell has the record. Rejects with CellUnavailable if one did not answer. */
  async find(named: Named, id: string): Promise<string | null> {
    const key = `${named}:${id}`
    const place = this.#places.get(key)
    if (place !== undefined) return place
    const running = this.#searches.get(key)
    if (running) return running
    if (this.#searches.size >= maxSearches) throw new CellUnavailable()
    const search = this.#search(named, id).finally(() => this.#searches.delete(key))
    this.#searches.set(key, search)
    const found = await search
    if (found !== null) this.#places.set(key, found)
    return found
  }

  async #search(named: Named, id: string): Promise<string | null> {
    const answers = [...this.cells].map(async ([name, sql]) => {
      if (!(await askCell(sql, () => lookups[named](sql, id)))) throw new NotHere()
      return name
    })
    try {
      return await Promise.any(answers)
    } catch (error) {
      if ((error as AggregateError).errors.every(reason => reason instanceof NotHere)) return null
      throw new CellUnavailable()
    }
  }
}

/** A cell has answered that it does not have the record. */
class NotHere extends Error {}
