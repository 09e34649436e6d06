/** The tables of a database, classified by the kind of data they hold. */
import type { Sql } from '../../src/platform/postgres/client.ts'

/**
 * `tenant`: belongs to a workspace. `directory`: people, plans and sessions. `process`: data that processes exchange.
 * `bookkeeping`: data about the database itself.
 */
export type TableKind = 'tenant' | 'directory' | 'process' | 'bookkeeping'

/** Every table that is not a tenant table. A new table counts as a tenant table unless it is listed here. */
const kinds: Record<string, TableKind> = {
  users: 'directory',
  sessions: 'directory',
  known_networks: 'directory',
  account_links: 'directory',
  second_factors: 'directory',
  sign_in_tickets: 'directory',
  plans: 'directory',
  processes: 'process',
  leases: 'process',
  http_processes: 'process',
  rate_limit_usage: 'process',
  retention_progress: 'process',
  sign_in_attempts: 'process',
  attempt_budgets: 'process',
  audit_retention: 'bookkeeping',
  service_identity: 'bookkeeping',
  schema_migrations: 'bookkeeping',
}

const kindsOfSchemas: Record<string, TableKind> = { graphile_worker: 'process', pg_catalog: 'bookkeeping' }

/** Returns the column of a tenant table that holds the workspace id. */
export const keyOf = (table: string): string => (table === 'workspaces' ? 'id' : 'workspace_id')

export interface Table {
  name: string
  kind: TableKind
  columns: Set<string>
  /** Primary key and unique indexes: their columns or expressions, in order. */
  uniques: { name: string; primary: boolean; columns: string[] }[]
}

export interface ForeignKey {
  name: string
  from: { table: string; columns: string[] }
  to: { table: string; columns: string[] }
}

export interface Catalogue {
  tables: Map<string, Table>
  foreignKeys: ForeignKey[]
  kindOf(table: string, schema?: string): TableKind | 'unknown'
}

export const readCatalogue = async (sql: Sql): Promise<Catalogue> => {
  const rows = await sql<{ name: string; columns: string[]; uniques: Table['uniques'] }[]>`
    select c.relname as name,
      (select json_agg(a.attname) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      coalesce((select json_agg(json_build_object('name', i.indexrelid::regclass::text, 'primary', i.indisprimary, 'columns',
          (select json_agg(pg_get_indexdef(i.indexrelid, place, true) order by place) from generate_series(1, i.indnkeyatts) place)))
        from pg_index i where i.indrelid = c.oid and (i.indisunique or i.indisexclusion)), '[]') as uniques
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`
  const tables = new Map(
    rows.map(({ name, columns, uniques }): [string, Table] => [
      name,
      { name, kind: kinds[name] ?? 'tenant', columns: new Set(columns), uniques },
    ]),
  )
  return {
    tables,
    foreignKeys: await readForeignKeys(sql),
    kindOf: (table, schema) => {
      if (schema !== undefined && schema !== 'public') return kindsOfSchemas[schema] ?? 'unknown'
      return tables.get(table)?.kind ?? (table.startsWith('pg_') ? 'bookkeeping' : 'unknown')
    },
  }
}

const readForeignKeys = (sql: Sql) => sql<ForeignKey[]>`
  select k.conname as name,
    json_build_object('table', k.conrelid::regclass::text, 'columns', ${columnsOf(sql, 'conrelid', 'conkey')}) as from,
    json_build_object('table', k.confrelid::regclass::text, 'columns', ${columnsOf(sql, 'confrelid', 'confkey')}) as to
  from pg_constraint k
  where k.contype = 'f' and k.conparentid = 0
    and 'public'::regnamespace in (select relnamespace from pg_class where oid in (k.conrelid, k.confrelid))
  order by k.conname`

const columnsOf = (sql: Sql, table: string, columns: string) => sql`
  (select json_agg(a.attname order by place) from unnest(k.${sql(columns)}) with ordinality as c(number, place)
    join pg_attribute a on a.attrelid = k.${sql(table)} and a.attnum = c.number)`
