/**
 * Divides a limited amount fairly between keys. The caller chooses the unit, for example a permit or a byte.
 *
 * A key identifies a user of the amount that must not exclude others, such as a workspace or a network address.
 */

export interface KeyedLimiterOptions {
  /** Maximum units of all keys together. */
  total: number
  /** Maximum units of one key. Defaults to `total`. */
  maxPerKey?: number
  /**
   * The last `units` of the total are granted only to a key that then holds at most `maxHeld`. Keys that hold more
   * therefore cannot exclude a key that holds little. Defaults to no reserve.
   */
  reserve?: { units: number; maxHeld: number }
  /** Maximum number of waiting calls of `acquire`, of all keys together. Defaults to 1,024. */
  maxWaiting?: number
  /** Maximum number of waiting calls of one key. Defaults to `maxWaiting`. */
  maxWaitingPerKey?: number
  /** Maximum wait in milliseconds; `Infinity` for no maximum. Defaults to 10,000. */
  maxWaitMs?: number
  /** Message of LimiterFull for the caller of the API. Defaults to a message for calls of the same kind. */
  fullMessage?: string
  /** Called when units are granted, with the milliseconds that the call waited. */
  onGranted?: (waitedMs: number) => void
}

/** Error if the queue is full or the wait took too long. No unit was granted. The caller of the API gets the message. */
export class LimiterFull extends Error {
  override readonly name = 'LimiterFull'
}

export class KeyedLimiter {
  readonly #options: Required<KeyedLimiterOptions>
  /** Keys that hold or wait. The key granted longest ago comes first. */
  readonly #members = new Map<string, Member>()
  #held = 0
  #waiting = 0

