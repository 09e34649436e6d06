/** Estimates the time of the database. Clocks of machines differ, and receivers reject old signatures. */
import type { Log } from './log.ts'
import { type Part, simplePart } from './part.ts'

const everyMs = 60_000
/** Difference in milliseconds above which the process logs a warning. */
const warnMs = 5000

export class Clock {
  #aheadMs = 0

  /** Creates a clock. `own` returns the time of this process in milliseconds since 1970. */
  constructor(private readonly own: () => number = () => Date.now()) {}

  /** Milliseconds by which the clock of this process is ahead of the database; negative if it is behind. */
  get aheadMs(): number {
    return this.#aheadMs
  }

  /** Returns the milliseconds since 1970 by the clock of the database, according to the last comparison. */
  now(): number {
    return this.own() - this.#aheadMs
  }

  /** Compares the clocks. A difference that the duration of the query explains counts as 0. */
  async compare(readDatabaseMs: () => Promise<number>): Promise<void> {
    const [asked, began] = [this.own(), performance.now()]
    const read = await readDatabaseMs()
    const tookMs = performance.now() - began
    const aheadMs = Math.round(asked + tookMs / 2 - read)
    this.#aheadMs = Math.abs(aheadMs) <= tookMs ? 0 : aheadMs
  }
}

/** Default clock of this process, for IDs and signatures. */
export const clock = new Clock()

/** Compares the clocks at the start, before an ID is created, and every minute after that. */
export const comparingClocks = (readDatabaseMs: () => Promise<number>, log: Log, of: Clock = clock): Part => {
  let timer: ReturnType<typeof setInterval> | undefined
  const compare = async () => {
    try {
      await of.compare(readDatabaseMs)
      const { aheadMs } = of
      if (Math.abs(aheadMs) > warnMs)
        log.warn({ aheadMs }, 'the clock of this process differs from the clock of the database: synchronize both')
    } catch (error) {
      log.debug({ error }, 'the clocks could not be compared; they are compared again in a minute')
    }
  }
  return simplePart('comparison of clocks', {
    start: async () => {
      await compare()
      timer = setInterval(() => void compare(), everyMs)
    },
    stop: () => clearInterval(timer),
  })
}
