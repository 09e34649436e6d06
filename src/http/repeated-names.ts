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
  /** The name that is being read, or the place. */
  at: string | number
  /** A text that comes now is a name. */
  wantsName: boolean
}

/** In a text that is JSON, the path to the first name that its object has already; null where there is none. */
export const repeatedName = (text: string): string[] | null => {
  const open: Open[] = []
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    const inside = open.at(-1)
    if (character === '{') open.push({ names: new Set(), at: '', wantsName: true })
    else if (character === '[') open.push({ names: null, at: 0, wantsName: false })
    else if (character === '}' || character === ']') open.pop()
    else if (character === ',') {
      if (typeof inside!.at === 'number') inside!.at++
      else inside!.wantsName = true
    } else if (character === '"') {
      const begins = i
      i = endOfText(text, begins)
      if (!inside?.wantsName) continue
      inside.wantsName = false
      inside.at = JSON.parse(text.slice(begins, i + 1)) as string
      if (inside.names!.has(inside.at)) return open.map(({ at }) => String(at))
      inside.names!.add(inside.at)
    }
  }
  return null
}

/** Where the text that begins here ends: it does, for all of it is JSON. */
const endOfText = (text: string, begins: number): number => {
  let end = begins + 1
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end
}
