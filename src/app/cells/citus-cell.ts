/** Creates and migrates the cells of a Citus cluster. */
import { cellSchemaUrl, type Placement, placedUrl, readPlacements } from '../../platform/postgres/citus.ts'
import { createCellSchema, distributeCell, makeHere, sendToCitus } from '../../platform/postgres/citus-cell.ts'
import { connect, type Database, isOverload, withRetry } from '../../platform/postgres/client.ts'
import { migrate } from '../../platform/postgres/migrate.ts'
import { type Migration, migrations } from '../../platform/postgres/migrations.ts'
import { migrateTasks } from '../tasks/index.ts'

/**
 * Creates a cell, or completes one whose creation was interrupted: each step can be repeated. Returns its placement. Nothing
 * can use the cell before the last step, which makes the views.
 */
export const createCitusCell = async (coordinatorUrl: string, name: string): Promise<Placement> => {
  await withConnection(coordinatorUrl, sql => createCellSchema(sql, name))
  await migrateCitusCell(coordinatorUrl, name)
  return withConnection(coordinatorUrl, sql => findPlacement(sql, name))
}

/**
 * Applies the pending migrations of a cell at the coordinator and at its node, including those of Graphile Worker. Returns
 * the names of our applied migrations. All cells of a cluster share the lock of the migrator.
 */
export const migrateCitusCell = (
  coordinatorUrl: string,
  name: string,
  all: readonly Migration[] = migrations,
): Promise<string[]> =>
  withConnection(cellSchemaUrl(coordinatorUrl, name), async sql => {
    const applied = await migrate(sql, () => Promise.resolve(), all, { send: sendToCitus })
    await withLock(() => distributeCell(sql, name))
    const nodeUrl = placedUrl(coordinatorUrl, await findPlacement(sql, name))
    await migrateTasks(nodeUrl)
    // All users of a view queue behind the wait for its lock.
    const maxLockMs = 1000
    await withConnection(nodeUrl, node => withLock(() => makeHere(node, name, all)), maxLockMs)
    return applied
  })

const findPlacement = async (sql: Database, name: string): Promise<Placement> =>
  (await readPlacements(sql)).find(one => one.name === name)!

/** Runs work that needs locks, with pauses in which other sessions use the tables. Gives up after about two minutes. */
const withLock = (work: () => Promise<void>): Promise<void> => withRetry(work, { when: isOverload, waits: pausesMs })

const pausesMs = [500, 1000, 2000, 4000, ...Array<number>(20).fill(5000)]

/** Connects without a silence timeout, because a migration can take minutes. */
const withConnection = async <T>(url: string, work: (sql: Database) => Promise<T>, maxLockMs?: number): Promise<T> => {
  const sql = connect({
    url,
    applicationName: 'customer-engagement migrate',
    max: 2,
    silenceSeconds: 0,
    ...(maxLockMs !== undefined && { maxLockMs }),
  })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
