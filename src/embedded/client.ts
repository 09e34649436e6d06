import postgres from 'postgres'
import { codeOf } from './failure.ts'

/** Whether the server at this URL lets us in now. Throws what waiting does not mend, as a wrong password (28P01). */
export const answers = async (url: string): Promise<boolean> => {
  try {
    await once(url, sql => sql`select 1`)
    return true
  } catch (error) {
    const code = codeOf(error)
    if (!code || code === '28P01') throw error
    // every connection is taken, by users of a server that is well
    return code === '53300'
  }
}

/** What to do about a database of the same name, and what to copy. */
export interface DatabaseOptions {
  /** drop it first, with every connection to it */
  fresh?: boolean
  /** name of the database to copy, to which nobody may be connected; without it the new one is empty */
  template?: string
}

/** Creates the database when it is missing. `url` is that of another database of the same server. */
export const createDatabase = (url: string, name: string, options: DatabaseOptions): Promise<void> =>
  once(url, async sql => {
    if (options.fresh) await sql.unsafe(`drop database if exists ${quoted(name)} with (force)`)
    const [found] = await sql`select 1 from pg_database where datname = ${name}`
    if (!found) await copyTemplate(sql, name, options.template ?? 'template0')
  })

/** Drops the database, whoever is connected to it, however long that takes. */
export const dropDatabase = (url: string, name: string): Promise<void> =>
  once(url, async sql => {
    await sql.unsafe(`drop database if exists ${quoted(name)} with (force)`)
  })

const copyTemplate = async (sql: postgres.Sql, name: string, template: string): Promise<void> => {
  try {
    await sql.unsafe(`create database ${quoted(name)} template ${quoted(template)}`)
  } catch (error) {
    // another process has just created it; which of the two errors depends on how close the race was
    if (!['42P04', '23505'].includes(codeOf(error) ?? '')) throw error
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A connection of its own, with every option said: what is left out is read from PG* variables. */
const once = async <T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> => {
  const sql = postgres(url, {
    max: 1,
    ssl: false,
    prepare: false,
    fetch_types: false,
    connect_timeout: 5,
    target_session_attrs: 'primary',
    connection: { application_name: 'embedded' },
    onnotice: () => {},
  })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
