/** Registry of listeners in this process for queued messages, so that channels need not poll for them. */
import type { Sql } from '../../db/client.ts'
import type { QueuedFor } from './hand-on.ts'

/** Called for a channel with newly queued messages. `askedAt` is the start of the statement, by `performance.now()`. */
export type ActsOnQueued = (queued: QueuedFor, askedAt: number) => void

const acting = new WeakMap<object, Set<ActsOnQueued>>()

/** Registers a listener for messages queued through this pool. Returns a function that removes it. */
export const onQueued = (pool: Sql, one: ActsOnQueued): (() => void) => {
  const ofPool = acting.get(pool) ?? new Set()
  acting.set(pool, ofPool.add(one))
  return () => ofPool.delete(one)
}

/**
 * Notifies listeners of committed messages that were queued through this pool. If this process has no listener, a poll
 * in another process finds them.
 */
export const handOn = (pool: Sql, queued: readonly QueuedFor[], askedAt: number): void => {
  for (const one of acting.get(pool) ?? []) for (const given of queued) one(given, askedAt)
}
