/** One actor that is active in this process: reads its queue, handles due rows and waits for more. */
import type { ActorId } from '../db/lease.ts'
import type { ActorKind, Mail } from './actor.ts'
import type { Window } from './window.ts'

/** Timing options of an activation, in milliseconds. */
export interface ActorTimes {
  /**
   * Maximum age of a page. Rows that have not started within this time are read again, because the endpoint may have
   * changed or been disabled.
   */
  pageGoodForMs: number
  /** Time that an activation with an empty queue waits for more rows before it ends. */
  lingerMs: number
  /** Maximum delay until an active actor notices rows that other processes wrote for it. */
  lookAgainMs: number
  /** Minimum interval between reads of the queue while the actor receives all rows in memory. */
  rereadMs: number
  /** Pause after the actor failed to read its queue or to record an outcome. */
  troubleMs: number
  /** Poll interval while the actor must not start new rows. */
  notNowMs: number
}

export const usualTimes: ActorTimes = {
  pageGoodForMs: 1000,
  lingerMs: 100,
  lookAgainMs: 1000,
  rereadMs: 100,
  troubleMs: 1000,
  notNowMs: 100,
}

const maxPage = 200
/** Page size as a multiple of the concurrency limit. The page of a receiver that times out stays small. */
const pagesPerWindow = 8
/** Maximum number of handed-over batches held while a page is being read. For further batches, another page is read. */
const maxOffered = 16

/**
 * Placeholder for an unknown last page. Batches begun before `at` are rejected, because an earlier page may have held
 * them.
 */
const noPageSince = (at: number) => ({ ids: new Set<string>(), readAt: at, beforeAt: at })

export interface ActivationDeps {
  times: ActorTimes
  window: Window
  /** Returns whether new rows may start: the process is not stopping and its lease is valid. */
  mayAct: () => boolean
  onTrouble: (error: unknown) => void
}

/** Activation of one actor. In-flight rows run to completion even if the lease is lost. */
export class Activation {
  /** Set when the actor was woken after its last read of the queue. */
  woken = false
  ended: Promise<void> = Promise.resolve()
  readonly #inHand = new Map<string, Promise<void>>()
  /** Rows whose outcome could not be recorded since the last page was read. */
  readonly #failed = new Set<string>()
  readonly #window: Window
  readonly #times: ActorTimes
  #abandoned = false
  #pausedUntil = 0
  /** Set when rows wait because the concurrency limit is reached. */
  #limited = false
  /** Rows handed over in memory that have not started. Empty unless these are all the due rows. */
  #handed: { id: string }[] = []
  /** Time when the last page was read. Null unless that page and the rows handed over since are all the due rows. */
  #caughtUpAt: number | null = null
  /** Batches handed over while a page is being read. Null when no page is being read. */
  #offered: Mail[] | null = null
  /** IDs of the last page, the time it was read (`readAt`) and the time the page before it was read (`beforeAt`). */
  #lastPage: { ids: ReadonlySet<string>; readAt: number; beforeAt: number } = noPageSince(performance.now())
  #notify: () => void = () => {}

  constructor(
    readonly actor: ActorId,
    readonly kind: ActorKind,
    private readonly deadline: AbortSignal,
    private readonly deps: ActivationDeps,
  ) {
    this.#window = deps.window
    this.#times = deps.times
  }

