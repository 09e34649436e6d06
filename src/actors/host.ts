/** The life of every actor with a lease: README.md in this folder tells it in words. */
import type { ActorId, LeaseHolder } from '../db/lease.ts'
import { inFrontOfAll } from '../domain/mailbox.ts'
import type { Log } from '../platform/log.ts'
import type { Part } from '../platform/part.ts'
import { Activation, type ActorTimes, usualTimes } from './activation.ts'
import type { ActorKind, Mail } from './actor.ts'
import { Windows } from './window.ts'

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

/** Wakes actors, keeps their leases alive, and sweeps for those whom nobody woke. */
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
    if (mail && kind.isAtRest?.(actor)) return
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
