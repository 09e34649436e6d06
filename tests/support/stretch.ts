/** How long this process keeps its event loop: what every other caller waits for. */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** Longest time, in milliseconds, for which one piece of work may keep all other callers waiting. */
export const maxStretchMs = 100

/**
 * Processor time of the thread in milliseconds: on a busy machine, wall time measures the neighbours too. Where the
 * operating system does not tell it, that of the whole process.
 */
const spentMs = (): number => {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000 / availableParallelism()
  }
}

/** Processor time that synchronous work takes, in milliseconds; the least of a few tries, as the first one compiles. */
export const stretchOf = (work: () => unknown, tries = 3): number => {
  let least = Number.POSITIVE_INFINITY
  for (let left = tries; left > 0; left--) {
    const before = spentMs()
    work()
    least = Math.min(least, spentMs() - before)
  }
  return least
}

/** The longest processor time between two turns of the event loop while the work is under way, in milliseconds. */
export const longestStretch = async <Result>(work: () => Promise<Result>): Promise<{ ms: number; result: Result }> => {
  let longest = 0
  let last = spentMs()
  let timer = setTimeout(function look() {
    const now = spentMs()
    longest = Math.max(longest, now - last)
    last = now
    timer = setTimeout(look, 1)
  }, 1)
  try {
    const result = await work()
    return { ms: Math.max(longest, spentMs() - last), result }
  } finally {
    clearTimeout(timer)
  }
}
