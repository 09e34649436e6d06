import { expect, test } from 'bun:test'
import { sharedCosts } from '../../../src/insights/live-feed/shared-costs.ts'

test('a cheap subscriber waits for others of its size and not for an expensive one, which waits for all', () => {
  expect(sharedCosts([100, 1, 1])).toEqual([102, 3, 3])
  expect(sharedCosts([2, 4, 8])).toEqual([6, 10, 14])
})

test('equal subscribers wait for all, so that the total rate is that of a single subscriber', () => {
  expect(sharedCosts(Array(4).fill(5))).toEqual(Array(4).fill(20))
})

test('a subscriber that received nothing does not wait', () => {
  expect(sharedCosts([0, 100])).toEqual([0, 100])
  expect(sharedCosts([])).toEqual([])
})
