import { describe, expect, test } from 'bun:test'
import { Type as T, type TSchema } from '@sinclair/typebox'
import { errorMessage, Nullable, StringMap } from '../../src/core/schema.ts'
import { validator } from '../../src/core/validate.ts'
import { refusalOf } from '../support/refusal.ts'

/** Returns the errors of a value by field. */
const detailsOf = (schema: TSchema, value: unknown) => refusalOf(() => validator(schema)(value)) ?? {}

const unknown = T.Unknown()
test.each<[string, TSchema, unknown]>([
  ['Must be a text.', T.String(), 5],
  ['Must be a text of 1 to 4096 characters.', T.String({ minLength: 1, maxLength: 4096 }), ''],
  ['Must be a text of at most 3 characters.', T.String({ maxLength: 3 }), 'four'],
  ['Must be a text of at least 1 character.', T.String({ minLength: 1 }), ''],
  ['Must be a text of exactly 3 characters.', T.String({ minLength: 3, maxLength: 3 }), 'four'],
  [
    'Must be a text of at least 1 character that is not all white space.',
    T.String({ minLength: 1, pattern: '\\S' }),
    ' ',
  ],
  ['Must be a text that matches ^[a-z]+$.', T.String({ pattern: '^[a-z]+$' }), 'A'],
  ['Must be a UUID.', T.String({ format: 'uuid' }), 'x'],
  ['Must be a time such as 2026-03-01T09:30:02Z.', T.String({ format: 'date-time' }), 'noon'],
  ['Must be a whole number.', T.Integer(), 1.5],
  ['Must be a whole number from 1 to 100.', T.Integer({ minimum: 1, maximum: 100 }), 101],
  ['Must be a number that is at least 0.', T.Number({ minimum: 0 }), -1],
  ['Must be a number that is more than 0 and less than 1.', T.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }), 1],
  ['Must be a number that is at most 5, a multiple of 2.', T.Number({ maximum: 5, multipleOf: 2 }), 3],
  ['Must be true or false.', T.Boolean(), 'yes'],
  ['Must be null.', T.Null(), 0],
  ['Must be "sandbox".', T.Literal('sandbox'), 'x'],
  ['Must be one of a, b.', T.Union([T.Literal('a'), T.Literal('b')]), 'c'],
  ['Must be a list of 1 to 50 entries.', T.Array(unknown, { minItems: 1, maxItems: 50 }), []],
  ['Must be a list of at most 1 entry.', T.Array(unknown, { maxItems: 1 }), [1, 2]],
  ['Must be a list, each only once.', T.Array(unknown, { uniqueItems: true }), [1, 1]],
  ['Must be an object.', T.Object({}), []],
  ['Must be an object of at least 1 field.', T.Object({}, { minProperties: 1 }), {}],
  [
    'Must be an object of 1 to 200 fields.',
    T.Record(T.String(), unknown, { minProperties: 1, maxProperties: 200 }),
    {},
  ],
  ['Must be a text or a whole number.', T.Union([T.String(), T.Integer()]), true],
  ['Must be a text of at most 3 characters or null.', Nullable(T.String({ maxLength: 3 })), 'four'],
  ['Must be left out.', T.Never(), 1],
  ['Must be a letter.', T.String({ maxLength: 1, ...errorMessage('Must be a letter.') }), 'ab'],
  ['Is required.', T.String(), undefined],
])('a field gets a sentence from its schema: %s', (sentence, schema, value) => {
  const given = value === undefined ? {} : { field: value }
  expect(detailsOf(T.Object({ field: schema }), given)).toEqual({ field: sentence })
})

