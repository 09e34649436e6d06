/**
 * Keeps planner statistics of growing tables current. Autovacuum checks once a minute and analyses a table only after
 * thousands of changed rows.
 *
 * Until then, PostgreSQL plans as for an empty table, where any index costs the same as the primary key. It keeps that
 * plan, so a lookup becomes an index scan that grows with each row. ANALYZE invalidates all plans of the table.
 */
import type { Sql } from './client.ts'
import { ownTables } from './own-tables.ts'

/** Minimum number of rows of a table to analyse. */
const minRows = 300
/** Tables with more rows are left to autovacuum. */
const maxRows = 500_000

/** Analyses young tables and returns their names. A locked table is skipped and found again later. */
export const analyseNewTables = async (sql: Sql): Promise<string[]> => {
  const tables = await findNewTables(sql)
  for (const name of tables) await analyse(sql, name, { skipLocked: true })
  return tables
}

/** Analyses one table. If it has rows, the statistics are then current. */
export const analyse = async (sql: Sql, table: string, { skipLocked }: { skipLocked: boolean }): Promise<void> => {
  const [found] = await sql<{ name: string }[]>`
    select relation::regclass::text as name from (${ownTables(sql)}) t where name = ${table}`
  await sql.unsafe(`analyze (skip_locked ${skipLocked}) ${found!.name}`)
}

/**
 * Finds tables with at least twice as many rows as when they were analysed. Uses the statistics counters, which lag by
 * a second.
 *
 * Excludes small tables whose rows only change and are deleted, because their plans would be rebuilt all the time.
 */
const findNewTables = async (sql: Sql): Promise<string[]> => {
  const rows = await sql<{ name: string }[]>`
    select t.name
    from (${ownTables(sql)}) t join pg_stat_user_tables s on s.relid = t.relation join pg_class c on c.oid = t.relation
    where c.reltuples < ${maxRows}
      and s.n_live_tup >= greatest(${minRows}::bigint, 2 * c.reltuples::bigint)
    order by s.n_live_tup desc limit 50`
  return rows.map(({ name }) => name)
}
