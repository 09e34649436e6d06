/** Whether a customer's message is one of the answers that a step names. Pure. */
import type { Budget } from '../conditions/index.ts'

/** Characters of a message that are looked at: one that is longer is no word of a list. */
const maxLookedAt = 1000

/** Any message where no words are given; else one whose whole text is one of them. */
export const isOneOf = (words: readonly string[] | undefined, text: string | null, budget: Budget): boolean => {
  if (words === undefined) return true
  if (text === null || text.length > maxLookedAt || !budget.spend(words.length)) return false
  const said = plain(text)
  return said !== '' && words.some(word => plain(word) === said)
}

/**
 * As it is compared: without case, and without white space and punctuation around it. What consists of nothing else stays,
 * for a question mark alone may be an answer, and so may an emoji.
 */
export const plain = (text: string): string => {
  const folded = text.normalize('NFKC').toUpperCase().toLowerCase().split(/\s+/u).join(' ').trim()
  const characters = [...folded]
  let [from, to] = [0, characters.length]
  while (from < to && isAround(characters[from]!)) from++
  while (from < to && isAround(characters[to - 1]!)) to--
  return from === to ? folded : characters.slice(from, to).join('')
}

/** White space, punctuation, and emoji with what goes with them. */
const around = /^(?:\s|\p{P}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Default_Ignorable_Code_Point})$/u

const isAround = (character: string): boolean => around.test(character)
