/** Quotes of texts in a trace. */

/** Number of characters of a text that a node quotes. */
const maxQuoted = 40

/** Punctuation and spaces before an ellipsis. */
const looseEnd = /[\s.,:;…]+$/

/** Returns the start of a text in one line. */
export const quote = (text: string): string => {
  const start = text
    .slice(0, 10 * maxQuoted)
    .replace(/\s+/g, ' ')
    .trim()
  const characters = Array.from(start)
  return characters.length > maxQuoted ? `${characters.slice(0, maxQuoted).join('').replace(looseEnd, '')}…` : start
}