describe('a union of objects', () => {
  const closed = { additionalProperties: false }
  const Circle = T.Object({ kind: T.Literal('circle'), radius: T.Number() }, closed)
  const Square = T.Object({ kind: T.Literal('square'), width: T.Number() }, closed)
  const Round = T.Object({ radius: T.Number() }, closed)
  const Flat = T.Object({ width: T.Number(), height: T.Number() }, closed)
  const said = 'Must be {radius} or {width, height}.'
  const byKind = T.Union([Circle, Square])
  const byFields = T.Union([Round, Flat], errorMessage(said))
  const kinds = 'Must be one of circle, square.'
  const unknownField = 'Is not a known field.'

  test.each<[string, TSchema, unknown, Record<string, string>]>([
    [
      'checks the object that a field of it names',
      byKind,
      { kind: 'circle', radius: 'wide', width: 1 },
      { '.radius': 'Must be a number.', '.width': `${unknownField} Remove it.` },
    ],
    [
      'suggests a field instead of a misspelt one',
      byKind,
      { kind: 'square', widht: 1 },
      { '.width': 'Is required.', '.widht': `${unknownField} Did you mean width?` },
    ],
    ['lists the names for an unknown one', byKind, { kind: 'oval' }, { '.kind': kinds }],
    ['lists the names for a missing one', byKind, { radius: 1 }, { '.kind': kinds }],
    ['lists the names for a text', byKind, 'circle', { '': 'Must be an object whose kind is one of circle, square.' }],
    ['without names checks the object with the most fields', byFields, { width: 1 }, { '.height': 'Is required.' }],
    ['without fields has its own message', byFields, {}, { '': said }],
    [
      'with unknown fields has its own message and theirs',
      byFields,
      { raduis: 1, 'a/b': 1 },
      { '': said, '.raduis': `${unknownField} Did you mean radius?`, '.a/b': `${unknownField} Remove it.` },
    ],
    ['with fields of two objects has its own message', byFields, { radius: 1, width: 1 }, { '': said }],
  ])('%s', (_, schema, shape, details) => {
    const expected = Object.fromEntries(Object.entries(details).map(([path, sentence]) => [`shape${path}`, sentence]))
    expect(detailsOf(T.Object({ shape: schema }), { shape })).toEqual(expected)
  })

  test('with null reports errors of the object', () => {
    const schema = T.Object({ shape: Nullable(Circle), list: Nullable(T.Array(T.Integer())) })
    expect(detailsOf(schema, { shape: { kind: 'circle' }, list: [1, 'two'] })).toEqual({
      'shape.radius': 'Is required.',
      'list.1': 'Must be a whole number.',
    })
  })
})

describe('a time consists of an existing day, a time of day and an offset', () => {
  const schema = T.Object({ field: T.String({ format: 'date-time' }) })
  test.each(
    `2026-03-01T09:30:02Z 2026-03-01T09:30:02.050Z 2026-03-01T23:59:59.123456789+14:00 2024-02-29T00:00:00-05:30
    0099-12-31T00:00:00Z`.split(/\s+/),
  )('accepts %s, which can be parsed', field => {
    expect(detailsOf(schema, { field })).toEqual({})
    expect(Number.isNaN(Date.parse(field))).toBe(false)
  })

  const invalid = `1 2026 2026-03-01 2026-03-01T09:30:02 2026-03-01T09:30Z 2026-02-30T09:30:02Z 0000-01-01T00:00:00Z
    0001-01-01T00:00:00+14:00 9999-12-31T23:59:59-14:00 2025-02-29T09:30:02Z 2026-13-01T09:30:02Z 2026-00-01T09:30:02Z
    2026-03-01T24:00:00Z 2026-03-01T09:60:02Z 2026-03-01T09:30:02.Z 2026-03-01T09:30:02+24:00`.split(/\s+/)
  test.each([...invalid, '2026-03-01 09:30:02Z', '2026-03-01T09:30:02Z ', '2026-03-01T09:30:02Z\n'])(
    'rejects %j',
    field => {
      expect(detailsOf(schema, { field })).toEqual({ field: 'Must be a time such as 2026-03-01T09:30:02Z.' })
    },
  )
})

