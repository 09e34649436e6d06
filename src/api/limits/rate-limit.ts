/**
 * Rate limits per caller (contract 16.1). Each process decides immediately with token buckets in memory. Several
 * processes exchange their admitted calls, and each subtracts the calls of the others from its own buckets.
 *
 * A bucket can become negative, either through calls admitted elsewhere or through a call that counts as many, such as
 * a batch of events. The debt must be paid back before the next call is admitted.
 */
import { randomUUID } from 'node:crypto'
import {
  type Admission,
  type AttemptKind,
  admitSignInAttempt,
  deleteProcess,
  exchangeAdmissions,
  type LimitScope,
  type PeerAdmission,
} from '../../accounts/rate-limits/index.ts'
import type { Config, RateLimit } from '../../config.ts'
import type { Caller } from '../../core/context.ts'
import { retryLater } from '../../core/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { Service } from '../../platform/service.ts'

export interface RateLimiterDeps {
  limits: Pick<Config['rateLimits'], 'key' | 'person' | 'signInAttempts'>
  /** Database for the exchange between processes. */
  sql: Sql
  /** Database for counting sign-in attempts. Attempts of one person from one address run sequentially. */
  signInSql: Sql
  /** Ids of the keys in this process's keyring. They are published with its heartbeats. */
  keyIds?: readonly string[]
  /** Called when the exchange between processes fails. Each process then continues alone. */
  onFailure: (error: unknown) => void
}

/** Milliseconds between exchanges: with other processes, alone, and without admitted calls. */
const intervalMs = { shared: 100, alone: 250, idle: 1000 }
/** Seconds of history that an exchange reads. Calls missed in a longer outage are not subtracted. */
const maxAgeSeconds = 10
const cleanupIntervalMs = 10_000

export class RateLimiter implements Service {
  readonly name = 'rate limits'
  readonly #id = randomUUID()
  readonly #buckets: Buckets
  readonly #policies: Record<'key' | 'person', Pick<Quota, 'name' | 'policy'>>
  #otherCount = 0
  #exchangedAt = 0
  #cleanedAt = 0
  #isFailing = false
  #isStopped = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #exchanging: Promise<void> = Promise.resolve()

  constructor(private readonly deps: RateLimiterDeps) {
    this.#buckets = new Buckets(deps.limits)
    this.#policies = { key: policyOf('key', deps.limits.key), person: policyOf('person', deps.limits.person) }
  }

