/** E-mail addresses: how one is told from another, and which ones nobody may have. */

/**
 * The same for every way to case an address. At least whatever PostgreSQL takes for one address is one here too: it makes
 * each letter small by itself, and an i of İ.
 */
export const caseless = (email: string): string =>
  Array.from(email.trim(), letter => (letter === dottedI ? 'i' : letter.toLowerCase())).join('')

const dottedI = '\u0130'

/** Its mailbox, or its domain, is not that of the address which it would be taken for, by PostgreSQL or by whoever reads it. */
export const isMistakable = (email: string): boolean =>
  holdsUnseen(email) || Array.from(email).some(letter => letter > lastOfAscii && letter.toLowerCase() < lastOfAscii)

/** The sentence for who gives one. */
export const mistakable = 'Holds a character that is not seen, or is taken for another one, such as \u0130 for i.'

const holdsUnseen = (text: string): boolean => /[\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(text)

const lastOfAscii = '\u007f'
