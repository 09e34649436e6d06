import { describe, expect, test } from 'bun:test'
import { type TSchema, Type } from '@sinclair/typebox'
import { DomainError } from '../../src/core/errors.ts'
import { errorMessage, Nullable, StringMap } from '../../src/core/schema.ts'
import { validator } from '../../src/core/validate.ts'

/** Returns the errors of a value by field. */
const detailsOf = (schema: TSchema, value: unknown): Record<string, string> => {
  try {
    validator(schema)(value)
    return {}
  } catch (error) {
    if (error instanceof DomainError) return error.details!
    throw error
  }
}

describe('a field gets its own message, or a sentence from its schema', () => {
  const literal = Type.Literal
  const cases: [string, TSchema, unknown][] = [
    ['Must be a text.', Type.String(), 5],
    ['Must be a text of 1 to 4096 characters.', Type.String({ minLength: 1, maxLength: 4096 }), ''],
    ['Must be a text of at most 3 characters.', Type.String({ maxLength: 3 }), 'four'],
    ['Must be a text of at least 1 character.', Type.String({ minLength: 1 }), ''],
    ['Must be a text of exactly 3 characters.', Type.String({ minLength: 3, maxLength: 3 }), 'four'],
    [
      'Must be a text of 1 to 9 characters that is not all white space.',
      Type.String({ minLength: 1, maxLength: 9, pattern: '\\S' }),
      ' ',
    ],
    ['Must be a text that matches ^[a-z]+$.', Type.String({ pattern: '^[a-z]+$' }), 'A'],
    ['Must be a UUID.', Type.String({ format: 'uuid' }), 'x'],
    ['Must be a time such as 2026-03-01T09:30:02Z.', Type.String({ format: 'date-time' }), 'noon'],
    ['Must be a whole number.', Type.Integer(), 1.5],
    ['Must be a whole number from 1 to 100.', Type.Integer({ minimum: 1, maximum: 100 }), 101],
    ['Must be a number that is at least 0.', Type.Number({ minimum: 0 }), -1],
    [
      'Must be a number that is more than 0 and less than 1.',
      Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
      1,
    ],
    ['Must be a number that is at most 5, a multiple of 2.', Type.Number({ maximum: 5, multipleOf: 2 }), 3],
    ['Must be true or false.', Type.Boolean(), 'yes'],
    ['Must be null.', Type.Null(), 0],
    ['Must be "sandbox".', literal('sandbox'), 'x'],
    ['Must be one of a, b.', Type.Union([literal('a'), literal('b')]), 'c'],
    ['Must be a list of 1 to 50 entries.', Type.Array(Type.Unknown(), { minItems: 1, maxItems: 50 }), []],
    ['Must be a list of at most 1 entry.', Type.Array(Type.Unknown(), { maxItems: 1 }), [1, 2]],
    ['Must be a list, each only once.', Type.Array(Type.Unknown(), { uniqueItems: true }), [1, 1]],
    ['Must be an object.', Type.Object({}), []],
    ['Must be an object of at least 1 field.', Type.Object({}, { minProperties: 1 }), {}],
    [
      'Must be an object of 1 to 200 fields.',
      Type.Record(Type.String(), Type.Unknown(), { minProperties: 1, maxProperties: 200 }),
      {},
    ],
    ['Must be a text or a whole number.', Type.Union([Type.String(), Type.Integer()]), true],
    ['Must be a text of at most 3 characters or null.', Nullable(Type.String({ maxLength: 3 })), 'four'],
    ['Must be left out.', Type.Never(), 1],
    ['Must be a letter.', Type.String({ maxLength: 1, ...errorMessage('Must be a letter.') }), 'ab'],
    ['Is required.', Type.String(), undefined],
  ]
  test.each(cases)('%s', (sentence, schema, value) => {
    expect(detailsOf(Type.Object({ field: schema }), value === undefined ? {} : { field: value })).toEqual({
      field: sentence,
    })
  })
})

