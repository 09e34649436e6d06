/** Search for words in texts, in any order. Ignores case, accents and the separators between words. */
import type { Fragment, Sql } from '../platform/postgres/client.ts'

/** Maximum number of words of a search. The rest of the text counts as one word. */
const maxWords = 8

const separators = /[\s,;()[\]"\u201c\u201d\u201e]+/u
/** Hyphens and apostrophes inside a word, which match any character. */
const joiners = /[\p{Pd}'\u2019]/gu
const outerJoiners = /^[\p{Pd}'\u2019]+|[\p{Pd}'\u2019]+$/gu

/** Returns the words of a search text. A text of separators alone is a word. */
const wordsOf = (text: string): string[] => {
  const words = text.split(separators).flatMap(word => word.replace(outerJoiners, '') || [])
  if (words.length === 0) return [text]
  return words.length <= maxWords ? words : [...words.slice(0, maxWords - 1), words.slice(maxWords - 1).join(' ')]
}

/** Returns the text without accents and in lower case, as the SQL function `search_text` does. */
export const foldText = (text: string): string => lower(text.normalize('NFD').replace(/[\u0300-\u036f]+/g, ''))

/** PostgreSQL compares each character alone, so a final sigma is no other letter. */
const lower = (text: string): string => Array.from(text, character => character.toLowerCase()).join('')

/** Returns a `LIKE` pattern for each word of a search. */
export const wordPatterns = (text: string, fold = foldText): string[] =>
  wordsOf(text).map(
    word =>
      `%${fold(word)
        .replace(/[\\%_]/g, '\\$&')
        .replace(joiners, '_')}%`,
  )

/** Returns the beginning of a search text, up to the first separator or joiner. */
export const firstWordPart = (text: string): string => foldText(wordsOf(text)[0]!).split(joiners)[0]!

/**
 * Returns whether an index of trigrams finds a word of the search. It needs three consecutive letters or digits. These are
 * the ones that PostgreSQL recognizes in any locale.
 */
export const isIndexable = (text: string): boolean => wordPatterns(text).some(pattern => /[a-z0-9]{3}/.test(pattern))

/** Returns the folded text of an expression. Its collation is the same in every database. */
export const searchText = (sql: Sql, text: Fragment): Fragment => sql`(search_text(${text}) collate pg_c_utf8)`

/** Returns the condition that a name contains all words of the search. */
export const hasWords = (sql: Sql, name: Fragment, text: string): Fragment =>
  sql`${searchText(sql, name)} like all(${wordPatterns(text)}::text[])`

/** Returns the same condition for a long text. Accents count, because it would take ten times as long without them. */
export const hasExactWords = (sql: Sql, column: string, text: string): Fragment =>
  sql`lower(${sql(column)} collate pg_c_utf8) like all(${wordPatterns(text, lower)}::text[])`
