import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { Budget } from '../../src/core/conditions/evaluate.ts'
import { matchesReply, normalize } from '../../src/workflows/runs/reply.ts'

const answers = (words: string[] | undefined, text: string | null) => matchesReply(words, text, new Budget())

test.each([
  ['yes', '  Yes!!  '],
  ['Yes!', 'yes'],
  ['yes please', 'yes \n please.'],
  ['yes', '"yes" 👍🏽'],
  ['straße', 'STRASSE'],
  ['?', ' ? '],
  ['👍', '👍'],
])('%j is matched by %j', (word, text) => expect(answers([word], text)).toBe(true))

test.each([
  ['yes', 'yes or no'],
  ['yes', 'yess'],
  ['yes', null],
  ['yes', '!'],
  ['?', '!'],
])('%j is not matched by %j', (word, text) => expect(answers([word], text)).toBe(false))

test('without words, any message matches, including one without text', () => {
  expect([answers(undefined, null), answers(undefined, 'whatever')]).toEqual([true, true])
})

test('punctuation and white space around a word are ignored, for any word', () => {
  const around = fc.stringMatching(/^[ \n.,!?"']*$/)
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 50 }), around, around, (word, before, after) => {
      fc.pre(/[\p{L}\p{N}]/u.test(normalize(word)))
      expect(normalize(before + word.toUpperCase() + after)).toBe(normalize(word.toUpperCase()))
      expect(answers([word.toUpperCase()], `${before}${word.toUpperCase()}${after}`)).toBe(true)
    }),
  )
})