  /** Registers this process and loads the state of the others. Call it before the first call is admitted. */
  async start(): Promise<void> {
    if (this.#isStopped || this.#exchangedAt > 0) return
    const { key, person } = this.deps.limits
    const slowest = Math.max(...[key, person].map(limit => (limit ? limit.burst / limit.perSecond : 0)))
    if (slowest === 0) return
    const { others, peers } = await exchangeAdmissions(this.deps.sql, {
      processId: this.#id,
      keyIds: this.deps.keyIds ?? [],
      reports: [],
      maxAgeSeconds: Math.max(slowest, maxAgeSeconds),
    })
    this.#otherCount = others
    this.#buckets.loadAdmissions(peers)
    this.#exchangedAt = performance.now()
    this.#schedule()
  }

  /** Stops the exchange and unregisters this process. */
  async stop(): Promise<void> {
    if (this.#isStopped) return
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#exchanging
    if (this.#exchangedAt > 0) await deleteProcess(this.deps.sql, this.#id).catch(this.deps.onFailure)
  }

  /** Takes one call from the caller's allowance. Throws 429 with Retry-After if none is left. */
  admit(caller: Pick<Caller, 'type' | 'id'>): void {
    this.#admit(caller, 1, 1)
  }

  /**
   * Takes the remaining calls of an admitted request, which may leave a debt. Later calls wait until the debt is paid
   * back. Throws 429 while there is a debt, so that only one of several concurrent requests can cause it.
   */
  admitRemaining(caller: Pick<Caller, 'type' | 'id'>, calls: number): void {
    if (calls > 0) this.#admit(caller, calls, 0)
  }

  #admit({ type, id }: Pick<Caller, 'type' | 'id'>, calls: number, minTokens: number): void {
    const kind = kindOf(type)
    const limit = this.deps.limits[kind]
    if (!limit) return
    const waitSeconds = this.#buckets.take(id, type, limit, calls, minTokens)
    if (waitSeconds === 0) return
    const allowance = `${limit.perSecond} calls per second, with bursts of ${limit.burst}`
    throw retryLater(
      'rate_limited',
      kind === 'key'
        ? `An API key can make ${allowance}. A batch of events counts as one call per event.`
        : `A signed-in person can make ${allowance}.`,
      waitSeconds,
    )
  }

  /** Returns the remaining allowance of the caller, for the headers of the answer. Null without a limit. */
  quota({ type, id }: Pick<Caller, 'type' | 'id'>): Quota | null {
    const kind = kindOf(type)
    const limit = this.deps.limits[kind]
    if (!limit) return null
    return { ...this.#policies[kind], ...this.#buckets.quota(id, type, limit) }
  }

  /**
   * Counts a sign-in attempt for an account and a network address. Throws 429 after too many attempts in all processes
   * (contract 16.2). With a null `email`, it counts for the address alone.
   */
  async admitSignIn(email: string | null, address: string, kind: AttemptKind | null = null): Promise<void> {
    const max = this.deps.limits.signInAttempts
    if (max === null) return
    const decision = await admitSignInAttempt(this.deps.signInSql, { email, address, max, kind })
    if (!decision.admitted)
      throw retryLater('rate_limited', tooManyMessages[decision.scope], decision.retryAfterSeconds)
  }

  #schedule(): void {
    if (this.#isStopped) return
    this.#timer = setTimeout(() => {
      this.#exchanging = this.#isDue() ? this.#exchange() : Promise.resolve()
      void this.#exchanging.then(() => this.#schedule())
    }, intervalMs.shared)
    this.#timer.unref()
  }

  #isDue(): boolean {
    const since = performance.now() - this.#exchangedAt
    if (!this.#buckets.hasUnpublished) return since >= intervalMs.idle
    return this.#otherCount > 0 || since >= intervalMs.alone
  }

  /** Never rejects. */
  async #exchange(): Promise<void> {
    this.#exchangedAt = performance.now()
    const alone = this.#otherCount === 0
    const taken = this.#buckets.takeUnpublished()
    // No other process needs them, and a new one gets all buckets.
    const reports = alone ? [] : taken
    try {
      const { others, peers } = await exchangeAdmissions(this.deps.sql, {
        processId: this.#id,
        keyIds: this.deps.keyIds ?? [],
        reports,
        maxAgeSeconds,
      })
      this.#isFailing = false
      this.#otherCount = others
      this.#buckets.applyAdmissions(peers)
      if (alone && others > 0) await this.#publishAll()
    } catch (error) {
      if (!this.#isFailing) this.deps.onFailure(error)
      this.#isFailing = true
      this.#buckets.markUnpublished(reports)
    }
    if (performance.now() - this.#cleanedAt > cleanupIntervalMs) {
      this.#cleanedAt = performance.now()
      this.#buckets.removeFull()
    }
  }

  /** Publishes every bucket that is not full, because a new process needs them. */
  #publishAll(): Promise<void> {
    this.#buckets.markAllUnpublished()
    return this.#exchange()
  }
}

const tooManyMessages: Record<LimitScope, string> = {
  pair: 'Too many sign-in attempts.',
  account:
    'Too many sign-in attempts for this account from new network addresses. Use a network address that has signed in before.',
  network: 'Too many sign-in attempts from this network address.',
}

/**
 * State of an allowance: the maximum burst, the remaining calls, and the seconds until it is full again. `name` and
 * `policy` are the name and the value of its policy in the structured header fields (contract 16.1).
 */
export interface Quota {
  name: string
  policy: string
  limit: number
  remaining: number
  resetSeconds: number
}

/** Returns the policy of a limit: its burst, and the seconds in which an empty allowance becomes full. */
const policyOf = (caller: string, limit: RateLimit | null): Pick<Quota, 'name' | 'policy'> => {
  const name = `"${caller}"`
  return { name, policy: limit ? `${name};q=${limit.burst};w=${Math.ceil(limit.burst / limit.perSecond)}` : '' }
}

const kindOf = (type: Caller['type']): 'key' | 'person' => (type === 'api_key' ? 'key' : 'person')

interface Bucket {
  type: Caller['type']
  limit: RateLimit
  /** Negative while more was admitted than available: in other processes, or by one call that counts as many. */
  tokens: number
  /** Time at which `tokens` was computed. */
  refilledAt: number
  /** Number of calls admitted by this process. */
  admitted: number
  /** Number of calls admitted by each of the other processes, as last received. */
  received: Map<string, number> | null
}

/** Allowances of all callers, as known to this process. */
class Buckets {
  readonly #buckets = new Map<string, Bucket>()
  readonly #unpublished = new Set<string>()

