import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { countNames, duplicateName } from '../../src/api/duplicate-names.ts'
import { runSync } from '../../src/platform/slices.ts'

// `strict.test.ts` has examples over HTTP.
test.each([
  ['{"a":{"b":1,"b":2},"a":1}', ['a', 'b']],
  ['[[],[1],{"x":{},"y":[],"x":0}]', ['2', 'x']],
  ['{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}],"c":["a","a:","a\\":"],"A":"{\\"a\\":1,\\"a\\":2}"}', null],
])('finds the first name that is repeated in its object: %s', (text, place) => {
  expect(runSync(duplicateName(text))).toEqual(place)
})

test('counts the names in the text of a value and finds no repetition', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), value => {
      const text = JSON.stringify(value)
      const colons = [...text.matchAll(/"(?:[^"\\]|\\.)*"(:)?/g)].filter(([, colon]) => colon).length
      for (const isLarge of [false, true]) expect(countNames(JSON.parse(text), isLarge)).toBe(colons)
      expect(runSync(duplicateName(text))).toBeNull()
    }),
  )
})

test('finds a name that is added to its object again', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 })
  fc.assert(
    fc.property(object, fc.nat(), fc.jsonValue(), (value, which, again) => {
      const names = Object.keys(value)
      const name = names[which % names.length]!
      const text = `${JSON.stringify(value).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(again)}}`
      expect(runSync(duplicateName(text))).toEqual([name])
    }),
  )
})
