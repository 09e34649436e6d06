/**
 * Rate limits per caller (contract 16.1). Each process decides immediately with token buckets in memory. Several
 * processes exchange their admitted calls, and each subtracts the calls of the others from its own buckets.
 *
 * A bucket can become negative, either through calls admitted elsewhere or through a call that counts as many, such as
 * a batch of events. The debt must be paid back before the next call is admitted.
 */
import { randomUUID } from 'node:crypto'
import type { Config, RateLimit } from '../config.ts'
import type { Sql } from '../db/client.ts'
import type { Caller } from '../domain/context.ts'
import { tryLater } from '../domain/errors.ts'
import {
  type Admission,
  type Apart,
  admitSignInTry,
  exchangeAdmissions,
  type Heard,
  leaveExchange,
  type Tried,
} from '../domain/rate-limits/index.ts'
import type { Part } from '../platform/part.ts'

export interface RateLimiterDeps {
  limits: Pick<Config['rateLimits'], 'key' | 'person' | 'signInTries'>
  /** Database for the exchange between processes. */
  sql: Sql
  /** Database for counting sign-in attempts. Attempts of one person from one address run sequentially. */
  signInSql: Sql
  /** Ids of the keys in this process's keyring. They are published with its heartbeats. */
  opens?: readonly string[]
  /** Called when the exchange between processes fails. Each process then continues alone. */
  onFailure: (error: unknown) => void
}

/** Milliseconds between exchanges: with other processes, alone, and without admitted calls. */
const pace = { shared: 100, alone: 250, idle: 1000 }
/** Seconds of history that an exchange reads. Calls missed in a longer outage are not subtracted. */
const heardSeconds = 10
const forgetMs = 10_000

export class RateLimiter implements Part {
  readonly name = 'rate limits'
  readonly #id = randomUUID()
  readonly #buckets: Buckets
  #others = 0
  #exchangedAt = 0
  #forgotAt = 0
  #failing = false
  #stopped = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #exchanging: Promise<void> = Promise.resolve()

  constructor(private readonly deps: RateLimiterDeps) {
    this.#buckets = new Buckets(deps.limits)
  }

  /** Registers this process and loads the state of the others. Call it before the first call is admitted. */
  async start(): Promise<void> {
    if (this.#stopped || this.#exchangedAt > 0) return
    const { key, person } = this.deps.limits
    const slowest = Math.max(...[key, person].map(limit => (limit ? limit.burst / limit.perSecond : 0)))
    if (slowest === 0) return
    const { others, heard } = await exchangeAdmissions(this.deps.sql, {
      processId: this.#id,
      opens: this.deps.opens ?? [],
      said: [],
      heardSeconds: Math.max(slowest, heardSeconds),
    })
    this.#others = others
    this.#buckets.takeOver(heard)
    this.#exchangedAt = performance.now()
    this.#schedule()
  }

  /** Stops the exchange and unregisters this process. */
  async stop(): Promise<void> {
    if (this.#stopped) return
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#exchanging
    if (this.#exchangedAt > 0) await leaveExchange(this.deps.sql, this.#id).catch(this.deps.onFailure)
  }

  /** Takes one call from the caller's allowance. Throws 429 with Retry-After if none is left. */
  admit(caller: Pick<Caller, 'type' | 'id'>): void {
    this.#admit(caller, 1, 1)
  }

  /**
   * Takes the remaining calls of an admitted request, which may leave a debt. Later calls wait until the debt is paid
   * back. Throws 429 while there is a debt, so that only one of several concurrent requests can cause it.
   */
  admitRest(caller: Pick<Caller, 'type' | 'id'>, calls: number): void {
    if (calls > 0) this.#admit(caller, calls, 0)
  }

  #admit({ type, id }: Pick<Caller, 'type' | 'id'>, calls: number, least: number): void {
    const limit = type === 'api_key' ? this.deps.limits.key : this.deps.limits.person
    if (!limit) return
    const waitSeconds = this.#buckets.take(id, type, limit, calls, least)
    if (waitSeconds === 0) return
    const who = type === 'api_key' ? 'An API key' : 'A signed-in person'
    throw tryLater(
      'rate_limited',
      `${who} may make ${limit.perSecond} calls a second, ${limit.burst} at once.`,
      waitSeconds,
    )
  }

  /** Returns the remaining allowance of the caller, for the headers of the answer. Null without a limit. */
  standing({ type, id }: Pick<Caller, 'type' | 'id'>): Standing | null {
    const limit = type === 'api_key' ? this.deps.limits.key : this.deps.limits.person
    return limit ? this.#buckets.standing(id, type, limit) : null
  }

  /**
   * Counts a sign-in attempt for an account and a network address. Throws 429 after too many attempts in all processes
   * (contract 16.2). With a null `email`, it counts for the address alone.
   */
  async admitSignIn(email: string | null, address: string, apart: Apart | null = null): Promise<void> {
    const max = this.deps.limits.signInTries
    if (max === null) return
    const verdict = await admitSignInTry(this.deps.signInSql, { email, address, max, apart })
    if (!verdict.admitted) throw tryLater('rate_limited', tooMany[verdict.tried], verdict.retryAfterSeconds)
  }

  #schedule(): void {
    if (this.#stopped) return
    this.#timer = setTimeout(() => {
      this.#exchanging = this.#isDue() ? this.#exchange() : Promise.resolve()
      void this.#exchanging.then(() => this.#schedule())
    }, pace.shared)
    this.#timer.unref()
  }

