/** Registry of listeners in this process for emitted events, so that they need no notification through PostgreSQL. */
import type { Sql } from '../../platform/postgres/client.ts'
import type { EndpointJobs } from '../deliveries/index.ts'

export interface AfterCommitListener {
  /** Called when deliveries were created by a statement that started at `writeStartedAt`, by `performance.now()`. */
  onDeliveriesCreated(endpointJobs: EndpointJobs[], writeStartedAt: number): void
  /** Called when events were added to the outbox. */
  onOutboxWritten(): void
}

const listenersByPool = new WeakMap<object, Set<AfterCommitListener>>()

/**
 * Registers a listener for events emitted through this pool, called after commit. Events emitted in a transaction,
 * through another pool, or in a process without listeners go through the outbox. For those, listeners get a database
 * notification. Returns a function that removes the listener.
 */
export const addAfterCommitListener = (pool: Sql, listener: AfterCommitListener): (() => void) => {
  const poolListeners = listenersByPool.get(pool) ?? new Set()
  listenersByPool.set(pool, poolListeners.add(listener))
  return () => poolListeners.delete(listener)
}

/** Returns the listeners of a pool; empty for a transaction. */
export const listenersOf = (sql: Sql): AfterCommitListener[] => [...(listenersByPool.get(sql) ?? [])]
