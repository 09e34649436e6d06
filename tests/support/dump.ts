/** Returns everything that a database holds, as a copy of it would show: each row of each table, as text. */
import type { Sql } from '../../src/platform/postgres/client.ts'

export const dumpOf = async (sql: Sql): Promise<string> => {
  const tables = await sql<{ schema: string; name: string }[]>`
    select nspname as schema, relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where relkind = 'r' and nspname not in ('pg_catalog', 'information_schema')`
  const rows = await Promise.all(
    tables.map(({ schema, name }) => sql<{ row: string }[]>`select t::text as row from ${sql(schema)}.${sql(name)} t`),
  )
  return rows.flatMap(found => found.map(({ row }) => row)).join('\n')
}

/** Returns whether the dump contains the text, also when it is encoded as bytes. */
export const holds = (dump: string, text: string): boolean =>
  dump.includes(text) || dump.includes(Buffer.from(text).toString('hex'))
