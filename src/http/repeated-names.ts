/**
 * Finds duplicate names in JSON objects. Parsers differ on which of two equal names counts, so the meaning is
 * ambiguous.
 */

/**
 * Counts the names of all objects in a value, at any depth. With `isLarge`, it takes twice as long, but avoids caching
 * many object shapes in the engine.
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

/** An object or array that is being scanned. */
interface Open {
  /** Names of the object so far. Null for an array. */
  names: Set<string> | null
  /** Current name, or the index in an array. */
  at: string | number
  /** True if the next string is a name. */
  wantsName: boolean
}

/** Returns the path of the first duplicate name in a valid JSON text. Null if there is none. */
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

/** Returns the end of the string that starts here. The text is valid JSON, so the string is always closed. */
const endOfText = (text: string, begins: number): number => {
  let end = begins + 1
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end
}
