/** `migrate`: applies pending migrations, stores the retention of the audit log, and exits. */

import { setAuditRetention } from '../../accounts/audit/index.ts'
import type { Config } from '../../config.ts'
import { migrateDatabase, openDatabase } from '../database.ts'

export const migrateCommand = async (config: Config): Promise<number> => {
  const database = await openDatabase(config)
  try {
    const applied = await migrateDatabase(database)
    await setAuditRetention(database.sql, config.retention.audit)
    process.stdout.write(applied.length === 0 ? 'The database is up to date.\n' : `Applied ${applied.join(', ')}.\n`)
    return 0
  } finally {
    await database.close()
  }
}