  #isDue(): boolean {
    const since = performance.now() - this.#exchangedAt
    if (!this.#buckets.anySpent) return since >= pace.idle
    return this.#others > 0 || since >= pace.alone
  }

  /** Never rejects. */
  async #exchange(): Promise<void> {
    this.#exchangedAt = performance.now()
    const alone = this.#others === 0
    const said = alone ? [] : this.#buckets.spent()
    if (alone) this.#buckets.forgetSpent()
    try {
      const { others, heard } = await exchangeAdmissions(this.deps.sql, {
        processId: this.#id,
        opens: this.deps.opens ?? [],
        said,
        heardSeconds,
      })
      this.#failing = false
      this.#others = others
      this.#buckets.hear(heard)
      if (alone && others > 0) await this.#introduce()
    } catch (error) {
      if (!this.#failing) this.deps.onFailure(error)
      this.#failing = true
      this.#buckets.respend(said)
    }
    if (performance.now() - this.#forgotAt > forgetMs) {
      this.#forgotAt = performance.now()
      this.#buckets.forgetFull()
    }
  }

  /** Publishes every bucket that is not full, because a new process needs them. */
  #introduce(): Promise<void> {
    this.#buckets.respendAll()
    return this.#exchange()
  }
}

const tooMany: Record<Tried, string> = {
  pair: 'Too many tries to sign in.',
  account:
    'Too many tries to sign in to this account from network addresses it was not signed in from before; from the others it goes on.',
  place: 'Too many tries to sign in from this network address.',
}

/** State of an allowance: the maximum burst, the remaining calls, and the seconds until it is full again. */
export interface Standing {
  limit: number
  remaining: number
  resetSeconds: number
}

interface Bucket {
  type: Caller['type']
  limit: RateLimit
  /** Negative while more was admitted than available: in other processes, or by one call that counts as many. */
  tokens: number
  /** Time at which `tokens` was computed. */
  at: number
  /** Number of calls admitted by this process. */
  admitted: number
  /** Number of calls admitted by each of the other processes, as last received. */
  heard: Map<string, number> | null
}

/** Allowances of all callers, as known to this process. */
class Buckets {
  readonly #buckets = new Map<string, Bucket>()
  readonly #spent = new Set<string>()

  constructor(private readonly limits: RateLimiterDeps['limits']) {}

  /** True if calls were admitted since the last `spent`. */
  get anySpent(): boolean {
    return this.#spent.size > 0
  }

