import { expect, test } from 'bun:test'
import { sharedCosts } from '../../../src/domain/stream/rests.ts'

test('who costs little waits for others of its size, not for a big one, and the biggest waits for all', () => {
  expect(sharedCosts([100, 1, 1])).toEqual([102, 3, 3])
  expect(sharedCosts([2, 4, 8])).toEqual([6, 10, 14])
})

test('all that are alike wait for all: in no time does more go out than one at a time could send', () => {
  expect(sharedCosts(Array(4).fill(5))).toEqual(Array(4).fill(20))
})

test('who was told nothing waits for nobody', () => {
  expect(sharedCosts([0, 100])).toEqual([0, 100])
  expect(sharedCosts([])).toEqual([])
})
