/**
 * Limits the large responses that this process holds in memory at the same time, in total and per workspace. A permit
 * is held until the client has received the response. Small responses need no permit. The size is only known once a
 * response is built. An operation whose last response was large therefore acquires a permit before it reads any data.
 */
import { KeyedLimiter, type KeyedLimiterOptions } from '../../platform/keyed-limiter.ts'

/** Each large response needs one permit. The keys are workspaces. */
export interface ResponseLimits extends KeyedLimiterOptions {
  /** Maximum milliseconds for sending a response. */
  maxMs: number
  /**
   * Milliseconds without progress after which a response is aborted, if another response of the queue can use its
   * permit.
   */
  maxIdleMs: number
}

const defaults: ResponseLimits = {
  total: 16,
  maxPerKey: 2,
  reserve: { units: 1, maxHeld: 1 },
  maxWaiting: 1024,
  maxWaitingPerKey: 256,
  maxWaitMs: 10_000,
  fullMessage: 'Too many large responses are being sent to the workspace. Send fewer concurrent requests.',
  maxMs: 120_000,
  maxIdleMs: 5000,
}

/** Maximum characters of a small response. */
const maxSmall = 256 * 1024
/** Bytes per chunk of a large response. A chunk is written only after the previous one was read. */
const chunkBytes = 128 * 1024
/** Number of timeout checks within the shorter of the two time limits. */
const checksPerTimeout = 4
/** Maximum number of (workspace, operation) pairs remembered as large. The set is cleared when it is full. */
const maxRemembered = 10_000

/** A request, as the response limiter sees it. The signal of `request` aborts when the client has disconnected. */
export interface PermitRequest {
  workspaceId: string
  operationId: string
  request: Request
}

export class LargeResponses {
  readonly #limits: ResponseLimits
  readonly #limiter: KeyedLimiter
  /** Pairs of workspace and operation whose last response was large. */
  readonly #large = new Set<string>()
  /** Number of responses per workspace that are already built and wait for a permit. */
  readonly #builtWaiting = new Map<string, number>()

  constructor(limits: Partial<ResponseLimits> = {}) {
    this.#limits = { ...defaults, ...limits }
    this.#limiter = new KeyedLimiter(this.#limits)
  }

  isLarge(text: string): boolean {
    return text.length > maxSmall
  }

  /**
   * Returns whether a permit must be acquired before reading. This is the case when the last response was large, or
   * when responses that are already built still wait for a permit.
   */
  isExpectedLarge(permitRequest: PermitRequest): boolean {
    return (
      (this.#large.size > 0 && this.#large.has(keyOf(permitRequest))) ||
      this.#hasBuiltWaiting(permitRequest.workspaceId)
    )
  }

  /** Acquires a permit before a response is read. Rejects with LimiterFull, or with the abort reason of the request. */
  async acquire({ workspaceId, request }: PermitRequest): Promise<ResponsePermit> {
    await this.#limiter.acquire(workspaceId, { signal: request.signal })
    return new ResponsePermit(workspaceId, this.#limiter, this.#limits)
  }

  /** Acquires a permit for a response that is already built and turned out to be large. */
  async acquireAfterBuild(permitRequest: PermitRequest): Promise<ResponsePermit> {
    const { workspaceId } = permitRequest
    this.#builtWaiting.set(workspaceId, (this.#builtWaiting.get(workspaceId) ?? 0) + 1)
    try {
      return await this.acquire(permitRequest)
    } finally {
      const remaining = this.#builtWaiting.get(workspaceId)! - 1
      if (remaining > 0) this.#builtWaiting.set(workspaceId, remaining)
      else this.#builtWaiting.delete(workspaceId)
    }
  }

  /** Records whether the response was large. */
  recordSize(permitRequest: PermitRequest, isLarge: boolean): void {
    if (!isLarge && this.#large.size === 0) return
    if (!isLarge) this.#large.delete(keyOf(permitRequest))
    else {
      if (this.#large.size >= maxRemembered) this.#large.clear()
      this.#large.add(keyOf(permitRequest))
    }
  }

  #hasBuiltWaiting(workspaceId: string): boolean {
    return (
      this.#builtWaiting.size > 0 &&
      (this.#builtWaiting.has(workspaceId) || this.#builtWaiting.size >= this.#limits.total)
    )
  }
}

const keyOf = ({ workspaceId, operationId }: PermitRequest): string => `${workspaceId} ${operationId}`

/** A permit for a large response. The holder must call either `release` or `send`. */
export class ResponsePermit {
  #isSending = false
  #isReleased = false

  constructor(
    private readonly workspaceId: string,
    private readonly limiter: KeyedLimiter,
    private readonly limits: Pick<ResponseLimits, 'maxMs' | 'maxIdleMs'>,
  ) {}

  /** Releases the permit, unless a response is being sent with it. Calling it again has no effect. */
  release(): void {
    if (!this.#isSending) this.#release()
  }

  /**
   * Returns the body as a stream. The permit is released when the stream was read, cancelled or timed out. `maxMs`
   * limits the whole response. `maxIdleMs` limits the time without progress while another response waits for a permit.
   */
  send(body: string | Uint8Array): ReadableStream<Uint8Array> {
    this.#isSending = true
    const { maxMs, maxIdleMs } = this.limits
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const startedAt = performance.now()
    let lastReadAt = startedAt
    let sent = 0
    let timer: ReturnType<typeof setInterval>
    const done = () => {
      clearInterval(timer)
      this.#release()
    }
    const hasWaiters = () => this.limiter.isWanted(this.workspaceId)
    const isTimedOut = (now: number) => now - startedAt >= maxMs || (now - lastReadAt >= maxIdleMs && hasWaiters())
    return new ReadableStream(
      {
        start: controller => {
          timer = setInterval(() => {
            if (!isTimedOut(performance.now())) return
            controller.error(new Error('the client did not read the response in time'))
            done()
          }, Math.min(maxMs, maxIdleMs) / checksPerTimeout)
        },
        pull: controller => {
          lastReadAt = performance.now()
          controller.enqueue(bytes.subarray(sent, sent + chunkBytes))
          sent += chunkBytes
          if (sent < bytes.byteLength) return
          controller.close()
          done()
        },
        cancel: done,
      },
      { highWaterMark: 0 },
    )
  }

  #release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.limiter.release(this.workspaceId)
  }
}