describe('a union of objects', () => {
  const Circle = Type.Object({ kind: Type.Literal('circle'), radius: Type.Number() }, { additionalProperties: false })
  const Square = Type.Object({ kind: Type.Literal('square'), width: Type.Number() }, { additionalProperties: false })
  const shapes = Type.Object({ shape: Type.Union([Circle, Square]) })
  const byFields = Type.Object({
    shape: Type.Union(
      [
        Type.Object({ radius: Type.Number() }, { additionalProperties: false }),
        Type.Object({ width: Type.Number(), height: Type.Number() }, { additionalProperties: false }),
      ],
      errorMessage('Must be {radius} or {width, height}.'),
    ),
  })
  const cases: [string, TSchema, unknown, Record<string, string>][] = [
    [
      'the one its own field names is judged',
      shapes,
      { kind: 'circle', radius: 'wide', width: 1 },
      { 'shape.radius': 'Must be a number.', 'shape.width': 'Is not a known field. Remove it.' },
    ],
    [
      'a misspelt field is recognised',
      shapes,
      { kind: 'square', widht: 1 },
      { 'shape.width': 'Is required.', 'shape.widht': 'Is not a known field. Did you mean width?' },
    ],
    ['a name that is none is told', shapes, { kind: 'oval' }, { 'shape.kind': 'Must be one of circle, square.' }],
    ['so is a missing one', shapes, { radius: 1 }, { 'shape.kind': 'Must be one of circle, square.' }],
    [
      'a value that is not an object gets the expected type',
      shapes,
      'circle',
      { shape: 'Must be an object whose kind is one of circle, square.' },
    ],
    ['without such a field, the one most is given of', byFields, { width: 1 }, { 'shape.height': 'Is required.' }],
    [
      'where that cannot be told, the words of the choice',
      byFields,
      {},
      { shape: 'Must be {radius} or {width, height}.' },
    ],
    [
      'and which names nothing takes',
      byFields,
      { raduis: 1, 'a/b': 1 },
      {
        shape: 'Must be {radius} or {width, height}.',
        'shape.raduis': 'Is not a known field. Did you mean radius?',
        'shape.a/b': 'Is not a known field. Remove it.',
      },
    ],
    ['two that are as near', byFields, { radius: 1, width: 1 }, { shape: 'Must be {radius} or {width, height}.' }],
  ]
  test.each(cases)('%s', (_, schema, shape, details) => {
    expect(detailsOf(schema, { shape })).toEqual(details)
  })

  test('with null reports errors of the object', () => {
    const schema = Type.Object({ shape: Nullable(Circle), list: Nullable(Type.Array(Type.Integer())) })
    expect(detailsOf(schema, { shape: { kind: 'circle' }, list: [1, 'two'] })).toEqual({
      'shape.radius': 'Is required.',
      'list.1': 'Must be a whole number.',
    })
  })
})

describe('a time consists of an existing day, a time of day and an offset', () => {
  const schema = Type.Object({ field: Type.String({ format: 'date-time' }) })
  test.each([
    '2026-03-01T09:30:02Z',
    '2026-03-01T09:30:02.050Z',
    '2026-03-01T23:59:59.123456789+14:00',
    '2024-02-29T00:00:00-05:30',
    '0099-12-31T00:00:00Z',
  ])('accepts %s, which can be parsed', field => {
    expect(detailsOf(schema, { field })).toEqual({})
    expect(Number.isNaN(Date.parse(field))).toBe(false)
  })

  test.each([
    '1',
    '2026',
    '2026-03-01',
    '2026-03-01T09:30:02',
    '2026-03-01T09:30Z',
    '2026-03-01 09:30:02Z',
    '2026-02-30T09:30:02Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-14:00',
    '2025-02-29T09:30:02Z',
    '2026-13-01T09:30:02Z',
    '2026-00-01T09:30:02Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T09:60:02Z',
    '2026-03-01T09:30:02.Z',
    '2026-03-01T09:30:02+24:00',
    '2026-03-01T09:30:02Z ',
    '2026-03-01T09:30:02Z\n',
  ])('rejects %j', field => {
    expect(detailsOf(schema, { field })).toEqual({ field: 'Must be a time such as 2026-03-01T09:30:02Z.' })
  })
})

