/** Who in this process acts on what is told: they hear of it without a notification on its way through PostgreSQL. */
import type { Sql } from '../../db/client.ts'
import type { Given } from '../deliveries/index.ts'

export interface ActsOnTold {
  /** Deliveries were made, by a statement that was begun at `askedAt`, by `performance.now()`. */
  made(given: Given[], askedAt: number): void
  /** Something stands in the outbox. */
  inOutbox(): void
}

const acting = new WeakMap<object, Set<ActsOnTold>>()

/**
 * `one` acts on whatever is told through this pool, from the moment it was committed. What is told in another way (inside
 * a transaction, through another pool, by a process where nobody acts) goes through the outbox, and those who act hear
 * of it by notification. Answers how to end it.
 */
export const onTold = (pool: Sql, one: ActsOnTold): (() => void) => {
  const ofPool = acting.get(pool) ?? new Set()
  acting.set(pool, ofPool.add(one))
  return () => ofPool.delete(one)
}

/** Those who act on what is told through it: nobody, where it is a transaction. */
export const actingOn = (sql: Sql): ActsOnTold[] => [...(acting.get(sql) ?? [])]
