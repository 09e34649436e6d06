/** Tests that the bytes counted for a parsed body match the memory it takes. */
import { heapStats } from 'bun:jsc'
import { expect, test } from 'bun:test'
import { parseJsonObject } from '../../src/api/body.ts'
import { runSync } from '../../src/platform/slices.ts'

const bytes = 1_000_000
const repeated = (unit: string) => `[${unit.repeat(bytes / unit.length).slice(0, -1)}]`
const numbered = (count: number, one: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => one(n)).join(',')

test.each([
  ['empty lists', repeated('[],')],
  ['empty objects', repeated('{},')],
  ['lists in lists', repeated('[[]],')],
  ['lists of one', repeated('[1],')],
  ['objects in objects', repeated('{"a":{}},')],
  ['objects of numbered names', repeated('{"1":1},')],
  ['numbers', repeated('1,')],
  ['fractions', repeated('1.5,')],
  ['short texts', repeated('"a",')],
  ['different texts', `[${numbered(100_000, n => `"${n + 100_000}"`)}]`],
  ['different names', `{${numbered(80_000, n => `"k${n}":1`)}}`],
  ['different names in separate objects', `[${numbered(70_000, n => `{"${n.toString(36)}":1}`)}]`],
  ['orders', repeated('{"sku":"A-1042","name":"Two pairs of socks","count":2,"price":12.9,"tags":["a","b"]},')],
  ['a text', JSON.stringify('x'.repeat(bytes))],
])('the counted bytes match the memory of %s', (_, value) => {
  let counted = 0
  const body = { acquire: (more: number) => (counted += more) }
  const text = Buffer.from(`{"data":${value}}`)
  const before = heapBytes()
  const kept = Array.from({ length: 4 }, () => runSync(parseJsonObject(text, body)))
  const each = (heapBytes() - before) / kept.length
  expect(kept).toHaveLength(4)
  const countedEach = counted / kept.length + text.byteLength
  // A long string within the body keeps all of the text it was parsed from in memory.
  expect(each).toBeLessThan(1.25 * countedEach + text.byteLength)
  expect(countedEach).toBeLessThan(30 * text.byteLength)
})

const heapBytes = () => {
  Bun.gc(true)
  const { heapSize, extraMemorySize } = heapStats()
  return heapSize + extraMemorySize
}
