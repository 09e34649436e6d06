/** Compares e-mail addresses and detects misleading ones. */

/**
 * Returns a case-insensitive form of an address. Addresses that PostgreSQL treats as equal always have the same form:
 * it lower-cases each letter separately and turns İ into i.
 */
export const lowerCaseEmail = (email: string): string =>
  Array.from(email.trim(), letter => (letter === dottedI ? 'i' : letter.toLowerCase())).join('')

const dottedI = '\u0130'

/**
 * Returns whether an address could be mistaken for another one, by PostgreSQL or by a reader: invisible characters, or
 * letters that lower-case to ASCII.
 */
export const isMisleading = (email: string): boolean =>
  hasInvisible(email) || Array.from(email).some(letter => letter > lastAscii && letter.toLowerCase() < lastAscii)

/** Error text for a misleading address. */
export const misleadingMessage =
  'Contains an invisible character, or one that looks like another, such as \u0130 for i.'

const hasInvisible = (text: string): boolean => /[\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(text)

const lastAscii = '\u007f'
