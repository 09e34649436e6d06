import { expect, test } from 'bun:test'
import { nextDelay } from '../../../src/webhooks/deliveries/backoff.ts'

test('the waits apply in order after the first attempts, and none after the last or a later manual attempt', () => {
  const waits = [1, 5, 30, 120, 360, 720, 1440].map(minutes => minutes * 60_000)
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9].map(made => nextDelay(made, waits))).toEqual([...waits, null, null])
})
