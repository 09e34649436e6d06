/** Registry of listeners in this process for woken runs, so that they need not wait for the next poll. */
import type { Sql } from '../../db/client.ts'

const acting = new WeakMap<object, Set<() => void>>()

/** Registers `wake`, called after commit when runs were woken through this pool. Returns a function that removes it. */
export const onWoken = (pool: Sql, wake: () => void): (() => void) => {
  const ofPool = acting.get(pool) ?? new Set()
  acting.set(pool, ofPool.add(wake))
  return () => ofPool.delete(wake)
}

/** Notifies the listeners of this pool that runs were woken. */
export const tellWoken = (sql: Sql): void => {
  for (const wake of acting.get(sql) ?? []) wake()
}
