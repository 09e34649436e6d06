/** Finds the cell of a workspace, an API key or a channel, and remembers it. */
import { LRUCache } from 'lru-cache'
import { findKnownHashes } from '../../accounts/api-keys/index.ts'
import { findWorkspaceIds } from '../../accounts/workspace-access/index.ts'
import { findKnownChannels } from '../../messaging/channels/index.ts'
import { Batcher, Failed, type SettleItem } from '../../platform/micro-batch.ts'
import { askCell, CellUnavailable, type Named, SeveralCells } from '../../platform/postgres/cells.ts'
import { type Database, isServerFailure, type Sql } from '../../platform/postgres/client.ts'

/** Returns those of the ids that a database has. */
const lookups: Record<Named, (sql: Sql, ids: readonly string[]) => Promise<string[]>> = {
  workspace: findWorkspaceIds,
  key: findKnownHashes,
  channel: findKnownChannels,
}

/** Maximum number of places that are remembered, and milliseconds until one is asked for again. */
const [maxRemembered, rememberedMs] = [100_000, 10_000]

/** Many searches at the same time, because one for an id of a silent cell takes a second. */
const searchLimits = { maxSize: 512, concurrency: 32 }

export interface SearchedCell {
  sql: Database
  /** Returns whether the cell is held after a restore, or may be. */
  isHeld: () => boolean
}

/**
 * Asks all cells for records that are not known yet; those of the same tick share one query per cell. A place says in
 * which cell a record is, and not whether it is valid. It changes only when an operator moves a workspace: the old cell
 * then rejects the call, the place is forgotten, and the call is routed again.
 *
 * A cell that is held after a restore can have outdated rows of workspaces that were moved since its backup. It has a
 * record only if no other cell has it.
 */
export class CellLocator {
  readonly #places = new LRUCache<string, string | SeveralCells>({ max: maxRemembered, ttl: rememberedMs })
  readonly #searches: Record<Named, Batcher<string, string | null>>

  /** Reads which cells there are. Null if they do not change. Rejects with CellUnavailable if that is not known. */
  refresh: (() => Promise<void>) | null = null

  /** Called when several held cells have a record, at most every ten seconds for each. */
  onSeveralCells: (error: SeveralCells) => void = () => {}

  /** `cells` are the cells by name. */
  constructor(private readonly cells: ReadonlyMap<string, SearchedCell>) {
    const searchFor = (named: Named) =>
      new Batcher<string, string | null>({
        ...searchLimits,
        work: (ids, settleItem) => this.#search(named, ids, settleItem),
      })
    this.#searches = { workspace: searchFor('workspace'), key: searchFor('key'), channel: searchFor('channel') }
  }

  /**
   * Returns the name of the cell. Returns null if no cell has the record, also none that was created until now. Rejects with
   * CellUnavailable if a cell that did not answer may have it, and with SeveralCells if several held cells have it.
   */
  async find(named: Named, id: string): Promise<string | null> {
    const key = `${named}:${id}`
    const place = this.#places.get(key)
    if (place instanceof SeveralCells) throw place
    if (place !== undefined) return place
    const search = () => this.#searches[named].add(id)
    try {
      const found = (await search()) ?? (this.refresh && (await this.refresh().then(search)))
      if (found !== null) this.#places.set(key, found)
      return found
    } catch (error) {
      if (error instanceof SeveralCells && !this.#places.has(key)) {
        this.#places.set(key, error)
        this.onSeveralCells(error)
      }
      throw error
    }
  }

  /** Makes the next search for a record ask all cells. */
  forget(named: Named, id: string): void {
    this.#places.delete(`${named}:${id}`)
  }

  /**
   * Settles each id when a cell that is not held has it. Waits for all cells only if an id was not found, or only in a held
   * cell.
   */
  async #search(named: Named, ids: string[], settleItem: SettleItem<string | null>) {
    const missing = new Set(ids)
    const inHeld = new Map<string, string[]>()
    const allFound = Promise.withResolvers<void>()
    let isCellAway = false
    const ask = async ([name, { sql, isHeld }]: [string, SearchedCell]) => {
      try {
        const found = new Set(await askCell(sql, () => lookups[named](sql, [...new Set(ids)])))
        if (isHeld()) {
          for (const id of found) inHeld.set(id, [...(inHeld.get(id) ?? []), name])
          return
        }
        for (const [position, id] of ids.entries()) if (found.has(id)) settleItem(position, name)
        for (const id of found) missing.delete(id)
        if (missing.size === 0) allFound.resolve()
      } catch (error) {
        if (!isServerFailure(error)) throw error
        isCellAway = true
      }
    }
    await Promise.race([allFound.promise, Promise.all([...this.cells].map(ask))])
    return ids.map(id => {
      if (!missing.has(id)) return undefined
      if (isCellAway) return new Failed(new CellUnavailable())
      const [place = null, ...others] = inHeld.get(id) ?? []
      return place !== null && others.length > 0
        ? new Failed(new SeveralCells(named, [place, ...others].sort()))
        : place
    })
  }
}
