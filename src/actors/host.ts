/** Runs actors under a lease. `docs/architecture.md` describes how an actor works. */
import type { ActorId, LeaseHolder } from '../db/lease.ts'
import { inFrontOfAll } from '../domain/mailbox.ts'
import type { Log } from '../platform/log.ts'
import type { Part } from '../platform/part.ts'
import { Activation, type ActorTimes, usualTimes } from './activation.ts'
import type { ActorKind, Mail } from './actor.ts'
import { Windows } from './window.ts'

/** Concurrency limits of a new actor. Up to `free` the limit grows freely; see `Window`. */
const windowBounds = { min: 1, start: 4, free: 64 }
/**
 * Poll interval in milliseconds. Rows of a dead process wait until its lease expires and for the next poll, which adds
 * well below a second.
 */
const sweepMs = 400
/** After a slow poll, the pause is this multiple of its duration, up to `maxSweepMs`. */
const sweepRest = 5
const maxSweepMs = 5000
const maxSwept = 500
/**
 * Maximum number of actors active in this process. Each costs about 20 KB, with its page, while it waits for a permit.
 * An actor woken beyond the limit stays inactive until a poll finds it.
 */
const usualMaxAwake = 20_000
/** Wake-ups due within this time use a timer of this process, which is more precise than a task. */
const nearMs = 2500
/**
 * Tolerance when comparing two wake-up times. The query itself takes time, so the same time can be read twice with this
 * difference.
 */
const sameTimeMs = 100

/** Wakes actors, renews their leases and polls for due actors that were not woken. */
export class ActorHost implements Part {
  readonly name = 'actors'
  readonly #kinds = new Map<string, ActorKind>()
  readonly #awake = new Map<string, Activation>()
  readonly #windows = new Windows()
  /** Time by `performance.now()` when a task will wake each actor. */
  readonly #wakeUps = new Map<string, number>()
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
  readonly #deadline = new AbortController()
  readonly #times: ActorTimes
  /** Current or last heartbeat. */
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

  /**
   * Wakes an actor that may have due rows. Rows passed in `mail` need not be read again. Does not wait for the actor.
   */
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

  /**
   * Called when another process had rows for an actor and found its lease held. An actor that is active here reads its
   * queue again.
   */
  hear(actorId: string): void {
    this.#awake.get(actorId)?.lookAgain()
  }

  /** Number of actors active in this process. */
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

  /** Releases the leases after the current heartbeat, which would otherwise register the process again. */
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
      // Keep the actor active while rows are in flight, even without a lease: a new activation would not know them and
      // would handle them twice. A wake during this time is not lost, because the lease may be free again.
      while (activation.hasInHand && !this.#looksAgain(activation, due)) await activation.change()
    } while (this.#looksAgain(activation, due))
    this.#awake.delete(actor.id)
    if (due !== null) await this.#setWakeUp(activation, due)
  }

  #looksAgain({ woken }: Activation, due: number | null): boolean {
    return this.#mayAct && (woken || (due !== null && due <= performance.now()))
  }

  /**
   * Takes the lease and empties the queue under it. Returns when the next row is due, by `performance.now()`. Returns
   * null if the lease is not available.
   */
  async #attend(activation: Activation): Promise<number | null> {
    const { actor, kind } = activation
    // Must run before the lease is taken, because the lease can be lost before the response arrives.
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

  /** Sets one wake-up per actor. Skipped if an earlier one is still pending. */
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

  /**
   * Schedules the next heartbeat until the leases are released. Another process must not take over in-flight rows while
   * this process stops.
   */
  #renewLater(): void {
    if (this.#departing) return
    this.#renewTimer = setTimeout(() => {
      this.#renewal = this.#renew()
    }, this.lease.renewMs)
  }

  /**
   * Polls one page of due actors. The next poll continues after this page and starts again after the last actor, so
   * that every actor with due rows is reached.
   */
  async #sweep(kind: ActorKind, after = inFrontOfAll): Promise<void> {
    const began = performance.now()
    let next = after
    let wait = sweepMs
    try {
      const page = await kind.findDue(after, maxSwept)
      const woken = await this.#wakeUnattended(page.due.map(found => ({ kind: kind.name, ...found })))
      next = page.next ?? inFrontOfAll
      // If no actor of a full page had to be woken, the next page is read immediately.
      const least = page.next !== null && woken === 0 ? 0 : sweepMs
      wait = Math.min(Math.max(least, sweepRest * (performance.now() - began)), maxSweepMs)
    } catch (error) {
      this.log.warn({ error, kind: kind.name }, 'the sweep could not look')
    }
    this.#later(wait, () => this.#sweep(kind, next))
  }

  /** Wakes due actors without a lease of another process. Returns how many of them were not active in this process. */
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
