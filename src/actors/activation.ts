/** One actor that is awake in this process: it reads its mailbox, handles what is due and waits for more. */
import type { ActorId } from '../db/lease.ts'
import type { ActorKind, Mail } from './actor.ts'
import type { Window } from './window.ts'

/** Lengths of time in the life of an activation, in milliseconds. */
export interface ActorTimes {
  /** What of a page has not been taken by then is read anew: the endpoint may have been changed or switched off since. */
  pageGoodForMs: number
  /** How long an activation whose mailbox is empty waits for more. */
  lingerMs: number
  /** Rows that other processes wrote for an actor that is awake here are noticed at the latest after this. */
  lookAgainMs: number
  /** As long as it is only handed mail, an actor reads its mailbox this seldom. */
  rereadMs: number
  /** Pause of an actor that could not read its mailbox or record an outcome. */
  troubleMs: number
  /** How often an actor that may start nothing at the moment asks whether it may again. */
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
/** A page is this many times as long as what may be in hand: one that hangs is not read pages for nothing. */
const pagesPerWindow = 8
/** Mail that waits for a page to be read; beyond it another page is read. */
const maxOffered = 16

/** What was read before is not known: mail that was begun before may have been in it. */
const noPageSince = (at: number) => ({ ids: new Set<string>(), readAt: at, beforeAt: at })

export interface ActivationDeps {
  times: ActorTimes
  window: Window
  /** Whether rows may be taken in hand: the process is not stopping and its lease can be trusted. */
  mayAct: () => boolean
  onTrouble: (error: unknown) => void
}

/** What it has in hand it keeps in hand, whatever becomes of its lease. */
export class Activation {
  /** Woken since it last looked into its mailbox. */
  woken = false
  ended: Promise<void> = Promise.resolve()
  readonly #inHand = new Map<string, Promise<void>>()
  /** Rows whose outcome could not be recorded, since the last page was read. */
  readonly #failed = new Set<string>()
  readonly #window: Window
  readonly #times: ActorTimes
  #abandoned = false
  #pausedUntil = 0
  /** Rows are waiting because as many are in hand as the window allows. */
  #limited = false
  /** Mail that was handed over and is not in hand yet, while that is everything that is due. */
  #handed: { id: string }[] = []
  /** When the last page had been read, if that page and what was handed over since is all that there is; else null. */
  #caughtUpAt: number | null = null
  /** Mail that was handed over while a page is being read; null while none is. */
  #offered: Mail[] | null = null
  /** What the last page held, and when it and the one before it had been read. */
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

  /** Another lease is tried for: what was said of the last one no longer counts. */
  begin(): void {
    this.woken = false
    this.#abandoned = false
    this.#fallBehind()
    this.#lastPage = noPageSince(performance.now())
  }

  /**
   * Takes mail that need not be read. Not where rows lie in the mailbox that it would overtake, nor where a page that was
   * read since it was begun, and is not known any more, may have held it: that would be handling it twice. What the last
   * page held is in hand already. While a page is being read, the mail waits for what that holds.
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

  /** What is due is to be read. */
  #fallBehind(): void {
    this.#caughtUpAt = null
    this.#handed = []
  }

  lookAgain(): void {
    this.woken = true
    this.#notify()
  }

  /** Starts nothing more under this lease, or the one that is being taken. */
  abandon(): void {
    this.#abandoned = true
    this.#notify()
  }

  get hasInHand(): boolean {
    return this.#inHand.size > 0
  }

  /** Resolves when a row is done or the actor is woken, and in a moment anyway. */
  change(): Promise<void> {
    return this.#something(this.#times.lookAgainMs)
  }

  /**
   * Empties the mailbox. Returns when nothing is due or in hand, or at once when the lease is lost: what is in hand then
   * does not keep the other rows waiting for the next lease.
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

  /** So that rows which fail again and again do not hold up the others; in the next page they have their place again. */
  #failedLast(page: { id: string }[]): { id: string }[] {
    const [others, failed] = [false, true].map(wanted => page.filter(({ id }) => this.#failed.has(id) === wanted))
    this.#failed.clear()
    return [...others!, ...failed!]
  }

  /** Whether all of them were taken in hand. */
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

  /** A row whose outcome could not be recorded is due at once: without a pause it would be handled over and over. */
  #pauseFor(error: unknown): void {
    const now = performance.now()
    if (now >= this.#pausedUntil) this.deps.onTrouble(error)
    this.#pausedUntil = now + this.#times.troubleMs
  }

  #mayTake(): boolean {
    return !this.#abandoned && performance.now() >= this.#pausedUntil && this.deps.mayAct()
  }

  /** Waits until something happens: a row is done, the actor is woken, or the time is over. */
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
