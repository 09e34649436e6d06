/** Recognizes opt-out words in messages (contract 9.6). Pure functions. */

/** Opt-out words of every workspace. */
export const publishedWords = [
  'STOP',
  'STOPALL',
  'STOP ALL',
  'UNSUBSCRIBE',
  'CANCEL',
  'END',
  'QUIT',
  'REVOKE',
  'OPTOUT',
  'OPT OUT',
  'OPT-OUT',
  'REMOVE',
  'ARRET',
  'ARRÊT',
  'STOPP',
  'ABMELDEN',
  'BAJA',
  'SAIR',
  'PARAR',
  'CANCELAR',
] as const

/** Words by which a customer asks for messages again. They are only recorded. */
const resumeWords = new Set(['START', 'UNSTOP'])

/**
 * Maximum length, in UTF-16 units, of a text that can be a word, without surrounding characters. Measured before and
 * after NFKC.
 */
export const maxWordLength = 200

/** Number of UTF-16 units at each end of a longer text that are searched for a possible opt-out. */
const maxSearched = 1000

/** Number of UTF-16 units after the first letter in which white space and invisible characters are collapsed. */
const maxCollapsed = 4096

/** Invisible characters: joiners, direction marks, and the selectors that turn a character into an emoji. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu
const emoji = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f\u20e3?|[0-9#*]\u20e3|[\u2120\u2122]/gu
const emojiOrLetter =
  /\p{Emoji_Presentation}|\p{Emoji}\ufe0f\u20e3?|[0-9#*]\u20e3|[\u2120\u2122]|(?<letter>[\p{L}\p{N}])/gu
const whiteSpace = /[\s\p{Z}\p{Cc}]+/gu
const dashes = /\p{Pd}/gu
/** A letter or digit with its combining marks. All other characters only surround a word. */
const significant = /[\p{L}\p{N}]\p{M}*/gu

/**
 * Returns the form in which words are compared: NFKC, upper case, single spaces, and no surrounding punctuation, quotes
 * or emoji. The function is idempotent. Letters of different scripts stay different.
 */
export const normalize = (text: string): string => normalizeUpTo(text, Number.POSITIVE_INFINITY)!

/**
 * Returns the form in which a workspace's word is compared with messages. Returns null if the form is longer than
 * `maxWordLength`.
 */
export const normalizeWord = (word: string): string | null => normalizeUpTo(word, maxWordLength)

/** Normalizes a text whose form is at most `max` UTF-16 units long after every round; returns null for a longer one. */
const normalizeUpTo = (text: string, max: number): string | null => {
  let before = text
  // Upper-casing can split a letter into several characters that compose again in the next round.
  for (let round = 0; round < maxRounds; round++) {
    const after = normalizeOnce(before, max)
    if (after === null || after === before) return after
    before = after
  }
  return before
}

const maxRounds = 5

/** Runs one round. NFKC can turn one character into 18, so the length is checked before letters are searched. */
const normalizeOnce = (text: string, max: number): string | null => {
  const compatible = replaceEmoji(text).normalize('NFKC').replace(invisible, '')
  if (compatible.length > max) return null
  const upper = trimToLetters(compatible.replace(dashes, '-').replace(whiteSpace, ' ')).toUpperCase().normalize('NFKC')
  return upper.length > max ? null : upper
}

/**
 * Replaces emoji and trademark signs that NFKC maps to letters or digits (`1️⃣`, `ℹ️`, `🈲`) with neutral characters of
 * the same length.
 */
const replaceEmoji = (text: string): string =>
  text.replace(emoji, sign => (/[\p{L}\p{N}]/u.test(sign.normalize('NFKC')) ? '□'.repeat(sign.length) : sign))

/** Returns the text without surrounding characters, otherwise unchanged. */
const trimToLetters = (text: string): string => {
  const matches = [...replaceEmoji(text).matchAll(significant)]
  const [first, last] = [matches[0], matches.at(-1)]
  return first && last ? text.slice(first.index, last.index + last[0].length) : ''
}

