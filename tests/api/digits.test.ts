import { expect, test } from 'bun:test'
import { digitsOf } from '../../src/api/body.ts'

const digits = (text: string) => digitsOf(new TextEncoder().encode(text))

test('numbers at the top level of a body keep the digits they were written with', () => {
  const body = '{"a": 129.90, "b":1e3, "c" : -0 , "d": 999999999999.999, "e": 12345678901234567890.5}'
  expect(digits(body)).toEqual({ a: '129.90', b: '1e3', c: '-0', d: '999999999999.999', e: '12345678901234567890.5' })
})

test('the last number wins when a name is given twice', () => {
  expect(digits('{"a": 1.00, "a": 2.50}')).toEqual({ a: '2.50' })
})

test('skips numbers within lists and objects, and skips strings', () => {
  expect(digits('{"a": {"b": 1.0}, "c": [2.0], "d": "3.0", "e": null, "f": 4.0}')).toEqual({ f: '4.0' })
})

test('treats names of Object.prototype like any other name', () => {
  const found = digits('{"__proto__": 1.0, "constructor": 2.0}')
  expect(Object.entries(found)).toEqual([
    ['__proto__', '1.0'],
    ['constructor', '2.0'],
  ])
})
