/** The time of the database, as this process reckons it: the clocks of machines differ, and receivers refuse old signatures. */
import type { Log } from './log.ts'
import { type Part, simplePart } from './part.ts'

const everyMs = 60_000
/** A process that is further ahead or behind says so in its log. */
const warnMs = 5000

export class Clock {
  #aheadMs = 0

  /** `own`: the clock of this process, in milliseconds since 1970. */
  constructor(private readonly own: () => number = () => Date.now()) {}

  /** How far the clock of this process is ahead of the database's, in milliseconds; negative if it is behind. */
  get aheadMs(): number {
    return this.#aheadMs
  }

  /** Milliseconds since 1970 by the clock of the database, as of the last comparison. */
  now(): number {
    return this.own() - this.#aheadMs
  }

  /** Compares the clocks. A difference that the time of the question explains counts as none. */
  async compare(readDatabaseMs: () => Promise<number>): Promise<void> {
    const [asked, began] = [this.own(), performance.now()]
    const read = await readDatabaseMs()
    const tookMs = performance.now() - began
    const aheadMs = Math.round(asked + tookMs / 2 - read)
    this.#aheadMs = Math.abs(aheadMs) <= tookMs ? 0 : aheadMs
  }
}

/** The clock of this process. What is not given another one makes ids and signatures by it. */
export const clock = new Clock()

/** Compares the clocks at the start, before anything makes an id, and each minute from then on. */
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