  /** Resets the state before the next attempt to take a lease. Signals about the last lease no longer count. */
  begin(): void {
    this.woken = false
    this.#abandoned = false
    this.#fallBehind()
    this.#lastPage = noPageSince(performance.now())
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
  accept(mail: Mail): boolean {
    const { letters, askedAt } = mail
    if (letters.length === 0) return false
    if (this.#offered !== null) return this.#offered.length < maxOffered && this.#offered.push(mail) > 0
    if (this.#caughtUpAt === null || askedAt < this.#lastPage.beforeAt) return false
    const unread = letters.filter(({ id }) => !this.#lastPage.ids.has(id))
    if (this.#handed.length + unread.length > this.#pageSize) return false
    this.#handed.push(...unread)
    this.#notify()
    return true
  }

  /** Discards the rows held in memory, so that the queue must be read. */
  #fallBehind(): void {
    this.#caughtUpAt = null
    this.#handed = []
  }

  lookAgain(): void {
    this.woken = true
    this.#notify()
  }

  /** Starts no more rows under the current lease, or under the one being taken. */
  abandon(): void {
    this.#abandoned = true
    this.#notify()
  }

  get hasInHand(): boolean {
    return this.#inHand.size > 0
  }

  /** Resolves when a row is done or the actor is woken, and at the latest after `lookAgainMs`. */
  change(): Promise<void> {
    return this.#something(this.#times.lookAgainMs)
  }

  /**
   * Empties the queue. Returns when no row is due or in flight. If the lease is lost it returns immediately, so that
   * in-flight rows do not delay the others until the next lease.
   */
  async drain(): Promise<void> {
    await this.#empty()
    this.#fallBehind()
  }

  async #empty(): Promise<void> {
    let idleSince: number | null = null
    while (!this.#abandoned) {
      if (!this.#mayTake()) {
        if (this.#inHand.size === 0 && !this.deps.mayAct()) return
        await this.#something(this.#times.notNowMs)
        continue
      }
      const page = this.#mustRead() ? await this.#readPage() : this.#handed.splice(0)
      if (!(await this.#take(page))) this.#fallBehind()
      if (page.length > 0) {
        idleSince = null
        continue
      }
      if (this.#caughtUpAt !== null) this.#limited = false
      if (this.#inHand.size === 0) {
        idleSince ??= performance.now()
        if (performance.now() - idleSince >= this.#times.lingerMs) return
      }
      if (!this.woken && this.#handed.length === 0)
        await this.#something(this.#inHand.size === 0 ? this.#times.lingerMs : this.#times.lookAgainMs)
    }
  }

  #mustRead(): boolean {
    return this.woken || this.#caughtUpAt === null || performance.now() - this.#caughtUpAt >= this.#times.rereadMs
  }

  async #readPage(): Promise<{ id: string }[]> {
    this.woken = false
    this.#fallBehind()
    if (this.#inHand.size >= this.#window.size) return []
    this.#offered = []
    try {
      const limit = this.#pageSize
      const page = await this.kind.read(this.actor, limit, [...this.#inHand.keys()])
      const readAt = performance.now()
      if (page.length < limit) this.#caughtUpAt = readAt
      this.#lastPage = { ids: new Set(page.map(({ id }) => id)), readAt, beforeAt: this.#lastPage.readAt }
      return this.#failedLast(page)
    } catch (error) {
      this.#pauseFor(error)
      return []
    } finally {
      const offered = this.#offered
      this.#offered = null
      for (const mail of offered) if (!this.accept(mail)) this.woken = true
    }
  }

  get #pageSize(): number {
    return Math.min(maxPage, this.#window.size * pagesPerWindow)
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
  async #take(page: { id: string }[]): Promise<boolean> {
    const readAt = performance.now()
    const mayTake = () => this.#mayTake() && performance.now() - readAt < this.#times.pageGoodForMs
    for (const letter of page) {
      while (mayTake() && !this.#hasRoomFor(letter)) await this.#something(this.#times.lookAgainMs)
      if (!mayTake()) return false
      this.#inHand.set(letter.id, this.#handle(letter))
    }
    return true
  }

  #hasRoomFor(letter: { id: string }): boolean {
    if (this.#inHand.size >= this.#window.size) {
      this.#limited = true
      return false
    }
    return this.#inHand.size < (this.kind.mostInHand?.(letter) ?? Number.POSITIVE_INFINITY)
  }

  async #handle(letter: { id: string }): Promise<void> {
    const { era } = this.#window
    const begun = performance.now()
    let tookMs: number | null = null
    const responded = () => {
      tookMs ??= performance.now() - begun
    }
    try {
      const response = await this.kind.handle(this.actor, letter, this.deadline, responded)
      responded()
      this.#window.tell(response, { era, tookMs: tookMs ?? 0, limited: this.#limited })
    } catch (error) {
      this.#failed.add(letter.id)
      this.#fallBehind()
      this.#pauseFor(error)
    } finally {
      this.#inHand.delete(letter.id)
      this.#notify()
    }
  }

  /**
   * Pauses the actor after an error. A row whose outcome could not be recorded is due immediately and would otherwise
   * be handled in a loop.
   */
  #pauseFor(error: unknown): void {
    const now = performance.now()
    if (now >= this.#pausedUntil) this.deps.onTrouble(error)
    this.#pausedUntil = now + this.#times.troubleMs
  }

  #mayTake(): boolean {
    return !this.#abandoned && performance.now() >= this.#pausedUntil && this.deps.mayAct()
  }

  /** Waits until a row is done, the actor is woken, or `ms` milliseconds have passed. */
  #something(ms: number): Promise<void> {
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
