import { expect, test } from 'bun:test'
import { nextDelay } from '../../../src/webhooks/deliveries/backoff.ts'

const minute = 60_000
const hour = 60 * minute
const waits = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour, 24 * hour]

test('uses the seven waits in order after the first seven attempts', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map(made => nextDelay(made, waits))).toEqual(waits)
})

test('schedules no attempt after the eighth, or after a later manual attempt', () => {
  expect(nextDelay(8, waits)).toBeNull()
  expect(nextDelay(9, waits)).toBeNull()
})
