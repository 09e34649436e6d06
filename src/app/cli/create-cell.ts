/** `cells create`: creates a cell in the Citus cluster of DATABASE_URL. */
import type { Config } from '../../config.ts'
import { formatNode, maxCells, type Placement, placedUrl, readPlacements } from '../../platform/postgres/citus.ts'
import { findClusterProblem } from '../../platform/postgres/citus-cell.ts'
import { hasMigrationsTable } from '../../platform/postgres/migrate.ts'
import { createCitusCell } from '../cells/citus-cell.ts'
import { migrateDatabase, type OpenDatabase, openCell, openDatabase } from '../database.ts'
import { StartError } from '../start-error.ts'

/**
 * Creates the cell, or completes it if an earlier attempt was interrupted. Returns its placement. Throws StartError if the
 * cell exists, if there are too many, or if the database is not the coordinator of a cluster.
 */
export const createCell = async (config: Config, name: string): Promise<Placement> => {
  if (!config.citus)
    throw new StartError('CELLS must be citus to create a cell. Add other databases to the list in CELLS instead.')
  const main = await openDatabase(config)
  try {
    const problem = await findClusterProblem(main.sql)
    if (problem !== null) throw new StartError(problem)
    const known = await readPlacements(main.sql)
    const placement = await findComplete(main, known, name)
    if (placement) throw new StartError(`The cell "${name}" already exists at ${formatNode(placement)}.`)
    if (known.length >= maxCells && !known.some(one => one.name === name))
      throw new StartError(`The cluster has ${maxCells} cells, which is the maximum.`)
    // Creates the extensions in the schema `public`. A schema with an extension cannot be distributed.
    await migrateDatabase(main)
    return await createCitusCell(main.url, name)
  } finally {
    await main.close()
  }
}

/** Returns the placement of a cell that is complete. */
const findComplete = async (
  main: OpenDatabase,
  known: readonly Placement[],
  name: string,
): Promise<Placement | null> => {
  const placement = known.find(one => one.name === name)
  if (!placement) return null
  const node = await openCell({ name, url: placedUrl(main.url, placement) })
  try {
    return (await hasMigrationsTable(node.sql)) ? placement : null
  } finally {
    await node.close()
  }
}
