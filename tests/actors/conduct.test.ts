/** Who is to blame for what is late. */
import { expect, test } from 'bun:test'
import { Conduct } from '../../src/actors/conduct.ts'

const quick = { promptly: true, tookMs: 5 }

const afterAll = (...answers: Parameters<Conduct['tell']>[1][]): boolean => {
  const conduct = new Conduct()
  for (const answer of answers) conduct.tell('one', answer)
  return conduct.isToBlame('one')
}
const times = <T>(count: number, answer: T): T[] => Array.from({ length: count }, () => answer)

test('no receiver is to blame of which nothing is known, nor one that answers quickly', () => {
  expect(new Conduct().isToBlame('one')).toBe(false)
  expect(afterAll(...times(200, quick))).toBe(false)
})

test('one that has too much to do, or lets some hang, is to blame', () => {
  expect(afterAll(...times(10, { promptly: false, tookMs: 5 }))).toBe(true)
  expect(afterAll(...times(50, quick), { promptly: false, tookMs: 3000 }, ...times(20, quick))).toBe(true)
  expect(afterAll(...times(10, [quick, { promptly: true, tookMs: 600 }]).flat())).toBe(true)
})

test('one is not because our own event loop stood still now and then, and not for ever', () => {
  expect(
    afterAll(...times(20, [...times(20, { promptly: true, tookMs: 20 }), { promptly: true, tookMs: 110 }]).flat()),
  ).toBe(false)
  expect(afterAll({ promptly: false, tookMs: 3000 }, ...times(700, quick))).toBe(false)
})
