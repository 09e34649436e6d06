/** Matches a customer's message against the answers of a step. Pure. */
import type { Budget } from '../conditions/index.ts'

/** Maximum length of a message that is compared. A longer message cannot equal a word of the list. */
const maxLookedAt = 1000
/** Maximum length after NFKC normalization. One character can become 18, and a word has at most 200. */
const maxCompatible = 18 * 200 + maxLookedAt

/** Returns whether the whole text equals one of the words. Without words, every message matches. */
export const isOneOf = (words: readonly string[] | undefined, text: string | null, budget: Budget): boolean => {
  if (words === undefined) return true
  if (text === null || text.length > maxLookedAt || !budget.spend(words.length)) return false
  const said = saidBy(text)
  return said !== '' && comparedWords(words).has(said)
}

/** Cache of normalized words for each exit. One execution compares up to 50 messages with up to 1,000 words. */
const compared = new WeakMap<readonly string[], ReadonlySet<string>>()

const comparedWords = (words: readonly string[]): ReadonlySet<string> => {
  const known = compared.get(words)
  if (known) return known
  const made = new Set(words.map(plain))
  compared.set(words, made)
  return made
}

/** Last normalized message. All exits of a wait compare the same message. */
let latest = { text: '', said: '' }

const saidBy = (text: string): string => {
  if (latest.text !== text) latest = { text, said: text.normalize('NFKC').length > maxCompatible ? '' : plain(text) }
  return latest.said
}

/**
 * Normalizes a text for comparison: ignores case, and removes surrounding white space and punctuation.
 *
 * A text that consists only of such characters is kept, because a question mark or an emoji can be an answer.
 */
export const plain = (text: string): string => {
  const folded = text.normalize('NFKC').toUpperCase().toLowerCase().split(/\s+/u).join(' ').trim()
  let [from, to] = [0, folded.length]
  for (let size = aroundAt(folded, from); from < to && size > 0; size = aroundAt(folded, from)) from += size
  for (let size = aroundBefore(folded, to); from < to && size > 0; size = aroundBefore(folded, to)) to -= size
  return from >= to ? folded : folded.slice(from, to)
}

/** Returns the length of the character at `from` if it is removable, otherwise 0. */
const aroundAt = (text: string, from: number): number => {
  const character = String.fromCodePoint(text.codePointAt(from) ?? 0)
  return isAround(character) ? character.length : 0
}

/** Returns the length of the character that ends at `to` if it is removable, otherwise 0. */
const aroundBefore = (text: string, to: number): number => {
  const whole = to > 1 ? text.codePointAt(to - 2)! : 0
  return aroundAt(text, whole > 0xffff ? to - 2 : to - 1)
}

/** White space, punctuation, emoji and their modifiers. */
const around = /^(?:\s|\p{P}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Default_Ignorable_Code_Point})$/u

const isAround = (character: string): boolean => around.test(character)
