/** Links the connections of all cells, so that each statement finds its database. */
import { type CellLinks, CellUnavailable, linkPool } from '../../platform/postgres/cells.ts'
import type { Database } from '../../platform/postgres/client.ts'
import type { Pools } from '../pools.ts'
import { CellLocator, type SearchedCell } from './locator.ts'

/** Pools of a process by purpose. A read of another cell uses the connections for lookups. */
const counterparts = (pools: Pools): [own: Database, other: Database][] => [
  [pools.vital, pools.vital],
  [pools.acting, pools.acting],
  [pools.recording, pools.recording],
  [pools.changing, pools.changing],
  [pools.chores, pools.chores],
  ...pools.readConnections.map((own): [Database, Database] => [own, pools.recording]),
]

type CellDatabases = readonly (readonly [own: Database, other: Database])[]

/**
 * Linked cells. A statement about people, or about a workspace of another cell, uses the pool with the same purpose there.
 * Cells can be added, replaced and removed while the others are used.
 */
export class LinkedCells {
  readonly #cells = new Map<string, CellDatabases>()
  readonly #searched = new Map<string, SearchedCell>()
  /** Finds the cell of a workspace, a key or a channel. */
  readonly locator = new CellLocator(this.#searched)

  /**
   * Links the pools of a cell. The first cell has the directory. A cell with a known name replaces that one. `isHeld` returns
   * whether the cell is held after a restore, or may be.
   */
  add(name: string, pools: Pools, isHeld: () => boolean): void {
    this.#add(name, counterparts(pools), { sql: pools.recording, isHeld })
  }

  /** Links the single pool of a command. */
  addConnection(name: string, sql: Database, isHeld: boolean): void {
    this.#add(name, [[sql, sql]], { sql, isHeld: () => isHeld })
  }

  remove(name: string): void {
    this.#cells.delete(name)
    this.#searched.delete(name)
  }

  #add(name: string, databases: CellDatabases, searched: SearchedCell): void {
    const [directory = null] = this.#cells.values()
    this.#cells.set(name, databases)
    this.#searched.set(name, searched)
    for (const [index, [own, other]] of databases.entries()) {
      // Cells can have different numbers of connections for reads.
      const at = (cell: CellDatabases) => (cell[index] ?? cell.at(-1)!)[1]
      const links: CellLinks = {
        cell: name,
        directory: directory && at(directory),
        locate: async workspaceId => {
          const found = await this.locator.find('workspace', workspaceId)
          if (found === null) return null
          if (found === name) return { cell: found, sql: other }
          const cell = this.#cells.get(found)
          if (!cell) throw new CellUnavailable()
          return { cell: found, sql: at(cell) }
        },
        forget: (named, id) => this.locator.forget(named, id),
      }
      linkPool(own, links)
    }
  }
}
