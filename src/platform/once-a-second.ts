/** For what anybody may ask as often as they like, and that costs something to find out. */

/** Reads at most once a second, and once at a time, however many ask; between two readings the latest is answered. */
export const onceASecond = <T>(read: () => Promise<T>): (() => Promise<T>) => {
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
