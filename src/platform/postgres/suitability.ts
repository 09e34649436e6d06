/** Checks whether a database is suitable for the service. If not, returns one sentence that says what to change. */
import { tasksSchema } from './cells.ts'
import { connect, type Database, type Sql } from './client.ts'

/**
 * Returns why writes would fail or text would be corrupted, or why a pooler would mix sessions. Null if there is no
 * problem. Without a URL, it does not look for a pooler.
 */
export const findUnsuitability = async (sql: Database, url: string | null): Promise<string | null> =>
  (await findWriteProblem(sql)) ?? (url === null || (await isSessionMode(url)) ? null : poolerProblem)

/**
 * Returns false if the database has become a standby or read-only. A session can still report the state from its start.
 */
export const acceptsWrites = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ writable: boolean }[]>`
    select not pg_is_in_recovery() and not current_setting('transaction_read_only')::boolean as writable`
  return row!.writable
}

const findWriteProblem = async (sql: Database): Promise<string | null> => {
  const [row] = await sql<{ encoding: string; standby: boolean; readOnly: boolean; rowSecured: boolean }[]>`
    select current_setting('server_encoding') as encoding, pg_is_in_recovery() as standby,
      current_setting('transaction_read_only')::boolean as "readOnly", exists (
        select 1 from pg_class where relnamespace = to_regnamespace(${tasksSchema(sql)}) and relrowsecurity
          and row_security_active(oid)) as "rowSecured"`
  const { encoding, standby, readOnly, rowSecured } = row!
  if (encoding !== 'UTF8')
    return `The database of DATABASE_URL has the encoding ${encoding}. Create one with "create database NAME encoding 'UTF8' template template0".`
  if (standby) return 'DATABASE_URL leads to a standby, which does not accept writes. It must lead to the primary.'
  if (readOnly)
    return 'The database of DATABASE_URL is read-only for its user. Turn default_transaction_read_only off for both.'
  if (rowSecured)
    return 'The user of DATABASE_URL does not own the task tables, which have row security. Make it the owner of the database or a member of that role, or give it bypassrls.'
  return null
}

/**
 * Returns whether each connection keeps its own backend, as LISTEN, session locks and prepared statements need.
 *
 * Uses two connections, with a transaction open on one of them. A transaction pooler would give both the same backend,
 * or give one of them two.
 */
const isSessionMode = async (url: string): Promise<boolean> => {
  const sql = connect({ url, applicationName: 'customer-engagement start', max: 2 })
  try {
    const sessions = [await sql.reserve(), await sql.reserve()] as const
    for (let round = 0; round < probeRounds; round++) {
      if (!(await haveOwnBackends(...sessions))) return false
    }
    for (const session of sessions) session.release()
    return true
  } finally {
    await sql.end({ timeout: 0 })
  }
}

const probeRounds = 3

const poolerProblem =
  'DATABASE_URL leads to a pooler in transaction or statement mode. Set DATABASE_DIRECT_URL to the database itself, or the pooler to session mode.'

const haveOwnBackends = async (one: Sql, sql: Sql): Promise<boolean> => {
  const first = await readBackendPid(one)
  await sql`begin`.simple()
  const second = await readBackendPid(sql)
  // Checked only if the backends differ. With a single shared backend, the query would wait for the other connection.
  const isStable = second !== first && (await readBackendPid(one)) === first
  await sql`rollback`.simple()
  return isStable && (await readBackendPid(sql)) === second
}

/** Never prepared, because a prepared statement fails behind a transaction pooler for another reason. */
const readBackendPid = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`.simple()
  return row!.pid
}

/** Returns false if a pooler dropped the limits that every connection sets when it opens. */
export const hasLimits = async (sql: Database): Promise<boolean> => {
  const [row] = await sql<{ hold: boolean }[]>`
    select current_setting('statement_timeout') <> '0' and current_setting('lock_timeout') <> '0' as hold`
  return row!.hold
}

/** Connection limits of the server, as they apply to a session. */
export interface ConnectionLimits {
  /** Maximum number of connections for users without the right to reserved ones. */
  open: number
  /** Connections that other clients hold within the narrowest of these limits. */
  inUse: number
  superuser: boolean
}

/**
 * Reads the connections that PostgreSQL allows the user of this session, within the limits of the user and the
 * database.
 */
export const readConnections = async (sql: Database): Promise<ConnectionLimits> => {
  const [row] = await sql<ConnectionLimits[]>`
    with used as materialized (
      select count(*)::integer as server,
        (count(*) filter (where a.usesysid = (select oid from pg_roles where rolname = session_user)))::integer as role,
        (count(*) filter (where a.datid = (select oid from pg_database where datname = current_database())))::integer as base
      from pg_stat_get_activity(null) a
      where a.datid is not null and a.client_port is not null and a.pid <> pg_backend_pid()
    ), allowed as materialized (
      select current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
          - current_setting('reserved_connections')::integer as server,
        nullif((select rolconnlimit from pg_roles where rolname = session_user), -1) as role,
        nullif((select datconnlimit from pg_database where datname = current_database()), -1) as base
    ), total as (select least(server, role, base) as open from allowed)
    select total.open,
      total.open - least(allowed.server - used.server, allowed.role - used.role, allowed.base - used.base) as "inUse",
      (select rolsuper from pg_roles where rolname = session_user) as superuser
    from total, allowed, used`
  return row!
}
