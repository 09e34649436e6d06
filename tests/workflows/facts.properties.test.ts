/** Property tests of conditions and texts. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Comparison, Condition } from '../../src/core/conditions/condition.ts'
import { evaluateCondition } from '../../src/core/conditions/evaluate.ts'
import { maxCharacters } from '../../src/core/placeholders.ts'
import { extractPaths, render } from '../../src/core/texts.ts'

import type { Facts } from '../../src/workflows/runs/facts.ts'

/** Names that paths use, and names that every object inherits. */
const names = ['total', 'items', '0', 'name', 'toString', '__proto__', 'length', 'constructor']

const someValue: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.double({ noNaN: true }),
    fc.constantFrom('12.50', 12.5, '', ' ', '0x10', '1e3', true, false, null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value

/** Generates mostly paths that exist in the facts. */
const somePath = fc.oneof(
  fc.constantFrom('data.total', 'data.items', 'data.items.0', 'data.name', 'event.type', 'customer.attributes.total'),
  fc
    .tuple(fc.constantFrom('data', 'event', 'customer'), fc.array(fc.constantFrom(...names), { maxLength: 4 }))
    .map(parts => parts.flat().join('.')),
)

const someComparison: fc.Arbitrary<Comparison> = fc.record(
  {
    path: somePath,
    op: fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'exists'),
    value: someValue,
  },
  { requiredKeys: ['path', 'op'] },
)

const someCondition: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>(tie => ({
  condition: fc.oneof(
    { maxDepth: 5 },
    someComparison,
    fc.record({ all: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('condition') }),
  ),
})).condition

/** Generates the facts of a trigger or a step, and sometimes arbitrary values. */
const someFacts = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      data: fc.record({ total: someValue, items: fc.array(someValue, { maxLength: 3 }), name: someValue }),
      event: fc.record({ type: fc.string() }),
      customer: fc.record({ attributes: fc.dictionary(fc.constantFrom(...names), someValue, { maxKeys: 2 }) }),
    }),
  },
  { weight: 1, arbitrary: someValue },
)

describe('a condition', () => {
  test('is true or false for any facts, without an exception', () => {
    fc.assert(
      fc.property(someCondition, someFacts, (condition, facts) => {
        expect(evaluateCondition(condition, facts)).toBeBoolean()
      }),
      { numRuns: 1000 },
    )
  })

  test('with not, all and any follows from its parts', () => {
    fc.assert(
      fc.property(fc.array(someCondition, { minLength: 1, maxLength: 4 }), someFacts, (parts, facts) => {
        const each = parts.map(part => evaluateCondition(part, facts))
        expect(evaluateCondition({ all: parts }, facts)).toBe(!each.includes(false))
        expect(evaluateCondition({ any: parts }, facts)).toBe(each.includes(true))
        expect(evaluateCondition({ not: parts[0]! }, facts)).toBe(!each[0])
      }),
    )
  })

  test('compares numbers numerically, in any notation', () => {
    const someNumber = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
    fc.assert(
      fc.property(someNumber, someNumber, fc.boolean(), fc.boolean(), (a, b, isTextA, isTextB) => {
        const facts = { data: { total: isTextA ? String(a) : a } }
        const asked = (op: Comparison['op']) =>
          evaluateCondition({ path: 'data.total', op, value: isTextB ? String(b) : b }, facts)
        expect([asked('gt'), asked('gte'), asked('lt'), asked('lte')]).toEqual([a > b, a >= b, a < b, a <= b])
        // Two texts are compared as texts.
        if (!isTextA || !isTextB) expect([asked('eq'), asked('ne')]).toEqual([a === b, a !== b])
      }),
      { numRuns: 500 },
    )
  })

  test('is false for greater or less than a value that is not a number', () => {
    const noNumber = fc.oneof(
      fc.constantFrom('', ' ', '12 or so', '1,5', '12.5.1', 'NaN', 'Infinity', true, null, undefined),
      fc.array(fc.integer()),
      fc.dictionary(fc.string(), fc.integer(), { noNullPrototype: true }),
    )
    fc.assert(
      fc.property(noNumber, fc.integer(), fc.constantFrom('gt', 'gte', 'lt', 'lte'), (one, other, op) => {
        for (const [total, value] of [
          [one, other],
          [other, one],
        ])
          expect(evaluateCondition({ path: 'data.total', op, value }, { data: { total } })).toBe(false)
      }),
    )
  })
})

const charactersOf = (text: string): number => [...text].length

/** Generates texts from pieces. The text between placeholders can contain unpaired surrogates. */
const someText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom('{{', '}}', '|', '{', '}', ' ', '\ud83d', '\ude00', '😀', '\ud83d{{data.total}}\ude00'),
      somePath.map(path => `{{${path}}}`),
      fc
        .tuple(somePath, fc.string({ unit: 'binary', maxLength: 30 }))
        .map(([path, other]) => `{{ ${path} | ${other}}}`),
      fc.constantFrom('x', '😀').map(character => character.repeat(1000)),
    ),
    { maxLength: 12 },
  )
  .map(pieces => [...pieces.join('')].slice(0, maxCharacters).join(''))

const longFacts = (long: string): Facts => ({
  data: { total: long, items: [long, { name: long }], name: long },
  event: { id: 'e', type: long },
  customer: { id: 'c', name: long, phone: null, externalId: null, attributes: { total: long } },
})

describe('a rendered text', () => {
  test('has at most 4096 characters, is well formed, and unchanged without placeholders, for any values', () => {
    const long = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('x'.repeat(5000), '😀'.repeat(5000), '\ud83d'.repeat(5000), `${'x'.repeat(4095)}😀`),
    )
    fc.assert(
      fc.property(someText, long, fc.option(someValue), (text, value, data) => {
        const facts = longFacts(value)
        const rendered = render(text, data === null ? facts : { ...facts, data: data as Facts['data'] })
        if (extractPaths(text).length === 0) expect(rendered).toBe(text.toWellFormed())
        expect(charactersOf(rendered)).toBeLessThanOrEqual(maxCharacters)
        expect(rendered.isWellFormed()).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('keeps the text around its placeholders; values share the remaining space in order', () => {
    const around = fc.string({ unit: fc.constantFrom('a', ' ', '|', 'ü', '😀'), maxLength: 800 })
    const value = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.integer({ min: 0, max: 3000 }).map(length => 'x😀'.repeat(length)),
      fc.integer(),
    )
    const piece = fc.record({ around, value: fc.option(value), fallback: fc.option(fc.constantFrom('you', '', '😀')) })
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), pieces => {
        const text = pieces.map(
          ({ around, fallback }, place) => `${around}{{data.${place}${fallback === null ? '' : `|${fallback}`}}}`,
        )
        const data = Object.fromEntries(pieces.map(({ value }, place) => [place, value]))
        let room = maxCharacters - pieces.reduce((sum, { around }) => sum + charactersOf(around), 0)
        const expected = pieces.map(({ around, value, fallback }) => {
          const shown = [...String(value ?? fallback ?? '')].slice(0, room)
          room -= shown.length
          return around + shown.join('')
        })
        expect(render(text.join(''), { ...longFacts(''), data })).toBe(expected.join(''))
      }),
      { numRuns: 300 },
    )
  })
})
