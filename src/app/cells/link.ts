/** Links the connections of all cells, so that each statement finds its database. */
import { type CellLinks, linkPool } from '../../platform/postgres/cells.ts'
import type { Database } from '../../platform/postgres/client.ts'
import type { Pools } from '../pools.ts'
import { CellLocator } from './locator.ts'

/** A cell with its pools. The first of a list has the directory. */
export interface LinkedCell {
  name: string
  pools: Pools
}

/** Pools of a process by purpose. A read of another cell uses the connections for lookups. */
const counterparts = (pools: Pools): [own: Database, other: Database][] => [
  [pools.vital, pools.vital],
  [pools.acting, pools.acting],
  [pools.recording, pools.recording],
  [pools.changing, pools.changing],
  [pools.chores, pools.chores],
  ...pools.readConnections.map((own): [Database, Database] => [own, pools.recording]),
]

/**
 * Links each pool of each cell. A statement about people, or about a workspace of another cell, then uses the pool with
 * the same purpose there. Returns what finds the cell of a workspace, a key or a channel.
 */
export const linkCells = (cells: readonly LinkedCell[]): CellLocator => {
  const locator = new CellLocator(new Map(cells.map(({ name, pools }) => [name, pools.recording])))
  linkDatabases(
    cells.map(({ name, pools }) => ({ name, databases: counterparts(pools) })),
    locator,
  )
  return locator
}

/** Links single pools of a command. */
export const linkConnections = (cells: readonly { name: string; sql: Database }[]): CellLocator => {
  const locator = new CellLocator(new Map(cells.map(({ name, sql }) => [name, sql])))
  linkDatabases(
    cells.map(({ name, sql }) => ({ name, databases: [[sql, sql]] })),
    locator,
  )
  return locator
}

interface CellDatabases {
  name: string
  databases: readonly (readonly [own: Database, other: Database])[]
}

/** Links a pool with those at the same position of the other cells. */
const linkDatabases = (cells: readonly CellDatabases[], locator: CellLocator): void => {
  for (const [position, { name, databases }] of cells.entries())
    for (const [index, [own, other]] of databases.entries()) {
      // Cells can have different numbers of connections for reads.
      const at = (cell: CellDatabases) => (cell.databases[index] ?? cell.databases.at(-1)!)[1]
      const links: CellLinks = {
        cell: name,
        directory: position === 0 ? null : at(cells[0]!),
        locate: async workspaceId => {
          const found = await locator.find('workspace', workspaceId)
          if (found === null) return null
          return { cell: found, sql: found === name ? other : at(cells.find(cell => cell.name === found)!) }
        },
      }
      linkPool(own, links)
    }
}
