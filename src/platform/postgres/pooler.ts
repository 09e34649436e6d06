/** Support for a transaction pooler in front of the database. */
import { type Database, sessionSettings, transaction } from './client.ts'

/** Key of the advisory lock for the stored settings, which is scoped to this database. */
const settingsLock = 7_215_403_301

/**
 * Stores the session settings for the role of the direct connection in this database, because clients of a transaction
 * pooler share sessions and cannot set them. They apply to every later session of this role, also of other programs.
 */
export const storeSessionSettings = (direct: Database): Promise<void> =>
  transaction(direct, async tx => {
    // Concurrent changes of the same settings fail in PostgreSQL.
    await tx`select pg_advisory_xact_lock(${settingsLock})`
    const wanted = Object.entries(sessionSettings).map(([name, value]) => `${name}=${value}`)
    const [row] = await tx<{ stored: string[]; database: string; role: string }[]>`
      select coalesce((
          select setconfig from pg_db_role_setting where setrole = to_regrole(quote_ident(current_user))
            and setdatabase = (select oid from pg_database where datname = current_database())
        ), '{}') as stored, quote_ident(current_database()) as database, quote_ident(current_user) as role`
    const { stored, database, role } = row!
    for (const one of wanted.filter(setting => !stored.includes(setting))) {
      const [name, value] = one.split('=') as [string, string]
      await tx.unsafe(`alter role ${role} in database ${database} set ${name} = '${value}'`)
    }
  })

/** Returns whether a new session of the pooler has the stored settings. */
export const hasSessionSettings = async (pooled: Database): Promise<boolean> => {
  const names = Object.keys(sessionSettings)
  const rows = await pooled<{ name: string; setting: string }[]>`
    select name, reset_val as setting from pg_settings where name = any(${names}::text[])`
  return rows.every(({ name, setting }) => setting === String(sessionSettings[name as keyof typeof sessionSettings]))
}
