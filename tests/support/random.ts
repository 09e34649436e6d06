/** Returns a source of numbers from 0 up to but not including 1, the same for the same seed. */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
