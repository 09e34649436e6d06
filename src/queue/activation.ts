/** One actor that is active in this process: reads its queue, handles due rows and waits for more. */
import type { ActorId } from '../platform/postgres/lease.ts'
import type { ActorKind, JobBatch } from './actor.ts'
import type { ConcurrencyLimit } from './concurrency.ts'

/** Timing options of an activation, in milliseconds. */
export interface ActorTimes {
  /**
   * Maximum age of a page. Rows that have not started within this time are read again, because the endpoint may have
   * changed or been disabled.
   */
  maxPageAgeMs: number
  /** Time that an activation with an empty queue waits for more rows before it ends. */
  lingerMs: number
  /** Maximum delay until an active actor notices rows that other processes wrote for it. */
  pollMs: number
  /** Minimum interval between reads of the queue while the actor receives all rows in memory. */
  rereadMs: number
  /** Pause after the actor failed to read its queue or to record an outcome. */
  errorPauseMs: number
  /** Poll interval while the actor must not start new rows. */
  blockedPollMs: number
}

export const defaultTimes: ActorTimes = {
  maxPageAgeMs: 1000,
  lingerMs: 100,
  pollMs: 1000,
  rereadMs: 100,
  errorPauseMs: 1000,
  blockedPollMs: 100,
}

const maxPage = 200
/** Page size as a multiple of the concurrency limit. The page of a receiver that times out stays small. */
const pagesPerLimit = 8
/** Maximum number of queued batches held while a page is being read. For further batches, another page is read. */
const maxPendingBatches = 16

/**
 * Placeholder for an unknown last page. Batches that started before `at` are rejected, because an earlier page may have held
 * them.
 */
const emptyPage = (at: number) => ({ ids: new Set<string>(), readAt: at, beforeAt: at })

export interface ActivationDeps {
  times: ActorTimes
  concurrency: ConcurrencyLimit
  /** Returns whether new rows may start: the process is not stopping and its lease is valid. */
  canAct: () => boolean
  onError: (error: unknown) => void
}

/** Activation of one actor. In-flight rows run to completion even if the lease is lost. */
export class Activation {
  /** Set when the actor was woken after its last read of the queue. */
  woken = false
  ended: Promise<void> = Promise.resolve()
  readonly #inFlight = new Map<string, Promise<void>>()
  /** Rows whose outcome could not be recorded since the last page was read. */
  readonly #failed = new Set<string>()
  readonly #concurrency: ConcurrencyLimit
  readonly #times: ActorTimes
  #abandoned = false
  #pausedUntil = 0
  /** Set when rows wait because the concurrency limit is reached. */
  #isLimited = false
  /** Rows handed over in memory that have not started. Empty unless these are all the due rows. */
  #buffered: { id: string }[] = []
  /** Time when the last page was read. Null unless that page and the rows handed over since are all the due rows. */
  #caughtUpAt: number | null = null
  /** Batches handed over while a page is being read. Null when no page is being read. */
  #pendingBatches: JobBatch[] | null = null
  /** IDs of the last page, the time it was read (`readAt`) and the time the page before it was read (`beforeAt`). */
  #lastPage: { ids: ReadonlySet<string>; readAt: number; beforeAt: number } = emptyPage(performance.now())
  #notify: () => void = () => {}

  constructor(
    readonly actor: ActorId,
    readonly kind: ActorKind,
    private readonly deadline: AbortSignal,
    private readonly deps: ActivationDeps,
  ) {
    this.#concurrency = deps.concurrency
    this.#times = deps.times
  }

  /** Resets the state before the next attempt to take a lease. Signals about the last lease no longer count. */
  reset(): void {
    this.woken = false
    this.#abandoned = false
    this.#invalidate()
    this.#lastPage = emptyPage(performance.now())
  }

