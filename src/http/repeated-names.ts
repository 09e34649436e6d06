/** Names that an object of JSON has twice: parsers differ on which of the two counts, so nobody can tell what was meant. */

/** How many names the objects in a value have, at whatever depth. */
export const countNames = (value: object): number => {
  let names = 0
  if (Array.isArray(value)) {
    for (const one of value) if (typeof one === 'object' && one !== null) names += countNames(one)
    return names
  }
  for (const name in value) {
    names++
    const inner = (value as Record<string, unknown>)[name]
    if (typeof inner === 'object' && inner !== null) names += countNames(inner)
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
