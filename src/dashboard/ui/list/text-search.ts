/** Text that a list is searched for, as stored in the address. */

/** Maximum length of the text in characters, the limit of the API. */
const maxLength = 200

/** Reads a text from the address. Undefined if it is empty or no text. */
export const parseText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, maxLength) : undefined
