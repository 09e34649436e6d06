/** Admission of provider callbacks: channel lookup, concurrency limits per channel, and rate limits per workspace. */

import { LRUCache } from 'lru-cache'
import { overloaded } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { KeyedLimiter, type KeyedLimiterOptions } from '../../platform/keyed-limiter.ts'
import { Batcher, Failed } from '../../platform/micro-batch.ts'
import { networkOf } from '../../platform/network.ts'
import { forgetPlace, WorkspaceMoving } from '../../platform/postgres/cells.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { type CallbackChannel, findCallbackChannels, hasCallbackName } from '../channels/index.ts'
import { type BucketLimit, TokenBuckets } from './token-buckets.ts'

/** Bytes allowed for each message or status of the rate limit. */
const bytesPerItem = 2048

/** Limit of callbacks with an invalid signature, per channel and network address. */
const unsignedLimit = { perSecond: 10, burst: 20 }

/** Maximum number of remembered pairs of a channel and a network address that sent a valid signature. */
const maxVerified = 10_000

/** Callbacks of more bytes are recorded two at a time, and one at a time per channel. */
const maxSmallBytes = 64 * 1024

/**
 * Limits concurrent callbacks in total and per channel. A callback that gets no permit in time is told to retry, which
 * providers do. No callback is lost, and one flooded channel cannot block the others.
 */
const smallLimits: KeyedLimiterOptions = {
  total: 256,
  maxPerKey: 96,
  reserve: { units: 1, maxHeld: 1 },
  maxWaiting: 2048,
  maxWaitingPerKey: 512,
  maxWaitMs: 5000,
  fullMessage: 'Too many callbacks of the channel or the service are waiting. Send them again later.',
}

export class Callbacks {
  readonly #small = new KeyedLimiter(smallLimits)
  readonly #large = new KeyedLimiter({ ...smallLimits, total: 2, maxPerKey: 1, reserve: { units: 0, maxHeld: 0 } })
  readonly #bytes: TokenBuckets | null
  readonly #items: TokenBuckets | null
  readonly #unsigned = new TokenBuckets(unsignedLimit)
  readonly #verified = new LRUCache<string, true>({ max: maxVerified })
  readonly #channels: Batcher<string, CallbackChannel | null>

  /** `rate` limits messages, statuses and preferences of one workspace in this process; null disables the limit. */
  constructor(sql: Sql, rate: BucketLimit | null) {
    this.#items = rate && new TokenBuckets(rate)
    this.#bytes =
      rate && new TokenBuckets({ perSecond: rate.perSecond * bytesPerItem, burst: rate.burst * bytesPerItem })
    this.#channels = new Batcher({
      maxSize: 256,
      concurrency: 2,
      work: async ids => {
        const byId = new Map((await findCallbackChannels(sql, [...new Set(ids)])).map(one => [one.id, one]))
        return ids.map(id => {
          const channel = byId.get(id) ?? null
          if (!channel?.isMoving) return channel
          forgetPlace(sql, 'channel', id)
          return new Failed(new WorkspaceMoving())
        })
      },
    })
  }

  /**
   * Returns the connected channel of a callback URL if its kind uses that name, or null. Reads the database on every
   * call. Rejects with WorkspaceMoving while its workspace is being moved.
   */
  async findChannel(name: string, id: string): Promise<CallbackChannel | null> {
    const channel = isId(id) ? await this.#channels.add(id.toLowerCase()) : null
    return channel && hasCallbackName(channel.kind, name) ? channel : null
  }

  /**
   * Rejects a callback before its body is read, with 503 (RetryLaterError). Applies the limits of the workspace, and the
   * limit of invalid signatures for the channel and network address. That limit is per address, so forged callbacks
   * from elsewhere do not block the provider.
   */
  checkRateLimits(channel: CallbackChannel, address: string): void {
    this.#checkWorkspaceRate(channel)
    throwIfLimited(this.#unsigned.secondsUntilFree(sourceKey(channel, address)))
  }

  /** Counts a callback with an invalid signature. */
  countUnsigned(channel: CallbackChannel, address: string): void {
    this.#unsigned.spend(sourceKey(channel, address), 1)
  }

  /** Runs `work` for a callback of this size when the channel gets a permit. Rejects with 503 (LimiterFull). */
  run<T>({ id }: CallbackChannel, bytes: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return (bytes > maxSmallBytes ? this.#large : this.#small).run(id, signal, work)
  }

  /** Returns whether a callback from this network address had a valid signature before, according to this process. */
  isVerified(channel: CallbackChannel, address: string): boolean {
    return this.#verified.has(sourceKey(channel, address))
  }

  /**
   * Counts the bytes of a callback with a valid signature for its workspace, and remembers its sender. Throws 503 (RetryLaterError) if concurrent callbacks used up
   * the rate.
   */
  countSigned(channel: CallbackChannel, address: string, bytes: number): void {
    this.#verified.set(sourceKey(channel, address), true)
    this.#checkWorkspaceRate(channel)
    this.#bytes?.spend(channel.workspaceId, bytes)
  }

  /** Counts the items of a callback before any is recorded. Throws 503 (RetryLaterError) if the rate is used up. */
  countItems(channel: CallbackChannel, items: number): void {
    throwIfLimited(this.#items?.secondsUntilFree(channel.workspaceId))
    this.#items?.spend(channel.workspaceId, items)
  }

  #checkWorkspaceRate({ workspaceId }: CallbackChannel): void {
    throwIfLimited(this.#bytes?.secondsUntilFree(workspaceId))
    throwIfLimited(this.#items?.secondsUntilFree(workspaceId))
  }
}

const sourceKey = ({ id }: CallbackChannel, address: string): string => `${id} ${networkOf(address)}`

const throwIfLimited = (seconds = 0): void => {
  if (seconds > 0) throw overloaded('Too many callbacks for this workspace or channel.', seconds)
}
