/**
 * Advances workflow runs that are due: woken when an event started some, and by its own poll. A turn claims a page; what
 * its runs do is worked out and written beside the next turn, so that the database and this process do not wait for each
 * other.
 */
import type { Database } from '../db/client.ts'
import type { Horizon } from '../db/horizon.ts'
import { Floors } from '../domain/mailbox.ts'
import { LateLooks, rouseWoken } from '../domain/waits/index.ts'
import {
  advanceRuns,
  type ClaimedRuns,
  claimDueRuns,
  failUnclaimable,
  isFailureOfDatabase,
  nextRunDue,
  type RunObserver,
} from '../domain/workflows/index.ts'
import type { Log } from '../platform/log.ts'
import { handToChannel } from './channel.ts'
import type { ActorHost } from './host.ts'
import { Pump } from './pump.ts'

/**
 * Runs of one claim: as many again as the last one held, within these. Weighing a page of the largest runs takes the
 * database long, and few of them are claimed at a time.
 */
const runsPerTurn = { min: 16, max: 200 }
/** Pages in hand at once. More of them would be smaller, and cost the database more for each run. */
const maxPages = 2
/**
 * Milliseconds: the runs of a process that was killed are taken over after so long, as its leases are. What a process
 * does later than that under its claim is refused, so it need not be longer than a visit ever takes.
 */
const claimMs = 5000

/**
 * Milliseconds for which a process that has just begun leaves runs alone that a process died over: one that is killed
 * again and again as soon as it runs dies of something else, and no run is to be blamed for that.
 */
const newMs = 3000

/** Milliseconds from one look for runs that were not woken to the next, at the least. */
const pollMs = 500

export interface RunsDeps {
  sql: Database
  horizon: Horizon
  wake: ActorHost['wake']
  log: Log
  /** How long a claim holds, in milliseconds; 5000 by default. */
  claimMs?: number
  /** For how long it is new, in milliseconds; 3000 by default. */
  newMs?: number
}

/** The pump of the runs; it wakes every channel that was given messages, and hands it those. */
export const runs = (deps: RunsDeps): Pump => {
  const pages = new Pages(deps)
  const pump: Pump = new Pump({
    name: 'runs',
    log: deps.log,
    turn: stopping => pages.turn(stopping, () => pump.wake()),
    nextDue: () => pages.nextDue(),
    finish: () => pages.finish(),
  })
  return pump
}

/** The pages of runs that this process has in hand. */
class Pages {
  readonly #inHand = new Set<Promise<void>>()
  readonly #observer: RunObserver
  readonly #floors: Floors
  #limit = runsPerTurn.min
  /** A run that was tried before is the next: it is claimed when nothing else is in hand. */
  #suspected = false
  /** Runs that are still claimed one by one, since a page of them could not be claimed. */
  #singly = 0
  #failure: { error: unknown } | null = null
  /** What is in hand is not asked when the next run is due, and a page has brought some that are so shortly. */
  #isDueSoon = false
  readonly #lateLooks: LateLooks
  #polledAt = Number.NEGATIVE_INFINITY

  readonly #newUntil: number

  constructor(private readonly deps: RunsDeps) {
    this.#newUntil = performance.now() + (deps.newMs ?? newMs)
    this.#observer = {
      ...observerOf(deps.log),
      onDueSoon: () => {
        this.#isDueSoon = true
      },
    }
    this.#floors = new Floors(deps.horizon)
    this.#lateLooks = new LateLooks(deps.sql, deps.horizon)
  }

  /**
   * Claims a page and leaves it in hand; answers how many runs it held. Rejects when a page has failed since. `again` is
   * called when another turn is to follow the page.
   */
  async turn(stopping: AbortSignal, again: () => void): Promise<number> {
    await this.#room()
    this.#complain()
    const isNew = performance.now() < this.#newUntil
    const alone = this.#inHand.size === 0 && !isNew
    const claimed = await this.#claim(alone)
    if (!claimed) return 1
    const { length } = claimed.runs
    this.#suspected = claimed.suspected && !alone && !isNew
    if (length === 0) return this.#suspected ? 1 : 0
    const page = this.#advance(claimed, stopping).finally(() => {
      this.#inHand.delete(page)
      if (this.#failure || this.#isDueSoon) again()
      this.#isDueSoon = false
    })
    this.#inHand.add(page)
    // What is claimed by itself may be what ends this process: nothing else is to be in hand then.
    if (claimed.suspected && alone) await page
    return length
  }

  /** Null where no more was done than to find out, or to say, that a run cannot be claimed. */
  async #claim(alone: boolean): Promise<ClaimedRuns | null> {
    const { sql } = this.deps
    const limit = this.#singly > 0 ? 1 : this.#limit
    const look = this.#floors.look('runs')
    try {
      const options = { from: look.from, limit, alone, claimMs: this.deps.claimMs ?? claimMs }
      const claimed = await claimDueRuns(sql, options)
      look.found(claimed.firstMs)
      const { length } = claimed.runs
      if (this.#singly > 0) this.#singly = length === 0 ? 0 : this.#singly - 1
      else this.#limit = Math.min(Math.max(2 * length, runsPerTurn.min), runsPerTurn.max)
      return claimed
    } catch (error) {
      if (isFailureOfDatabase(error)) throw error
      if (limit === 1) await failUnclaimable(sql, error, this.#observer)
      else this.#observer.onPageFailure(error)
      this.#singly = Math.max(this.#singly - 1, limit - 1)
      return null
    }
  }

  /** Milliseconds until the next run falls due; null where none waits. */
  async nextDue(): Promise<number | null> {
    await this.#poll()
    return nextRunDue(this.deps.sql, this.#floors.look('runs').from)
  }

  /** For runs that should have been woken, and were held when something arrived for them, or were just being parked. */
  async #poll(): Promise<void> {
    if (performance.now() - this.#polledAt < pollMs) return
    this.#polledAt = performance.now()
    await rouseWoken(this.deps.sql)
    await this.#lateLooks.look()
  }

  async finish(): Promise<void> {
    await Promise.all(this.#inHand)
  }

  async #room(): Promise<void> {
    if (this.#suspected) await Promise.all(this.#inHand)
    else if (this.#inHand.size >= maxPages) await Promise.race(this.#inHand)
  }

  #complain(): void {
    const failure = this.#failure
    this.#failure = null
    if (failure) throw failure.error
  }

  /** Never rejects. */
  async #advance(claimed: ClaimedRuns, stopping: AbortSignal): Promise<void> {
    const { sql, wake } = this.deps
    const askedAt = performance.now()
    try {
      for (const queued of await advanceRuns(sql, claimed, this.#observer, stopping))
        handToChannel(wake, queued, askedAt)
    } catch (error) {
      this.#failure = { error }
    }
  }
}

const observerOf = (log: Log): RunObserver => ({
  onFailure: (error, runId, ended) =>
    ended
      ? log.error({ error, runId }, 'a run could not be advanced and was ended')
      : log.warn({ error, runId }, 'a run could not be advanced; it is tried again a little later'),
  onPageFailure: error => log.warn({ error }, 'a page of runs failed; its runs are advanced one by one'),
  onUnknownType: (type, runId) =>
    log.warn({ type, runId }, 'a run waits for a process that knows its next step; this one is of another release'),
})
