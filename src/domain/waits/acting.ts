/** Who in this process goes on with runs that were woken: they hear of it without waiting for their own poll. */
import type { Sql } from '../../db/client.ts'

const acting = new WeakMap<object, Set<() => void>>()

/** `wake` is called when runs were woken through this pool, once that was committed. Answers how to end it. */
export const onWoken = (pool: Sql, wake: () => void): (() => void) => {
  const ofPool = acting.get(pool) ?? new Set()
  acting.set(pool, ofPool.add(wake))
  return () => ofPool.delete(wake)
}

/** Has the runs that were woken through it go on. */
export const tellWoken = (sql: Sql): void => {
  for (const wake of acting.get(sql) ?? []) wake()
}
