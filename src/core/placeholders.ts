/** Placeholders `{{…}}` in the texts of workflows and templates, filled with values within a limit. Pure. */

/** Maximum length of a message text in code points. A provider can have a lower limit. */
export const maxCharacters = 4096

/** Placeholder pattern without white space around the name. Matching white space would cause excessive backtracking. */
const placeholder = /\{\{([^{}]*)\}\}/g

/**
 * Returns the text with each placeholder replaced by the value for its content, within the remaining length.
 *
 * The text around the placeholders is kept completely. The values share the rest of `max` characters, in order, and a
 * value that does not fit is cut. The limit also prevents a large value from being written a thousand times.
 */
export const fill = (
  text: string,
  valueFor: (name: string, maxLength: number) => string,
  max = maxCharacters,
): string => {
  // Surrogate halves on both sides of a placeholder count as two characters. They become one only without the
  // placeholder.
  const source = text.toWellFormed()
  let maxLength = max - countCharacters(source.replaceAll(placeholder, ''))
  const result = source.replaceAll(placeholder, (_, name: string) => {
    if (maxLength <= 0) return ''
    const value = truncate(valueFor(name.trim(), maxLength), maxLength)
    maxLength -= countCharacters(value)
    return value
  })
  return result.toWellFormed()
}

const countCharacters = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}

/** Returns the first `max` characters of a text. A surrogate pair counts as one and is not split. */
const truncate = (text: string, max: number): string => {
  if (text.length <= max) return text
  let [end, count] = [0, 0]
  for (const character of text) {
    if (count === max) break
    end += character.length
    count++
  }
  return text.slice(0, end)
}

/** Returns the content of each placeholder, in order. */
export const extractPlaceholders = (text: string): string[] =>
  [...text.matchAll(placeholder)].map(([, name = '']) => name.trim())

/** Returns whether the text contains a `{{` that does not start a placeholder. */
export const hasUnclosedPlaceholder = (text: string): boolean => text.replaceAll(placeholder, ' ').includes('{{')
