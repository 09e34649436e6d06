/**
 * The large answers this process has in hand: of each workspace a few at a time, from before they are read until whoever
 * asked has taken them. Small ones pass by. Whether an answer is large shows only when it is there; so what answered a
 * workspace at length is expected to do so again, and stands in line before it reads anything.
 */
import { Line, LineFull, type LineOptions } from '../db/line.ts'

export interface AnswerLimits extends LineOptions {
  /** Large answers at a time. */
  places: number
  /** Milliseconds in which an answer must have been taken. */
  maxMs: number
  /** After so many in which nothing of it was taken, its place is given to whoever waits for one. */
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

/** Characters of an answer that is not large yet. */
const maxSmall = 256 * 1024
/** A large one is handed to the connection in pieces of so many bytes, each when those before have gone. */
const pieceBytes = 128 * 1024
/** How often it is looked whether an answer that was to be taken has been. */
const looksInThatTime = 4
/** Of so many is remembered who was answered at length. */
const maxRemembered = 10_000

/** Who is answered, with what, and the signal that nobody wants it any more. */
export interface Asked {
  /** The workspace. */
  who: string
  /** The operation. */
  what: string
  request: Request
}

/** There was no place, or not in time. */
export class AnswersFull extends LineFull {}

export class Answers {
  readonly #limits: AnswerLimits
  readonly #line: Line<null>
  /** What answered whom at length when it was last asked. */
  readonly #atLength = new Set<string>()
  /** Answers that are there without a place and wait for one, by workspace. */
  readonly #unexpected = new Map<string, number>()

  constructor(limits: Partial<AnswerLimits> = {}) {
    this.#limits = { ...usual, ...limits }
    this.#line = new Line(new Array<null>(this.#limits.places).fill(null), this.#limits)
  }

  isLarge(text: string): boolean {
    return text.length > maxSmall
  }

  /**
   * Whether an answer must have its place before it is read: it was large the last time, or there are answers already that
   * have found no place yet.
   */
  isExpectedLarge({ who, what }: Asked): boolean {
    return (this.#atLength.size > 0 && this.#atLength.has(`${who} ${what}`)) || this.#isBehind(who)
  }

  /** A place for an answer that is to be read. Rejects with AnswersFull, or because its request was aborted. */
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

  /** A place for an answer that is there, and turned out to be large. */
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

  /** Remembers how large an answer was. */
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

/** The place of a large answer. Whoever has one leaves it, or sends the answer from it. */
export class Place {
  #isSending = false
  #isLeft = false

  constructor(
    private readonly limits: Pick<AnswerLimits, 'maxMs' | 'maxStillMs'>,
    private readonly line: { isWanted: () => boolean; leave: () => void },
  ) {}

  /** Gives the place back, unless an answer is being sent from it. May be repeated. */
  leave(): void {
    if (!this.#isSending) this.#leave()
  }

  /**
   * The text for a response, which keeps the place until it has been taken, was given up or has taken too long: in all, or
   * for a piece while somebody waits for the place.
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
