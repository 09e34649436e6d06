import { expect, test } from 'bun:test'
import { digitsOf } from '../../src/api/body.ts'

const digits = (text: string) => digitsOf(new TextEncoder().encode(text))

test.each([
  [
    '{"a": 129.90, "b":1e3, "c" : -0 , "d": 12345678901234567890.5}',
    { a: '129.90', b: '1e3', c: '-0', d: '12345678901234567890.5' },
  ],
  ['{"a": 1.00, "a": 2.50}', { a: '2.50' }],
  ['{"a": {"b": 1.0}, "c": [2.0], "d": "3.0", "e": null, "f": 4.0}', { f: '4.0' }],
  ['{"__proto__": 1.0, "constructor": 2.0}', JSON.parse('{"__proto__": "1.0", "constructor": "2.0"}')],
])('numbers at the top level of a body keep the digits they were written with: %s', (body, expected) => {
  expect(Object.entries(digits(body))).toEqual(Object.entries(expected))
})
