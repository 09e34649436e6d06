import { expect, test } from 'bun:test'
import { Traffic } from '../../src/actors/traffic.ts'

test('is busy for a short time after many events, and not after a few', () => {
  let now = 0
  const traffic = new Traffic(() => now)
  for (; now < 10_000; now += 100) traffic.recorded(5)
  expect(traffic.isBusy).toBe(false)
  traffic.recorded(60)
  expect(traffic.isBusy).toBe(true)
  now += 150
  expect(traffic.isBusy).toBe(true)
  now += 100
  expect(traffic.isBusy).toBe(false)
})
