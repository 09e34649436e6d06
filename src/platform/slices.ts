/** Long synchronous work that is divided. */

/** Work that a caller can interrupt at each `yield`. */
export type Slices<T> = Generator<void, T, void>

/** Runs all pieces without interruption. */
export const runSync = <T>(slices: Slices<T>): T => {
  for (;;) {
    const { done, value } = slices.next()
    if (done) return value
  }
}

/** Work that cannot be divided, for callers that take slices. */
export function* inOneSlice<T>(work: () => T): Slices<T> {
  yield
  return work()
}