describe('an emoji', () => {
  const emoji = (count: number) => '😀'.repeat(count)

  test('counts as one character of a text at any depth', () => {
    const schema = Type.Object({ list: Type.Array(Type.Object({ text: Type.String({ minLength: 2, maxLength: 3 }) })) })
    expect(detailsOf(schema, { list: [{ text: emoji(3) }, { text: 'abc' }] })).toEqual({})
    for (const text of [emoji(4), emoji(1)])
      expect(detailsOf(schema, { list: [{ text }] })).toEqual({ 'list.0.text': 'Must be a text of 2 to 3 characters.' })
  })

  test('in field names makes separate fields', () => {
    const schema = Type.Object({ data: Type.Record(Type.String(), Type.Integer(), { maxProperties: 2 }) })
    expect(detailsOf(schema, { data: { '😀': 1, '😁': 2, '😂': 3 } })).toEqual({
      data: 'Must be an object of at most 2 fields.',
    })
  })

  test('in a field name appears unchanged in the error', () => {
    const schema = Type.Object({}, { additionalProperties: false })
    expect(detailsOf(schema, { '😀': 1 })).toEqual({ '😀': 'Is not a known field. Remove it.' })
  })
})

test('validates fields with any name that the caller chooses', () => {
  const schema = Type.Object({ headers: StringMap(Type.String({ maxLength: 3 }), { maxProperties: 4 }) })
  expect(detailsOf(schema, { headers: { a: 'abc', '': '', 'a\nb': 'abc' } })).toEqual({})
  expect(detailsOf(schema, { headers: JSON.parse('{"a\\nb": 1, "": "four", "__proto__": null, "a b": []}') })).toEqual({
    'headers.a\nb': 'Must be a text of at most 3 characters.',
    'headers.': 'Must be a text of at most 3 characters.',
    'headers.__proto__': 'Must be a text of at most 3 characters.',
    'headers.a b': 'Must be a text of at most 3 characters.',
  })
})

test('checks nested unions to a depth of eight, so that every body is rejected quickly', () => {
  const Nested = Type.Recursive(This => Type.Union([Type.Object({ not: This }), Type.Object({ path: Type.String() })]))
  const nested = (depth: number): unknown => (depth === 0 ? { path: 5 } : { not: nested(depth - 1) })
  const place = (depth: number) => ['field', ...Array<string>(depth).fill('not')].join('.')
  const schema = Type.Object({ field: Nested })
  expect(detailsOf(schema, { field: nested(7) })).toEqual({ [`${place(7)}.path`]: 'Must be a text.' })
  expect(detailsOf(schema, { field: nested(30) })).toEqual({ [place(8)]: 'Must be an object.' })
})

describe('a list with unique entries', () => {
  const list = Type.Array(Type.Union([Type.Literal('a'), Type.Literal('b')]), { uniqueItems: true })
  const schema = Type.Object({ list, deep: Type.Optional(Type.Object({ list })) })
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
  const list = Type.Array(Type.Number(), { maxItems: 3 })
  expect(detailsOf(list, [1, 2, 3, 'four'])).toEqual({ body: 'Must be a list of at most 3 entries.' })
})

test('accepts field names that every object inherits', () => {
  const schema = Type.Object({ steps: Type.Record(Type.String(), Type.Integer()) }, { additionalProperties: false })
  expect(detailsOf(schema, JSON.parse('{"steps": {"__proto__": "x"}, "a/b": 1, "toString": 2}'))).toEqual({
    'steps.__proto__': 'Must be a whole number.',
    'a/b': 'Is not a known field. Remove it.',
    toString: 'Is not a known field. Remove it.',
  })
})