const publishedForms = new Set(publishedWords.map(normalize))

/** Result of reading a message for opt-out words. */
export interface OptOutReading {
  /** Form to compare with the words of the workspace; null if the text is too long to be a word. */
  normal: string | null
  /** The word as the customer wrote it. */
  word: string
  /** True if it is one of the published words. */
  isPublished: boolean
  /** True if the customer asks for messages again. */
  resumes: boolean
  /** True if the text is no opt-out word but may be meant as one. A person should read it. */
  looksLikeOptOut: boolean
}

const noWord: OptOutReading = { normal: null, word: '', isPublished: false, resumes: false, looksLikeOptOut: false }

/** Reads a message. Takes a few milliseconds at most, for a message of 65,536 characters of any kind. */
export const readOptOut = (input: string | null): OptOutReading => {
  const result = input === null ? noWord : readWord(input)
  if (result.isPublished || input === null) return result
  return { ...result, looksLikeOptOut: searchedTexts(input).some(looksLikeOptOut) }
}

/** Reads whether a message is a word. Does not search a longer text for a possible opt-out. */
const readWord = (input: string): OptOutReading => {
  const text = stripSurroundings(input)
  const normal = text === null ? null : normalizeUpTo(text, maxWordLength)
  if (text === null || normal === null || normal === '') return noWord
  return {
    normal,
    word: trimToLetters(text) || text.trim(),
    isPublished: publishedForms.has(normal),
    resumes: resumeWords.has(normal),
    looksLikeOptOut: false,
  }
}

/** Returns the text without its surroundings; null if it is too long to be a word. */
const stripSurroundings = (input: string): string | null => {
  if (input.length <= maxWordLength) return input
  const start = indexOfFirstLetter(input, 0)
  const end = boundaryBefore(input, start + maxCollapsed)
  if (start === -1 || indexOfFirstLetter(input, end) !== -1) return null
  const text = collapse(input.slice(start, end).toWellFormed())
  return text.length > maxWordLength ? null : text
}

/**
 * Returns the index of the first letter or digit at or after `from` that is not part of an emoji; -1 if there is none.
 */
const indexOfFirstLetter = (text: string, from: number): number => {
  emojiOrLetter.lastIndex = from
  for (let matches = emojiOrLetter.exec(text); matches !== null; matches = emojiOrLetter.exec(text))
    if (matches.groups?.letter !== undefined) return matches.index
  return -1
}

/** Returns the nearest index at or before the given one that does not split a character or an emoji. */
const boundaryBefore = (text: string, from: number): number => {
  let index = from
  while (index > 0 && midCharacter.test(text.charAt(index))) index--
  return index
}

const midCharacter = /[\ufe0f\u20e3\udc00-\udfff]/

/** Returns the text up to its last letter or digit, with single spaces and without invisible characters. */
const collapse = (text: string): string =>
  text
    .slice(0, endOfLastLetter(replaceEmoji(text)))
    .replace(invisible, '')
    .replace(whiteSpace, ' ')

const letterOrDigit = /[\p{L}\p{N}]/u
const combiningMark = /\p{M}|\u200d|\ufe0f/u

