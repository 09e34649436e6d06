/** Opens the database for a command and closes it afterwards. */
import type { Config } from '../../config.ts'
import { isMigrated } from '../../platform/postgres/migrate.ts'
import { migrateDatabase, type OpenDatabase, openDatabase } from '../database.ts'
import { StartError } from '../start-error.ts'

/** Migrates the database that `open` opens, and runs `work` with it. */
export const withMigration = (
  config: Config,
  work: (database: OpenDatabase) => Promise<number>,
  open: (config: Config) => Promise<OpenDatabase> = openDatabase,
): Promise<number> =>
  withOpen(open(config), async database => {
    await migrateDatabase(database)
    return work(database)
  })

/** Runs `work` without a change of the schema. Throws StartError if migrations are pending. */
export const withMigratedDatabase = (
  config: Config,
  work: (database: OpenDatabase) => Promise<number>,
): Promise<number> =>
  withOpen(openDatabase(config), async database => {
    if (!(await isMigrated(database.sql))) throw new StartError('The database lacks migrations. Run "migrate".')
    return work(database)
  })

const withOpen = async (
  opening: Promise<OpenDatabase>,
  work: (database: OpenDatabase) => Promise<number>,
): Promise<number> => {
  const database = await opening
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
