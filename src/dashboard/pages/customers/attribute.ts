import { parseJson } from '../../api/json.ts'

/** Parses JSON or returns null. Attributes can be any JSON value, but people type plain text. */
const tryParseJson = (text: string): { value: unknown } | null => {
  try {
    return { value: parseJson(text) }
  } catch {
    return null
  }
}

/**
 * Returns the text of an attribute for display and editing. A string loses its quotes unless it would parse as JSON.
 */
export const formatAttribute = (value: unknown): string =>
  typeof value === 'string' && tryParseJson(value) === null ? value : JSON.stringify(value)

export const parseAttribute = (text: string): unknown => {
  const json = tryParseJson(text.trim())
  return json === null ? text.trim() : json.value
}
