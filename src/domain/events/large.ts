/** Which events take long to read and to write, without looking at all of one that does. */

/** Characters, and entries of lists and objects, which cost as much as a few. */
const maxCharacters = 128 * 1024
const perEntry = 8

/** Stops looking as soon as it is known. */
export const isLarge = (value: unknown): boolean => {
  let left = maxCharacters
  const rest: unknown[] = [value]
  while (rest.length > 0 && left >= 0) {
    const one = rest.pop()
    if (typeof one === 'string') left -= one.length
    else if (typeof one === 'object' && one !== null) {
      for (const name in one) {
        left -= perEntry + name.length
        if (left < 0) return true
        rest.push((one as Record<string, unknown>)[name])
      }
    }
  }
  return left < 0
}
