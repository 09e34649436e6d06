/**
 * Property tests: an opt-out word is recognised in any case and with any punctuation around it, but not in a longer
 * text.
 */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { normalize, publishedWords, readOptOut } from '../../../src/core/opt-out-words.ts'

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
