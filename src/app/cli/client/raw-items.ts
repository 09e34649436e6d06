/** Cuts the items of a page out of its text, because parsing would change numbers beyond 2^53. Pure. */

/**
 * Returns the items of the array `data` of a JSON object exactly as they are written. `json` must be valid. Returns an
 * empty array if the object has no array of this name.
 */
export const rawItems = (json: string): string[] => {
  const items: string[] = []
  let depth = 0
  let name = ''
  let isInData = false
  let start = -1
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]!
    const isItem = isInData && depth === 2
    if (sign === '"') {
      const end = endOfString(json, at)
      if (depth === 1) name = json.slice(at + 1, end)
      if (isItem && start < 0) start = at
      at = end
    } else if (isItem && (sign === ',' || sign === ']')) {
      if (start >= 0) items.push(json.slice(start, at).trimEnd())
      start = -1
      if (sign === ']') {
        isInData = false
        depth--
      }
    } else {
      if (isItem && start < 0 && !/\s/.test(sign)) start = at
      if (sign === '[' && depth === 1 && name === 'data') isInData = true
      if (sign === '{' || sign === '[') depth++
      if (sign === '}' || sign === ']') depth--
    }
  }
  return items
}

/** Returns the position of the closing quote of the string that opens at `start`, or the end of a text without one. */
const endOfString = (json: string, start: number): number => {
  let at = start + 1
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at
}
