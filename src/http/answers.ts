/**
 * Limits the large responses that this process holds in memory at the same time, in total and per workspace. A permit
 * is held until the client has received the response. Small responses need no permit. The size is only known once a
 * response is built. An operation whose last response was large therefore acquires a permit before it reads any data.
 */
import { Line, LineFull, type LineOptions } from '../db/line.ts'

export interface AnswerLimits extends LineOptions {
  /** Maximum number of large responses at the same time. */
  places: number
  /** Maximum milliseconds for sending a response. */
  maxMs: number
  /**
   * Milliseconds without progress after which a response is aborted, if another response of the queue can use its
   * permit.
   */
  maxStillMs: number
}

const usual: AnswerLimits = {
  places: 16,
  maxHeldEach: 2,
  maxWaiting: 1024,
  maxWaitingEach: 256,
  maxWaitMs: 10_000,
  maxMs: 120_000,
  maxStillMs: 5000,
}

/** Maximum characters of a small response. */
const maxSmall = 256 * 1024
/** Bytes per chunk of a large response. A chunk is written only after the previous one was read. */
const pieceBytes = 128 * 1024
/** Number of timeout checks within the shorter of the two time limits. */
const looksInThatTime = 4
/** Maximum number of (workspace, operation) pairs remembered as large. The set is cleared when it is full. */
const maxRemembered = 10_000

/** A request, as the response limiter sees it. The signal of `request` aborts when the client has disconnected. */
export interface Asked {
  /** Workspace id. */
  who: string
  /** Operation id. */
  what: string
  request: Request
}

/** Thrown when the queue for a permit is full, or when waiting took too long. */
export class AnswersFull extends LineFull {}

export class Answers {
  readonly #limits: AnswerLimits
  readonly #line: Line<null>
  /** Pairs of workspace and operation whose last response was large. */
  readonly #atLength = new Set<string>()
  /** Number of responses per workspace that are already built and wait for a permit. */
  readonly #unexpected = new Map<string, number>()

  constructor(limits: Partial<AnswerLimits> = {}) {
    this.#limits = { ...usual, ...limits }
    this.#line = new Line(new Array<null>(this.#limits.places).fill(null), this.#limits)
  }

  isLarge(text: string): boolean {
    return text.length > maxSmall
  }

  /**
   * Returns whether a permit must be acquired before reading. This is the case when the last response was large, or
   * when responses that are already built still wait for a permit.
   */
  isExpectedLarge({ who, what }: Asked): boolean {
    return (this.#atLength.size > 0 && this.#atLength.has(`${who} ${what}`)) || this.#isBehind(who)
  }

  /**
   * Acquires a permit before a response is read. Rejects with `AnswersFull`, or with the abort reason of the request.
   */
  async enter({ who, request }: Asked): Promise<Place> {
    try {
      await this.#line.enter(who, request.signal)
    } catch (error) {
      throw error instanceof LineFull ? new AnswersFull(error.message) : error
    }
    return new Place(this.#limits, {
      isWanted: () => this.#line.isWantedFrom(who),
      leave: () => this.#line.leave(who, null),
    })
  }

  /** Acquires a permit for a response that is already built and turned out to be large. */
  async enterLate(asked: Asked): Promise<Place> {
    const { who } = asked
    this.#unexpected.set(who, (this.#unexpected.get(who) ?? 0) + 1)
    try {
      return await this.enter(asked)
    } finally {
      const left = this.#unexpected.get(who)! - 1
      if (left > 0) this.#unexpected.set(who, left)
      else this.#unexpected.delete(who)
    }
  }

  /** Records whether the response was large. */
  note({ who, what }: Asked, isLarge: boolean): void {
    if (!isLarge && this.#atLength.size === 0) return
    const name = `${who} ${what}`
    if (!isLarge) this.#atLength.delete(name)
    else {
      if (this.#atLength.size >= maxRemembered) this.#atLength.clear()
      this.#atLength.add(name)
    }
  }

  #isBehind(who: string): boolean {
    return this.#unexpected.size > 0 && (this.#unexpected.has(who) || this.#unexpected.size >= this.#limits.places)
  }
}

/** A permit for a large response. The holder must call either `leave` or `send`. */
export class Place {
  #isSending = false
  #isLeft = false

  constructor(
    private readonly limits: Pick<AnswerLimits, 'maxMs' | 'maxStillMs'>,
    private readonly line: { isWanted: () => boolean; leave: () => void },
  ) {}

  /** Releases the permit, unless a response is being sent with it. Calling it again has no effect. */
  leave(): void {
    if (!this.#isSending) this.#leave()
  }

  /**
   * Returns the text as a stream. The permit is released when the stream was read, cancelled or timed out. `maxMs`
   * limits the whole response. `maxStillMs` limits the time without progress while another response waits for a permit.
   */
  send(text: string): ReadableStream<Uint8Array> {
    this.#isSending = true
    const { maxMs, maxStillMs } = this.limits
    const bytes = Buffer.from(text)
    const begunAt = performance.now()
    let takenAt = begunAt
    let sent = 0
    let timer: ReturnType<typeof setInterval>
    const done = () => {
      clearInterval(timer)
      this.#leave()
    }
    const isOver = (now: number) => now - begunAt >= maxMs || (now - takenAt >= maxStillMs && this.line.isWanted())
    return new ReadableStream(
      {
        start: controller => {
          timer = setInterval(() => {
            if (!isOver(performance.now())) return
            controller.error(new Error('the answer was not taken in time'))
            done()
          }, Math.min(maxMs, maxStillMs) / looksInThatTime)
        },
        pull: controller => {
          takenAt = performance.now()
          controller.enqueue(bytes.subarray(sent, sent + pieceBytes))
          sent += pieceBytes
          if (sent < bytes.byteLength) return
          controller.close()
          done()
        },
        cancel: done,
      },
      { highWaterMark: 0 },
    )
  }

  #leave(): void {
    if (this.#isLeft) return
    this.#isLeft = true
    this.line.leave()
  }
}
