/** `migrate`: applies pending migrations, stores the retention of the audit log, and exits. */
import type { Config } from '../config.ts'
import { keepAuditFor } from '../domain/audit/index.ts'
import { migrateDatabase, openDatabase } from '../service/database.ts'

export const migrateCommand = async (config: Config): Promise<number> => {
  const database = await openDatabase(config)
  try {
    const applied = await migrateDatabase(database)
    await keepAuditFor(database.sql, config.retention.audit)
    process.stdout.write(applied.length === 0 ? 'The database is up to date.\n' : `Applied ${applied.join(', ')}.\n`)
    return 0
  } finally {
    await database.close()
  }
}
