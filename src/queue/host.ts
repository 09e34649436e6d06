/** Runs actors under a lease. `docs/architecture.md` describes how an actor works. */

import type { Log } from '../platform/log.ts'
import type { ActorId, LeaseHolder } from '../platform/postgres/lease.ts'
import type { Service } from '../platform/service.ts'
import { Activation, type ActorTimes, defaultTimes } from './activation.ts'
import type { ActorKind, JobBatch } from './actor.ts'
import { ConcurrencyLimits } from './concurrency.ts'
import { startKey } from './queue.ts'

/** Concurrency limits of a new actor. Up to `free` the limit grows freely; see `ConcurrencyLimit`. */
const concurrencyBounds = { min: 1, start: 4, free: 64 }
/**
 * Poll interval in milliseconds. Rows of a dead process wait until its lease expires and for the next poll, which adds
 * well below a second.
 */
const pollMs = 400
/** Pause after a slow poll, as a multiple of its duration, up to `maxPollMs`. */
const pollPauseFactor = 5
const maxPollMs = 5000
const pollPageSize = 500
/**
 * Maximum number of actors active in this process. Each costs about 20 KB, with its page, while it waits for a permit.
 * An actor woken beyond the limit stays inactive until a poll finds it.
 */
const defaultMaxActive = 20_000
/** Wake-ups due within this time use a timer of this process, which is more precise than a task. */
const timerMs = 2500
/**
 * Tolerance when comparing two wake-up times. The query itself takes time, so the same time can be read twice with this
 * difference.
 */
const toleranceMs = 100

/** Wakes actors, renews their leases and polls for due actors that were not woken. */
export class ActorHost implements Service {
  readonly name = 'actors'
  readonly #kinds = new Map<string, ActorKind>()
  readonly #active = new Map<string, Activation>()
  readonly #limits = new ConcurrencyLimits()
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
  #isReleasing = false

  constructor(
    kinds: ActorKind[],
    private readonly lease: LeaseHolder,
    private readonly log: Log,
    times: Partial<ActorTimes> = {},
    private readonly maxActive = defaultMaxActive,
  ) {
    this.#times = { ...defaultTimes, ...times }
    for (const kind of kinds) this.#kinds.set(kind.name, kind)
  }

