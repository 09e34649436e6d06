/**
 * Worker that advances due workflow runs. It is woken when an event started runs, and by its own poll.
 *
 * It claims a page and computes and writes the steps of that page while it claims the next one. The database and this
 * process then do not wait for each other.
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
 * Runs per claim: twice the number of the last claim, within these bounds. Sizing a page of the largest runs is slow
 * for the database, so few of them are claimed together.
 */
const runsPerTurn = { min: 16, max: 200 }
/** Maximum number of pages in flight. More pages would be smaller and cost the database more per run. */
const maxPages = 2
/**
 * Lifetime of a claim in milliseconds. The runs of a killed process are claimed again after this time, like its leases.
 * Later writes under the claim are rejected, so it only has to cover one execution.
 */
const claimMs = 5000

/**
 * Milliseconds after start in which a process does not claim runs that were in flight when another process died. A
 * process that is repeatedly killed right after start has another cause, and no run must be blamed for it.
 */
const newMs = 3000

/** Minimum interval in milliseconds between polls for runs that were not woken. */
const pollMs = 500

export interface RunsDeps {
  sql: Database
  horizon: Horizon
  wake: ActorHost['wake']
  log: Log
  /** Lifetime of a claim in milliseconds. Defaults to 5000. */
  claimMs?: number
  /** Time in milliseconds for which the process counts as new. Defaults to 3000. */
  newMs?: number
}

/** Creates the worker of the runs. It wakes every channel with new messages and hands the messages over. */
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

/** Pages of runs that are in flight in this process. */
class Pages {
  readonly #inHand = new Set<Promise<void>>()
  readonly #observer: RunObserver
  readonly #floors: Floors
  #limit = runsPerTurn.min
  /** The next run was tried before. It is claimed when no other run is in flight. */
  #suspected = false
  /** Number of runs to claim one by one, because a page of them could not be claimed. */
  #singly = 0
  #failure: { error: unknown } | null = null
  /**
   * Set when a page contains runs that are due soon. In-flight pages are not included in the query for the next due
   * run.
   */
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
   * Claims a page, starts it and returns the number of its runs. Rejects if an earlier page failed. Calls `again` if
   * another run of the worker must follow.
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
    // A run that is claimed alone may crash this process, so no other page may be in flight.
    if (claimed.suspected && alone) await page
    return length
  }

  /** Claims a page. Returns null if it only found or recorded that a run cannot be claimed. */
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

  /** Returns the milliseconds until the next run is due, or null if no run is waiting. */
  async nextDue(): Promise<number | null> {
    await this.#poll()
    return nextRunDue(this.deps.sql, this.#floors.look('runs').from)
  }

  /**
   * Wakes runs that missed their wake-up because they were claimed, or about to wait, when something arrived for them.
   */
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

  /** Advances a page. Never rejects. */
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
