/** Counts due rows by age, for the operator of a restored database. */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'

/** Upper limits of the age groups in minutes. Older rows are in a last group. */
export const ageLimits = [15, 120, 1440] as const

/** Maximum number of rows that one query counts. */
export const maxHeldCounted = 1_000_000

/** Numbers of due rows. */
export interface Ages {
  count: number
  /** Numbers by age group, youngest first. */
  groups: number[]
  /** Age of the oldest row in seconds. Null if there is none. */
  oldestSeconds: number | null
}

/** Counts `rows` (since: the time at which a row became due), at most `max`. */
export const countByAge = async (sql: Sql, rows: Fragment, max = maxHeldCounted): Promise<Ages> => {
  const [ages] = await sql<[Ages]>`
    with aged as materialized (
      select extract(epoch from now() - since) / 60 as minutes from (${rows}) due limit ${max}
    )
    select count(*)::integer as count,
      array[count(*) filter (where minutes < ${ageLimits[0]}),
        count(*) filter (where minutes >= ${ageLimits[0]} and minutes < ${ageLimits[1]}),
        count(*) filter (where minutes >= ${ageLimits[1]} and minutes < ${ageLimits[2]}),
        count(*) filter (where minutes >= ${ageLimits[2]})]::integer[] as groups,
      (max(minutes) * 60)::double precision as "oldestSeconds"
    from aged`
  return ages
}

/** Adds the numbers of two workspaces. */
export const addAges = (one: Ages, other: Ages): Ages => ({
  count: one.count + other.count,
  groups: one.groups.map((count, group) => count + (other.groups[group] ?? 0)),
  oldestSeconds:
    one.oldestSeconds === null || other.oldestSeconds === null
      ? (one.oldestSeconds ?? other.oldestSeconds)
      : Math.max(one.oldestSeconds, other.oldestSeconds),
})

export const noAges: Ages = { count: 0, groups: [0, 0, 0, 0], oldestSeconds: null }
