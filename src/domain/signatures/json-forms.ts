/** One JSON value in the ways that programs commonly write it. Pure; finds out what became of a body on its way. */

/** How a JSON value was written. */
export interface JsonForm {
  text: string
  /** For a person: `compact JSON, keys sorted`. */
  name: string
}

interface Style {
  spacing: 'compact' | 'spaced' | 2 | 4
  sorted: boolean
  asciiOnly: boolean
  slashes: boolean
  lineEnd: boolean
}

const spacings = {
  compact: 'compact JSON, as JSON.stringify writes it',
  spaced: 'JSON with a space after each comma and colon, as Python writes it',
  2: 'JSON indented by 2 spaces',
  4: 'JSON indented by 4 spaces',
} as const

const yesNo = [false, true]

/** Every combination, the plain ones first: where two write a value alike, the shorter name is the better one. */
const styles: Style[] = yesNo
  .flatMap(lineEnd =>
    yesNo.flatMap(sorted =>
      yesNo.flatMap(asciiOnly =>
        yesNo.flatMap(slashes =>
          (['compact', 'spaced', 2, 4] as const).map(spacing => ({ spacing, sorted, asciiOnly, slashes, lineEnd })),
        ),
      ),
    ),
  )
  .sort((a, b) => adjectives(a).length - adjectives(b).length)

function adjectives({ sorted, asciiOnly, slashes, lineEnd }: Style): string[] {
  return [
    ...(sorted ? ['keys sorted'] : []),
    ...(asciiOnly ? ['letters beyond ASCII escaped as \\uXXXX'] : []),
    ...(slashes ? ['slashes escaped as \\/'] : []),
    ...(lineEnd ? ['a line end behind it'] : []),
  ]
}

/**
 * The value in each common form of at most so many characters, one after the other, as they are asked for. What several
 * forms have in common is written once.
 */
export function* formsOf(value: unknown, maxLength = Number.POSITIVE_INFINITY): Generator<JsonForm> {
  const written = new Map<string, string>()
  const once = (name: string, write: () => string): string => {
    const text = written.get(name) ?? write()
    written.set(name, text)
    return text
  }
  for (const style of styles) {
    const { spacing, sorted, asciiOnly, slashes } = style
    const base = once(`${spacing} ${sorted}`, () => write(value, spacing, sorted))
    if (base.length > maxLength) continue
    // Where there is nothing to indent or to sort, several forms are the same text.
    const letters = asciiOnly ? once(`ascii ${base}`, () => inAscii(base)) : base
    const text = retouch(letters, style)
    // Written alike by a plainer style already.
    if (text.length <= maxLength && (text !== base || (!asciiOnly && !slashes))) {
      yield { text, name: [spacings[spacing], ...adjectives(style)].join(', ') }
    }
  }
}

/** One text for all ways of writing the same value. */
export const sortedForm = (value: unknown): string | undefined => JSON.stringify(ordered(value, true))

const write = (value: unknown, spacing: Style['spacing'], sorted: boolean): string =>
  spacing === 'spaced'
    ? writeSpaced(value, keys => (sorted ? keys.sort() : keys))
    : JSON.stringify(ordered(value, sorted), null, gap(spacing))

const inAscii = (base: string): string => base.replaceAll(/[\u0080-\uffff]/g, escaped)

const retouch = (letters: string, { slashes, lineEnd }: Style): string => {
  const text = slashes ? letters.replaceAll('/', '\\/') : letters
  return lineEnd ? `${text}\n` : text
}

const gap = (spacing: 'compact' | 2 | 4): number => (spacing === 'compact' ? 0 : spacing)

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const ordered = (value: unknown, sorted: boolean): unknown => {
  if (!sorted || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(item => ordered(item, sorted))
  return Object.fromEntries(entriesOf(value, keys => keys.sort()).map(([key, inner]) => [key, ordered(inner, sorted)]))
}

const writeSpaced = (value: unknown, order: (keys: string[]) => string[]): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(item => writeSpaced(item, order)).join(', ')}]`
  const members = entriesOf(value, order).map(([key, inner]) => `${JSON.stringify(key)}: ${writeSpaced(inner, order)}`)
  return `{${members.join(', ')}}`
}

const entriesOf = (value: object, order: (keys: string[]) => string[]): [string, unknown][] =>
  order(Object.keys(value)).map(key => [key, (value as Record<string, unknown>)[key]])

/**
 * A delivery's body as this service sends it, made again from its parsed value: the envelope compact, `data` as
 * PostgreSQL writes it. Null for what is no delivery's body. A number that lost digits by being parsed stays lost.
 */
export const asSent = (value: unknown): string | null => {
  if (typeof value !== 'object' || value === null) return null
  const { id, type, createdAt, workspaceId, data, ...rest } = value as Record<string, unknown>
  if (data === undefined || Object.keys(rest).length > 0) return null
  return `${JSON.stringify({ id, type, createdAt, workspaceId }).slice(0, -1)},"data":${writeSpaced(data, inJsonbOrder)}}`
}

/** Shorter keys first, then by their bytes. */
const inJsonbOrder = (keys: string[]): string[] => {
  const bytes = new Map(keys.map(key => [key, Buffer.from(key)]))
  return keys.sort((a, b) => {
    const [left, right] = [bytes.get(a)!, bytes.get(b)!]
    return left.length - right.length || left.compare(right)
  })
}

const maxLevels = 100

/**
 * The parsed value, or undefined where the text is no JSON or nested deeper than anything this service sends: brackets
 * by the ten thousand cost seconds to parse and to write.
 */
export const parsedIfShallow = (text: string): unknown => {
  if (levelsOf(text) > maxLevels) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * How many brackets stand open at once, outside of strings. Character by character: a pattern for strings would begin
 * anew at every quote of one that is never closed.
 */
const levelsOf = (text: string): number => {
  let [level, most, inString] = [0, 0, false]
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (inString) {
      if (character === '\\') index++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '[' || character === '{') most = Math.max(most, ++level)
    else if (character === ']' || character === '}') level--
  }
  return most
}
