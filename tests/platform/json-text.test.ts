import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { JsonText, stringifyJson } from '../../src/platform/json-text.ts'

describe('JsonText', () => {
  test('is written unchanged, anywhere in a value and repeatedly', () => {
    const [seen, other] = [new JsonText('{"total": 1.50}'), new JsonText('[ ]')]
    expect(stringifyJson({ data: [{ n: 1, seen }, { other }, { seen }], none: null })).toBe(
      '{"data":[{"n":1,"seen":{"total": 1.50}},{"other":[ ]},{"seen":{"total": 1.50}}],"none":null}',
    )
    expect(stringifyJson(seen)).toBe('{"total": 1.50}')
  })

  test('does not change values that do not contain it', () => {
    const value = { text: '"ß\u2028"', left: undefined, at: new Date(0), list: [undefined, Number.NaN, {}] }
    expect(stringifyJson(value)).toBe(JSON.stringify(value))
  })

  test('is written correctly with any content and any surroundings', () => {
    const values = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue())
    fc.assert(
      fc.property(fc.array(fc.tuple(values, values)), all => {
        const written = stringifyJson(
          all.map(([plain, stored]) => ({ plain, stored: new JsonText(JSON.stringify(stored)) })),
        )
        expect(written).toBe(JSON.stringify(all.map(([plain, stored]) => ({ plain, stored }))))
      }),
    )
  })

  test('can only be written by stringifyJson: JSON.stringify throws', () => {
    const held = { data: new JsonText('{}') }
    const broken = {
      toJSON: () => {
        throw new Error('broken')
      },
    }
    expect(() => JSON.stringify(held)).toThrow('stringifyJson')
    expect(() => stringifyJson([held, broken])).toThrow('broken')
    expect(() => JSON.stringify(held)).toThrow('stringifyJson')
    expect(stringifyJson(held)).toBe('{"data":{}}')
  })
})
