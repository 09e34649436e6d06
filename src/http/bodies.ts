/**
 * The request bodies that this process holds: their memory, shared between their senders, and their speed. What has
 * arrived is counted, and what it takes in memory once it is parsed, until the request is answered.
 */
import { invalidRequest, overloaded } from '../domain/errors.ts'
import { networkOf } from '../domain/network.ts'
import { ownTurn } from '../domain/turns.ts'
import { KeyedLimiter } from '../platform/keyed-limiter.ts'
import { HttpError } from './errors.ts'

/** Sizes are in bytes, times in milliseconds. */
export interface BodyLimits {
  /** All bodies together. */
  maxBytes: number
  /** Part of `maxBytes` that is kept for senders who hold at most `maxSmall`. */
  reserved: number
  maxSmall: number
  /**
   * Bodies of one workspace, or of one person who is signed in to none. The largest body has room in it, as it is once it
   * is parsed.
   */
  maxOfWorkspace: number
  /** Callbacks for the channels of one workspace. Anybody who knows the URL of a channel can send them. */
  maxOfCallbacks: number
  /** The same from one network address, so that its sender does not exclude the provider. */
  maxOfCallbackNetwork: number
  /** Bodies without a credential, so that they do not exclude workspaces. */
  maxOfAnonymous: number
  /** The same from one network address. */
  maxOfNetwork: number
  /** Time in which a body must arrive. */
  maxMs: number
  /** Time in which a body without a credential must arrive. */
  maxAnonymousMs: number
  /** Time without any part of a body, after which the rest is not waited for. */
  maxSilentMs: number
}

const kib = 1024
const mib = 1024 * kib
const usual: BodyLimits = {
  maxBytes: 128 * mib,
  reserved: 16 * mib,
  maxSmall: mib,
  maxOfWorkspace: 32 * mib,
  maxOfCallbacks: 8 * mib,
  maxOfCallbackNetwork: 4 * mib,
  maxOfAnonymous: 32 * mib,
  maxOfNetwork: 256 * kib,
  maxMs: 30_000,
  maxAnonymousMs: 5000,
  maxSilentMs: 5000,
}

/** Bytes of a body that are counted before they arrive: a request that waits for its body takes memory too. */
const inAdvance = kib
/** A part of a body counts as at least so many bytes, which the object takes that holds it. */
const leastOfPart = 256
/** Larger bodies are parsed in a turn of the event loop each. */
const maxTogether = 64 * kib
const tickMs = 1000

/** The sender whose share a body comes from; `id` is that of the workspace or the person. */
export type Sender =
  | { kind: 'workspace' | 'person'; id: string }
  | { kind: 'callbacks'; id: string; address: string }
  | { kind: 'anyone'; address: string }

/** A body that is being read. */
interface Reading {
  startedAt: number
  /** Time in which it must arrive. */
  maxMs: number
  /** When a part of it arrived last. */
  movedAt: number
  giveUp: (error: Error) => void
}

export class Bodies {
  readonly #limits: BodyLimits
  readonly #all: KeyedLimiter
  readonly #callbacks: KeyedLimiter
  readonly #anonymous: KeyedLimiter
  readonly #reading = new Set<Reading>()
  #ticking = false

  constructor(limits: Partial<BodyLimits> = {}) {
    this.#limits = { ...usual, ...limits }
    const { maxBytes, reserved, maxSmall, maxOfCallbackNetwork, maxOfAnonymous, maxOfNetwork } = this.#limits
    this.#all = new KeyedLimiter({ total: maxBytes, reserve: { units: reserved, maxHeld: maxSmall } })
    this.#callbacks = new KeyedLimiter({ total: maxBytes, maxPerKey: maxOfCallbackNetwork })
    this.#anonymous = new KeyedLimiter({ total: maxOfAnonymous, maxPerKey: maxOfNetwork })
  }

