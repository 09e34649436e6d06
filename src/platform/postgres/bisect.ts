/** Splits a batch that the database rejects, so that an invalid row fails alone. */
import { Failed } from '../micro-batch.ts'
import { isMoving, type Sql, sqlState } from './client.ts'

const listeners = new WeakMap<Sql, (error: unknown, items: number) => void>()

/** Registers `report`, which is called for every batch on this pool that PostgreSQL rejected and that is split. */
export const onRejectedBatch = (pool: Sql, report: (error: unknown, items: number) => void): void => {
  listeners.set(pool, report)
}

/**
 * Runs `work` with all items. If the database rejects the batch because of a row, runs each half, until the row is
 * alone. One invalid row in 500 costs 18 more statements, and the other rows are recorded.
 *
 * Failures that no single row caused (the connection, the disk, a missing table) fail the whole batch. Never rejects.
 *
 * Every batch that is split is reported, because halves that succeed would hide why the whole was rejected. The exception
 * is a workspace that is being moved.
 */
export const bisectOnError = async <In, Out>(
  sql: Sql,
  items: In[],
  work: (items: In[]) => Promise<readonly Out[]>,
): Promise<(Out | Failed)[]> => {
  try {
    return [...(await work(items))]
  } catch (error) {
    if (items.length === 1 || !isRowError(error)) return items.map(() => new Failed(error))
    if (!isMoving(error)) listeners.get(sql)?.(error, items.length)
    const half = items.length >> 1
    return [
      ...(await bisectOnError(sql, items.slice(0, half), work)),
      ...(await bisectOnError(sql, items.slice(half), work)),
    ]
  }
}

/**
 * Returns whether a row can be the cause: values, constraints, sizes, trigger errors, and conflicts of rows or
 * transactions. A row may succeed alone. Lock timeouts are excluded, because each half would wait as long.
 */
export const isRowError = (error: unknown): boolean => rowStates.test(sqlState(error) ?? '')

const rowStates = /^(?:2[123]...|44000|54...|P0001|40001|40P01|40MOV)$/
