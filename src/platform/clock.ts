/** Estimates the time of the database. Clocks of machines differ, and receivers reject old signatures. */
import type { Log } from './log.ts'
import { createService, type Service } from './service.ts'

const intervalMs = 60_000
/** Difference in milliseconds above which the process logs a warning. */
const warnMs = 5000

export class Clock {
  #aheadMs = 0

  /** Creates a clock. `ownTime` returns the time of this process in milliseconds since 1970. */
  constructor(private readonly ownTime: () => number = () => Date.now()) {}

  /** Milliseconds by which the clock of this process is ahead of the database; negative if it is behind. */
  get aheadMs(): number {
    return this.#aheadMs
  }

  /** Returns the milliseconds since 1970 by the clock of the database, according to the last comparison. */
  now(): number {
    return this.ownTime() - this.#aheadMs
  }

  /**
   * Compares the clocks. A difference counts as 0 if the duration of the query explains it, or the millisecond that both
   * clocks leave out.
   */
  async compare(readDatabaseMs: () => Promise<number>): Promise<void> {
    const [sentMs, startedAt] = [this.ownTime(), performance.now()]
    const databaseMs = await readDatabaseMs()
    const tookMs = performance.now() - startedAt
    const aheadMs = Math.round(sentMs + tookMs / 2 - databaseMs)
    this.#aheadMs = Math.abs(aheadMs) <= tookMs + 1 ? 0 : aheadMs
  }
}

/** Default clock of this process, for IDs and signatures. */
export const clock = new Clock()

/** Compares the clocks at the start, before an ID is created, and every minute after that. */
export const clockComparison = (readDatabaseMs: () => Promise<number>, log: Log, target: Clock = clock): Service => {
  let timer: ReturnType<typeof setInterval> | undefined
  const compare = async () => {
    try {
      await target.compare(readDatabaseMs)
      const { aheadMs } = target
      if (Math.abs(aheadMs) > warnMs)
        log.warn({ aheadMs }, 'the clock of this process differs from the clock of the database: synchronize both')
    } catch (error) {
      log.debug({ error }, 'the clocks could not be compared; retrying in a minute')
    }
  }
  return createService('clock comparison', {
    start: async () => {
      await compare()
      timer = setInterval(() => void compare(), intervalMs)
    },
    stop: () => clearInterval(timer),
  })
}
