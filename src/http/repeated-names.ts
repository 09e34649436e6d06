/** Names that an object of JSON has twice: parsers differ on which of the two counts, so nobody can tell what was meant. */

/**
 * How many names the objects in a value have, at whatever depth. `isLarge`: in a way that takes twice as long, but leaves
 * nothing behind with objects of a great many shapes.
 */
export const countNames = (value: object, isLarge: boolean): number => {
  let names = 0
  const countIn = (inner: unknown): void => {
    if (typeof inner === 'object' && inner !== null) names += countNames(inner, isLarge)
  }
  if (Array.isArray(value)) for (const inner of value) countIn(inner)
  else if (isLarge)
    for (const inner of Object.values(value)) {
      names++
      countIn(inner)
    }
  else
    for (const name in value) {
      names++
      countIn((value as Record<string, unknown>)[name])
    }
  return names
}

/** An object or a list that is being gone through. */
interface Open {
  /** Null for a list. */
  names: Set<string> | null
  /** The name, or the place, that is being read. */
  at: string
  place: number
}

/** In a text that is JSON, the path to the first name that its object has already; null where there is none. */
export const repeatedName = (text: string): string[] | null => {
  const open: Open[] = []
  for (const [token] of text.matchAll(tokens)) {
    const inside = open.at(-1)
    if (token === '{' || token === '[') open.push({ names: token === '{' ? new Set() : null, at: '0', place: 0 })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',') {
      if (inside!.names === null) inside!.at = String(++inside!.place)
    } else if (inside?.names && token.endsWith(':')) {
      inside.at = JSON.parse(token.slice(0, token.lastIndexOf('"') + 1))
      if (inside.names.has(inside.at)) return open.map(({ at }) => at)
      inside.names.add(inside.at)
    }
  }
  return null
}

/** Brackets, commas, and strings with the colon that makes names of them. Each string ends, for the text is JSON. */
const tokens = /[{}[\],]|"(?:[^"\\]|\\.)*"(?:\s*:)?/g
