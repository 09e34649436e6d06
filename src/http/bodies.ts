/**
 * Limits memory and duration of request bodies. Received bytes and the memory of the parsed body are counted until the
 * request is answered. Each sender has a share.
 */
import { invalidRequest, overloaded } from '../domain/errors.ts'
import { networkOf, siteOf } from '../domain/network.ts'
import { ownTurn } from '../domain/turns.ts'
import { KeyedLimiter } from '../platform/keyed-limiter.ts'
import { HttpError } from './errors.ts'

/** Sizes are in bytes, durations in milliseconds. */
export interface BodyLimits {
  /** Maximum bytes of all bodies together. */
  maxBytes: number
  /** Part of `maxBytes` that is reserved for senders that hold at most `maxSmall`. */
  reserved: number
  maxSmall: number
  /**
   * Maximum bytes per workspace, or per signed-in person without a workspace. The largest body fits, including its
   * memory after parsing.
   */
  maxOfWorkspace: number
  /**
   * Maximum bytes of callbacks for the channels of one workspace. Anyone who knows the URL of a channel can send
   * callbacks.
   */
  maxOfCallbacks: number
  /** Maximum bytes of callbacks from one network address, so that one sender cannot block the provider. */
  maxOfCallbackNetwork: number
  /** Maximum bytes of bodies without a credential, so that they cannot block workspaces. */
  maxOfAnonymous: number
  /** Maximum bytes of bodies without a credential from one network address. */
  maxOfNetwork: number
  /** Bodies without a credential from one IPv6 network of 48 bits, which one attacker can own. */
  maxOfSite: number
  /** Maximum duration of an upload. */
  maxMs: number
  /** Maximum duration of an upload without a credential. */
  maxAnonymousMs: number
  /** Maximum time without any data. After that, the upload is aborted. */
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
  maxOfSite: mib,
  maxMs: 30_000,
  maxAnonymousMs: 5000,
  maxSilentMs: 5000,
}

/** Bytes counted before the body arrives, because a request that waits for its body also uses memory. */
const inAdvance = kib
/** Minimum bytes counted per chunk: the memory of the object that holds it. */
const leastOfPart = 256
/** Bodies larger than this are parsed in a separate iteration of the event loop. */
const maxTogether = 64 * kib
const tickMs = 1000

/** The sender whose share a body is counted in. `id` is the id of the workspace or the person. */
export type Sender =
  | { kind: 'workspace' | 'person'; id: string }
  | { kind: 'callbacks'; id: string; address: string }
  | { kind: 'anyone'; address: string }

/** A body that is being read. */
interface Reading {
  startedAt: number
  /** Maximum duration of the upload. */
  maxMs: number
  /** Time at which the last chunk arrived. */
  movedAt: number
  giveUp: (error: Error) => void
}

export class Bodies {
  readonly #limits: BodyLimits
  readonly #all: KeyedLimiter
  readonly #callbacks: KeyedLimiter
  readonly #anonymous: KeyedLimiter
  readonly #sites: KeyedLimiter
  readonly #reading = new Set<Reading>()
  #ticking = false

  constructor(limits: Partial<BodyLimits> = {}) {
    this.#limits = { ...usual, ...limits }
    const { maxBytes, reserved, maxSmall, maxOfCallbackNetwork, maxOfAnonymous, maxOfNetwork, maxOfSite } = this.#limits
    this.#all = new KeyedLimiter({ total: maxBytes, reserve: { units: reserved, maxHeld: maxSmall } })
    this.#callbacks = new KeyedLimiter({ total: maxBytes, maxPerKey: maxOfCallbackNetwork })
    this.#anonymous = new KeyedLimiter({ total: maxOfAnonymous, maxPerKey: maxOfNetwork })
    this.#sites = new KeyedLimiter({ total: maxOfAnonymous, maxPerKey: maxOfSite })
  }

  /** Returns the body of a request, counted in the share of its sender. The caller must release it. */
  take(request: Request, sender: Sender): Body {
    const { maxMs, maxAnonymousMs } = this.#limits
    return new Body(this, request, this.#sharesOf(sender), sender.kind === 'anyone' ? maxAnonymousMs : maxMs)
  }

  /** Counts bytes in all shares. Throws 503 beyond a limit and then counts nothing. */
  count(shares: readonly Share[], bytes: number): void {
    const refusing = shares.findIndex(({ limiter, key, max }) => !limiter.tryAcquire(key, bytes, max))
    if (refusing < 0) return
    this.discount(shares.slice(0, refusing), bytes)
    throw overloaded('Too many concurrent uploads.', 1)
  }

  discount(shares: readonly Share[], bytes: number): void {
    for (const { limiter, key } of shares) limiter.release(key, bytes)
  }

  /** Reads a body. Rejects with 400 if it is too slow. `read` must call `onPart` for every chunk that arrives. */
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
      const site = siteOf(sender.address)
      return [
        ...(site === null ? [] : [{ limiter: this.#sites, key: site }]),
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

  /** Checks all uploads with one timer. A timer per upload would cost more than reading most bodies. */
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
  /** Maximum bytes of this key, if it differs from the limiter's `maxPerKey`. */
  max?: number
}

/** One body and the number of bytes counted for it. */
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
   * Reads the whole body. Rejects with 400 beyond `maxBytes` or if the upload is too slow, and with 503 if the limit of
   * its share is reached. A declared length is checked before anything is read.
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

  /** Counts additional bytes. Throws 503 beyond a limit. */
  holds(bytes: number): void {
    this.all.count(this.shares, bytes)
    this.#counted += bytes
  }

  /** Releases all counted bytes. Calling it again has no effect. */
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
      // The upload was aborted as too slow. The rest is left unread.
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

/** Closes the connection, because the rest of the body would precede the next request. */
const tooSlow = (what: string) =>
  new HttpError('malformed_request', `${what} Send it again, faster.`, { Connection: 'close' })
