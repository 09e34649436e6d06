import { expect, test } from 'bun:test'
import { nextWait } from '../../../src/domain/deliveries/backoff.ts'

const minute = 60_000
const hour = 60 * minute
const waits = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour, 24 * hour]

test('the seven waits follow the first seven attempts, in their order', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map(made => nextWait(made, waits))).toEqual(waits)
})

test('nothing follows the eighth attempt, nor any made by hand after it', () => {
  expect(nextWait(8, waits)).toBeNull()
  expect(nextWait(9, waits)).toBeNull()
})
