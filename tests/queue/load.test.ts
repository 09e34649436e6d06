import { expect, test } from 'bun:test'
import { Load } from '../../src/queue/load.ts'

test('is busy for a short time after many events, and not after a few', () => {
  let now = 0
  const traffic = new Load(() => now)
  for (; now < 10_000; now += 100) traffic.record(5)
  expect(traffic.isBusy).toBe(false)
  traffic.record(60)
  expect(traffic.isBusy).toBe(true)
  now += 150
  expect(traffic.isBusy).toBe(true)
  now += 100
  expect(traffic.isBusy).toBe(false)
})
