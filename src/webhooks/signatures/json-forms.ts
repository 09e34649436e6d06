/** Serializes a JSON value in the forms that programs commonly use, to detect how a body was changed. Pure. */

/** One serialization of a JSON value. */
export interface JsonForm {
  text: string
  /** Name for people, for example `compact JSON, keys sorted`. */
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

const booleans = [false, true]

/**
 * All combinations, those with the fewest adjectives first. If two forms give the same text, the shorter name is used.
 */
const styles: Style[] = booleans
  .flatMap(lineEnd =>
    booleans.flatMap(sorted =>
      booleans.flatMap(asciiOnly =>
        booleans.flatMap(slashes =>
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
    ...(lineEnd ? ['a line end at the end'] : []),
  ]
}

/**
 * Yields the value in each common form of at most `maxLength` characters, lazily. Shared intermediate texts are
 * computed once.
 */
export function* formsOf(value: unknown, maxLength = Number.POSITIVE_INFINITY): Generator<JsonForm> {
  const cache = new Map<string, string>()
  const memoize = (name: string, write: () => string): string => {
    const text = cache.get(name) ?? write()
    cache.set(name, text)
    return text
  }
  for (const style of styles) {
    const { spacing, sorted, asciiOnly, slashes } = style
    const base = memoize(`${spacing} ${sorted}`, () => write(value, spacing, sorted))
    if (base.length > maxLength) continue
    // If there is nothing to indent or sort, several forms give the same text.
    const letters = asciiOnly ? memoize(`ascii ${base}`, () => escapeNonAscii(base)) : base
    const text = applyStyle(letters, style)
    // Skips a form that a plainer style has already produced.
    if (text.length <= maxLength && (text !== base || (!asciiOnly && !slashes))) {
      yield { text, name: [spacings[spacing], ...adjectives(style)].join(', ') }
    }
  }
}

/** Returns the same text for all serializations of a value. */
export const sortedForm = (value: unknown): string | undefined => JSON.stringify(orderKeys(value, true))

const write = (value: unknown, spacing: Style['spacing'], sorted: boolean): string =>
  spacing === 'spaced'
    ? writeSpaced(value, keys => (sorted ? keys.sort() : keys))
    : JSON.stringify(orderKeys(value, sorted), null, indent(spacing))

const escapeNonAscii = (base: string): string => base.replaceAll(/[\u0080-\uffff]/g, escapeCharacter)

const applyStyle = (letters: string, { slashes, lineEnd }: Style): string => {
  const text = slashes ? letters.replaceAll('/', '\\/') : letters
  return lineEnd ? `${text}\n` : text
}

const indent = (spacing: 'compact' | 2 | 4): number => (spacing === 'compact' ? 0 : spacing)

const escapeCharacter = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const orderKeys = (value: unknown, sorted: boolean): unknown => {
  if (!sorted || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(item => orderKeys(item, sorted))
  return Object.fromEntries(
    entriesOf(value, keys => keys.sort()).map(([key, inner]) => [key, orderKeys(inner, sorted)]),
  )
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
 * Rebuilds a delivery's body from its parsed value as this service sends it: the envelope compact, `data` as PostgreSQL
 * writes it. Returns null if it is not a delivery's body. Digits lost by parsing cannot be restored.
 */
export const toSentBody = (value: unknown): string | null => {
  if (typeof value !== 'object' || value === null) return null
  const { id, type, createdAt, workspaceId, data, ...rest } = value as Record<string, unknown>
  if (data === undefined || Object.keys(rest).length > 0) return null
  return `${JSON.stringify({ id, type, createdAt, workspaceId }).slice(0, -1)},"data":${writeSpaced(data, inJsonbOrder)}}`
}

/** Sorts keys by length, then by bytes, as jsonb does. */
const inJsonbOrder = (keys: string[]): string[] => {
  const bytes = new Map(keys.map(key => [key, Buffer.from(key)]))
  return keys.sort((a, b) => {
    const [left, right] = [bytes.get(a)!, bytes.get(b)!]
    return left.length - right.length || left.compare(right)
  })
}

const maxDepth = 100

/**
 * Returns the parsed value. Returns undefined if the text is not JSON or is nested deeper than any body of this
 * service. Parsing tens of thousands of brackets takes seconds.
 */
export const parseShallow = (text: string): unknown => {
  if (nestingDepth(text) > maxDepth) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Returns the maximum nesting depth of brackets outside strings. Scans by character, because a regular expression would
 * restart at every quote of an unterminated string.
 */
const nestingDepth = (text: string): number => {
  let [level, deepest, inString] = [0, 0, false]
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (inString) {
      if (character === '\\') index++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++level)
    else if (character === ']' || character === '}') level--
  }
  return deepest
}
