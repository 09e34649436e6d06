/**
 * How often a caller may call (contract 16.1). Each process decides at once, by a token bucket in its memory;
 * while there are several, they tell each other what they admitted, and each takes that off its own buckets. A bucket
 * may so fall below zero: what was admitted too much in one place is paid back before anything more is admitted. So may it
 * by a call that counts as many, a batch of events: it is never too large for the allowance, but the next one waits.
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
  /** What processes tell each other. */
  sql: Sql
  /** Where tries to sign in are counted: those of one person from one place wait for each other. */
  signInSql: Sql
  /** The ids of the keys by which this process opens what is sealed: it says so with its signs of life. */
  opens?: readonly string[]
  /** Told that the processes cannot speak to each other; each of them goes on by itself. */
  onFailure: (error: unknown) => void
}

/** Milliseconds between exchanges while calls are admitted: with others alive, by oneself, and with nothing to say. */
const pace = { shared: 100, alone: 250, idle: 1000 }
/** An exchange hears what was said in so many seconds; what it missed by an outage longer than this is forgiven. */
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

  /** Makes this process known to the others, and takes over what they know. Call it before any call is admitted. */
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

  /** Says nothing more; the others may take this process for gone. */
  async stop(): Promise<void> {
    if (this.#stopped) return
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#exchanging
    if (this.#exchangedAt > 0) await leaveExchange(this.deps.sql, this.#id).catch(this.deps.onFailure)
  }

  /** Takes one call from the caller's allowance; 429 with Retry-After when there is none left. */
  admit(caller: Pick<Caller, 'type' | 'id'>): void {
    this.#admit(caller, 1, 1)
  }

  /**
   * Takes what a call that was admitted counts for besides, into debt if need be: the calls after it wait until that is
   * paid back. 429 while there is debt, so that of many such calls at once no more than one incurs it.
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

  /** What is left of the caller's allowance, as it is told beside every answer; null where there is no limit. */
  standing({ type, id }: Pick<Caller, 'type' | 'id'>): Standing | null {
    const limit = type === 'api_key' ? this.deps.limits.key : this.deps.limits.person
    return limit ? this.#buckets.standing(id, type, limit) : null
  }

  /**
   * Counts a try to sign in with this address from this place; 429 when there were too many, in any process (contract 16.2).
   * An `email` of null counts for the place alone.
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

  /** Somebody new is there, and must know of every allowance that is not full. */
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

/** Of an allowance: how many calls may be made at once, how many of them are left, and in how many seconds it is whole. */
export interface Standing {
  limit: number
  remaining: number
  resetSeconds: number
}

interface Bucket {
  type: Caller['type']
  limit: RateLimit
  /** Below zero while more was admitted than there was: elsewhere, or in one call that counts as many. */
  tokens: number
  /** When `tokens` was right. */
  at: number
  /** Calls admitted by this process. */
  admitted: number
  /** What was heard of the other processes: by process, how many calls it had admitted. */
  heard: Map<string, number> | null
}

/** The allowances of all callers, as far as this process knows. */
class Buckets {
  readonly #buckets = new Map<string, Bucket>()
  readonly #spent = new Set<string>()

  constructor(private readonly limits: RateLimiterDeps['limits']) {}

  /** True when calls were admitted that `spent` has not told of. */
  get anySpent(): boolean {
    return this.#spent.size > 0
  }

  /** Takes so many calls where at least `least` are there: 0, or how many seconds there are to wait for one. */
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

  /** What to tell of the callers that were admitted since it was asked last. */
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

  /** What was said has not been heard. */
  respend(said: Admission[]): void {
    for (const { callerId } of said) this.#spent.add(callerId)
  }

  respendAll(): void {
    for (const id of this.#buckets.keys()) this.#spent.add(id)
  }

  /**
   * Takes off what others admitted since it was last heard of them; never more than what the allowance is still short of
   * there, for the rest was admitted so long ago that it has flowed back.
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

  /** At the start, when nothing was admitted here: each of the others knows of all that the rest of them admitted. */
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

  /** A full bucket is like one that was never there. */
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