  /** Takes `calls` if at least `least` are available. Returns 0, or the seconds to wait for one call. */
  take(id: string, type: Caller['type'], limit: RateLimit, calls: number, least: number): number {
    const bucket = this.#bucket(id, type, limit)
    refill(bucket, performance.now())
    if (bucket.tokens < least) return (1 - bucket.tokens) / limit.perSecond
    bucket.tokens -= calls
    bucket.admitted += calls
    this.#spent.add(id)
    return 0
  }

  standing(id: string, type: Caller['type'], limit: RateLimit): Standing {
    const bucket = this.#bucket(id, type, limit)
    refill(bucket, performance.now())
    return {
      limit: limit.burst,
      remaining: Math.max(0, Math.floor(bucket.tokens)),
      resetSeconds: Math.ceil((limit.burst - bucket.tokens) / limit.perSecond),
    }
  }

  /** Returns the admissions of all callers with calls since the last `spent`. */
  spent(): Admission[] {
    const now = performance.now()
    const said: Admission[] = []
    for (const id of this.#spent) {
      const bucket = this.#buckets.get(id)
      if (!bucket) continue
      refill(bucket, now)
      const missing = bucket.limit.burst - bucket.tokens
      said.push({ callerId: id, callerType: bucket.type, admitted: bucket.admitted, missing })
    }
    this.#spent.clear()
    return said
  }

  forgetSpent(): void {
    this.#spent.clear()
  }

  /** Marks the admissions as unpublished again, because the exchange failed. */
  respend(said: Admission[]): void {
    for (const { callerId } of said) this.#spent.add(callerId)
  }

  respendAll(): void {
    for (const id of this.#buckets.keys()) this.#spent.add(id)
  }

  /**
   * Subtracts what other processes admitted since their last message. The amount is capped by what is still missing in
   * the sender's bucket, because older calls were already refilled.
   */
  hear(heard: Heard[]): void {
    const now = performance.now()
    for (const { processId, callerId, callerType, admitted, missing, age } of heard) {
      const limit = this.#limitOf(callerType)
      if (!limit) continue
      const bucket = this.#bucket(callerId, callerType, limit)
      bucket.heard ??= new Map()
      const before = bucket.heard.get(processId) ?? 0
      if (before === admitted) continue
      bucket.heard.set(processId, admitted)
      refill(bucket, now)
      const stillMissing = Math.max(0, missing - age * limit.perSecond)
      bucket.tokens -= Math.min(admitted > before ? admitted - before : admitted, stillMissing)
    }
  }

  /**
   * Loads the state of the others at the start, when this process has admitted nothing. The value of each process
   * already includes the calls of all others.
   */
  takeOver(heard: Heard[]): void {
    for (const { processId, callerId, callerType, admitted, missing, age } of heard) {
      const limit = this.#limitOf(callerType)
      if (!limit) continue
      const bucket = this.#bucket(callerId, callerType, limit)
      bucket.heard ??= new Map()
      bucket.heard.set(processId, admitted)
      bucket.tokens = Math.min(bucket.tokens, limit.burst - missing + age * limit.perSecond)
    }
  }

  /** Removes full buckets, because a missing bucket counts as full. */
  forgetFull(): void {
    const now = performance.now()
    for (const [id, bucket] of this.#buckets) {
      refill(bucket, now)
      if (bucket.tokens >= bucket.limit.burst && !this.#spent.has(id)) this.#buckets.delete(id)
    }
  }

  #limitOf(type: Caller['type']): RateLimit | null {
    return type === 'api_key' ? this.limits.key : this.limits.person
  }

  #bucket(id: string, type: Caller['type'], limit: RateLimit): Bucket {
    let bucket = this.#buckets.get(id)
    if (!bucket) {
      bucket = { type, limit, tokens: limit.burst, at: performance.now(), admitted: 0, heard: null }
      this.#buckets.set(id, bucket)
    }
    return bucket
  }
}

const refill = (bucket: Bucket, now: number): void => {
  const { perSecond, burst } = bucket.limit
  bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
  bucket.at = now
}
