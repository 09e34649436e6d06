/**
 * Statistics of tables that have just begun to fill. PostgreSQL analyses a table by itself once thousands of its rows have
 * changed, and looks once a minute. Until then it plans as for an empty one, to which any index is as good as the key,
 * and keeps the plan: a probe becomes a walk through the index, longer with each row. Whatever analyses a table has all
 * plans for it made anew.
 */
import type { Sql } from './client.ts'

/** So many rows a table must hold. */
const leastRows = 300
/** Beyond so many rows a table is left to PostgreSQL. */
const mostRows = 500_000

/** Answers the names of the tables that it had analysed; one of them that is locked is passed over, and found again. */
export const analyseYoung = async (sql: Sql): Promise<string[]> => {
  const tables = await findYoung(sql)
  for (const name of tables) await analyse(sql, name, 'pass over')
  return tables
}

/** Has one of our tables analysed: where it holds a row, what PostgreSQL samples of it is that of today. */
export const analyse = async (sql: Sql, table: string, whereLocked: 'pass over' | 'wait'): Promise<void> => {
  await sql.unsafe(`analyze (skip_locked ${whereLocked === 'pass over'}) "${table}"`)
}

/**
 * Those that hold twice as many rows as when they were analysed, by what the counters of all sessions tell, which lag by a
 * second. A small table whose rows only change and go is not among them: its plans would be made anew for ever.
 */
const findYoung = async (sql: Sql): Promise<string[]> => {
  const rows = await sql<{ name: string }[]>`
    select s.relname as name
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname = current_schema() and c.reltuples < ${mostRows}
      and s.n_live_tup >= greatest(${leastRows}::bigint, 2 * c.reltuples::bigint)
    order by s.n_live_tup desc limit 50`
  return rows.map(({ name }) => name)
}