  constructor(private readonly limits: RateLimiterDeps['limits']) {}

  /** True if calls were admitted since the last `unpublished`. */
  get hasUnpublished(): boolean {
    return this.#unpublished.size > 0
  }

  /** Takes `calls` if at least `minTokens` are available. Returns 0, or the seconds to wait for one call. */
  take(id: string, type: Caller['type'], limit: RateLimit, calls: number, minTokens: number): number {
    const bucket = this.#bucket(id, type, limit)
    refill(bucket, performance.now())
    if (bucket.tokens < minTokens) return (1 - bucket.tokens) / limit.perSecond
    bucket.tokens -= calls
    bucket.admitted += calls
    this.#unpublished.add(id)
    return 0
  }

  quota(id: string, type: Caller['type'], limit: RateLimit): Omit<Quota, 'name' | 'policy'> {
    const bucket = this.#bucket(id, type, limit)
    refill(bucket, performance.now())
    return {
      limit: limit.burst,
      remaining: Math.max(0, Math.floor(bucket.tokens)),
      resetSeconds: Math.ceil((limit.burst - bucket.tokens) / limit.perSecond),
    }
  }

  /** Returns the admissions of all callers with calls since the last `unpublished`. */
  takeUnpublished(): Admission[] {
    const now = performance.now()
    const reports: Admission[] = []
    for (const id of this.#unpublished) {
      const bucket = this.#buckets.get(id)
      if (!bucket) continue
      refill(bucket, now)
      const missing = bucket.limit.burst - bucket.tokens
      reports.push({ callerId: id, callerType: bucket.type, admitted: bucket.admitted, missing })
    }
    this.#unpublished.clear()
    return reports
  }

  /** Marks the admissions as unpublished again, because the exchange failed. */
  markUnpublished(reports: Admission[]): void {
    for (const { callerId } of reports) this.#unpublished.add(callerId)
  }

  markAllUnpublished(): void {
    for (const id of this.#buckets.keys()) this.#unpublished.add(id)
  }

  /**
   * Subtracts what other processes admitted since their last message. The amount is capped by what is still missing in
   * the sender's bucket, because older calls were already refilled.
   */
  applyAdmissions(received: PeerAdmission[]): void {
    const now = performance.now()
    for (const { processId, callerId, callerType, admitted, missing, age } of received) {
      const limit = this.#limitOf(callerType)
      if (!limit) continue
      const bucket = this.#bucket(callerId, callerType, limit)
      bucket.received ??= new Map()
      const previous = bucket.received.get(processId) ?? 0
      if (previous === admitted) continue
      bucket.received.set(processId, admitted)
      refill(bucket, now)
      const stillMissing = Math.max(0, missing - age * limit.perSecond)
      bucket.tokens -= Math.min(admitted > previous ? admitted - previous : admitted, stillMissing)
    }
  }

  /**
   * Loads the state of the others at the start, when this process has admitted nothing. The value of each process
   * already includes the calls of all others.
   */
  loadAdmissions(received: PeerAdmission[]): void {
    for (const { processId, callerId, callerType, admitted, missing, age } of received) {
      const limit = this.#limitOf(callerType)
      if (!limit) continue
      const bucket = this.#bucket(callerId, callerType, limit)
      bucket.received ??= new Map()
      bucket.received.set(processId, admitted)
      bucket.tokens = Math.min(bucket.tokens, limit.burst - missing + age * limit.perSecond)
    }
  }

  /** Removes full buckets, because a missing bucket counts as full. */
  removeFull(): void {
    const now = performance.now()
    for (const [id, bucket] of this.#buckets) {
      refill(bucket, now)
      if (bucket.tokens >= bucket.limit.burst && !this.#unpublished.has(id)) this.#buckets.delete(id)
    }
  }

  #limitOf(type: Caller['type']): RateLimit | null {
    return this.limits[kindOf(type)]
  }

  #bucket(id: string, type: Caller['type'], limit: RateLimit): Bucket {
    let bucket = this.#buckets.get(id)
    if (!bucket) {
      bucket = { type, limit, tokens: limit.burst, refilledAt: performance.now(), admitted: 0, received: null }
      this.#buckets.set(id, bucket)
    }
    return bucket
  }
}

const refill = (bucket: Bucket, now: number): void => {
  const { perSecond, burst } = bucket.limit
  bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.refilledAt) / 1000) * perSecond)
  bucket.refilledAt = now
}
