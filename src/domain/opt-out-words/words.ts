/** Opting out by a word (contract 9.6): what a message says, and whether that is a word that ends all messages. Pure. */

/** The words that hold in every workspace. */
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

/** By these a customer says that messages are welcome again: noted, and no more than that. */
const resumingWords = new Set(['START', 'UNSTOP'])

/** What is longer, without what surrounds it, is no word; it is looked through at its beginning and its end. */
const maxLookedAt = 1000

/** What is not seen: joiners, marks of direction, the selectors that make an emoji of a sign. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu
const emoji = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f\u20e3?|[0-9#*]\u20e3|[\u2120\u2122]/gu
const whiteSpace = /[\s\p{Z}\p{Cc}]+/gu
const dashes = /\p{Pd}/gu
/** A letter or a digit, with the marks that belong to it: nothing else of a text is more than what surrounds a word. */
const counting = /[\p{L}\p{N}]\p{M}*/gu

/**
 * A text as words are compared: compatible signs made one (NFKC), in upper case, white space as one space, and nothing
 * around it, be it punctuation, quotes or emoji. Done twice, it is the same. Letters of another script stay others.
 */
export const normalised = (text: string): string => {
  let before = text
  // A letter in upper case may be made of several, which are one again once composed.
  for (let round = 0; round < maxRounds; round++) {
    const after = oneRound(before)
    if (after === before) return after
    before = after
  }
  return before
}

const maxRounds = 5

const oneRound = (text: string): string =>
  bare(withPlainEmoji(text).normalize('NFKC').replace(unseen, '').replace(dashes, '-').replace(whiteSpace, ' '))
    .toUpperCase()
    .normalize('NFKC')

/** Of emoji and marks of trade, some are letters or digits once compatible signs are one (`1️⃣`, `ℹ️`, `🈲`): another sign, as long, is none. */
const withPlainEmoji = (text: string): string =>
  text.replace(emoji, sign => (/[\p{L}\p{N}]/u.test(sign.normalize('NFKC')) ? '□'.repeat(sign.length) : sign))

/** The text without what surrounds it, otherwise as it was written. */
const bare = (text: string): string => {
  const found = [...withPlainEmoji(text).matchAll(counting)]
  const [first, last] = [found[0], found.at(-1)]
  return first && last ? text.slice(first.index, last.index + last[0].length) : ''
}

const published = new Set(publishedWords.map(normalised))

/** What a message says of being written to. */
export interface Reading {
  /** To be compared with the words of the workspace; null where it is too long for any. */
  normal: string | null
  /** The word as it was written. */
  word: string
  /** It is one of the published words. */
  isPublished: boolean
  /** It asks for messages again. */
  resumes: boolean
  /** It is no such word, and may well mean the same: something for a person to look at. */
  looksLike: boolean
}

const saysNothing: Reading = { normal: null, word: '', isPublished: false, resumes: false, looksLike: false }

export const readingOf = (given: string | null): Reading => {
  if (given === null) return saysNothing
  const text = given.length > maxLookedAt ? squeezed(given) : given
  if (text.length > maxLookedAt) return { ...saysNothing, looksLike: ends(text).some(looksLikeWithin) }
  const normal = normalised(text)
  if (normal === '') return saysNothing
  const isPublished = published.has(normal)
  return {
    normal,
    word: (bare(text) || text.trim()).slice(0, maxWordCharacters),
    isPublished,
    resumes: resumingWords.has(normal),
    looksLike: !isPublished && looksLikeOptOut(normal),
  }
}

/** The text without what surrounds it, and with white space and what is not seen as one space: once through, as it was written. */
const squeezed = (text: string): string => {
  const plain = withPlainEmoji(text)
  const first = plain.search(letterOrDigit)
  return first === -1 ? '' : text.slice(first, endOfLast(plain)).replace(unseen, '').replace(whiteSpace, ' ')
}

const letterOrDigit = /[\p{L}\p{N}]/u
const mark = /\p{M}|\u200d|\ufe0f/u

/** Where the last letter or digit is over, with the marks that belong to it. */
const endOfLast = (text: string): number => {
  let end = text.length
  let marked = end
  while (end > 0) {
    const start = end - (isLow(text.charCodeAt(end - 1)) && end > 1 ? 2 : 1)
    const sign = text.slice(start, end)
    if (letterOrDigit.test(sign)) return marked
    if (!mark.test(sign)) marked = start
    end = start
  }
  return 0
}

const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

const ends = (text: string): string[] =>
  [text.slice(0, maxLookedAt), text.slice(-maxLookedAt)].map(part => part.toWellFormed())

const looksLikeWithin = (text: string): boolean => looksLikeOptOut(normalised(text))

/** Whether a text opts its customer out, in a workspace with these words of its own, as they are compared. */
export const optsOut = (text: string | null, words: readonly string[] | null): boolean => {
  const { normal, isPublished } = readingOf(text)
  return isPublished || (normal !== null && words?.includes(normal) === true)
}

const maxWordCharacters = 500

/** Ways of asking for an end that are no word of a list, in upper case; each may go on after its last letter. */
const nearMisses = [
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
].map(phrase => ` ${phrase}`)

const looksLikeOptOut = (normal: string): boolean => {
  const words = normal.match(wordSigns) ?? []
  const said = ` ${words.join(' ')} `
  if ((words[0] === 'STOP' || words[0] === 'STOPP') && words.length > 1) return true
  if (compactWords.has(compact(normal))) return true
  if (published.has(words.filter(word => !polite.has(word)).join(' '))) return true
  return nearMisses.some(phrase => said.includes(phrase))
}

/** Letters alone: a word that was spelled with gaps. */
const compact = (text: string): string => text.replace(/[^\p{L}\p{N}\p{M}]+/gu, '')

const compactWords = new Set([...published].map(compact))

/** What a word may be wrapped in and still be what is asked for: "I want to stop", "please cancel". */
const polite = new Set(
  'I ID D WE WANT WANNA TO WOULD LIKE WISH NEED PLEASE PLS PLZ KINDLY JUST NOW THANKS THANK YOU CAN COULD BITTE DANKE'.split(
    ' ',
  ),
)

const wordSigns = /[\p{L}\p{N}\p{M}-]+/gu
