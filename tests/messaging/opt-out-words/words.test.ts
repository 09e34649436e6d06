/** Tests what a message says about further messages, with examples in many languages. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { normalize, publishedWords, readOptOut } from '../../../src/core/opt-out-words.ts'

describe('an opt-out word', () => {
  test.each([
    ['🅂🅃🄾🄿', '🅂🅃🄾🄿'],
    ['ſtop', 'ſtop'],
    ['st\u200bop', 'st\u200bop'],
    ['stop\u00a0all', 'stop\u00a0all'],
    ['stop \t all', 'stop \t all'],
    ['opt\u2011out', 'opt\u2011out'],
    ['arre\u0302t', 'arre\u0302t'],
    [`STOP ${' '.repeat(2000)}`, 'STOP'],
    [`${'1️⃣'.repeat(600)} stop ${'🙏🏽'.repeat(600)}`, 'stop'],
    [`${'>'.repeat(60_000)} arre\u0302t\u200d ${'\ufeff'.repeat(4000)}`, 'arre\u0302t'],
  ])('is recognised in %p as %p', (text, word) => {
    expect(readOptOut(text)).toMatchObject({ isPublished: true, word })
  })

  test.each([
    'STOP STOP',
    // Cyrillic and Greek letters that look like those of STOP.
    'ЅТОР',
    'ΣΤΟΡ',
    'ends',
    'توقف',
    '停止',
    '',
    '🛑',
    `stop ${'very '.repeat(300)}`,
    'word '.repeat(13_000),
  ])('is not recognised in %p', text => {
    expect(readOptOut(text).isPublished).toBe(false)
  })
})

describe('a text that only looks like an opt-out', () => {
  test.each([
    'please stop texting me',
    'Can you please stop',
    'STOP STOP STOP',
    'unsubscribe me',
    'opt me out',
    "don't text me again",
    'no more messages please',
    'cancel my subscription',
    'Bitte keine Nachrichten mehr',
    'hören Sie auf',
    'arrêtez de m’écrire',
    'quiero darme de baja',
    'no me envíe más mensajes',
    'ik wil me afmelden',
    'I would like to stop receiving these messages',
    'Can you remove, please?',
    'S T O P',
    'un-subscribe',
    'Não quero receber mais nada',
    `Please stop texting me. ${'I have asked before. '.repeat(80)}`,
    `${'Hello. '.repeat(160)}Please stop texting me. UNSUBSCRIBE`,
  ])('%s', text => {
    expect(readOptOut(text)).toMatchObject({ isPublished: false, looksLikeOptOut: true })
  })

  test.each([
    'Where is my order?',
    'Where is the bus stop?',
    'Can I cancel my order?',
    'I quit my job',
    "Please don't stop!",
    'I want to cancel my order',
    'I want to stop by tomorrow',
    'Non-stop flights?',
    'Quero mais um',
    'Please call me',
    'STOP',
    '🙂',
  ])('%s does not', text => {
    expect(readOptOut(text).looksLikeOptOut).toBe(false)
  })
})

test('an opt-in word is recognised and is not an opt-out', () => {
  for (const text of ['START', 'start!', 'Unstop'])
    expect(readOptOut(text)).toMatchObject({ resumes: true, isPublished: false, looksLikeOptOut: false })
  expect(readOptOut('start over').resumes).toBe(false)
})

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ unit: 'binary', maxLength: 1200 }))
const graphemes = fc.string({ unit: 'grapheme', maxLength: 60 })
const word = fc.constantFrom(...publishedWords)
const surrounding = fc
  .array(
    fc.constantFrom(
      ...' \n\t\u00a0\u3000.!?…"“”«»\'()*_~`-™©®℠，。؟¿¡\u200f\u202b\u2069\ufeff\u200d',
      ...['🛑', '🙏🏽', '❤️', '❗️', '1️⃣', '🈲', 'ℹ️', '👩‍👩‍👧‍👦', '🇩🇪', '✋🏿'],
    ),
    { maxLength: 8 },
  )
  .map(parts => parts.join(''))

const cased = fc
  .tuple(word, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }))
  .map(([text, lower]) => [...text].map((sign, place) => (lower[place] ? sign.toLowerCase() : sign)).join(''))

describe('a normalised text', () => {
  test('does not change when normalised again and has no surrounding punctuation', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, graphemes), text => {
        const once = normalize(text)
        expect(normalize(once)).toBe(once)
        expect(once).not.toMatch(/^[\s\p{P}\p{S}\p{Z}\p{C}]|[\s\p{Z}\p{C}]$/u)
        expect(once).not.toMatch(/\s\s/)
        expect(readOptOut(text).word.length).toBeLessThanOrEqual(500)
      }),
      { numRuns: 2000 },
    )
  })

  test('does not depend on surrounding characters', () => {
    fc.assert(
      fc.property(surrounding, graphemes, surrounding, (before, text, after) => {
        fc.pre(/^[\p{L}\p{N}]/u.test(text) && /[\p{L}\p{N}]$/u.test(text))
        expect(normalize(before + text + after)).toBe(normalize(text))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a published word', () => {
  test('opts out in any case and with any surrounding characters, which are not part of the word', () => {
    fc.assert(
      fc.property(
        surrounding,
        cased,
        surrounding,
        fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constant(400) }),
        (before, text, after, times) => {
          const said = readOptOut(`${before.repeat(times)} ${text}${after.repeat(times)}`)
          expect(said).toMatchObject({ isPublished: true, word: text, looksLikeOptOut: false })
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('does not opt out as part of a longer text', () => {
    const more = fc.string({
      unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789äß漢ا'),
      minLength: 1,
      maxLength: 10,
    })
    const published = new Set<string>(publishedWords)
    fc.assert(
      fc.property(more, cased, fc.constantFrom(' ', '', '.', ', '), (other, text, between) => {
        for (const said of [other + between + text, text + between + other])
          if (!published.has(normalize(said))) expect(readOptOut(said).isPublished).toBe(false)
      }),
      { numRuns: 2000 },
    )
  })
})
