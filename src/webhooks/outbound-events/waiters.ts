/**
 * Requests of this process that wait for an outbound event. While there are any, one statement every 200 ms looks up
 * the newest event of each of their workspaces. A waiting request holds no connection, and code that emits events has no
 * extra work.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { overloaded, retryLater } from '../../core/errors.ts'
import { KeyedLimiter } from '../../platform/keyed-limiter.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { Service } from '../../platform/service.ts'
import { comparePositions, type StreamPosition } from './pull-cursor.ts'
import { findStreamEnds } from './pull-sql.ts'

export interface PullWaiterLimits {
  /** Maximum numbers of waiting requests: per user, per workspace and per process. */
  maxPerUser: number
  maxPerWorkspace: number
  maxPerProcess: number
  /** Interval between polls in milliseconds, and its maximum if polls are slow. */
  minPollMs: number
  maxPollMs: number
}

const defaultLimits: PullWaiterLimits = {
  maxPerUser: 20,
  maxPerWorkspace: 100,
  maxPerProcess: 4000,
  minPollMs: 200,
  maxPollMs: 2000,
}

export interface PullWaitersDeps {
  /** Runs a query on a connection of the read pool. */
  query: <T>(signal: AbortSignal, work: (sql: Sql) => Promise<T>) => Promise<T>
  onFailure: (error: unknown) => void
  /** Milliseconds after which the server closes a silent connection. Waits end 2 seconds earlier. */
  keepAliveMs: number
  limits?: Partial<PullWaiterLimits>
}

/** A request that may wait. */
export interface WaitingRequest {
  workspaceId: string
  userId: string
  /** Maximum milliseconds of all waits of the request. */
  maxMs: number
  /** Aborted when the client disconnects. */
  signal: AbortSignal
}

/** Resolves to true when an event after the position exists, and to false when the time of the request is over. */
export type WaitForEvent = (position: StreamPosition) => Promise<boolean>

interface Waiter {
  position: StreamPosition
  wake: (found: boolean) => void
}

/** Maximum number of workspaces in one statement. */
const maxWorkspacesPerQuery = 50
/** Polls use at most 1/100 of the time of a connection. */
const costFactor = 100
/** Milliseconds that remain for the answer before the server closes a silent connection. */
const answerMs = 2000

export class PullWaiters implements Service {
  readonly name = 'waiting pulls'
  readonly #limits: PullWaiterLimits
  readonly #waiters = new Map<string, Set<Waiter>>()
  /** Admitted requests, by user and by workspace. */
  readonly #users: KeyedLimiter
  readonly #workspaces: KeyedLimiter
  readonly #stopping = new AbortController()
  #polling: Promise<void> | null = null

  constructor(private readonly deps: PullWaitersDeps) {
    this.#limits = { ...defaultLimits, ...deps.limits }
    const { maxPerProcess: total, maxPerUser, maxPerWorkspace } = this.#limits
    this.#users = new KeyedLimiter({ total, maxPerKey: maxPerUser })
    this.#workspaces = new KeyedLimiter({ total, maxPerKey: maxPerWorkspace })
  }

  /** Number of admitted requests. */
  get waiting(): number {
    return this.#users.held
  }

  async start(): Promise<void> {}

  /** Ends all waits immediately, so that the requests are answered with their cursors. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const waiters of this.#waiters.values()) for (const { wake } of waiters) wake(false)
    await this.#polling
  }

  /**
   * Runs work that can wait for events. Throws 429 if the person or the workspace has too many waiting requests, and 503
   * if the process has. A wait rejects with the reason of the signal.
   */
  async run<T>(request: WaitingRequest, work: (waitForEvent: WaitForEvent) => Promise<T>): Promise<T> {
    const { workspaceId, userId, signal } = request
    const maxMs = Math.min(request.maxMs, this.deps.keepAliveMs - answerMs)
    const endsAt = performance.now() + maxMs
    this.#admit(workspaceId, userId)
    try {
      return await work(position => this.#wait(workspaceId, position, endsAt, signal))
    } finally {
      this.#users.release(userId)
      this.#workspaces.release(workspaceId)
    }
  }

  #admit(workspaceId: string, userId: string): void {
    const { maxPerUser, maxPerWorkspace, maxPerProcess } = this.#limits
    if (this.waiting >= maxPerProcess) throw overloaded('This process has too many waiting requests.', 5)
    if (!this.#users.tryAcquire(userId))
      throw retryLater('rate_limited', `You have ${maxPerUser} waiting requests, the maximum.`, 5)
    if (!this.#workspaces.tryAcquire(workspaceId)) {
      this.#users.release(userId)
      throw retryLater('rate_limited', `The workspace has ${maxPerWorkspace} waiting requests, the maximum.`, 5)
    }
  }

  #wait(workspaceId: string, position: StreamPosition, endsAt: number, signal: AbortSignal): Promise<boolean> {
    const remainingMs = endsAt - performance.now()
    if (signal.aborted) return Promise.reject(signal.reason)
    if (this.#stopping.signal.aborted || remainingMs <= 0) return Promise.resolve(false)
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        this.#remove(workspaceId, waiter)
      }
      const wake = (found: boolean) => {
        end()
        resolve(found)
      }
      const abort = () => {
        end()
        reject(signal.reason)
      }
      const waiter: Waiter = { position, wake }
      const timer = setTimeout(() => wake(false), remainingMs)
      signal.addEventListener('abort', abort)
      this.#add(workspaceId, waiter)
    })
  }

  #add(workspaceId: string, waiter: Waiter): void {
    const waiters = this.#waiters.get(workspaceId)
    if (waiters) waiters.add(waiter)
    else this.#waiters.set(workspaceId, new Set([waiter]))
    this.#startPolling()
  }

  #remove(workspaceId: string, waiter: Waiter): void {
    const waiters = this.#waiters.get(workspaceId)
    waiters?.delete(waiter)
    if (waiters?.size === 0) this.#waiters.delete(workspaceId)
  }

  #startPolling(): void {
    this.#polling ??= this.#pollLoop().finally(() => {
      this.#polling = null
      // A waiter can be added after the loop has seen that there are none.
      if (this.#waiters.size > 0 && !this.#stopping.signal.aborted) this.#startPolling()
    })
  }

  /** Polls while there are waiters. The pause grows with the duration of a poll. */
  async #pollLoop(): Promise<void> {
    const { minPollMs, maxPollMs } = this.#limits
    const { signal } = this.#stopping
    let pauseMs = minPollMs
    while (!signal.aborted && this.#waiters.size > 0) {
      await sleep(pauseMs, null, { signal }).catch(() => {})
      if (signal.aborted || this.#waiters.size === 0) return
      const startedAt = performance.now()
      await this.#pollOnce().catch(error => {
        if (!signal.aborted) this.deps.onFailure(error)
      })
      pauseMs = Math.min(maxPollMs, Math.max(minPollMs, (performance.now() - startedAt) * costFactor))
    }
  }

  async #pollOnce(): Promise<void> {
    const workspaceIds = [...this.#waiters.keys()]
    for (let from = 0; from < workspaceIds.length; from += maxWorkspacesPerQuery) {
      const batch = workspaceIds.slice(from, from + maxWorkspacesPerQuery)
      const ends = await this.deps.query(this.#stopping.signal, sql => findStreamEnds(sql, batch))
      for (const [workspaceId, end] of ends)
        for (const { position, wake } of this.#waiters.get(workspaceId) ?? [])
          if (comparePositions(position, end) < 0) wake(true)
    }
  }
}
