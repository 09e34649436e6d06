/** Clock of the database. */
import type { Sql } from './client.ts'

/** Returns the milliseconds since 1970, with fractions. */
export const readDatabaseTime = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ ms: number }[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::double precision as ms`
  return row!.ms
}
