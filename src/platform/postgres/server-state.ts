/** Reads what the service needs of PostgreSQL, for the operator. */
import type { Sql } from './client.ts'
import { ownTables } from './own-tables.ts'

/** Properties of the server and of the role of DATABASE_URL. */
export interface ServerState {
  version: string
  isSupported: boolean
  /** Missing extensions. */
  missingExtensions: string[]
  /** Settings that must be on and are off. */
  off: string[]
  /** Whether the role can create tables, which only migrations need. */
  canMigrate: boolean
  /** Tables that the role cannot read and write. */
  forbiddenTables: string[]
  databaseBytes: number
}

/** First version with uuidv7() and `returning old`. */
export const minVersion = 18

/** Reads the state in one query. */
export const readServerState = async (sql: Sql): Promise<ServerState> => {
  const [row] = await sql<[ServerState]>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::integer / 10000 >= ${minVersion} as "isSupported",
      array(select name from unnest('{pg_trgm,btree_gin}'::text[]) as wanted(name)
        where not exists (select from pg_extension where extname = name)) as "missingExtensions",
      array(select name from pg_settings where name in ('autovacuum', 'fsync', 'synchronous_commit') and setting = 'off')
        as off,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as "canMigrate",
      array(select name from (${ownTables(sql)}) t
        where name not in ('schema_migrations', 'audit_retention', 'plans')
          and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
            and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete')) order by name)
        as "forbiddenTables",
      pg_database_size(current_database())::bigint as "databaseBytes"`
  return row
}
