import type { Sql } from '../../platform/postgres/client.ts'

/** Returns the time of the database in full precision. */
export const readClock = async (sql: Sql): Promise<string> => {
  const [row] = await sql<{ now: string }[]>`select clock_timestamp()::text as now`
  return row!.now
}

/** Returns whether another session has an open transaction that began before that time. */
export const isOlderTransactionOpen = async (sql: Sql, time: string): Promise<boolean> => {
  const [row] = await sql<{ open: boolean }[]>`
    select exists (
      select from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
        and xact_start <= ${time}::text::timestamptz) as open`
  return row!.open
}
