import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { truncateJson } from '../../src/core/truncated-json.ts'
import { countedList } from '../support/stretch.ts'

test('returns a short value completely, and the beginning of a long one', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat({ max: 60 }), (value, max) => {
      const whole = JSON.stringify(value)
      const text = truncateJson(value, max)
      if (whole.length <= max) expect(text).toBe(whole)
      else {
        expect(text.length).toBeGreaterThan(max)
        expect(text.slice(0, max)).toBe(whole.slice(0, max))
      }
    }),
  )
})

test('does not read beyond the limit', () => {
  const { list, reads } = countedList(100_000, 'entry')
  expect(truncateJson({ list, more: 'x'.repeat(1_000_000) }, 100).length).toBeLessThan(200)
  expect(reads.count).toBeLessThan(100)
})
