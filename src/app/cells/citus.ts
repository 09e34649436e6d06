/** Finds the cells of a Citus cluster. */
import type { CellConfig, Config } from '../../config.ts'
import { askCell } from '../../platform/postgres/cells.ts'
import { formatNode, placedUrl, readPlacements } from '../../platform/postgres/citus.ts'
import { type Database, sqlState } from '../../platform/postgres/client.ts'
import { type OpenDatabase, openDatabase } from '../database.ts'
import { StartError } from '../start-error.ts'

/**
 * Returns the cells as the first node that answers knows them. All nodes know them, so the cells work while the coordinator
 * is away. Throws StartError if the database has no Citus.
 */
export const findCitusCells = async (
  connections: readonly Database[],
  coordinatorUrl: string,
): Promise<CellConfig[]> => {
  let failure: unknown
  for (const sql of connections)
    try {
      const placements = await askCell(sql, () => readPlacements(sql))
      return placements.map(placement => ({
        name: placement.name,
        url: placedUrl(coordinatorUrl, placement),
        citus: { name: placement.name, coordinatorUrl, node: formatNode(placement) },
      }))
    } catch (error) {
      if (sqlState(error) === undefinedTable)
        throw new StartError(
          'CELLS is citus, but the database of DATABASE_URL is not a node of a Citus cluster. Run "create extension citus" there, or change CELLS.',
          { cause: error },
        )
      failure = error
    }
  throw failure
}

const undefinedTable = '42P01'

/** Returns the further cells of a command. `main` is the database of DATABASE_URL. */
export const findCells = async ({ cells, citus }: Config, main: OpenDatabase): Promise<readonly CellConfig[]> =>
  citus ? findCitusCells([main.sql], main.url) : cells

/** Returns the further cells, like `findCells`, over a connection of its own. */
export const listCells = async (config: Config): Promise<readonly CellConfig[]> => {
  if (!config.citus) return config.cells
  const main = await openDatabase(config)
  try {
    return await findCells(config, main)
  } finally {
    await main.close()
  }
}
