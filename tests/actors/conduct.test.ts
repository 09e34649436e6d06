/** Tests which receivers cause their own delays. */
import { expect, test } from 'bun:test'
import { Conduct } from '../../src/actors/conduct.ts'

const quick = { promptly: true, tookMs: 5 }

const afterAll = (...answers: Parameters<Conduct['tell']>[1][]): boolean => {
  const conduct = new Conduct()
  for (const answer of answers) conduct.tell('one', answer)
  return conduct.isToBlame('one')
}
const times = <T>(count: number, answer: T): T[] => Array.from({ length: count }, () => answer)

test('an unknown or fast receiver is not the cause', () => {
  expect(new Conduct().isToBlame('one')).toBe(false)
  expect(afterAll(...times(200, quick))).toBe(false)
})

test('an overloaded receiver, or one that hangs on some requests, is the cause', () => {
  expect(afterAll(...times(10, { promptly: false, tookMs: 5 }))).toBe(true)
  expect(afterAll(...times(50, quick), { promptly: false, tookMs: 3000 }, ...times(20, quick))).toBe(true)
  expect(afterAll(...times(10, [quick, { promptly: true, tookMs: 600 }]).flat())).toBe(true)
})

test('a receiver is not the cause if our event loop is sometimes blocked, and old samples are forgotten', () => {
  expect(
    afterAll(...times(20, [...times(20, { promptly: true, tookMs: 20 }), { promptly: true, tookMs: 110 }]).flat()),
  ).toBe(false)
  expect(afterAll({ promptly: false, tookMs: 3000 }, ...times(700, quick))).toBe(false)
})
