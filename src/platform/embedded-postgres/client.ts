import postgres from 'postgres'
import { codeOf } from './error.ts'

/**
 * Returns whether the server at this URL accepts a connection. Throws errors that waiting does not resolve, such as a
 * wrong password (28P01).
 */
export const canConnect = async (url: string): Promise<boolean> => {
  try {
    await withConnection(url, sql => sql`select 1`)
    return true
  } catch (error) {
    const code = codeOf(error)
    if (!code || code === '28P01') throw error
    // All connections are in use, so the server is healthy.
    return code === '53300'
  }
}

/** Options for creating a database. */
export interface DatabaseOptions {
  /** Drops an existing database of this name first, with every connection to it. */
  fresh?: boolean
  /** Name of the database to copy, which must have no connections. By default, the new database is empty. */
  template?: string
}

/** Creates the database if it does not exist. `url` is the URL of another database of the same server. */
export const createDatabase = (url: string, name: string, options: DatabaseOptions): Promise<void> =>
  withConnection(url, async sql => {
    if (options.fresh) await sql.unsafe(`drop database if exists ${quoted(name)} with (force)`)
    const [found] = await sql`select 1 from pg_database where datname = ${name}`
    if (!found) await copyTemplate(sql, name, options.template ?? 'template0')
  })

/** Drops the database and closes all connections to it. There is no time limit. */
export const dropDatabase = (url: string, name: string): Promise<void> =>
  withConnection(url, async sql => {
    await sql.unsafe(`drop database if exists ${quoted(name)} with (force)`)
  })

/** Copies the files instead of logging each page, which takes half the processor time for a small database. */
const copyTemplate = async (sql: postgres.Sql, name: string, template: string): Promise<void> => {
  try {
    await sql.unsafe(`create database ${quoted(name)} template ${quoted(template)} strategy file_copy`)
  } catch (error) {
    // Another process created the database at the same time. The timing decides which of the two errors occurs.
    if (!['42P04', '23505'].includes(codeOf(error) ?? '')) throw error
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * Runs work on a new connection. Every option is set explicitly, because missing options are read from PG* variables.
 */
const withConnection = async <T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> => {
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
