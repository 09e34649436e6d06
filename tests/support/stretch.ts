/** Measures how long this process blocks its event loop, which delays every other caller. */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { Slices } from '../../src/platform/slices.ts'

/** Maximum time in milliseconds that one piece of work can block all other callers. */
export const maxStretchMs = 100

/**
 * Returns the processor time of the thread in milliseconds. On a busy machine, wall time would include other processes.
 * Uses the time of the whole process if the operating system does not report threads.
 */
export const spentMs = (): number => {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000 / availableParallelism()
  }
}

/**
 * Returns the processor time of synchronous work in milliseconds. Takes the minimum of several tries, because the first
 * one compiles.
 */
export const stretchOf = (work: () => unknown, tries = 3): number => {
  let least = Number.POSITIVE_INFINITY
  for (let left = tries; left > 0; left--) {
    const before = spentMs()
    work()
    least = Math.min(least, spentMs() - before)
  }
  return least
}

/** Returns the processor time of the longest piece of divided work in milliseconds, as `stretchOf` does. */
export const longestPieceOf = (start: () => Slices<unknown>, tries = 3): number => {
  let least = Number.POSITIVE_INFINITY
  for (let left = tries; left > 0; left--) {
    const slices = start()
    let longest = 0
    for (let done: boolean | undefined = false; !done; ) {
      const before = spentMs()
      try {
        done = slices.next().done
      } catch {
        done = true
      }
      longest = Math.max(longest, spentMs() - before)
    }
    least = Math.min(least, longest)
  }
  return least
}

/** Returns the longest processor time between two turns of the event loop during the work, in milliseconds. */
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

/** Returns a list of equal entries, which counts how often an entry is read. */
export const countedList = (length: number, entry: unknown) => {
  const reads = { count: 0 }
  const list = new Proxy(Array<unknown>(length).fill(entry), {
    get: (target, name) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads.count++
      return Reflect.get(target, name)
    },
  })
  return { list, reads }
}
