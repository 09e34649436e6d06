/** What an actor is to those who bring it to life: `host.ts` and `activation.ts`. */
import type { ActorId } from '../db/lease.ts'
import type { Addressee, DuePage } from '../domain/mailbox.ts'
import type { Response } from './window.ts'

/** What a kind of actor does; the host does the rest. */
export interface ActorKind<Letter extends { id: string } = { id: string }> {
  readonly name: string
  /** How many rows of one actor may be in hand at once, at the very most. */
  readonly maxInHand: number
  /** Maximum number of rows of the actor in hand at once, if its owner has set one that applies to this row. */
  mostInHand?(letter: Letter): number | null
  /** Due rows of one actor, oldest first, without those in `except`. */
  read(actor: ActorId, limit: number, except: string[]): Promise<Letter[]>
  /**
   * Handles one row and records its outcome. Answers how the other side took it; throws only when the outcome could not
   * be recorded, and then the row stays due. `responded` is called when the other side has responded: what follows, as
   * recording the outcome, is not its time.
   */
  handle(actor: ActorId, letter: Letter, deadline: AbortSignal, responded: () => void): Promise<Response>
  /**
   * In how many milliseconds the actor's next row is due, 0 or fewer when one is due by now, null when none will be. By the
   * clock of whoever keeps the rows: this process's own may be wrong.
   */
  dueInMs(actor: ActorId): Promise<number | null>
  /** Wakes the actor after so many milliseconds, by the same clock, whatever becomes of this process. */
  wakeIn(actor: ActorId, ms: number): Promise<void>
  /** Nothing is done for the actor, as was read a moment ago: mail for it need wake nobody. */
  isAtRest?(actor: ActorId): boolean
  /** Actors with due rows, up to `limit` of them, in an order that does not change and from the one after `after` on. */
  findDue(after: Addressee, limit: number): Promise<DuePage>
}

/** Rows that were just made due, handed to their actor by whoever made them, in their order and all of them. */
export interface Mail {
  letters: readonly { id: string }[]
  /** When they were begun to be made, by `performance.now()`: no page that was read before holds one of them. */
  askedAt: number
}
