/** Caches a costly value that anyone may request at any rate. */

/**
 * Returns a function that reads at most once per second, and never concurrently. Between reads it returns the latest
 * value.
 */
export const cacheForSecond = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let latest: Promise<T> | null = null
  let reading = false
  let until = 0
  return () => {
    if (latest === null || (!reading && performance.now() >= until)) {
      until = performance.now() + 1000
      reading = true
      latest = read().finally(() => {
        reading = false
      })
    }
    return latest
  }
}
