/**
 * Worker that advances due workflow runs. It is woken when an event started runs, and by its own poll.
 *
 * It claims a page and computes and writes the steps of that page while it claims the next one. The database and this
 * process then do not wait for each other.
 */

import type { Log } from '../../platform/log.ts'
import type { Database } from '../../platform/postgres/client.ts'
import type { Watermark } from '../../platform/postgres/watermark.ts'
import { type Tracer, traceIdOf } from '../../platform/tracing.ts'
import type { ActorHost } from '../../queue/host.ts'
import { PausedWork } from '../../queue/pauses/index.ts'
import { QueueWatermarks } from '../../queue/queue.ts'
import { Rechecks, resumeWoken } from '../../queue/waits/index.ts'
import { QueueWorker } from '../../queue/worker.ts'
import {
  advanceRuns,
  type ClaimedRuns,
  claimDueRuns,
  failUnclaimable,
  isDatabaseFailure,
  nextRunDue,
  type RunObserver,
  requeuePausedRuns,
  traceSteps,
} from '../../workflows/index.ts'
import { dispatchToChannel } from './channel.ts'

/**
 * Runs per claim: twice the number of the last claim, within these bounds. Sizing a page of the largest runs is slow
 * for the database, so few of them are claimed together.
 */
const runsPerClaim = { min: 16, max: 200 }
/** Number of runs that are put back before a claim after a pause, while other runs wait. */
const putBackBesideOthers = 4
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
  watermark: Watermark
  wake: ActorHost['wake']
  log: Log
  /** Time in milliseconds for which the process counts as new. Defaults to 3000. */
  newMs?: number
  /** Called when the execution of a run begins, with the milliseconds since it was due. */
  onLate?: (ms: number) => void
  /** Returns the work that is paused. Defaults to none. */
  paused?: () => PausedWork
  /** Null without an exporter of traces. */
  tracer?: Tracer | null
}

/** Creates the worker of the runs. It wakes every channel with new messages and hands the messages over. */
export const runs = (deps: RunsDeps): QueueWorker => {
  const pages = new Pages(deps)
  const worker: QueueWorker = new QueueWorker({
    name: 'runs',
    log: deps.log,
    runOnce: stopping => pages.runOnce(stopping, () => worker.wake()),
    nextDue: () => pages.nextDue(),
    finish: () => pages.finish(),
  })
  return worker
}

const nothingPaused = new PausedWork()
const queueName = 'runs'

/** Pages of runs that are in flight in this process. */
class Pages {
  readonly #inFlight = new Set<Promise<void>>()
  readonly #observer: RunObserver
  readonly #watermarks: QueueWatermarks
  #limit = runsPerClaim.min
  /** The next run was tried before. It is claimed when no other run is in flight. */
  #isSuspected = false
  /** Number of runs to claim one by one, because a page of them could not be claimed. */
  #singleClaims = 0
  #failure: { error: unknown } | null = null
  /**
   * Set when a page contains runs that are due soon. In-flight pages are not included in the query for the next due
   * run.
   */
  #isDueSoon = false
  readonly #rechecks: Rechecks
  #polledAt = Number.NEGATIVE_INFINITY
  /** Pauses for which all resumed runs were put back. */
  #requeuedFor: PausedWork | null = null
  /** Whether the last claim left due runs, other than those that were put back. */
  #hasMore = false
  /** Number of runs that were put back before the claim. */
  #putBack = 0

  readonly #newUntil: number

