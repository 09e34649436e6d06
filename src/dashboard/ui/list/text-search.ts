/** Text that a list is searched for, as stored in the address. */

/** Maximum length of the text in characters, the limit of the API. */
const maxLength = 200

/** Removes accents and upper case. */
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]+/g, '')
    .toLowerCase()

/** Returns the words of a search, without accents and in lower case. Neither hyphens nor apostrophes count. */
export const wordsOf = (text: string): string[] => fold(text).match(/[^\s\p{Pd}'’,;()[\]"“”„]+/gu) ?? []

/** Returns whether all words of a search are in the text, as the API searches names. */
export const hasWords = (text: string, search: string): boolean => {
  const folded = fold(text)
  const words = wordsOf(search)
  return words.length === 0 ? folded.includes(fold(search.trim())) : words.every(word => folded.includes(word))
}

/** Reads a text from the address. Undefined if it is empty or no text. */
export const parseText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, maxLength) : undefined
