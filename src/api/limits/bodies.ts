/**
 * Limits memory and duration of request bodies. Received bytes and the memory of the parsed body are counted until the
 * request is answered. Each sender has a share.
 */
import { invalidRequest, overloaded } from '../../core/errors.ts'
import { exclusiveIteration } from '../../platform/event-loop.ts'
import { KeyedLimiter } from '../../platform/keyed-limiter.ts'
import { networkOf, siteOf } from '../../platform/network.ts'
import { HttpError } from '../errors.ts'

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
  maxPerWorkspace: number
  /**
   * Maximum bytes of callbacks for the channels of one workspace. Anyone who knows the URL of a channel can send
   * callbacks, so network addresses that have not sent a valid signature share this number among themselves.
   */
  maxCallbacks: number
  /** Maximum bytes of callbacks from one network address, so that one sender cannot block the provider. */
  maxPerCallbackNetwork: number
  /** Maximum bytes of bodies without a credential, so that they cannot block workspaces. */
  maxAnonymous: number
  /** Part of `maxAnonymous` that is reserved for network addresses that hold at most `maxSmallAnonymous`. */
  reservedAnonymous: number
  maxSmallAnonymous: number
  /** Maximum bytes of bodies without a credential from one network address. */
  maxPerNetwork: number
  /** Bodies without a credential from one IPv6 network of 48 bits, which one attacker can own. */
  maxPerSite: number
  /** Maximum duration of an upload. */
  maxMs: number
  /** Maximum duration of an upload without a credential. */
  maxAnonymousMs: number
  /** Maximum time without any data. After that, the upload is aborted. */
  maxIdleMs: number
}

const kib = 1024
const mib = 1024 * kib
const defaults: BodyLimits = {
  maxBytes: 128 * mib,
  reserved: 16 * mib,
  maxSmall: mib,
  maxPerWorkspace: 32 * mib,
  maxCallbacks: 8 * mib,
  maxPerCallbackNetwork: 4 * mib,
  maxAnonymous: 32 * mib,
  reservedAnonymous: 16 * mib,
  maxSmallAnonymous: 16 * kib,
  maxPerNetwork: 256 * kib,
  maxPerSite: mib,
  maxMs: 30_000,
  maxAnonymousMs: 5000,
  maxIdleMs: 5000,
}

/** Bytes counted before the body arrives, because a request that waits for its body also uses memory. */
const initialBytes = kib
/** Minimum bytes counted per chunk: the memory of the object that holds it. */
const minChunkBytes = 256
/** Bodies larger than this are parsed in a separate iteration of the event loop. */
const maxInlineBytes = 64 * kib
const tickMs = 1000

/** The sender whose share a body is counted in. `id` is the id of the workspace or the person. */
export type Sender =
  | { kind: 'workspace' | 'person'; id: string }
  | { kind: 'callbacks'; id: string; address: string; isVerified: boolean }
  | { kind: 'anyone'; address: string }

/** A body that is being read. */
interface Upload {
  startedAt: number
  /** Maximum duration of the upload. */
  maxMs: number
  /** Time at which the last chunk arrived. */
  lastChunkAt: number
  abort: (error: Error) => void
}

export class Bodies {
  readonly #limits: BodyLimits
  readonly #all: KeyedLimiter
  readonly #callbacks: KeyedLimiter
  readonly #anonymous: KeyedLimiter
  readonly #sites: KeyedLimiter
  readonly #uploads = new Set<Upload>()
  #isTicking = false

