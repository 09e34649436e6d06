/** Registry of listeners in this process for woken runs, so that they need not wait for the next poll. */
import type { Sql } from '../../platform/postgres/client.ts'

const listeners = new WeakMap<object, Set<() => void>>()

/** Registers `wake`, called after commit when runs were woken through this pool. Returns a function that removes it. */
export const onWoken = (pool: Sql, wake: () => void): (() => void) => {
  const poolListeners = listeners.get(pool) ?? new Set()
  listeners.set(pool, poolListeners.add(wake))
  return () => poolListeners.delete(wake)
}

/** Notifies the listeners of this pool that runs were woken. */
export const notifyWoken = (sql: Sql): void => {
  for (const wake of listeners.get(sql) ?? []) wake()
}
