/** Interface between a kind of actor and the code that runs it (`host.ts` and `activation.ts`). */
import type { ActorId } from '../platform/postgres/lease.ts'
import type { ResponseKind } from './concurrency.ts'
import type { ActorKey, DuePage } from './queue.ts'

/** Behaviour of one kind of actor. The host does the rest. */
export interface ActorKind<Job extends { id: string } = { id: string }> {
  readonly name: string
  /** Maximum number of in-flight rows of one actor. */
  readonly maxInFlight: number
  /** Returns the maximum number of in-flight rows that the owner set for this row, or null. */
  maxInFlightFor?(job: Job): number | null
  /** Returns due rows of one actor, oldest first, without those in `except`. */
  read(actor: ActorId, limit: number, except: string[]): Promise<Job[]>
  /**
   * Handles one row, records its outcome and returns how the other side responded.
   *
   * Throws only if the outcome could not be recorded; the row then stays due. Calls `onResponse` when the other side has
   * responded, so that the time to record the outcome is not counted.
   */
  handle(actor: ActorId, job: Job, deadline: AbortSignal, onResponse: () => void): Promise<ResponseKind>
  /**
   * Returns the milliseconds until the actor's next row is due: 0 or less if one is due, null if there is none. Uses
   * the clock of the database, because the clock of this process can be wrong.
   */
  dueInMs(actor: ActorId): Promise<number | null>
  /** Wakes the actor after `ms` milliseconds by the clock of the database, even if this process ends. */
  wakeIn(actor: ActorId, ms: number): Promise<void>
  /** Returns whether the actor was recently read as held or disabled. New rows need not wake it. */
  isInactive?(actor: ActorId): boolean
  /** Returns up to `limit` actors with due rows, in a stable order, starting after `after`. */
  findDue(after: ActorKey, limit: number): Promise<DuePage>
}

/** Rows that just became due, handed in memory to their actor. They are complete and in order. */
export interface JobBatch {
  jobs: readonly { id: string }[]
  /** Time by `performance.now()` before the rows were written. A page read before this time holds none of them. */
  writeStartedAt: number
}
