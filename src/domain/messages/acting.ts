/** Who in this process acts on messages that were queued: their channels hear of them without being looked for. */
import type { Sql } from '../../db/client.ts'
import type { QueuedFor } from './hand-on.ts'

/** Told of a channel that was given messages, by a statement that was begun at `askedAt`, by `performance.now()`. */
export type ActsOnQueued = (queued: QueuedFor, askedAt: number) => void

const acting = new WeakMap<object, Set<ActsOnQueued>>()

/** `one` acts on whatever `handOn` is told to have been queued through this pool. Answers how to end it. */
export const onQueued = (pool: Sql, one: ActsOnQueued): (() => void) => {
  const ofPool = acting.get(pool) ?? new Set()
  acting.set(pool, ofPool.add(one))
  return () => ofPool.delete(one)
}

/**
 * Has messages sent that were queued through this pool, and committed. Where nobody acts in this process, the sweep of
 * one that does finds them.
 */
export const handOn = (pool: Sql, queued: readonly QueuedFor[], askedAt: number): void => {
  for (const one of acting.get(pool) ?? []) for (const given of queued) one(given, askedAt)
}
