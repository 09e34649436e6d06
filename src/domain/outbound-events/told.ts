/** Who in this process is told, without a notification on its way through PostgreSQL, that there are new outbound events. */
import type { Sql } from '../../db/client.ts'

const listeners = new WeakMap<object, Set<() => void>>()

/**
 * Calls `listener` whenever outbound events were committed through this pool. What is committed in another way (inside
 * a transaction, through another pool, by another process) comes by notification alone. Answers how to end it.
 */
export const onTold = (pool: Sql, listener: () => void): (() => void) => {
  const ofPool = listeners.get(pool) ?? new Set()
  listeners.set(pool, ofPool.add(listener))
  return () => ofPool.delete(listener)
}

/** To be said after each statement that tells, once it has returned; inside a transaction it says nothing. */
export const told = (sql: Sql): void => {
  for (const listener of listeners.get(sql) ?? []) listener()
}
