/** E-mail addresses: how one is told from another, and which ones nobody may have. */

/**
 * The same for every way to case an address. At least whatever PostgreSQL takes for one address is one here too: it makes
 * each letter small by itself, and an i of İ.
 */
export const caseless = (email: string): string =>
  Array.from(email.trim(), letter => (letter === dottedI ? 'i' : letter.toLowerCase())).join('')

const dottedI = '\u0130'

/** Holds a letter that would be taken for another one: its mailbox, or its domain, is not that of the plain address. */
export const isMistakable = (email: string): boolean =>
  Array.from(email).some(letter => letter > lastOfAscii && letter.toLowerCase() < lastOfAscii)

const lastOfAscii = '\u007f'
