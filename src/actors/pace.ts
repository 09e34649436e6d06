/** How fast providers take the messages of each channel. Only one process has a channel's lease, so it is kept in memory. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface ProviderPace {
  perSecond: number
  perHandleMs: number | null
  /** So many to a person may go faster, and are made up for by those after them; 1 if it is not said. */
  handleBurst?: number
}

interface Known {
  /** By the clock, as all times here. */
  restsUntil: number
  nextAt: number
  persons: Map<string, Person>
}

interface Person {
  /** With all that went. */
  gone: Taken
  /** And with all that were put off, each to a time of its own. */
  promised: Taken
  /** Those that were put off and have not come back, by their ids, in the order in which they are to go. */
  waiting: Map<string, number>
}

/** What of a conversation was written before a message and is not settled. */
export interface Ahead {
  /** How many, as far as was looked. */
  count: number
  /** Milliseconds until the last of them is due; null where all are begun. */
  dueInMs: number | null
  /** Milliseconds for which one of them is with its provider; null where none is. */
  begunForMs: number | null
}

/** Of a person's turns. */
interface Taken {
  lastAt: number
  /** Until when they would last, one in each interval. */
  until: number
}

/** Channels that are kept in mind, and persons of each; beyond them the one that was met first is forgotten. */
const maxKnown = 10_000
/** A timer may be so much early by the clock that a message was put off by. */
const toleranceMs = 100
/** Those that may go faster keep this distance, so that they arrive in the order in which they were written. */
const burstGapMs = 250
/** One that was put off and has not come back so long after its time is not waited for: it was skipped. */
const forgottenMs = 2000
/** How seldom at most a message looks whether the one before it is settled. */
const maxLookMs = 5000

/** For how long a message is left to those before it: as long again as the first of them is with its provider by now. */
export const waitBehind = ({ count, dueInMs, begunForMs }: Ahead): number => {
  if (dueInMs !== null && dueInMs > 0) return dueInMs + burstGapMs
  return Math.max(burstGapMs * count, Math.min(begunForMs ?? 0, maxLookMs))
}

export class Paces {
  readonly #known = new Map<string, Known>()

  /** `clock` in milliseconds. */
  constructor(private readonly clock: () => number = () => performance.now()) {}

  /** Nothing is handed over for so long; 0 ends a rest. */
  rest(channelId: string, ms: number): void {
    if (ms > 0) this.#of(channelId).restsUntil = this.clock() + ms
    else if (this.#known.has(channelId)) this.#of(channelId).restsUntil = 0
  }

  isResting(channelId: string): boolean {
    return (this.#known.get(channelId)?.restsUntil ?? 0) > this.clock()
  }

  /**
   * Milliseconds for which a message to a person is to be put off; 0 where it may go, and then the next one may not. Those
   * that are put off keep their order, each with a time of its own, and nobody who comes meanwhile passes them.
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

  /** Waits for the channel's next turn. Rejects when the process ends. */
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

/** Those that should have come back before. */
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
