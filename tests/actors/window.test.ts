import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Window } from '../../src/actors/window.ts'

/** What happened, oldest first: an answer in good time, or none. */
const happenings = fc.array(fc.boolean(), { maxLength: 400, size: 'max' })
const bounds = fc
  .tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }))
  .map(([min, more, start]) => ({ min, max: min + more, start: Math.max(min, start) }))

const tell = (window: Window, answered: boolean) => (answered ? window.widen() : window.narrow())

const times = (count: number, work: () => void) => {
  for (let n = 0; n < count; n++) work()
}

describe('the window', () => {
  test('stays within its bounds, whatever happens', () => {
    fc.assert(
      fc.property(bounds, happenings, ({ min, max, start }, answers) => {
        const window = new Window(min, start, max)
        for (const answered of answers) {
          tell(window, answered)
          expect(window.size).toBeWithin(min, max + 1)
        }
      }),
    )
  })

  test('begins at its limit where it was to begin above it', () => {
    expect(new Window(1, 4, 2).size).toBe(2)
  })

  test('doubles with each full window of good answers, and no sooner', () => {
    const window = new Window(1, 4, 64)
    for (const size of [4, 8, 16, 32]) {
      times(size - 1, () => window.widen())
      expect(window.size).toBe(size)
      window.widen()
      expect(window.size).toBe(size * 2)
    }
  })

  test('halves with each attempt that got no answer', () => {
    const window = new Window(1, 64, 64)
    const sizes = [32, 16, 8, 4, 2, 1, 1].map(() => {
      window.narrow()
      return window.size
    })
    expect(sizes).toEqual([32, 16, 8, 4, 2, 1, 1])
  })

  test('counts good answers anew after one that did not come', () => {
    const window = new Window(1, 8, 64)
    times(7, () => window.widen())
    window.narrow()
    times(3, () => window.widen())
    expect(window.size).toBe(4)
    window.widen()
    expect(window.size).toBe(8)
  })

  test('comes down to its least with the receiver that hangs, and up again with the one that answers', () => {
    fc.assert(
      fc.property(bounds, happenings, ({ min, max, start }, answers) => {
        const window = new Window(min, start, max)
        for (const answered of answers) tell(window, answered)
        times(Math.ceil(Math.log2(max)), () => window.narrow())
        expect(window.size).toBe(min)
        times(2 * max, () => window.widen())
        expect(window.size).toBe(max)
      }),
    )
  })
})
