/** The life of every actor with a lease: README.md in this folder tells it in words. */
import type { ActorId, LeaseHolder } from '../db/lease.ts'
import { type Addressee, type DuePage, inFrontOfAll } from '../domain/mailbox.ts'
import type { Log } from '../platform/log.ts'
import type { Part } from '../platform/part.ts'
import { type Response, type Window, Windows } from './window.ts'

/** What a kind of actor does; the host does the rest. */
export interface ActorKind<Letter extends { id: string } = { id: string }> {
  readonly name: string
  /** How many rows of one actor may be in hand at once, at the very most. */
  readonly maxInHand: number
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
  /** Actors with due rows, up to `limit` of them, in an order that does not change and from the one after `after` on. */
  findDue(after: Addressee, limit: number): Promise<DuePage>
}

/** Rows that were just made due, handed to their actor by whoever made them, in their order and all of them. */
export interface Mail {
  letters: readonly { id: string }[]
  /** When they were begun to be made, by `performance.now()`: no page that was read before holds one of them. */
  askedAt: number
}

/** Lengths of time in the life of an actor, in milliseconds. */
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

const usualTimes: ActorTimes = {
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
/** The window of an actor about which nothing is known, and until where it widens freely: see `Window`. */
const windowBounds = { min: 1, start: 4, free: 64 }
/** With the lease of a dead process it bounds how long its rows wait: well below a second more. */
const sweepMs = 400
/** A sweep that takes long is made more seldom: it rests so many times as long as it took, within bounds. */
const sweepRest = 5
const maxSweepMs = 5000
const maxSwept = 500
/**
 * Actors awake at once in this process: each costs some 20 KB, with its page, while it waits for a slot. Whoever is woken
 * beyond them sleeps on until a sweep finds it.
 */
const usualMaxAwake = 20_000
/** A time this near is kept by a timer of this process, which is more punctual than a task. */
const nearMs = 2500
/** One time, asked for twice, comes out this much apart at the most: the question itself takes a while. */
const sameTimeMs = 100

export class ActorHost implements Part {
  readonly name = 'actors'
  readonly #kinds = new Map<string, ActorKind>()
  readonly #awake = new Map<string, Activation>()
  readonly #windows = new Windows()
  /** When each actor will be woken by a task, by `performance.now()`. */
  readonly #wakeUps = new Map<string, number>()
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
  readonly #deadline = new AbortController()
  readonly #times: ActorTimes
  /** The sign of life that is under way, or was the last. */
  #renewal: Promise<unknown> = Promise.resolve()
  #renewTimer: ReturnType<typeof setTimeout> | undefined
  #started = false
  #stopping = false
  #departing = false

  constructor(
    kinds: ActorKind[],
    private readonly lease: LeaseHolder,
    private readonly log: Log,
    times: Partial<ActorTimes> = {},
    private readonly maxAwake = usualMaxAwake,
  ) {
    this.#times = { ...usualTimes, ...times }
    for (const kind of kinds) this.#kinds.set(kind.name, kind)
  }

  async start(): Promise<void> {
    if (this.#started || this.#stopping) return
    this.#started = true
    const first = this.lease.renew()
    this.#renewal = first.catch(() => {})
    await first
    this.#renewLater()
    for (const kind of this.#kinds.values()) await this.#sweep(kind)
  }

  /** The actor has mail, or may have; mail that is handed over need not be read again. Returns at once. */
  wake(actor: ActorId, mail?: Mail): void {
    if (this.#stopping) return
    const awake = this.#awake.get(actor.id)
    if (awake) {
      if (!mail || !awake.accept(mail)) awake.lookAgain()
      return
    }
    const kind = this.#kinds.get(actor.kind)
    if (!kind) throw new Error(`no actors of the kind ${actor.kind}`)
    if (this.#awake.size >= this.maxAwake) return
    const activation = new Activation(actor, kind, this.#deadline.signal, {
      times: this.#times,
      window: this.#windows.of(actor.id, { ...windowBounds, max: kind.maxInHand }),
      mayAct: () => this.#mayAct,
      onTrouble: error => this.log.warn({ error, actor }, 'an actor is in trouble; it goes on in a moment'),
    })
    this.#awake.set(actor.id, activation)
    activation.ended = this.#live(activation)
  }

  /** Another process had mail for an actor, and found its lease held. If it is awake here, it looks again. */
  hear(actorId: string): void {
    this.#awake.get(actorId)?.lookAgain()
  }

  /** How many actors are awake in this process. */
  get awake(): number {
    return this.#awake.size
  }

  async stop(deadline: AbortSignal): Promise<void> {
    this.#stopping = true
    for (const timer of this.#timers) clearTimeout(timer)
    const abort = () => this.#deadline.abort(deadline.reason)
    if (deadline.aborted) abort()
    else deadline.addEventListener('abort', abort, { once: true })
    for (const activation of this.#awake.values()) activation.lookAgain()
    await Promise.all([...this.#awake.values()].map(activation => activation.ended))
    deadline.removeEventListener('abort', abort)
    await this.#depart()
  }

  /** After the sign of life that is under way, which would bring the process back. */
  async #depart(): Promise<void> {
    this.#departing = true
    clearTimeout(this.#renewTimer)
    await this.#renewal
    await this.lease.depart().catch(error => this.log.warn({ error }, 'leases were left to expire'))
  }

  get #mayAct(): boolean {
    return !this.#stopping && this.lease.trusted
  }

  async #live(activation: Activation): Promise<void> {
    const { actor } = activation
    let due: number | null
    do {
      due = await this.#attend(activation)
      // Awake as long as anything is in hand, even without a lease: a new activation would know nothing of it and do it a
      // second time. A wake meanwhile is heard: the lease may have come free.
      while (activation.hasInHand && !this.#looksAgain(activation, due)) await activation.change()
    } while (this.#looksAgain(activation, due))
    this.#awake.delete(actor.id)
    if (due !== null) await this.#setWakeUp(activation, due)
  }

  #looksAgain({ woken }: Activation, due: number | null): boolean {
    return this.#mayAct && (woken || (due !== null && due <= performance.now()))
  }

  /**
   * Takes the lease and empties the mailbox under it. Answers when the next row is due, by `performance.now()`; null where
   * the lease was not to be had.
   */
  async #attend(activation: Activation): Promise<number | null> {
    const { actor, kind } = activation
    // Before it is taken: it may be lost even before the answer is here.
    activation.begin()
    try {
      if (!this.#mayAct || !(await this.lease.take(actor))) return null
      try {
        await activation.drain()
      } finally {
        await this.lease.release(actor)
      }
      const inMs = await kind.dueInMs(actor)
      return inMs === null ? null : performance.now() + inMs
    } catch (error) {
      this.log.warn({ error, actor }, 'an actor stopped early; the sweep wakes it again')
      return null
    }
  }

  /** One wake-up per actor: none is set where an earlier one is still to come. */
  async #setWakeUp({ actor, kind }: Activation, at: number): Promise<void> {
    const now = performance.now()
    const wait = at - now
    const set = this.#wakeUps.get(actor.id)
    if (set !== undefined && set <= at + sameTimeMs && set > now) return
    if (wait < nearMs) {
      this.#later(Math.max(wait, 10), () => this.wake(actor))
      return
    }
    this.#wakeUps.set(actor.id, at)
    try {
      await kind.wakeIn(actor, wait)
    } catch (error) {
      this.#wakeUps.delete(actor.id)
      this.log.warn({ error, actor }, 'a wake-up could not be set; the sweep does its work')
    }
  }

  async #renew(): Promise<void> {
    try {
      const known = await this.lease.renew()
      if (!known) {
        this.log.warn({}, 'the leases of this process had run out; its actors start anew')
        for (const activation of this.#awake.values()) activation.abandon()
      }
    } catch (error) {
      this.log.warn({ error }, 'the leases could not be renewed')
    }
    this.#forgetPastWakeUps()
    this.#renewLater()
  }

  /** Until the leases are given back: nobody is to take over what is in hand while the process stops. */
  #renewLater(): void {
    if (this.#departing) return
    this.#renewTimer = setTimeout(() => {
      this.#renewal = this.#renew()
    }, this.lease.renewMs)
  }

  /**
   * A page of the mailbox at a time: the next sweep goes on where this one stopped, and after the last actor begins anew,
   * so that none is passed over, however many have mail.
   */
  async #sweep(kind: ActorKind, after = inFrontOfAll): Promise<void> {
    const began = performance.now()
    let next = after
    let wait = sweepMs
    try {
      const page = await kind.findDue(after, maxSwept)
      const woken = await this.#wakeUnattended(page.due.map(found => ({ kind: kind.name, ...found })))
      next = page.next ?? inFrontOfAll
      // Where a whole page was attended to, what comes behind it does not wait for the next beat.
      const least = page.next !== null && woken === 0 ? 0 : sweepMs
      wait = Math.min(Math.max(least, sweepRest * (performance.now() - began)), maxSweepMs)
    } catch (error) {
      this.log.warn({ error, kind: kind.name }, 'the sweep could not look')
    }
    this.#later(wait, () => this.#sweep(kind, next))
  }

  /** Answers how many of them it woke that were not awake in this process. */
  async #wakeUnattended(due: ActorId[]): Promise<number> {
    const held = await this.lease.heldByOthers(due)
    const unattended = due.filter(({ id }) => !held.has(id))
    const asleep = unattended.filter(({ id }) => !this.#awake.has(id)).length
    for (const actor of unattended) this.wake(actor)
    return asleep
  }

  #forgetPastWakeUps(): void {
    const now = performance.now()
    for (const [id, at] of this.#wakeUps) if (at <= now) this.#wakeUps.delete(id)
  }

  #later(ms: number, work: () => void): void {
    if (this.#stopping) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      work()
    }, ms)
    this.#timers.add(timer)
  }
}

interface ActivationDeps {
  times: ActorTimes
  window: Window
  /** Whether rows may be taken in hand: the process is not stopping and its lease can be trusted. */
  mayAct: () => boolean
  onTrouble: (error: unknown) => void
}

/** One actor awake in this process. What it has in hand it keeps in hand, whatever becomes of its lease. */
class Activation {
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
  /** Mail that was handed over and is not in hand yet, while that is everything that is due. */
  #handed: { id: string }[] = []
  /** When the last page had been read, if that page and what was handed over since is all that there is; else null. */
  #caughtUpAt: number | null = null
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
  }

  /**
   * Takes mail that need not be read. Not where rows lie in the mailbox that it would overtake, nor where a page that was
   * read since it was begun may have held it: that would be handling it twice.
   */
  accept({ letters, askedAt }: Mail): boolean {
    if (letters.length === 0 || this.#caughtUpAt === null || askedAt < this.#caughtUpAt) return false
    if (this.#handed.length + letters.length > this.#pageSize) return false
    this.#handed.push(...letters)
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
    try {
      const limit = this.#pageSize
      const page = await this.kind.read(this.actor, limit, [...this.#inHand.keys()])
      if (page.length < limit) this.#caughtUpAt = performance.now()
      return this.#failedLast(page)
    } catch (error) {
      this.#pauseFor(error)
      return []
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
      while (mayTake() && this.#inHand.size >= this.#window.size) await this.#something(this.#times.lookAgainMs)
      if (!mayTake()) return false
      this.#inHand.set(letter.id, this.#handle(letter))
    }
    return true
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
      const full = this.#inHand.size * 2 > this.#window.size
      this.#window.tell(response, { era, tookMs: tookMs ?? 0, full })
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
