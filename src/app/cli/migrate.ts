/** `migrate`: applies pending migrations, stores the retention of the audit log, and exits. */

import { setAuditRetention } from '../../accounts/audit/index.ts'
import type { Config } from '../../config.ts'
import { migrateDatabase, type OpenDatabase } from '../database.ts'
import { withCells } from './with-database.ts'

export const migrateCommand = (config: Config): Promise<number> => {
  const appliedIn = new Map<string, string[]>()
  const prepare = async (database: OpenDatabase, name: string) => {
    appliedIn.set(name, await migrateDatabase(database))
    await setAuditRetention(database.sql, config.retention.audit)
  }
  const report = async (name: string, heading: string) => {
    const applied = appliedIn.get(name)!
    const text = applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`
    process.stdout.write(`${heading}${text}\n`)
  }
  return withCells(
    config,
    async cells => {
      await cells.each(({ name, label }) => report(name, label.heading))
      return cells.status
    },
    prepare,
  )
}
