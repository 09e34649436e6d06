/**
 * The bodies this process has in hand: how many bytes they may be together, and how long one may take to come in. What is
 * counted has come in or was declared by a small body, with what it takes in memory once it is parsed, and counts until
 * its request is answered: so long it takes memory.
 */
import { invalidRequest, overloaded } from '../domain/errors.ts'
import { HttpError } from './errors.ts'

export interface BodyLimits {
  /** Bytes of all bodies together. */
  maxBytes: number
  /**
   * Of those, what one workspace may have in hand; all callers without a credential are one. The largest body there is has
   * room in it, so that it can be taken when nothing else is in hand.
   */
  maxShare: number
  /** Milliseconds in which a body must have come in. */
  maxMs: number
}

const mib = 1024 * 1024
const usual: BodyLimits = { maxBytes: 128 * mib, maxShare: 32 * mib, maxMs: 30_000 }

/** What is declared to be no larger is read in one go, and counted as declared. */
const small = 64 * 1024
const tickMs = 1000

interface Reading {
  until: number
  giveUp: () => void
}

export class Bodies {
  readonly #limits: BodyLimits
  readonly #shares = new Map<string, number>()
  /** In the order in which they began, which is that in which their time is over. */
  readonly #reading = new Set<Reading>()
  #bytes = 0
  #ticking = false

  constructor(limits: Partial<BodyLimits> = {}) {
    this.#limits = { ...usual, ...limits }
  }

  /** The body of one request; `who` is whose share it comes from. Whoever takes one releases it. */
  take(request: Request, who: string): Body {
    return new Body(this, request, who)
  }

  /** Throws 503 beyond a limit, and counts nothing then. */
  count(who: string, bytes: number): void {
    const { maxBytes, maxShare } = this.#limits
    const share = (this.#shares.get(who) ?? 0) + bytes
    if (this.#bytes + bytes > maxBytes || share > maxShare) {
      throw overloaded('Too much is being sent to the service at this moment.', 1)
    }
    this.#bytes += bytes
    this.#shares.set(who, share)
  }

  discount(who: string, bytes: number): void {
    const share = this.#shares.get(who)! - bytes
    this.#bytes -= bytes
    if (share > 0) this.#shares.set(who, share)
    else this.#shares.delete(who)
  }

  /** What comes of reading, or a refusal once it has taken too long. */
  inTime<T>(reading: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const one: Reading = {
        until: performance.now() + this.#limits.maxMs,
        giveUp: () => reject(tooSlow(this.#limits)),
      }
      this.#reading.add(one)
      this.#tick()
      reading.then(
        value => {
          this.#reading.delete(one)
          resolve(value)
        },
        error => {
          this.#reading.delete(one)
          reject(error)
        },
      )
    })
  }

  /** One timer for all: one each would cost more than most bodies. */
  #tick(): void {
    if (this.#ticking) return
    this.#ticking = true
    setTimeout(
      () => {
        this.#ticking = false
        for (const one of this.#reading) {
          if (one.until > performance.now()) break
          this.#reading.delete(one)
          one.giveUp()
        }
        if (this.#reading.size > 0) this.#tick()
      },
      Math.min(tickMs, this.#limits.maxMs),
    )
  }
}

/** One body, and what of it is counted. */
export class Body {
  #counted = 0
  #isReleased = false

  constructor(
    private readonly all: Bodies,
    private readonly request: Request,
    private readonly who: string,
  ) {}

  /**
   * All of it. What a declared length promises is checked before a byte is read, and refused at once; without one, the
   * bytes are counted.
   */
  bytes(maxBytes: number): Promise<Uint8Array> {
    const declared = this.request.headers.get('content-length')
    if (declared !== null && Number(declared) > maxBytes) throw tooLarge(maxBytes)
    if (declared === null || Number(declared) > small) return this.all.inTime(this.#byChunks(maxBytes))
    this.holds(Number(declared))
    return this.all.inTime(this.request.bytes())
  }

  /** Counts so much more for it; throws 503 where there is no room. */
  holds(bytes: number): void {
    this.all.count(this.who, bytes)
    this.#counted += bytes
  }

  /** Counts no more. May be repeated. */
  release(): void {
    this.#isReleased = true
    if (this.#counted > 0) this.all.discount(this.who, this.#counted)
    this.#counted = 0
  }

  async #byChunks(maxBytes: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of this.request.body ?? []) {
      // Refused meanwhile, as too slow: the rest is left unread.
      if (this.#isReleased) break
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      this.holds(chunk.byteLength)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }
}

const tooLarge = (maxBytes: number) => {
  const most = maxBytes < mib ? `${maxBytes / 1024} KiB` : `${maxBytes / mib} MiB`
  return invalidRequest({ body: `Is larger than ${most}.` })
}

/** The connection is of no use any more: the rest of the body would come first. */
const tooSlow = ({ maxMs }: BodyLimits) =>
  new HttpError('malformed_request', `The body did not come in within ${maxMs / 1000} seconds; send it faster.`, {
    Connection: 'close',
  })
