/** Registry of listeners in this process for emitted events, so that they need no notification through PostgreSQL. */
import type { Sql } from '../../db/client.ts'
import type { Given } from '../deliveries/index.ts'

export interface ActsOnTold {
  /** Called when deliveries were created by a statement that started at `askedAt`, by `performance.now()`. */
  made(given: Given[], askedAt: number): void
  /** Called when events were added to the outbox. */
  inOutbox(): void
}

const acting = new WeakMap<object, Set<ActsOnTold>>()

/**
 * Registers a listener for events emitted through this pool, called after commit. Events emitted in a transaction,
 * through another pool, or in a process without listeners go through the outbox. For those, listeners get a database
 * notification. Returns a function that removes the listener.
 */
export const onTold = (pool: Sql, one: ActsOnTold): (() => void) => {
  const ofPool = acting.get(pool) ?? new Set()
  acting.set(pool, ofPool.add(one))
  return () => ofPool.delete(one)
}

/** Returns the listeners of a pool; empty for a transaction. */
export const actingOn = (sql: Sql): ActsOnTold[] => [...(acting.get(sql) ?? [])]
