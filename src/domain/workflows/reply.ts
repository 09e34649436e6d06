/** Whether a customer's message is one of the answers that a step names. Pure. */
import type { Budget } from '../conditions/index.ts'

/** Characters of a message that are looked at: one that is longer is no word of a list. */
const maxLookedAt = 1000
/** Characters of it by NFKC: one character can become 18, and a word has at most 200. */
const maxCompatible = 18 * 200 + maxLookedAt

/** Any message where no words are given; else one whose whole text is one of them. */
export const isOneOf = (words: readonly string[] | undefined, text: string | null, budget: Budget): boolean => {
  if (words === undefined) return true
  if (text === null || text.length > maxLookedAt || !budget.spend(words.length)) return false
  const said = saidBy(text)
  return said !== '' && comparedWords(words).has(said)
}

/** The words of each exit as they are compared: one visit compares up to 50 messages with up to 1,000 words. */
const compared = new WeakMap<readonly string[], ReadonlySet<string>>()

const comparedWords = (words: readonly string[]): ReadonlySet<string> => {
  const known = compared.get(words)
  if (known) return known
  const made = new Set(words.map(plain))
  compared.set(words, made)
  return made
}

/** The latest message as it is compared: all exits of a wait are asked about the same one. */
let latest = { text: '', said: '' }

const saidBy = (text: string): string => {
  if (latest.text !== text) latest = { text, said: text.normalize('NFKC').length > maxCompatible ? '' : plain(text) }
  return latest.said
}

/**
 * As it is compared: without case, and without white space and punctuation around it. What consists of nothing else stays,
 * for a question mark alone may be an answer, and so may an emoji.
 */
export const plain = (text: string): string => {
  const folded = text.normalize('NFKC').toUpperCase().toLowerCase().split(/\s+/u).join(' ').trim()
  let [from, to] = [0, folded.length]
  for (let size = aroundAt(folded, from); from < to && size > 0; size = aroundAt(folded, from)) from += size
  for (let size = aroundBefore(folded, to); from < to && size > 0; size = aroundBefore(folded, to)) to -= size
  return from >= to ? folded : folded.slice(from, to)
}

/** Length of the character that begins here where it is around a word, else 0. */
const aroundAt = (text: string, from: number): number => {
  const character = String.fromCodePoint(text.codePointAt(from) ?? 0)
  return isAround(character) ? character.length : 0
}

/** Length of the character that ends here where it is around a word, else 0. */
const aroundBefore = (text: string, to: number): number => {
  const whole = to > 1 ? text.codePointAt(to - 2)! : 0
  return aroundAt(text, whole > 0xffff ? to - 2 : to - 1)
}

/** White space, punctuation, and emoji with what goes with them. */
const around = /^(?:\s|\p{P}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Default_Ignorable_Code_Point})$/u

const isAround = (character: string): boolean => around.test(character)
