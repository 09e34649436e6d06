/** Which events take long to read and to write, without looking at all of one that does. */

/** Characters, and entries of lists and objects, which cost as much as a few. */
const maxCharacters = 128 * 1024
const perEntry = 8

/** Stops looking as soon as it is known. */
export const isLarge = (value: unknown): boolean => sizeUpTo(value, maxCharacters) > maxCharacters

/** The size of a value: its characters, and a few for each entry. Stops counting beyond `max`. */
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
