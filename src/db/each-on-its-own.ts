/** A batch in which a row that the database refuses costs itself, and not those that travel with it. */
import { Failed } from './batch.ts'
import { type Sql, sqlState } from './client.ts'

const reports = new WeakMap<Sql, (error: unknown, items: number) => void>()

/** Has `report` called for every batch on this pool that PostgreSQL refused and that is divided. */
export const reportRefusedBatches = (pool: Sql, report: (error: unknown, items: number) => void): void => {
  reports.set(pool, report)
}

/**
 * Runs `work` with all items; where the database refuses the batch for something that lies in a row, with each half of
 * them, until the row stands alone. So one bad row in 500 costs 18 statements more, and the others are recorded. What is
 * nobody's fault in particular (the connection, the disk, a missing table) fails the batch as it is. Never rejects. A batch
 * that is divided is reported: halves that succeed must not hide what the whole was refused for.
 */
export const eachOnItsOwn = async <In, Out>(
  sql: Sql,
  items: In[],
  work: (items: In[]) => Promise<readonly Out[]>,
): Promise<(Out | Failed)[]> => {
  try {
    return [...(await work(items))]
  } catch (error) {
    if (items.length === 1 || !liesInARow(error)) return items.map(() => new Failed(error))
    reports.get(sql)?.(error, items.length)
    const half = items.length >> 1
    return [
      ...(await eachOnItsOwn(sql, items.slice(0, half), work)),
      ...(await eachOnItsOwn(sql, items.slice(half), work)),
    ]
  }
}

/**
 * Values, constraints, sizes, what a trigger raises, and two rows or transactions in each other's way: alone the row may
 * well do. A lock that was waited for in vain is not among them: each half would wait as long.
 */
export const liesInARow = (error: unknown): boolean => rowStates.test(sqlState(error) ?? '')

const rowStates = /^(?:2[123]...|44000|54...|P0001|40001|40P01)$/
