/** Detects events that take long to read and write, without inspecting all of a large one. */

/** Size limit in characters, and the size that counts for each entry of a list or object. */
const maxCharacters = 128 * 1024
const sizePerEntry = 8

/** Returns whether a value is above the limit. Stops as soon as that is known. */
export const isLarge = (value: unknown): boolean => sizeUpTo(value, maxCharacters) > maxCharacters

/** Returns the size of a value: its characters plus `sizePerEntry` for each entry. Stops counting above `max`. */
export const sizeUpTo = (value: unknown, max = Number.POSITIVE_INFINITY): number => {
  let size = 0
  const stack: unknown[] = [value]
  while (stack.length > 0 && size <= max) {
    const item = stack.pop()
    if (typeof item === 'string') size += item.length
    else if (Array.isArray(item)) {
      size += sizePerEntry * item.length
      if (size > max) return size
      for (const inner of item) if (typeof inner === 'string' || typeof inner === 'object') stack.push(inner)
    } else if (typeof item === 'object' && item !== null) {
      for (const name in item) {
        size += sizePerEntry + name.length
        if (size > max) return size
        stack.push((item as Record<string, unknown>)[name])
      }
    }
  }
  return size
}
