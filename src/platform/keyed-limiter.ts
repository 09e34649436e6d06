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
  /** Maximum wait in milliseconds. Defaults to 10,000. */
  maxWaitMs?: number
}

/** Error if the queue is full or the wait took too long. No unit was granted. */
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

  /** Grants the units immediately, or returns false. `max` overrides the maximum of this key. */
  tryAcquire(key: string, units = 1, max = this.#options.maxPerKey): boolean {
    if (units === 0) return true
    const member = this.#members.get(key) ?? newMember()
    if (member.held + units > max || !this.#hasRoom(member, units)) return false
    this.#grant(key, member, units)
    return true
  }

  /**
   * Resolves when the units are granted. The waiting key that holds least is served first; keys with equal amounts are
   * served in turn. Calls of one key are served in order. Rejects with LimiterFull, or with the reason of the signal.
   */
  acquire(key: string, { units = 1, signal }: { units?: number; signal?: AbortSignal } = {}): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const { total, maxPerKey, maxWaiting, maxWaitingPerKey } = this.#options
    if (units > Math.min(maxPerKey, total)) return Promise.reject(new LimiterFull('more than one key may hold'))
    if (this.#first() === null && this.tryAcquire(key, units)) return Promise.resolve()
    const member = this.#members.get(key) ?? newMember()
    if (member.waiting.length >= maxWaitingPerKey || (this.#waiting >= maxWaiting && !this.#makeRoomFor(member)))
      return Promise.reject(new LimiterFull('too many are waiting'))
    this.#members.set(key, member)
    return this.#wait(key, member, units, signal)
  }

  /** Releases units that the key holds. */
  release(key: string, units = 1): void {
    const member = this.#members.get(key)
    if (!member || member.held < units) throw new Error(`${key} does not hold ${units}`)
    member.held -= units
    this.#held -= units
    this.#forgetIfDone(key, member)
    this.#serve()
  }

  /** Runs `work` while the key holds one unit. Rejects like `acquire`, and with the error of `work`. */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.acquire(key, { signal })
    try {
      return await work()
    } finally {
      this.release(key)
    }
  }

  #wait(key: string, member: Member, units: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        member.waiting.splice(member.waiting.indexOf(waiter), 1)
        this.#waiting--
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const refuse = (reason: unknown) => {
        stop()
        this.#forgetIfDone(key, member)
        reject(reason)
        // The rejected call may have been large and blocked smaller ones.
        this.#serve()
      }
      const abort = () => refuse(signal!.reason)
      const grant = () => {
        stop()
        this.#grant(key, member, units)
        resolve()
      }
      const timer = setTimeout(() => refuse(new LimiterFull('the wait took too long')), this.#options.maxWaitMs)
      const waiter: Waiter = { units, grant, refuse }
      signal?.addEventListener('abort', abort)
      member.waiting.push(waiter)
      this.#waiting++
      this.#serve()
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
    return first && this.#hasRoom(first.member, first.waiter.units) ? first.waiter : null
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

  #hasRoom({ held }: Member, units: number): boolean {
    const { total, reserve } = this.#options
    const left = total - this.#held - units
    return left >= reserve.units || (left >= 0 && held + units <= reserve.maxHeld)
  }

  /** Shares a full queue: the newest call of the key with the most waiting calls is rejected for a key with fewer. */
  #makeRoomFor(member: Member): boolean {
    let longest = member
    for (const other of this.#members.values()) if (other.waiting.length > longest.waiting.length) longest = other
    if (longest.waiting.length <= member.waiting.length + 1) return false
    longest.waiting.at(-1)!.refuse(new LimiterFull('too many are waiting'))
    return true
  }

  #grant(key: string, member: Member, units: number): void {
    member.held += units
    this.#held += units
    this.#members.delete(key)
    this.#members.set(key, member)
  }

  #forgetIfDone(key: string, { held, waiting }: Member): void {
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
  refuse: (reason: unknown) => void
}

const newMember = (): Member => ({ held: 0, waiting: [] })