  constructor(options: KeyedLimiterOptions) {
    const { total, maxWaiting = 1024 } = options
    this.#options = {
      maxPerKey: total,
      reserve: { units: 0, maxHeld: 0 },
      maxWaiting,
      maxWaitingPerKey: maxWaiting,
      maxWaitMs: 10_000,
      fullMessage:
        'Too many calls of this kind are waiting in the workspace or the service. Send fewer concurrent requests.',
      onGranted: () => {},
      ...options,
    }
  }

  /** Units held by all keys. */
  get held(): number {
    return this.#held
  }

  /** Number of waiting calls of `acquire`. */
  get waiting(): number {
    return this.#waiting
  }

  /** Returns the units held by this key. */
  heldBy(key: string): number {
    return this.#members.get(key)?.held ?? 0
  }

  /** Returns whether a call waits for units of this key: a call of the key itself, or of a key that holds none. */
  isWanted(key: string): boolean {
    if (this.#waiting === 0) return false
    if ((this.#members.get(key)?.waiting.length ?? 0) > 0) return true
    return this.#members.values().some(({ held, waiting }) => held === 0 && waiting.length > 0)
  }

  /** Returns whether the queue is full for a call of this key. */
  isFull(key: string): boolean {
    return this.#isQueueFull(this.#members.get(key) ?? createMember())
  }

  /** Grants the units immediately, or returns false. `max` overrides the maximum of this key. */
  tryAcquire(key: string, units = 1, max = this.#options.maxPerKey): boolean {
    if (units === 0) return true
    const member = this.#members.get(key) ?? createMember()
    if (member.held + units > max || !this.#hasCapacity(member, units)) return false
    this.#grant(key, member, units)
    return true
  }

  /**
   * Resolves when the units are granted. The waiting key that holds least is served first; keys with equal amounts
   * alternate. Calls of one key are served in order. Rejects with LimiterFull, or with the reason of the signal.
   */
  acquire(key: string, { units = 1, signal }: { units?: number; signal?: AbortSignal } = {}): Promise<void> {
    return this.#acquire(key, units, signal) ?? Promise.resolve()
  }

  /** Releases units that the key holds. */
  release(key: string, units = 1): void {
    const member = this.#members.get(key)
    if (!member || member.held < units) throw new Error(`${key} does not hold ${units}`)
    member.held -= units
    this.#held -= units
    this.#removeIfIdle(key, member)
    this.#serve()
  }

  /** Runs `work` while the key holds one unit. Rejects like `acquire`, and with the error of `work`. */
  async run<T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const pending = this.#acquire(key, 1, signal)
    // Most calls need not wait. Without a promise, they start earlier.
    if (pending) await pending
    try {
      return await work()
    } finally {
      this.release(key)
    }
  }

  /** Grants the units immediately and returns null, or returns the promise of `acquire`. */
  #acquire(key: string, units: number, signal: AbortSignal | undefined): Promise<void> | null {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const { total, maxPerKey, maxWaiting } = this.#options
    if (units > Math.min(maxPerKey, total)) return Promise.reject(this.#fullError())
    const member = this.#members.get(key) ?? createMember()
    if (member.held + units <= maxPerKey && this.#hasCapacity(member, units) && this.#isFirst(member)) {
      this.#grant(key, member, units)
      this.#options.onGranted(0)
      return null
    }
    if (this.#isQueueFull(member)) return Promise.reject(this.#fullError())
    this.#members.set(key, member)
    const pending = this.#wait(key, member, units, signal)
    if (this.#waiting > maxWaiting) this.#longest()!.waiting.at(-1)!.fail(this.#fullError())
    return pending
  }

  #wait(key: string, member: Member, units: number, signal: AbortSignal | undefined): Promise<void> {
    const startedAt = performance.now()
    return new Promise((resolve, reject) => {
      const dequeue = () => {
        member.waiting.splice(member.waiting.indexOf(waiter), 1)
        this.#waiting--
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const fail = (reason: unknown) => {
        dequeue()
        this.#removeIfIdle(key, member)
        reject(reason)
        // The rejected call may have been large and blocked smaller ones.
        this.#serve()
      }
      const abort = () => fail(signal!.reason)
      const grant = () => {
        dequeue()
        this.#grant(key, member, units)
        this.#options.onGranted(performance.now() - startedAt)
        resolve()
      }
      const { maxWaitMs } = this.#options
      const timer =
        maxWaitMs < Number.POSITIVE_INFINITY ? setTimeout(() => fail(this.#fullError()), maxWaitMs) : undefined
      const waiter: Waiter = { units, grant, fail }
      signal?.addEventListener('abort', abort)
      member.waiting.push(waiter)
      this.#waiting++
    })
  }

  #serve(): void {
    for (let next = this.#next(); next !== null; next = this.#next()) next.grant()
  }

  /**
   * Returns the next call that can be granted. Only the first call is considered, even if it needs more than is left,
   * so that it cannot starve.
   */
  #next(): Waiter | null {
    const first = this.#first()
    return first && this.#hasCapacity(first.member, first.waiter.units) ? first.waiter : null
  }

  /** Returns the waiting call to serve next. Calls of keys at their maximum are skipped. */
  #first(): { member: Member; waiter: Waiter } | null {
    if (this.#waiting === 0) return null
    let first: { member: Member; waiter: Waiter } | null = null
    for (const member of this.#members.values()) {
      const [waiter] = member.waiting
      if (!waiter || member.held + waiter.units > this.#options.maxPerKey) continue
      if (!first || member.held < first.member.held) first = { member, waiter }
    }
    return first
  }

  #hasCapacity({ held }: Member, units: number): boolean {
    const { total, reserve } = this.#options
    const left = total - this.#held - units
    return left >= reserve.units || (left >= 0 && held + units <= reserve.maxHeld)
  }

  /** Returns whether a new call of the member is served before all waiting calls. */
  #isFirst({ held, waiting }: Member): boolean {
    if (this.#waiting === 0) return true
    return waiting.length === 0 && held < (this.#first()?.member.held ?? Number.POSITIVE_INFINITY)
  }

  /** A full queue is shared: a key may still wait if another key has at least two more waiting calls. */
  #isQueueFull({ waiting: { length } }: Member): boolean {
    const { maxWaiting, maxWaitingPerKey } = this.#options
    if (length >= maxWaitingPerKey) return true
    return this.#waiting >= maxWaiting && (this.#longest()?.waiting.length ?? 0) <= length + 1
  }

  /** Returns the member with the most waiting calls. */
  #longest(): Member | undefined {
    let longest: Member | undefined
    for (const member of this.#members.values())
      if (member.waiting.length > (longest?.waiting.length ?? 0)) longest = member
    return longest
  }

  #fullError(): LimiterFull {
    return new LimiterFull(this.#options.fullMessage)
  }

  #grant(key: string, member: Member, units: number): void {
    member.held += units
    this.#held += units
    this.#members.delete(key)
    this.#members.set(key, member)
  }

  #removeIfIdle(key: string, { held, waiting }: Member): void {
    if (held === 0 && waiting.length === 0) this.#members.delete(key)
  }
}

interface Member {
  held: number
  waiting: Waiter[]
}

interface Waiter {
  units: number
  grant: () => void
  fail: (reason: unknown) => void
}

const createMember = (): Member => ({ held: 0, waiting: [] })
