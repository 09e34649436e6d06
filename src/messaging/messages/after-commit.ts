/** Registry of listeners in this process for queued messages, so that channels need not poll for them. */
import type { Sql } from '../../platform/postgres/client.ts'
import type { QueuedChannel } from './queued-channels.ts'

/** Called for a channel with newly queued messages. `askedAt` is the start of the statement, by `performance.now()`. */
export type OnQueued = (queued: QueuedChannel, askedAt: number) => void

const listeners = new WeakMap<object, Set<OnQueued>>()

/** Registers a listener for messages queued through this pool. Returns a function that removes it. */
export const onQueued = (pool: Sql, listener: OnQueued): (() => void) => {
  const poolListeners = listeners.get(pool) ?? new Set()
  listeners.set(pool, poolListeners.add(listener))
  return () => poolListeners.delete(listener)
}

/**
 * Notifies listeners of committed messages that were queued through this pool. If this process has no listener, a poll
 * in another process finds them.
 */
export const notifyQueued = (pool: Sql, queued: readonly QueuedChannel[], askedAt: number): void => {
  for (const listener of listeners.get(pool) ?? []) for (const channel of queued) listener(channel, askedAt)
}
