import { parseJson } from '../../api/json.ts'

/** Attributes are any JSON; people type text. */
const parsed = (text: string): { value: unknown } | null => {
  try {
    return { value: parseJson(text) }
  } catch {
    return null
  }
}

/** As it is shown and typed: a text without quotes, unless it would be read as something else. */
export const textOfAttribute = (value: unknown): string =>
  typeof value === 'string' && parsed(value) === null ? value : JSON.stringify(value)

export const attributeOfText = (text: string): unknown => {
  const json = parsed(text.trim())
  return json === null ? text.trim() : json.value
}
