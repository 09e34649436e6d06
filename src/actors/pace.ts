/** Rate limits of providers for each channel. Kept in memory, because only one process has the lease of a channel. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface ProviderPace {
  perSecond: number
  perHandleMs: number | null
  /**
   * Number of messages to one person that may be sent as a burst. Later messages wait until the rate is met again.
   * Defaults to 1.
   */
  handleBurst?: number
}

interface Known {
  /** Time by the clock of this object, like all times in this file. */
  restsUntil: number
  nextAt: number
  persons: Map<string, Person>
}

interface Person {
  /** Messages that were sent. */
  gone: Taken
  /** Messages that were sent or put off, each put off to its own time. */
  promised: Taken
  /** IDs of messages that were put off and have not returned, in sending order, with their times. */
  waiting: Map<string, number>
}

/** Messages of a conversation that were written before a message and are not settled. */
export interface Ahead {
  /** Number of such messages, up to the limit of the query. */
  count: number
  /** Milliseconds until the last of them is due, or null if all have begun. */
  dueInMs: number | null
  /** Milliseconds since one of them was sent to its provider, or null if none is being sent. */
  begunForMs: number | null
}

/** Rate of messages to one person. */
interface Taken {
  lastAt: number
  /** End of the last interval, if each message takes one interval. */
  until: number
}

/** Maximum number of channels remembered, and of persons per channel. The oldest entry is dropped first. */
const maxKnown = 10_000
/** Tolerance in milliseconds for a timer that fires earlier than the time a message was put off to. */
const toleranceMs = 100
/**
 * Minimum gap in milliseconds between messages of a burst, so that they arrive in the order in which they were written.
 */
const burstGapMs = 250
/** Time after which a message that was put off and did not return no longer blocks others. It was skipped. */
const forgottenMs = 2000
/** Maximum interval in milliseconds between checks of whether the previous message is settled. */
const maxLookMs = 5000

/**
 * Returns the milliseconds to put a message off because of earlier ones. The delay grows with the time that the earlier
 * message has been with its provider.
 */
export const waitBehind = ({ count, dueInMs, begunForMs }: Ahead): number => {
  if (dueInMs !== null && dueInMs > 0) return dueInMs + burstGapMs
  return Math.max(burstGapMs * count, Math.min(begunForMs ?? 0, maxLookMs))
}

export class Paces {
  readonly #known = new Map<string, Known>()

  /** Creates an empty set of rate limits. `clock` returns milliseconds. */
  constructor(private readonly clock: () => number = () => performance.now()) {}

  /** Stops sending on the channel for `ms` milliseconds. 0 ends the pause. */
  rest(channelId: string, ms: number): void {
    if (ms > 0) this.#of(channelId).restsUntil = this.clock() + ms
    else if (this.#known.has(channelId)) this.#of(channelId).restsUntil = 0
  }

  isResting(channelId: string): boolean {
    return (this.#known.get(channelId)?.restsUntil ?? 0) > this.clock()
  }

  /**
   * Returns the milliseconds to put off a message to a person, or 0 if it may be sent. A result of 0 counts the message
   * as sent.
   *
   * Messages that were put off keep their order, each with its own time. Messages that arrive later cannot overtake
   * them.
   */
  waitFor(channelId: string, handle: string, id: string, pace: ProviderPace): number {
    if (pace.perHandleMs === null) return 0
    const { persons } = this.#of(channelId)
    const now = this.clock()
    const { gone, promised, waiting } = persons.get(handle) ?? { gone: nothing, promised: nothing, waiting: new Map() }
    forget(waiting, now - forgottenMs)
    const [first = id] = waiting.keys()
    if (first !== id || nextTurn(gone, pace) - now > toleranceMs) {
      const own = waiting.get(id)
      const at = Math.max(own ?? nextTurn(promised, pace), own === undefined ? now : nextTurn(gone, pace), now)
      waiting.set(id, at)
      persons.set(handle, { gone, promised: own === undefined ? taking(promised, at, pace) : promised, waiting })
      return Math.max(at - now, first === id ? 0 : burstGapMs)
    }
    waiting.delete(id)
    persons.delete(handle)
    if (persons.size >= maxKnown) persons.delete(persons.keys().next().value!)
    const after = taking(gone, now, pace)
    const { lastAt, until } = promised
    persons.set(handle, {
      gone: after,
      promised: { lastAt: Math.max(lastAt, now), until: Math.max(until, after.until) },
      waiting,
    })
    return 0
  }

  /** Waits until the channel may send the next message. Rejects when the process ends. */
  async turn(channelId: string, { perSecond }: ProviderPace, signal: AbortSignal): Promise<void> {
    const known = this.#of(channelId)
    const now = this.clock()
    const at = Math.max(now, known.nextAt)
    known.nextAt = at + 1000 / perSecond
    if (at > now) await sleep(at - now, undefined, { signal })
  }

  #of(channelId: string): Known {
    const known = this.#known.get(channelId)
    if (known) return known
    if (this.#known.size >= maxKnown) this.#known.delete(this.#known.keys().next().value!)
    const fresh: Known = { restsUntil: 0, nextAt: 0, persons: new Map() }
    this.#known.set(channelId, fresh)
    return fresh
  }
}

/** Removes messages that should have returned before `before`. */
const forget = (waiting: Map<string, number>, before: number): void => {
  for (const [id, at] of waiting) {
    if (at >= before) return
    waiting.delete(id)
  }
}

const nothing: Taken = { lastAt: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY }

const nextTurn = ({ lastAt, until }: Taken, { perHandleMs, handleBurst = 1 }: ProviderPace): number => {
  const everyMs = perHandleMs ?? 0
  return Math.max(until - (handleBurst - 1) * everyMs, lastAt + Math.min(burstGapMs, everyMs))
}

const taking = ({ until }: Taken, at: number, { perHandleMs }: ProviderPace): Taken => ({
  lastAt: at,
  until: Math.max(until, at) + (perHandleMs ?? 0),
})
