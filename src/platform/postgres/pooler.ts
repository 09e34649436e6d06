/** Support for a transaction pooler in front of the database. */
import { type Database, type Sql, sessionSettings } from './client.ts'

/**
 * Stores the session settings for the role of the direct connection in this database, because clients of a transaction
 * pooler share sessions and cannot set them. They apply to every later session of this role, also of other programs.
 */
export const storeSessionSettings = async (direct: Database): Promise<void> => {
  const wanted = Object.entries(sessionSettings).map(([name, value]) => `${name}=${value}`)
  const [row] = await direct<{ stored: string[]; database: string; role: string }[]>`
    select coalesce((
        select setconfig from pg_db_role_setting where setrole = to_regrole(quote_ident(current_user))
          and setdatabase = (select oid from pg_database where datname = current_database())
      ), '{}') as stored, quote_ident(current_database()) as database, quote_ident(current_user) as role`
  const { stored, database, role } = row!
  for (const one of wanted.filter(setting => !stored.includes(setting))) {
    const [name, value] = one.split('=') as [string, string]
    await direct.unsafe(`alter role ${role} in database ${database} set ${name} = '${value}'`)
  }
}

/** Returns whether a new session of the pooler has the stored settings. */
export const hasSessionSettings = async (pooled: Database): Promise<boolean> => {
  const names = Object.keys(sessionSettings)
  const rows = await pooled<{ name: string; setting: string }[]>`
    select name, reset_val as setting from pg_settings where name = any(${names}::text[])`
  return rows.every(({ name, setting }) => setting === String(sessionSettings[name as keyof typeof sessionSettings]))
}

/** Returns whether both connections lead to the same database of the same server. */
export const isSameDatabase = async (one: Database, other: Database): Promise<boolean> => {
  const [first, second] = await Promise.all([readIdentity(one), readIdentity(other)])
  return first === second
}

const readIdentity = async (sql: Sql): Promise<string> => {
  const [row] = await sql<{ identity: string }[]>`
    select system_identifier || '/' || current_database() as identity from pg_control_system()`
  return row!.identity
}