  /**
   * Accepts rows in memory, so that they need not be read. Returns false if they must be read instead.
   *
   * Rejects rows that would overtake older rows in the queue. Also rejects rows whose write began before the
   * second-last page was read. That page is no longer known and may have held them, so they could be handled twice.
   *
   * Rows of the last page are skipped because they have already started. While a page is being read, the rows wait for
   * its result.
   */
  accept(batch: JobBatch): boolean {
    const { jobs, writeStartedAt } = batch
    if (jobs.length === 0) return false
    if (this.#pendingBatches !== null)
      return this.#pendingBatches.length < maxPendingBatches && this.#pendingBatches.push(batch) > 0
    if (this.#caughtUpAt === null || writeStartedAt < this.#lastPage.beforeAt) return false
    const unseen = jobs.filter(({ id }) => !this.#lastPage.ids.has(id))
    if (this.#buffered.length + unseen.length > this.#pageSize) return false
    this.#buffered.push(...unseen)
    this.#notify()
    return true
  }

  /** Discards the rows held in memory, so that the queue must be read. */
  #invalidate(): void {
    this.#caughtUpAt = null
    this.#buffered = []
  }

  wake(): void {
    this.woken = true
    this.#notify()
  }

  /** Starts no more rows under the current lease, or under the one being taken. */
  abandon(): void {
    this.#abandoned = true
    this.#notify()
  }

  get hasInFlight(): boolean {
    return this.#inFlight.size > 0
  }

  /** Resolves when a row is done or the actor is woken, and at the latest after `pollMs`. */
  waitForChange(): Promise<void> {
    return this.#waitForChange(this.#times.pollMs)
  }

  /**
   * Empties the queue. Returns when no row is due or in flight. If the lease is lost it returns immediately, so that
   * in-flight rows do not delay the others until the next lease.
   */
  async drain(): Promise<void> {
    await this.#drainQueue()
    this.#invalidate()
  }

  async #drainQueue(): Promise<void> {
    let idleSince: number | null = null
    while (!this.#abandoned) {
      if (!this.#canStart()) {
        if (this.#inFlight.size === 0 && !this.deps.canAct()) return
        await this.#waitForChange(this.#times.blockedPollMs)
        continue
      }
      const page = this.#mustRead() ? await this.#readPage() : this.#buffered.splice(0)
      if (!(await this.#startPage(page))) this.#invalidate()
      if (page.length > 0) {
        idleSince = null
        continue
      }
      if (this.#caughtUpAt !== null) this.#isLimited = false
      if (this.#inFlight.size === 0) {
        idleSince ??= performance.now()
        if (performance.now() - idleSince >= this.#times.lingerMs) return
      }
      if (!this.woken && this.#buffered.length === 0)
        await this.#waitForChange(this.#inFlight.size === 0 ? this.#times.lingerMs : this.#times.pollMs)
    }
  }

  #mustRead(): boolean {
    return this.woken || this.#caughtUpAt === null || performance.now() - this.#caughtUpAt >= this.#times.rereadMs
  }

  async #readPage(): Promise<{ id: string }[]> {
    this.woken = false
    this.#invalidate()
    if (this.#inFlight.size >= this.#concurrency.size) return []
    this.#pendingBatches = []
    try {
      const limit = this.#pageSize
      const page = await this.kind.read(this.actor, limit, [...this.#inFlight.keys()])
      const readAt = performance.now()
      if (page.length < limit) this.#caughtUpAt = readAt
      this.#lastPage = { ids: new Set(page.map(({ id }) => id)), readAt, beforeAt: this.#lastPage.readAt }
      return this.#failedLast(page)
    } catch (error) {
      this.#pauseFor(error)
      return []
    } finally {
      const pendingBatches = this.#pendingBatches
      this.#pendingBatches = null
      for (const batch of pendingBatches) if (!this.accept(batch)) this.woken = true
    }
  }

  get #pageSize(): number {
    return Math.min(maxPage, this.#concurrency.size * pagesPerLimit)
  }

  /**
   * Moves rows that failed in the last page to the end, so that they do not block the others. Each failure counts for
   * one page.
   */
  #failedLast(page: { id: string }[]): { id: string }[] {
    const [others, failed] = [false, true].map(wanted => page.filter(({ id }) => this.#failed.has(id) === wanted))
    this.#failed.clear()
    return [...others!, ...failed!]
  }

  /** Starts the rows of a page. Returns whether all were started. */
  async #startPage(page: { id: string }[]): Promise<boolean> {
    const readAt = performance.now()
    const canStart = () => this.#canStart() && performance.now() - readAt < this.#times.maxPageAgeMs
    for (const job of page) {
      while (canStart() && !this.#hasCapacityFor(job)) await this.#waitForChange(this.#times.pollMs)
      if (!canStart()) return false
      this.#inFlight.set(job.id, this.#handle(job))
    }
    return true
  }

  #hasCapacityFor(job: { id: string }): boolean {
    if (this.#inFlight.size >= this.#concurrency.size) {
      this.#isLimited = true
      return false
    }
    return this.#inFlight.size < (this.kind.maxInFlightFor?.(job) ?? Number.POSITIVE_INFINITY)
  }

  async #handle(job: { id: string }): Promise<void> {
    const { generation } = this.#concurrency
    const startedAt = performance.now()
    let tookMs: number | null = null
    const onResponse = () => {
      tookMs ??= performance.now() - startedAt
    }
    try {
      const response = await this.kind.handle(this.actor, job, this.deadline, onResponse)
      onResponse()
      this.#concurrency.record(response, { generation, tookMs: tookMs ?? 0, isLimited: this.#isLimited })
    } catch (error) {
      this.#failed.add(job.id)
      this.#invalidate()
      this.#pauseFor(error)
    } finally {
      this.#inFlight.delete(job.id)
      this.#notify()
    }
  }

  /**
   * Pauses the actor after an error. A row whose outcome could not be recorded is due immediately and would otherwise
   * be handled in a loop.
   */
  #pauseFor(error: unknown): void {
    const now = performance.now()
    if (now >= this.#pausedUntil) this.deps.onError(error)
    this.#pausedUntil = now + this.#times.errorPauseMs
  }

  #canStart(): boolean {
    return !this.#abandoned && performance.now() >= this.#pausedUntil && this.deps.canAct()
  }

  /** Waits until a row is done, the actor is woken, or `ms` milliseconds have passed. */
  #waitForChange(ms: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(() => this.#notify(), ms)
      this.#notify = () => {
        clearTimeout(timer)
        this.#notify = () => {}
        resolve()
      }
    })
  }
}