  /** The body of one request, counted in the share of its sender. The caller must release it. */
  take(request: Request, sender: Sender): Body {
    const { maxMs, maxAnonymousMs } = this.#limits
    return new Body(this, request, this.#sharesOf(sender), sender.kind === 'anyone' ? maxAnonymousMs : maxMs)
  }

  /** Throws 503 beyond a limit, and counts nothing then. */
  count(shares: readonly Share[], bytes: number): void {
    const refusing = shares.findIndex(({ limiter, key, max }) => !limiter.tryAcquire(key, bytes, max))
    if (refusing < 0) return
    this.discount(shares.slice(0, refusing), bytes)
    throw overloaded('Too many concurrent uploads.', 1)
  }

  discount(shares: readonly Share[], bytes: number): void {
    for (const { limiter, key } of shares) limiter.release(key, bytes)
  }

  /** Reads a body, and rejects with 400 once it is too slow. `read` calls `onPart` for every part that arrived. */
  inTime<T>(maxMs: number, read: (onPart: () => void) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const startedAt = performance.now()
      const one: Reading = { startedAt, maxMs, movedAt: startedAt, giveUp: reject }
      this.#reading.add(one)
      this.#tick()
      const onPart = () => {
        one.movedAt = performance.now()
      }
      read(onPart).then(
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

  #sharesOf(sender: Sender): Share[] {
    const { maxOfWorkspace, maxOfCallbacks } = this.#limits
    if (sender.kind === 'anyone') {
      const key = networkOf(sender.address)
      return [
        { limiter: this.#anonymous, key },
        { limiter: this.#all, key: `anyone at ${key}` },
      ]
    }
    const { kind, id } = sender
    const key = `${kind} ${id}`
    if (kind !== 'callbacks') return [{ limiter: this.#all, key, max: maxOfWorkspace }]
    return [
      { limiter: this.#callbacks, key: `${id} ${networkOf(sender.address)}` },
      { limiter: this.#all, key, max: maxOfCallbacks },
    ]
  }

  /** One timer for all: one each would cost more than most bodies. */
  #tick(): void {
    if (this.#ticking) return
    this.#ticking = true
    const { maxMs, maxAnonymousMs, maxSilentMs } = this.#limits
    setTimeout(
      () => {
        this.#ticking = false
        const now = performance.now()
        for (const one of this.#reading) this.#judge(one, now)
        if (this.#reading.size > 0) this.#tick()
      },
      Math.min(tickMs, maxMs, maxAnonymousMs, maxSilentMs),
    )
  }

  #judge(one: Reading, now: number): void {
    const { maxSilentMs } = this.#limits
    const isLate = now - one.startedAt >= one.maxMs
    if (!isLate && now - one.movedAt < maxSilentMs) return
    this.#reading.delete(one)
    one.giveUp(
      isLate
        ? tooSlow(`The body did not arrive within ${one.maxMs / 1000} seconds.`)
        : tooSlow(`No part of the body arrived for ${maxSilentMs / 1000} seconds.`),
    )
  }
}

interface Share {
  limiter: KeyedLimiter
  key: string
  /** Maximum bytes of this key, where it is not that of every key. */
  max?: number
}

/** One body, and how much of it is counted. */
export class Body {
  #counted = 0
  #isReleased = false

  constructor(
    private readonly all: Bodies,
    private readonly request: Request,
    private readonly shares: readonly Share[],
    private readonly maxMs: number,
  ) {}

  /**
   * Reads all of the body. Rejects with 400 beyond `maxBytes`, which a declared length is judged by before anything is
   * read, and where the body is too slow; with 503 where there is no room for it.
   */
  async bytes(maxBytes: number): Promise<Uint8Array> {
    const length = this.request.headers.get('content-length')
    const declared = length === null ? null : Number(length)
    if (declared !== null && declared > maxBytes) throw tooLarge(maxBytes)
    this.holds(Math.min(declared ?? inAdvance, inAdvance))
    if (declared !== null && declared <= inAdvance) return this.all.inTime(this.maxMs, () => this.request.bytes())
    const bytes = await this.all.inTime(this.maxMs, onPart => this.#byParts(maxBytes, onPart))
    if (bytes.byteLength > maxTogether) await ownTurn()
    return bytes
  }

  /** Counts so many bytes more; throws 503 where there is no room. */
  holds(bytes: number): void {
    this.all.count(this.shares, bytes)
    this.#counted += bytes
  }

  /** Counts nothing more. May be repeated. */
  release(): void {
    this.#isReleased = true
    if (this.#counted > 0) this.all.discount(this.shares, this.#counted)
    this.#counted = 0
  }

  async #byParts(maxBytes: number, onPart: () => void): Promise<Uint8Array> {
    const parts: Uint8Array[] = []
    let bytes = 0
    let inMemory = 0
    for await (const part of this.request.body ?? []) {
      // The body was given up as too slow: the rest is left unread.
      if (this.#isReleased) break
      onPart()
      bytes += part.byteLength
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      inMemory += Math.max(part.byteLength, leastOfPart)
      if (inMemory > this.#counted) this.holds(inMemory - this.#counted)
      parts.push(part)
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }
}

const tooLarge = (maxBytes: number) => {
  const most = maxBytes < mib ? `${maxBytes / kib} KiB` : `${maxBytes / mib} MiB`
  return invalidRequest({ body: `Is larger than ${most}.` })
}

/** The connection is closed, because the rest of the body would come before another request. */
const tooSlow = (what: string) =>
  new HttpError('malformed_request', `${what} Send it again, faster.`, { Connection: 'close' })
