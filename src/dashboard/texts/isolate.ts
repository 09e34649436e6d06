/** Characters that can change the order of the text around them: letters of right-to-left scripts, and controls. */
const directional =
  /[\u0590-\u08FF\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/**
 * Encloses a text in Unicode isolates, so that it does not change the order of the sentence that it becomes part of. A
 * text that cannot do that remains unchanged. Isolates of the text that are not closed, or that it did not open, would end
 * the enclosing one, so they are removed.
 */
export const isolate = (text: string): string => {
  if (!directional.test(text)) return text
  return `\u2068${hasPairsOnly(text) ? text : text.replaceAll(/[\u2066-\u2069]/g, '')}\u2069`
}

/**
 * Returns a text without the controls that turn the letters around them, for an excerpt in a list: a name with one would
 * turn the sentence of a message in which it was inserted. Right-to-left letters need none.
 */
export const withoutOverrides = (text: string): string => {
  const plain = text.replaceAll(/[\u202A-\u202E]/g, '')
  return hasPairsOnly(plain) ? plain : plain.replaceAll(/[\u2066-\u2069]/g, '')
}

/** Writes the controls that turn the letters around them as escapes, for a raw text, whose reader must see them. */
export const escapeOverrides = (text: string): string =>
  text.replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, control => escapeCharacter(control.charCodeAt(0)))

/** Returns the escape of a character in JSON, such as `\u202e`. */
export const escapeCharacter = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`

const hasPairsOnly = (text: string): boolean => {
  let depth = 0
  for (const character of text) {
    if (character >= '\u2066' && character <= '\u2068') depth++
    else if (character === '\u2069' && --depth < 0) return false
  }
  return depth === 0
}
