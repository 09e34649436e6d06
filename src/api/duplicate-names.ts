/**
 * Finds duplicate names in JSON objects. Parsers differ on which of two equal names counts, so the meaning is
 * ambiguous.
 */
import { endOfText } from '../platform/json.ts'
import type { Slices } from '../platform/slices.ts'

/**
 * Counts the names of all objects in a value, at any depth. With `isLarge`, it takes twice as long, but avoids caching
 * many object shapes in the engine.
 */
export const countNames = (value: object, isLarge: boolean): number => {
  let names = 0
  const countInside = (inner: unknown): void => {
    if (typeof inner === 'object' && inner !== null) names += countNames(inner, isLarge)
  }
  if (Array.isArray(value)) for (const inner of value) countInside(inner)
  else if (isLarge)
    for (const inner of Object.values(value)) {
      names++
      countInside(inner)
    }
  else
    for (const name in value) {
      names++
      countInside((value as Record<string, unknown>)[name])
    }
  return names
}

/** An object or array that is being scanned. */
interface Container {
  /** Names of the object so far. Null for an array. */
  names: Set<string> | null
  /** Current name, or the index in an array. */
  position: string | number
  /** True if the next string is a name. */
  expectsName: boolean
}

/** Number of names that are compared without interruption. */
const namesPerPiece = 4096

/** Returns the path of the first duplicate name in a valid JSON text, in pieces. Returns null if there is none. */
export function* duplicateName(text: string): Slices<string[] | null> {
  const containers: Container[] = []
  let names = 0
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    const current = containers.at(-1)
    if (character === '{') containers.push({ names: new Set(), position: '', expectsName: true })
    else if (character === '[') containers.push({ names: null, position: 0, expectsName: false })
    else if (character === '}' || character === ']') containers.pop()
    else if (character === ',') {
      if (typeof current!.position === 'number') current!.position++
      else current!.expectsName = true
    } else if (character === '"') {
      const start = i
      i = endOfText(text, start)
      if (!current?.expectsName) continue
      current.expectsName = false
      current.position = JSON.parse(text.slice(start, i + 1)) as string
      if (current.names!.has(current.position)) return containers.map(({ position }) => String(position))
      current.names!.add(current.position)
      if (++names % namesPerPiece === 0) yield
    }
  }
  return null
}
