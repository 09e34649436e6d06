/** `migrate`: brings the database up to date and stops. */
import type { Config } from '../config.ts'
import { migrateDatabase, openDatabase } from '../service/database.ts'

export const migrateCommand = async (config: Config): Promise<number> => {
  const database = await openDatabase(config)
  try {
    const applied = await migrateDatabase(database)
    process.stdout.write(applied.length === 0 ? 'The database is up to date.\n' : `Applied ${applied.join(', ')}.\n`)
    return 0
  } finally {
    await database.close()
  }
}
