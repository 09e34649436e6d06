/** Reads the identity of the database from PostgreSQL. */
import type { Sql } from '../../platform/postgres/client.ts'
import { canReadSystemIdentifier, isAvailable } from '../../platform/postgres/server-identity.ts'
import type { Identity } from './decide.ts'

/** Parts of the identity that the role of the service may read. */
export interface ReadableParts {
  systemIdentifier: boolean
  timeline: boolean
}

/**
 * Returns the readable parts. Both functions are executable by every role by default. Managed PostgreSQL can revoke
 * that, or refuse the functions.
 *
 * The timeline comes from the name of the current WAL file. `pg_control_checkpoint()` would show the timeline of the
 * last checkpoint, which can be minutes old after a promotion.
 */
export const findReadableParts = async (sql: Sql): Promise<ReadableParts> => {
  const [allowed] = await sql<[Pick<ReadableParts, 'timeline'>]>`
    select has_function_privilege('pg_current_wal_lsn()', 'execute')
      and has_function_privilege('pg_walfile_name(pg_lsn)', 'execute') as timeline`
  const timeline = allowed.timeline && (await isAvailable(() => readIdentity(sql, { ...none, timeline: true })))
  return { systemIdentifier: await canReadSystemIdentifier(sql), timeline }
}

const none: ReadableParts = { systemIdentifier: false, timeline: false }

export const readIdentity = async (sql: Sql, readable: ReadableParts): Promise<Identity> => {
  const [row] = await sql<[Identity]>`
    select (select oid::bigint from pg_database where datname = current_database()) as "databaseOid",
      ${readable.systemIdentifier ? sql`(select system_identifier::text from pg_control_system())` : sql`null::text`}
        as "systemIdentifier",
      ${readable.timeline ? sql`('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint` : sql`null::bigint`}
        as timeline`
  return row
}
