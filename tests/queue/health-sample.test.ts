/** Tests which receivers cause their own delays. */
import { expect, test } from 'bun:test'
import { HealthSamples } from '../../src/queue/health-sample.ts'

const quick = { isHealthy: true, tookMs: 5 }

const afterAll = (...answers: Parameters<HealthSamples['record']>[1][]): boolean => {
  const conduct = new HealthSamples()
  for (const answer of answers) conduct.record('one', answer)
  return conduct.causesDelay('one')
}
const times = <T>(count: number, answer: T): T[] => Array.from({ length: count }, () => answer)

test('an unknown or fast receiver is not the cause', () => {
  expect(new HealthSamples().causesDelay('one')).toBe(false)
  expect(afterAll(...times(200, quick))).toBe(false)
})

test('an overloaded receiver, or one that hangs on some requests, is the cause', () => {
  expect(afterAll(...times(10, { isHealthy: false, tookMs: 5 }))).toBe(true)
  expect(afterAll(...times(50, quick), { isHealthy: false, tookMs: 3000 }, ...times(20, quick))).toBe(true)
  expect(afterAll(...times(10, [quick, { isHealthy: true, tookMs: 600 }]).flat())).toBe(true)
})

test('a receiver is not the cause if our event loop is sometimes blocked, and old samples are forgotten', () => {
  expect(
    afterAll(...times(20, [...times(20, { isHealthy: true, tookMs: 20 }), { isHealthy: true, tookMs: 110 }]).flat()),
  ).toBe(false)
  expect(afterAll({ isHealthy: false, tookMs: 3000 }, ...times(700, quick))).toBe(false)
})
