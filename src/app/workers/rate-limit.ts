/** Rate limits of providers for each channel. Kept in memory, because only one process has the lease of a channel. */

import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

export interface ProviderRateLimit {
  perSecond: number
  perHandleMs: number | null
  /**
   * Number of messages to one person that may be sent as a burst. Later messages wait until the rate is met again.
   * Defaults to 1.
   */
  handleBurst?: number
}

interface ChannelState {
  /** Time by the clock of this object, like all times in this file. */
  pausedUntil: number
  nextAt: number
  persons: Map<string, Person>
}

interface Person {
  /** Messages that were sent. */
  sent: SendRate
  /** Messages that were sent or put off, each put off to its own time. */
  reserved: SendRate
  /** IDs of messages that were put off and have not returned, in sending order, with their times. */
  waiting: Map<string, number>
}

/** Messages of a conversation that were written before a message and are not settled. */
export interface EarlierMessages {
  /** Number of such messages, up to the limit of the query. */
  count: number
  /** Milliseconds until the last of them is due, or null if all have started. */
  dueInMs: number | null
  /** Milliseconds since one of them was sent to its provider, or null if none is being sent. */
  inFlightMs: number | null
}

/** Rate of messages to one person. */
interface SendRate {
  lastAt: number
  /** End of the last interval, if each message takes one interval. */
  until: number
}

/** Maximum number of channels remembered, and of persons per channel. The oldest entry is dropped first. */
const maxRemembered = 10_000
/** Tolerance in milliseconds for a timer that fires earlier than the time a message was put off to. */
const toleranceMs = 100
/**
 * Minimum gap in milliseconds between messages of a burst, so that they arrive in the order in which they were written.
 */
const burstGapMs = 250
/** Time after which a message that was put off and did not return no longer blocks others. It was skipped. */
const staleMs = 2000
/** Maximum interval in milliseconds between checks of whether the previous message is settled. */
const maxRecheckMs = 5000

/**
 * Returns the milliseconds to put a message off because of earlier ones. The delay grows with the time that the earlier
 * message has been with its provider.
 */
export const delayAfter = ({ count, dueInMs, inFlightMs }: EarlierMessages): number => {
  if (dueInMs !== null && dueInMs > 0) return dueInMs + burstGapMs
  return Math.max(burstGapMs * count, Math.min(inFlightMs ?? 0, maxRecheckMs))
}

export class ChannelRateLimits {
  readonly #channels = new LRUCache<string, ChannelState>({ max: maxRemembered })

  /** Creates an empty set of rate limits. `clock` returns milliseconds. */
  constructor(private readonly clock: () => number = () => performance.now()) {}

  /** Stops sending on the channel for `ms` milliseconds. 0 ends the pause. */
  pause(channelId: string, ms: number): void {
    if (ms > 0) this.#getChannel(channelId).pausedUntil = this.clock() + ms
    else if (this.#channels.has(channelId)) this.#getChannel(channelId).pausedUntil = 0
  }

  isPaused(channelId: string): boolean {
    return (this.#channels.get(channelId)?.pausedUntil ?? 0) > this.clock()
  }

  /**
   * Returns the milliseconds to put off a message to a person, or 0 if it may be sent. A result of 0 counts the message
   * as sent.
   *
   * Messages that were put off keep their order, each with its own time. Messages that arrive later cannot overtake
   * them.
   */
  reserve(channelId: string, handle: string, id: string, rateLimit: ProviderRateLimit): number {
    if (rateLimit.perHandleMs === null) return 0
    const { persons } = this.#getChannel(channelId)
    const now = this.clock()
    const { sent, reserved, waiting } = persons.get(handle) ?? { sent: noSends, reserved: noSends, waiting: new Map() }
    dropStale(waiting, now - staleMs)
    const [first = id] = waiting.keys()
    if (first !== id || nextSendAt(sent, rateLimit) - now > toleranceMs) {
      const ownAt = waiting.get(id)
      const at = Math.max(
        ownAt ?? nextSendAt(reserved, rateLimit),
        ownAt === undefined ? now : nextSendAt(sent, rateLimit),
        now,
      )
      waiting.set(id, at)
      persons.set(handle, {
        sent,
        reserved: ownAt === undefined ? addSend(reserved, at, rateLimit) : reserved,
        waiting,
      })
      return Math.max(at - now, first === id ? 0 : burstGapMs)
    }
    waiting.delete(id)
    persons.delete(handle)
    if (persons.size >= maxRemembered) persons.delete(persons.keys().next().value!)
    const after = addSend(sent, now, rateLimit)
    const { lastAt, until } = reserved
    persons.set(handle, {
      sent: after,
      reserved: { lastAt: Math.max(lastAt, now), until: Math.max(until, after.until) },
      waiting,
    })
    return 0
  }

  /** Waits until the channel may send the next message. Rejects when the process ends. */
  async waitForRate(channelId: string, { perSecond }: ProviderRateLimit, signal: AbortSignal): Promise<void> {
    const known = this.#getChannel(channelId)
    const now = this.clock()
    const at = Math.max(now, known.nextAt)
    known.nextAt = at + 1000 / perSecond
    if (at > now) await sleep(at - now, undefined, { signal })
  }

  #getChannel(channelId: string): ChannelState {
    const known = this.#channels.get(channelId)
    if (known) return known
    const created: ChannelState = { pausedUntil: 0, nextAt: 0, persons: new Map() }
    this.#channels.set(channelId, created)
    return created
  }
}

/** Removes messages that should have returned before `before`. */
const dropStale = (waiting: Map<string, number>, before: number): void => {
  for (const [id, at] of waiting) {
    if (at >= before) return
    waiting.delete(id)
  }
}

const noSends: SendRate = { lastAt: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY }

const nextSendAt = ({ lastAt, until }: SendRate, { perHandleMs, handleBurst = 1 }: ProviderRateLimit): number => {
  const intervalMs = perHandleMs ?? 0
  return Math.max(until - (handleBurst - 1) * intervalMs, lastAt + Math.min(burstGapMs, intervalMs))
}

const addSend = ({ until }: SendRate, at: number, { perHandleMs }: ProviderRateLimit): SendRate => ({
  lastAt: at,
  until: Math.max(until, at) + (perHandleMs ?? 0),
})