/** Returns the end index of the last letter or digit, including its combining marks. */
const endOfLastLetter = (text: string): number => {
  let end = text.length
  let endWithMarks = end
  while (end > 0) {
    const start = end - (isLowSurrogate(text.charCodeAt(end - 1)) && end > 1 ? 2 : 1)
    const sign = text.slice(start, end)
    if (letterOrDigit.test(sign)) return endWithMarks
    if (!combiningMark.test(sign)) endWithMarks = start
    end = start
  }
  return 0
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

/** Returns the parts of a message that are searched for a possible opt-out, in normal form. */
const searchedTexts = (input: string): string[] => {
  const parts = input.length > maxSearched ? [searchedHead(input), searchedTail(input)] : [input]
  return parts.map(part => normalizeForSearch(part.toWellFormed()))
}

const searchedHead = (text: string): string => {
  const start = Math.max(0, indexOfFirstLetter(text, 0))
  return text.slice(start, start + maxSearched)
}

const searchedTail = (text: string): string => {
  const end = text.slice(-maxCollapsed)
  return end.slice(0, endOfLastLetter(replaceEmoji(end))).slice(-maxSearched)
}

/** Normalizes in one round and cuts the result at `maxSearched`, because NFKC can lengthen a text. */
const normalizeForSearch = (text: string): string =>
  toCompatible(replaceEmoji(text)).replace(invisible, '').replace(dashes, '-').replace(whiteSpace, ' ').toUpperCase()

/**
 * Normalizes the beginning of a text in pieces, because the cost of ordering marks grows with the square of their
 * number.
 */
const toCompatible = (text: string): string => {
  let compatible = ''
  for (let from = 0; from < text.length && compatible.length < maxSearched; from += maxPiece)
    compatible += text.slice(from, from + maxPiece).normalize('NFKC')
  return compatible.slice(0, maxSearched)
}

const maxPiece = 100

/** Returns whether a text opts the customer out, given the workspace's own words in compared form. */
export const isOptOut = (text: string | null, words: readonly string[] | null): boolean => {
  if (text === null) return false
  const { normal, isPublished } = readWord(text)
  return isPublished || (normal !== null && words?.includes(normal) === true)
}

/** Phrases in upper case that ask for an end but are in no word list. Each may continue after its last letter. */
const optOutPhrases = [
  ...[
    'UNSUBSCRIBE',
    'OPT OUT',
    'OPT-OUT',
    'OPTOUT',
    'OPT ME OUT',
    'OPTING OUT',
    'OPTED OUT',
    'STOP ALL',
    'STOPALL',
    'PLEASE STOP',
  ],
  ...['STOP PLEASE', 'STOP IT', 'STOP NOW', 'STOP THIS', 'STOP THESE', 'STOP TEXT', 'STOP MESSAG', 'STOP MSG'],
  ...[
    'STOP RECEIV',
    'STOP GETTING',
    'STOP SEND',
    'STOP WRIT',
    'STOP CONTACT',
    'STOP CALL',
    'STOP SPAM',
    'STOP BOTHER',
    'STOP HARASS',
    'STOP NOTIF',
  ],
  ...['STOP SMS', 'STOP MARKETING', 'STOP PROMO', 'STOP ADVERT', 'STOP YOUR', 'STOP THE MESSAG', 'STOP THE TEXT'],
  ...['REMOVE ME', 'REMOVE MY', 'REMOVE THIS NUMBER', 'TAKE ME OFF', 'LEAVE ME ALONE', 'END MESSAGES', 'END TEXTS'],
  ...['CANCEL SUBSCRIPTION', 'CANCEL MY SUBSCRIPTION', 'CANCEL THE SUBSCRIPTION', 'CANCEL MESSAGES', 'CANCEL TEXTS'],
  ...[
    'END MY SUBSCRIPTION',
    'QUIT MESSAGING',
    'QUIT TEXTING',
    'REVOKE CONSENT',
    'REVOKE MY CONSENT',
    'WITHDRAW MY CONSENT',
  ],
  ...['DO NOT TEXT', 'DO NOT MESSAGE', 'DO NOT CONTACT', 'DO NOT WRITE', 'DO NOT SEND', 'DO NOT CALL', 'DO NOT SPAM'],
  ...[
    'DON T TEXT',
    'DON T MESSAGE',
    'DON T CONTACT',
    'DON T WRITE',
    'DON T SEND',
    'DON T CALL',
    'DON T SPAM',
    'DON T WANT',
  ],
  ...['DONT TEXT', 'DONT MESSAGE', 'DONT CONTACT', 'DONT WRITE', 'DONT SEND', 'DONT CALL', 'DONT SPAM', 'DONT WANT'],
  ...['NEVER TEXT', 'NEVER MESSAGE', 'NEVER CONTACT', 'NEVER WRITE', 'NEVER CALL', 'NO MORE TEXT', 'NO MORE MESSAG'],
  ...['NO MORE MSG', 'NO MORE SMS', 'NO MORE SPAM', 'NO MORE NOTIF', 'NO FURTHER MESSAG', 'NO FURTHER CONTACT'],
  ...[
    'ABMELDEN',
    'ABBESTELL',
    'AUSTRAGEN',
    'KEINE NACHRICHT',
    'KEINE WEITEREN NACHRICHT',
    'KEINE SMS',
    'KEINE WERBUNG',
  ],
  ...[
    'NICHT MEHR SCHREIBEN',
    'NICHT MEHR KONTAKTIEREN',
    'NICHT MEHR ANSCHREIBEN',
    'HÖREN SIE AUF',
    'HÖRT AUF',
    'HÖR AUF',
  ],
  ...['DÉSABONN', 'DESABONN', 'DÉSINSCRI', 'DESINSCRI', 'ARRÊTE', 'ARRETE', 'PLUS DE MESSAGE', 'PLUS DE SMS'],
  ...[
    'DARME DE BAJA',
    'DADME DE BAJA',
    'DAR DE BAJA',
    'NO ME ENVÍ',
    'NO ME ENVI',
    'NO ENVÍE',
    'NO ENVIE',
    'NO ME MANDE',
  ],
  ...[
    'NO ME ESCRIBA',
    'DEJEN DE ',
    'DEJE DE ',
    'CANCELAR MI SUSCRIPCI',
    'CANCELAR LA SUSCRIPCI',
    'NO MÁS MENSAJES',
    'NO MAS MENSAJES',
  ],
  ...[
    'DESCADASTR',
    'PARE DE ',
    'PAREM DE ',
    'QUERO MAIS RECEBER',
    'NÃO QUERO RECEBER',
    'NAO QUERO RECEBER',
    'NO QUIERO RECIBIR',
    'NO QUIERO MÁS MENSAJES',
    'NO QUIERO MAS MENSAJES',
    'VEUX PLUS RECEVOIR',
    'NÃO ENVI',
    'NAO ENVI',
    'NÃO ME MAND',
    'NAO ME MAND',
    'NÃO ME ENVI',
    'NAO ME ENVI',
  ],
  ...['CANCELAR INSCRI', 'CANCELAR A INSCRI', 'DISISCRI', 'CANCELLAMI', 'AFMELDEN', 'UITSCHRIJVEN', 'WYPISZ'],
]

/** Finds a phrase at the start of a word. One expression takes a tenth of the time of a search per phrase. */
const optOutPhrase = new RegExp(` (?:${optOutPhrases.join('|')})`)

const looksLikeOptOut = (normal: string): boolean => {
  const words = normal.match(wordPattern) ?? []
  const result = ` ${words.join(' ')} `
  if ((words[0] === 'STOP' || words[0] === 'STOPP') && words.length > 1) return true
  if (compactWords.has(compact(normal))) return true
  if (publishedForms.has(words.filter(word => !politeWords.has(word)).join(' '))) return true
  return optOutPhrase.test(result)
}

/** Removes all gaps, to recognize a word that was spelled with gaps. */
const compact = (text: string): string => text.replace(/[^\p{L}\p{N}\p{M}]+/gu, '')

const compactWords = new Set([...publishedForms].map(compact))

/** Polite words that may surround an opt-out word: "I want to stop", "please cancel". */
const politeWords = new Set(
  'I ID D WE WANT WANNA TO WOULD LIKE WISH NEED PLEASE PLS PLZ KINDLY JUST NOW THANKS THANK YOU CAN COULD BITTE DANKE'.split(
    ' ',
  ),
)

const wordPattern = /[\p{L}\p{N}\p{M}-]+/gu
