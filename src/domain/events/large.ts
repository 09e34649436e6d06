/** Detects events that take long to read and write, without inspecting all of a large one. */

/** Size limit in characters, and the size that counts for each entry of a list or object. */
const maxCharacters = 128 * 1024
const perEntry = 8

/** Returns whether a value is above the limit. Stops as soon as that is known. */
export const isLarge = (value: unknown): boolean => sizeUpTo(value, maxCharacters) > maxCharacters

/** Returns the size of a value: its characters plus `perEntry` for each entry. Stops counting above `max`. */
export const sizeUpTo = (value: unknown, max = Number.POSITIVE_INFINITY): number => {
  let size = 0
  const rest: unknown[] = [value]
  while (rest.length > 0 && size <= max) {
    const one = rest.pop()
    if (typeof one === 'string') size += one.length
    else if (typeof one === 'object' && one !== null) {
      for (const name in one) {
        size += perEntry + name.length
        if (size > max) return size
        rest.push((one as Record<string, unknown>)[name])
      }
    }
  }
  return size
}
