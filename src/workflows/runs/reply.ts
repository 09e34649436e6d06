/** Matches a customer's message against the answers of a step. Pure. */
import type { Budget } from '../../core/conditions/index.ts'

/** Maximum length of a message that is compared. A longer message cannot equal a word of the list. */
const maxCompared = 1000
/** Maximum length of a word or message after NFKC normalization, which can turn one character into 18. */
const maxNormalized = 1000

/** Returns whether the whole text equals one of the words. Without words, every message matches. */
export const matchesReply = (words: readonly string[] | undefined, text: string | null, budget: Budget): boolean => {
  if (words === undefined) return true
  if (text === null || text.length > maxCompared || !budget.spend(words.length)) return false
  const normalized = normalizeReply(text)
  return normalized !== '' && normalizedWords(words).has(normalized)
}

/** Cache of normalized words for each exit. One execution compares up to 50 messages with up to 1,000 words. */
const wordCache = new WeakMap<readonly string[], ReadonlySet<string>>()

const normalizedWords = (words: readonly string[]): ReadonlySet<string> => {
  const cached = wordCache.get(words)
  if (cached) return cached
  const wordSet = new Set(words.map(normalize))
  wordCache.set(words, wordSet)
  return wordSet
}

/** Last normalized message. All exits of a wait compare the same message. */
let latest = { text: '', normalized: '' }

const normalizeReply = (text: string): string => {
  if (latest.text !== text) latest = { text, normalized: normalize(text) }
  return latest.normalized
}

/**
 * Normalizes a text for comparison: ignores case, and removes surrounding white space and punctuation. Returns an empty
 * text if the result would be longer than `maxNormalized`.
 *
 * A text that consists only of such characters is kept, because a question mark or an emoji can be an answer.
 */
export const normalize = (text: string): string => {
  const compatible = toCompatible(text)
  if (compatible.length > maxNormalized) return ''
  const lower = compatible.toUpperCase().toLowerCase().split(/\s+/u).join(' ').trim()
  let [from, to] = [0, lower.length]
  for (let size = ignoredLengthAt(lower, from); from < to && size > 0; size = ignoredLengthAt(lower, from)) from += size
  for (let size = ignoredLengthBefore(lower, to); from < to && size > 0; size = ignoredLengthBefore(lower, to))
    to -= size
  return from >= to ? lower : lower.slice(from, to)
}

/**
 * Applies NFKC. Divides the text after 20 combining marks in a row, because the cost of ordering marks grows with the
 * square of their number. No language uses so many.
 */
const toCompatible = (text: string): string => text.replace(pieces, piece => piece.normalize('NFKC'))

const pieces = /\P{M}*\p{M}{0,20}/gu

/** Returns the length of the character at `from` if it is removable, otherwise 0. */
const ignoredLengthAt = (text: string, from: number): number => {
  const character = String.fromCodePoint(text.codePointAt(from) ?? 0)
  return isIgnored(character) ? character.length : 0
}

/** Returns the length of the character that ends at `to` if it is removable, otherwise 0. */
const ignoredLengthBefore = (text: string, to: number): number => {
  const codePoint = to > 1 ? text.codePointAt(to - 2)! : 0
  return ignoredLengthAt(text, codePoint > 0xffff ? to - 2 : to - 1)
}

/** White space, punctuation, emoji and their modifiers. */
const ignoredPattern = /^(?:\s|\p{P}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Default_Ignorable_Code_Point})$/u

const isIgnored = (character: string): boolean => ignoredPattern.test(character)
