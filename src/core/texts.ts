/** Texts with placeholders `{{path}}`: their validation, and their rendering from facts. Pure: no SQL, no clock. */
import { isKnownPath, type KnownPaths, unknownPathMessage, valueAt } from './conditions/index.ts'
import { extractPlaceholders, fill, hasUnclosedPlaceholder } from './placeholders.ts'
import { listNamesAsJsonb, truncateJson } from './truncated-json.ts'

/**
 * Returns the text with each `{{path}}` replaced. An absent value is replaced by the fallback of `{{path|fallback}}`,
 * or by nothing.
 */
export const render = (text: string, facts: object, max?: number): string =>
  fill(
    text,
    (name, maxLength) => {
      const { path, fallback } = parsePlaceholder(name)
      return formatValue(valueAt(facts, path), fallback, maxLength)
    },
    max,
  )

const parsePlaceholder = (name: string): { path: string; fallback: string } => {
  const end = name.indexOf('|')
  return end < 0 ? { path: name, fallback: '' } : { path: name.slice(0, end).trim(), fallback: name.slice(end + 1) }
}

/**
 * Returns the text of a value. For an object, at least `maxLength` characters are written if it has them; the rest may be
 * omitted.
 */
const formatValue = (value: unknown, fallback: string, maxLength: number): string => {
  if (value === undefined) return fallback.trim()
  return typeof value === 'object' && value !== null ? cachedJsonPrefix(value, 2 * maxLength) : String(value)
}

/** Cache of the JSON beginnings of objects. The names of a large object are then listed once, not for each text. */
const jsonPrefixes = new WeakMap<object, { text: string; max: number }>()

const cachedJsonPrefix = (value: object, max: number): string => {
  const cached = jsonPrefixes.get(value)
  if (cached && cached.max >= max) return cached.text
  const text = truncateJson(value, max, listNamesAsJsonb)
  jsonPrefixes.set(value, { text, max })
  return text
}

/** Returns the paths of the placeholders in a text. */
export const extractPaths = (text: string): string[] =>
  extractPlaceholders(text).map(name => parsePlaceholder(name).path)

export const hasPlaceholder = (text: string): boolean => extractPlaceholders(text).length > 0

/** Returns whether a text shows nothing: it has only white space and invisible characters. U+2800 is an empty pattern. */
export const isBlank = (text: string): boolean => !visible.test(text)

const visible = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Message for a blank text where a text is required. */
export const mustBeVisible = 'Must contain a visible character.'

/** Returns why a text with placeholders is invalid, or null. */
export const faultOfText = (text: string, knownPaths: KnownPaths): string | null =>
  isBlank(text) ? mustBeVisible : faultOfPlaceholders(text, knownPaths)

/** Like `faultOfText`, but the text may be empty. */
export const faultOfPlaceholders = (text: string, knownPaths: KnownPaths): string | null => {
  if (hasUnclosedPlaceholder(text))
    return 'Contains {{ outside a placeholder. Write a placeholder as {{customer.name}} or {{customer.name|there}}.'
  const unknownPath = extractPaths(text).find(path => !isKnownPath(path, knownPaths))
  return unknownPath === undefined ? null : unknownPathMessage(unknownPath, knownPaths, path => `{{${path}}}`)
}