  async start(): Promise<void> {
    if (this.#started || this.#stopping) return
    this.#started = true
    const first = this.lease.renew()
    this.#renewal = first.catch(() => {})
    await first
    this.#scheduleRenewal()
    for (const kind of this.#kinds.values()) await this.#poll(kind)
  }

  /**
   * Wakes an actor that may have due rows. Rows passed in `batch` need not be read again. Does not wait for the actor.
   */
  wake(actor: ActorId, batch?: JobBatch): void {
    if (this.#stopping) return
    const active = this.#active.get(actor.id)
    if (active) {
      if (!batch || !active.accept(batch)) active.wake()
      return
    }
    const kind = this.#kinds.get(actor.kind)
    if (!kind) throw new Error(`unknown actor kind ${actor.kind}`)
    if (batch && kind.isInactive?.(actor)) return
    if (this.#active.size >= this.maxActive) return
    const activation = new Activation(actor, kind, this.#deadline.signal, {
      times: this.#times,
      concurrency: this.#limits.of(actor.id, { ...concurrencyBounds, max: kind.maxInFlight }),
      canAct: () => this.#canAct,
      onError: error => this.log.warn({ error, actor }, 'actor failed; retrying'),
    })
    this.#active.set(actor.id, activation)
    activation.ended = this.#runActivation(activation)
  }

  /**
   * Called when another process had rows for an actor and found its lease held. An actor that is active here reads its
   * queue again.
   */
  onLeaseHeld(actorId: string): void {
    this.#active.get(actorId)?.wake()
  }

  /** Number of actors active in this process. */
  get active(): number {
    return this.#active.size
  }

  /** Number of leases that this process holds. */
  get leases(): number {
    return this.lease.held
  }

  async stop(deadline: AbortSignal): Promise<void> {
    this.#stopping = true
    for (const timer of this.#timers) clearTimeout(timer)
    const abort = () => this.#deadline.abort(deadline.reason)
    if (deadline.aborted) abort()
    else deadline.addEventListener('abort', abort, { once: true })
    for (const activation of this.#active.values()) activation.wake()
    await Promise.all([...this.#active.values()].map(activation => activation.ended))
    deadline.removeEventListener('abort', abort)
    await this.#releaseLeases()
  }

  /** Releases the leases after the current heartbeat, which would otherwise register the process again. */
  async #releaseLeases(): Promise<void> {
    this.#isReleasing = true
    clearTimeout(this.#renewTimer)
    await this.#renewal
    await this.lease
      .releaseAll()
      .catch(error => this.log.warn({ error }, 'leases could not be released; they will expire'))
  }

  get #canAct(): boolean {
    return !this.#stopping && this.lease.isValid
  }

  async #runActivation(activation: Activation): Promise<void> {
    const { actor } = activation
    let due: number | null
    do {
      due = await this.#drainUnderLease(activation)
      // Keep the actor active while rows are in flight, even without a lease: a new activation would not know them and
      // would handle them twice. A wake during this time is not lost, because the lease may be free again.
      while (activation.hasInFlight && !this.#mustContinue(activation, due)) await activation.waitForChange()
    } while (this.#mustContinue(activation, due))
    this.#active.delete(actor.id)
    if (due !== null) await this.#scheduleWakeUp(activation, due)
  }

  #mustContinue({ woken }: Activation, due: number | null): boolean {
    return this.#canAct && (woken || (due !== null && due <= performance.now()))
  }

  /**
   * Takes the lease and empties the queue under it. Returns when the next row is due, by `performance.now()`. Returns
   * null if the lease is not available.
   */
  async #drainUnderLease(activation: Activation): Promise<number | null> {
    const { actor, kind } = activation
    // Must run before the lease is taken, because the lease can be lost before the response arrives.
    activation.reset()
    try {
      if (!this.#canAct || !(await this.lease.acquire(actor))) return null
      try {
        await activation.drain()
      } finally {
        await this.lease.release(actor)
      }
      const inMs = await kind.dueInMs(actor)
      return inMs === null ? null : performance.now() + inMs
    } catch (error) {
      this.log.warn({ error, actor }, 'actor stopped early; the next poll wakes it')
      return null
    }
  }

  /** Sets one wake-up per actor. Skipped if an earlier one is still pending. */
  async #scheduleWakeUp({ actor, kind }: Activation, at: number): Promise<void> {
    const now = performance.now()
    const wait = at - now
    const scheduledAt = this.#wakeUps.get(actor.id)
    if (scheduledAt !== undefined && scheduledAt <= at + toleranceMs && scheduledAt > now) return
    if (wait < timerMs) {
      this.#schedule(Math.max(wait, 10), () => this.wake(actor))
      return
    }
    this.#wakeUps.set(actor.id, at)
    try {
      await kind.wakeIn(actor, wait)
    } catch (error) {
      this.#wakeUps.delete(actor.id)
      this.log.warn({ error, actor }, 'wake-up could not be scheduled; a later poll wakes the actor')
    }
  }

  async #renew(): Promise<void> {
    try {
      const known = await this.lease.renew()
      if (!known) {
        this.log.warn({}, 'leases of this process had expired; restarting its actors')
        for (const activation of this.#active.values()) activation.abandon()
      }
    } catch (error) {
      this.log.warn({ error }, 'leases could not be renewed')
    }
    this.#dropPastWakeUps()
    this.#scheduleRenewal()
  }

  /**
   * Schedules the next heartbeat until the leases are released. Another process must not take over in-flight rows while
   * this process stops.
   */
  #scheduleRenewal(): void {
    if (this.#isReleasing) return
    this.#renewTimer = setTimeout(() => {
      this.#renewal = this.#renew()
    }, this.lease.renewMs)
  }

  /**
   * Polls one page of due actors. The next poll continues after this page and starts again after the last actor, so
   * that every actor with due rows is reached.
   */
  async #poll(kind: ActorKind, after = startKey): Promise<void> {
    const startedAt = performance.now()
    let next = after
    let wait = pollMs
    try {
      const page = await kind.findDue(after, pollPageSize)
      const woken = await this.#wakeUnleased(page.due.map(found => ({ kind: kind.name, ...found })))
      next = page.next ?? startKey
      // If no actor of a full page had to be woken, the next page is read immediately.
      const minWait = page.next !== null && woken === 0 ? 0 : pollMs
      wait = Math.min(Math.max(minWait, pollPauseFactor * (performance.now() - startedAt)), maxPollMs)
    } catch (error) {
      this.log.warn({ error, kind: kind.name }, 'poll for due actors failed; retrying')
    }
    this.#schedule(wait, () => this.#poll(kind, next))
  }

  /** Wakes due actors without a lease of another process. Returns how many of them were not active in this process. */
  async #wakeUnleased(due: ActorId[]): Promise<number> {
    const held = await this.lease.heldByOthers(due)
    const unleased = due.filter(({ id }) => !held.has(id))
    const inactive = unleased.filter(({ id }) => !this.#active.has(id)).length
    for (const actor of unleased) this.wake(actor)
    return inactive
  }

  #dropPastWakeUps(): void {
    const now = performance.now()
    for (const [id, at] of this.#wakeUps) if (at <= now) this.#wakeUps.delete(id)
  }

  #schedule(ms: number, work: () => void): void {
    if (this.#stopping) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      work()
    }, ms)
    this.#timers.add(timer)
  }
}