  constructor(limits: Partial<BodyLimits> = {}) {
    this.#limits = { ...defaults, ...limits }
    const { maxBytes, reserved, maxSmall, maxPerCallbackNetwork, maxPerNetwork, maxPerSite } = this.#limits
    const { maxAnonymous, reservedAnonymous, maxSmallAnonymous } = this.#limits
    this.#all = new KeyedLimiter({ total: maxBytes, reserve: { units: reserved, maxHeld: maxSmall } })
    this.#callbacks = new KeyedLimiter({ total: maxBytes, maxPerKey: maxPerCallbackNetwork })
    this.#anonymous = new KeyedLimiter({
      total: maxAnonymous,
      maxPerKey: maxPerNetwork,
      reserve: { units: reservedAnonymous, maxHeld: maxSmallAnonymous },
    })
    this.#sites = new KeyedLimiter({ total: maxAnonymous, maxPerKey: maxPerSite })
  }

  /** Returns the body of a request, counted in the share of its sender. The caller must release it. */
  open(request: Request, sender: Sender): Body {
    const { maxMs, maxAnonymousMs } = this.#limits
    return new Body(this, request, this.#sharesOf(sender), sender.kind === 'anyone' ? maxAnonymousMs : maxMs)
  }

  /** Counts bytes in all shares. Throws 503 beyond a limit and then counts nothing. */
  acquire(shares: readonly Share[], bytes: number): void {
    const fullIndex = shares.findIndex(({ limiter, key, max }) => !limiter.tryAcquire(key, bytes, max))
    if (fullIndex < 0) return
    this.release(shares.slice(0, fullIndex), bytes)
    throw overloaded('Too many concurrent uploads.', 1)
  }

  release(shares: readonly Share[], bytes: number): void {
    for (const { limiter, key } of shares) limiter.release(key, bytes)
  }

  /** Reads a body. Rejects with 400 if it is too slow. `read` must call `onChunk` for every chunk that arrives. */
  withTimeout<T>(maxMs: number, read: (onChunk: () => void) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const startedAt = performance.now()
      const upload: Upload = { startedAt, maxMs, lastChunkAt: startedAt, abort: reject }
      this.#uploads.add(upload)
      this.#tick()
      const onChunk = () => {
        upload.lastChunkAt = performance.now()
      }
      read(onChunk).then(
        value => {
          this.#uploads.delete(upload)
          resolve(value)
        },
        error => {
          this.#uploads.delete(upload)
          reject(error)
        },
      )
    })
  }

  #sharesOf(sender: Sender): Share[] {
    const { maxPerWorkspace, maxCallbacks } = this.#limits
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
    if (kind !== 'callbacks') return [{ limiter: this.#all, key: `${kind} ${id}`, max: maxPerWorkspace }]
    const key = `${sender.isVerified ? 'callbacks' : 'unverified callbacks'} ${id}`
    return [
      { limiter: this.#callbacks, key: `${id} ${networkOf(sender.address)}` },
      { limiter: this.#all, key, max: maxCallbacks },
    ]
  }

  /** Checks all uploads with one timer. A timer per upload would cost more than reading most bodies. */
  #tick(): void {
    if (this.#isTicking) return
    this.#isTicking = true
    const { maxMs, maxAnonymousMs, maxIdleMs } = this.#limits
    setTimeout(
      () => {
        this.#isTicking = false
        const now = performance.now()
        for (const upload of this.#uploads) this.#abortIfSlow(upload, now)
        if (this.#uploads.size > 0) this.#tick()
      },
      Math.min(tickMs, maxMs, maxAnonymousMs, maxIdleMs),
    )
  }

  #abortIfSlow(upload: Upload, now: number): void {
    const { maxIdleMs } = this.#limits
    const isLate = now - upload.startedAt >= upload.maxMs
    if (!isLate && now - upload.lastChunkAt < maxIdleMs) return
    this.#uploads.delete(upload)
    upload.abort(
      isLate
        ? tooSlow(`The body did not arrive within ${upload.maxMs / 1000} seconds.`)
        : tooSlow(`No part of the body arrived for ${maxIdleMs / 1000} seconds.`),
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
    private readonly bodies: Bodies,
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
    this.acquire(Math.min(declared ?? initialBytes, initialBytes))
    const isSmall = declared !== null && declared <= initialBytes
    const bytes = await this.bodies.withTimeout(this.maxMs, onChunk =>
      isSmall ? this.request.bytes() : this.#readChunks(maxBytes, onChunk),
    )
    this.#requireComplete(bytes, declared)
    if (bytes.byteLength > maxInlineBytes) await exclusiveIteration()
    return bytes
  }

  /** Rejects a body whose connection ended before its last byte. Its stream can end without an error. */
  #requireComplete({ byteLength }: Uint8Array, declared: number | null): void {
    if (declared === null) this.request.signal.throwIfAborted()
    else if (byteLength < declared)
      throw new HttpError('malformed_request', 'The body is shorter than its Content-Length. Send the request again.', {
        Connection: 'close',
      })
  }

  /** Counts additional bytes. Throws 503 beyond a limit. */
  acquire(bytes: number): void {
    this.bodies.acquire(this.shares, bytes)
    this.#counted += bytes
  }

  /** Releases all counted bytes. Calling it again has no effect. */
  release(): void {
    this.#isReleased = true
    if (this.#counted > 0) this.bodies.release(this.shares, this.#counted)
    this.#counted = 0
  }

  async #readChunks(maxBytes: number, onChunk: () => void): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    let bytes = 0
    let memoryBytes = 0
    for await (const chunk of this.request.body ?? []) {
      // The upload was aborted as too slow. The rest is left unread.
      if (this.#isReleased) break
      onChunk()
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      memoryBytes += Math.max(chunk.byteLength, minChunkBytes)
      if (memoryBytes > this.#counted) this.acquire(memoryBytes - this.#counted)
      chunks.push(chunk)
    }
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
  }
}

const tooLarge = (maxBytes: number) => {
  const limit = maxBytes < mib ? `${maxBytes / kib} KiB` : `${maxBytes / mib} MiB`
  return invalidRequest({ body: `Must have at most ${limit}.` })
}

/** Closes the connection, because the rest of the body would precede the next request. */
const tooSlow = (reason: string) =>
  new HttpError('malformed_request', `${reason} Send the request again over a faster connection.`, {
    Connection: 'close',
  })
