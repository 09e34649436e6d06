/** Compares the databases and the servers that connections lead to. */
import { isConnectionError, isOverload, type Sql } from './client.ts'

/** Returns whether both connections lead to the same database of the same running server. Needs no rights. */
export const isSameDatabase = async (one: Sql, other: Sql): Promise<boolean> => {
  const [first, second] = await Promise.all([readInstance(one), readInstance(other)])
  return first === second
}

const readInstance = async (sql: Sql): Promise<string> => {
  const [row] = await sql<[{ instance: string }]>`
    select extract(epoch from pg_postmaster_start_time()) || '/' || oid as instance
    from pg_database where datname = current_database()`
  return row.instance
}

/** Identity that a database shares with its standbys. */
export interface ReplicatedIdentity {
  databaseOid: number
  /** Null if it is not compared, because the role cannot read it. */
  systemIdentifier: string | null
}

/** Reads the identity of a primary. */
export const readReplicatedIdentity = async (primary: Sql): Promise<ReplicatedIdentity> => {
  const isReadable = await canReadSystemIdentifier(primary)
  const [row] = await primary<[ReplicatedIdentity]>`
    select oid::bigint as "databaseOid",
      ${isReadable ? primary`(select system_identifier::text from pg_control_system())` : primary`null::text`} as "systemIdentifier"
    from pg_database where datname = current_database()`
  return row
}

/**
 * Returns the position in the log (LSN) up to which a standby has replayed the changes of `primary`. Throws
 * OtherDatabase if the server is not of that database, and another error if it is not a standby, for example after a
 * failover.
 */
export const readReplayedPosition = async (sql: Sql, primary: ReplicatedIdentity): Promise<bigint> => {
  const [row] = await sql<[ReplicatedIdentity & { position: string | null }]>`
    select oid::bigint as "databaseOid",
      ${primary.systemIdentifier === null ? sql`null::text` : sql`(select system_identifier::text from pg_control_system())`} as "systemIdentifier",
      case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text end as position
    from pg_database where datname = current_database()`
  if (row.databaseOid !== primary.databaseOid || row.systemIdentifier !== primary.systemIdentifier)
    throw new OtherDatabase('it is not a standby of this database')
  if (row.position === null) throw new Error('it is not a standby')
  return BigInt(row.position)
}

/** The server belongs to another database. Only an operator can change that. */
export class OtherDatabase extends Error {
  override readonly name = 'OtherDatabase'
}

/**
 * Returns whether the role can read the system identifier. Every role can by default. Managed PostgreSQL can revoke
 * that, or refuse the function.
 */
export const canReadSystemIdentifier = async (sql: Sql): Promise<boolean> => {
  const [allowed] = await sql<[{ execute: boolean }]>`
    select has_function_privilege('pg_control_system()', 'execute') as execute`
  return allowed.execute && isAvailable(() => sql`select system_identifier from pg_control_system()`)
}

/** Returns whether the server lets the role read something. Throws errors that can pass, for example of an overload. */
export const isAvailable = async (read: () => PromiseLike<unknown>): Promise<boolean> => {
  try {
    await read()
    return true
  } catch (error) {
    if (isConnectionError(error) || isOverload(error)) throw error
    return false
  }
}