describe('an emoji', () => {
  const emoji = (count: number) => '😀'.repeat(count)

  test('counts as one character of a text at any depth', () => {
    const schema = T.Object({ list: T.Array(T.Object({ text: T.String({ minLength: 2, maxLength: 3 }) })) })
    expect(detailsOf(schema, { list: [{ text: emoji(3) }, { text: 'abc' }] })).toEqual({})
    for (const text of [emoji(4), emoji(1)])
      expect(detailsOf(schema, { list: [{ text }] })).toEqual({ 'list.0.text': 'Must be a text of 2 to 3 characters.' })
  })

  test('in field names makes separate fields', () => {
    const schema = T.Object({ data: T.Record(T.String(), T.Integer(), { maxProperties: 2 }) })
    expect(detailsOf(schema, { data: { '😀': 1, '😁': 2, '😂': 3 } })).toEqual({
      data: 'Must be an object of at most 2 fields.',
    })
  })

  test('in a field name appears unchanged in the error', () => {
    const schema = T.Object({}, { additionalProperties: false })
    expect(detailsOf(schema, { '😀': 1 })).toEqual({ '😀': 'Is not a known field. Remove it.' })
  })
})

test('validates fields with any name that the caller chooses', () => {
  const schema = T.Object({ headers: StringMap(T.String({ maxLength: 3 }), { maxProperties: 4 }) })
  expect(detailsOf(schema, { headers: { a: 'abc', '': '', 'a\nb': 'abc' } })).toEqual({})
  expect(detailsOf(schema, { headers: JSON.parse('{"a\\nb": 1, "": "four", "__proto__": null, "a b": []}') })).toEqual({
    'headers.a\nb': 'Must be a text of at most 3 characters.',
    'headers.': 'Must be a text of at most 3 characters.',
    'headers.__proto__': 'Must be a text of at most 3 characters.',
    'headers.a b': 'Must be a text of at most 3 characters.',
  })
})

test('checks nested unions to a depth of eight, so that every body is rejected quickly', () => {
  const Nested = T.Recursive(This => T.Union([T.Object({ not: This }), T.Object({ path: T.String() })]))
  const nested = (depth: number): unknown => (depth === 0 ? { path: 5 } : { not: nested(depth - 1) })
  const place = (depth: number) => ['field', ...Array<string>(depth).fill('not')].join('.')
  const schema = T.Object({ field: Nested })
  expect(detailsOf(schema, { field: nested(7) })).toEqual({ [`${place(7)}.path`]: 'Must be a text.' })
  expect(detailsOf(schema, { field: nested(30) })).toEqual({ [place(8)]: 'Must be an object.' })
})

describe('a list with unique entries', () => {
  const list = T.Array(T.Union([T.Literal('a'), T.Literal('b')]), { uniqueItems: true })
  const schema = T.Object({ list, deep: T.Optional(T.Object({ list })) })
  const eachOnce = 'Must be a list, each only once.'

  test('is rejected if entries are equal and nothing else is wrong', () => {
    expect(detailsOf(schema, { list: ['a', 'b'] })).toEqual({})
    expect(detailsOf(schema, { list: ['a', 'a'], deep: { list: ['b', 'b'] } })).toEqual({
      list: eachOnce,
      'deep.list': eachOnce,
    })
    expect(detailsOf(schema, { list: ['a', 'a', 'c'] })).toEqual({ 'list.2': 'Must be one of a, b.' })
  })

  test('is rejected quickly even if an entry is large', () => {
    const began = performance.now()
    expect(detailsOf(schema, { list: [Array(2_000_000).fill(0)] })).toEqual({ 'list.0': 'Must be one of a, b.' })
    expect(performance.now() - began).toBeLessThan(500)
  })
})

test('does not check the entries of a list that is too long', () => {
  const list = T.Array(T.Number(), { maxItems: 3 })
  expect(detailsOf(list, [1, 2, 3, 'four'])).toEqual({ body: 'Must be a list of at most 3 entries.' })
})

test('accepts field names that every object inherits', () => {
  const schema = T.Object({ steps: T.Record(T.String(), T.Integer()) }, { additionalProperties: false })
  expect(detailsOf(schema, JSON.parse('{"steps": {"__proto__": "x"}, "a/b": 1, "toString": 2}'))).toEqual({
    'steps.__proto__': 'Must be a whole number.',
    'a/b': 'Is not a known field. Remove it.',
    toString: 'Is not a known field. Remove it.',
  })
})