  constructor(private readonly deps: RunsDeps) {
    this.#newUntil = performance.now() + (deps.newMs ?? newMs)
    const { tracer } = deps
    this.#observer = {
      ...createObserver(deps.log),
      onDueSoon: () => {
        this.#isDueSoon = true
      },
      ...(tracer && { onExecuted: (run, { trace }) => traceSteps(tracer, run, trace) }),
    }
    this.#watermarks = new QueueWatermarks(deps.watermark)
    this.#rechecks = new Rechecks(deps.sql, deps.watermark)
  }

  /**
   * Claims a page, starts it and returns the number of its runs. Rejects if an earlier page failed. Calls `runAgain` if
   * another run of the worker must follow.
   */
  async runOnce(stopping: AbortSignal, runAgain: () => void): Promise<number> {
    await this.#waitForCapacity()
    this.#throwFailure()
    if (this.#paused.isPausedEverywhere('runs')) return 0
    this.#putBack = await this.#requeuePaused()
    const isNew = performance.now() < this.#newUntil
    const isAlone = this.#inFlight.size === 0 && !isNew
    const claimed = await this.#claim(isAlone)
    if (!claimed) return 1
    const { length } = claimed.runs
    this.#isSuspected = claimed.suspected && !isAlone && !isNew
    // Runs that are set aside may still have to be put back.
    if (length === 0) return this.#isSuspected || this.#requeuedFor !== this.#paused ? 1 : claimed.setAside
    const page = this.#advance(claimed, stopping).finally(() => {
      this.#inFlight.delete(page)
      if (this.#failure || this.#isDueSoon) runAgain()
      this.#isDueSoon = false
    })
    this.#inFlight.add(page)
    // A run that is claimed alone may crash this process, so no other page may be in flight.
    if (claimed.suspected && isAlone) await page
    return length
  }

  /**
   * Puts runs back whose pause has ended, and returns their number: as many as the next claim takes, or a few while other
   * runs wait. So a large backlog of one workspace delays no other. Checks once after each read of the pauses, because a
   * process that does not know yet that a pause has ended still sets runs aside.
   */
  async #requeuePaused(): Promise<number> {
    const paused = this.#paused
    if (paused === this.#requeuedFor) return 0
    try {
      const limit = this.#hasMore ? putBackBesideOthers : this.#limit
      const count = await requeuePausedRuns(this.deps.sql, paused.workspaces('runs'), limit)
      if (count === 0) this.#requeuedFor = paused
      return count
    } catch (error) {
      // The next read of the pauses tries again. Until then, the runs of others continue.
      this.#requeuedFor = paused
      this.deps.log.warn({ error }, 'runs whose pause has ended were not put back; trying again')
      return 0
    }
  }

  /** Claims a page. Returns null if it only found or recorded that a run cannot be claimed. */
  async #claim(isAlone: boolean): Promise<ClaimedRuns | null> {
    const { sql } = this.deps
    const limit = this.#singleClaims > 0 ? 1 : this.#limit
    const paused = this.#paused.workspaces('runs')
    const queueRead = this.#watermarks.startRead(queueName)
    try {
      const options = { from: queueRead.from, paused, limit, alone: isAlone, claimMs }
      const claimed = await claimDueRuns(sql, options)
      queueRead.complete(claimed.firstMs)
      const { onLate } = this.deps
      if (onLate) for (const { lateMs } of claimed.runs) onLate(lateMs)
      const length = claimed.runs.length + claimed.setAside
      this.#hasMore = length >= limit && length > this.#putBack
      if (this.#singleClaims > 0) this.#singleClaims = length === 0 ? 0 : this.#singleClaims - 1
      else this.#limit = Math.min(Math.max(2 * length, runsPerClaim.min), runsPerClaim.max)
      return claimed
    } catch (error) {
      if (isDatabaseFailure(error)) throw error
      if (limit === 1) await failUnclaimable(sql, error, this.#observer, paused)
      else this.#observer.onPageFailure(error)
      this.#singleClaims = Math.max(this.#singleClaims - 1, limit - 1)
      return null
    }
  }

  /** Returns the milliseconds until the next run is due, or null if no run is waiting. */
  async nextDue(): Promise<number | null> {
    await this.#poll()
    if (this.#paused.isPausedEverywhere('runs')) return null
    const { from } = this.#watermarks.startRead(queueName)
    return nextRunDue(this.deps.sql, from)
  }

  get #paused(): PausedWork {
    return this.deps.paused?.() ?? nothingPaused
  }

  /**
   * Wakes runs that missed their wake-up because they were claimed, or about to wait, when something arrived for them.
   */
  async #poll(): Promise<void> {
    if (performance.now() - this.#polledAt < pollMs) return
    this.#polledAt = performance.now()
    await resumeWoken(this.deps.sql)
    await this.#rechecks.run()
  }

  async finish(): Promise<void> {
    await Promise.all(this.#inFlight)
  }

  async #waitForCapacity(): Promise<void> {
    if (this.#isSuspected) await Promise.all(this.#inFlight)
    else if (this.#inFlight.size >= maxPages) await Promise.race(this.#inFlight)
  }

  #throwFailure(): void {
    const failure = this.#failure
    this.#failure = null
    if (failure) throw failure.error
  }

  /** Advances a page. Never rejects. */
  async #advance(claimed: ClaimedRuns, stopping: AbortSignal): Promise<void> {
    const { sql, wake } = this.deps
    const writeStartedAt = performance.now()
    try {
      for (const queued of await advanceRuns(sql, claimed, this.#observer, stopping))
        dispatchToChannel(wake, queued, writeStartedAt)
    } catch (error) {
      this.#failure = { error }
    }
  }
}

const createObserver = (log: Log): RunObserver => ({
  onFailure: (error, { id: runId, traceparent }, ended) => {
    const fields = { error, ...(traceparent !== null && { trace_id: traceIdOf(traceparent) }), runId }
    if (ended) log.error(fields, 'run could not be advanced and was ended')
    else log.warn(fields, 'run could not be advanced; retrying later')
  },
  onPageFailure: error => log.warn({ error }, 'page of runs failed; advancing its runs one by one'),
  onUnknownType: (type, runId) =>
    log.warn({ type, runId }, 'run requires a process of another release: its next step is unknown here'),
})
