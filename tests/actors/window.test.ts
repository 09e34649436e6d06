import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Response, Window, type WindowBounds, Windows } from '../../src/actors/window.ts'

const responses = fc.array(fc.constantFrom<Response>('prompt', 'strained', 'none'), { maxLength: 400, size: 'max' })
const anyBounds = fc
  .tuple(fc.nat(9), fc.nat(20), fc.nat(80), fc.nat(900))
  .map(([min, start, free, max]) => ({ min: min + 1, start: min + 1 + start, free, max: min + 1 + max }))

const times = (count: number, work: () => void) => {
  for (let n = 0; n < count; n++) work()
}

/** One row after another at the window's size, each begun in the era in which it ends. */
const tell = (window: Window, response: Response, tookMs = 10) =>
  window.tell(response, { era: window.era, tookMs, full: true })

const bounds: WindowBounds = { min: 1, start: 4, free: 64, max: 1024 }

/** A receiver that carries so many requests at once, each in 100 ms; those beyond wait for one another. */
const answersOf = (window: Window, bears: number, count: number) =>
  times(count, () => tell(window, 'prompt', 100 * Math.max(1, window.size / bears)))

describe('the window', () => {
  test('stays within its bounds, whatever happens', () => {
    fc.assert(
      fc.property(anyBounds, responses, (some, happenings) => {
        const window = new Window(some)
        for (const response of happenings) {
          tell(window, response)
          expect(window.size).toBeWithin(Math.min(some.min, some.max), some.max + 1)
        }
      }),
    )
  })

  test('that was not worth its widening goes back to its least, and no further', () => {
    const window = new Window({ min: 5, start: 5, free: 0, max: 6 })
    times(6, () => tell(window, 'prompt'))
    expect(window.size).toBe(5)
  })

  test('begins at its limit where it was to begin above it', () => {
    expect(new Window({ ...bounds, max: 2 }).size).toBe(2)
  })

  test('doubles with every half window of prompt answers, and no sooner', () => {
    const window = new Window(bounds)
    for (const size of [4, 8, 16, 32]) {
      times(size / 2 - 1, () => tell(window, 'prompt'))
      expect(window.size).toBe(size)
      tell(window, 'prompt')
      expect(window.size).toBe(size * 2)
    }
  })

  test('does not widen by rows begun at another size, nor where few of what may be in hand are', () => {
    const window = new Window(bounds)
    times(100, () => window.tell('prompt', { era: window.era - 1, tookMs: 1, full: true }))
    times(100, () => window.tell('prompt', { era: window.era, tookMs: 1, full: false }))
    expect(window.size).toBe(4)
  })

  test('opens as wide as may be for a receiver that bears it', () => {
    const window = new Window(bounds)
    answersOf(window, 10_000, 2000)
    expect(window.size).toBe(1024)
  })

  test.each([80, 100, 160, 300])('follows a receiver that bears %i at once: beyond 64, not to twice of it', bears => {
    const window = new Window(bounds)
    const sizes = new Set<number>()
    times(20_000, () => {
      answersOf(window, bears, 1)
      sizes.add(window.size)
    })
    expect(window.size).toBeWithin(64, 2 * bears)
    expect(Math.max(...sizes)).toBeLessThan(4 * bears)
  })

  test('halves with each row that gets no answer', () => {
    const window = new Window({ ...bounds, start: 64 })
    const sizes = [32, 16, 8, 4, 2, 1, 1].map(() => {
      tell(window, 'none')
      return window.size
    })
    expect(sizes).toEqual([32, 16, 8, 4, 2, 1, 1])
  })

  test('goes back to where it began, and no further, for a receiver that is strained', () => {
    const window = new Window({ ...bounds, start: 64 })
    tell(window, 'none')
    tell(window, 'none')
    times(3, () => tell(window, 'strained'))
    expect(window.size).toBe(16)
    const open = new Window(bounds)
    times(200, () => tell(open, 'prompt'))
    times(10, () => tell(open, 'strained'))
    expect(open.size).toBe(4)
  })

  test('comes down to its least with the receiver that hangs, and up again with the one that answers', () => {
    fc.assert(
      fc.property(anyBounds, responses, (some, happenings) => {
        const window = new Window({ ...some, free: some.max })
        for (const response of happenings) tell(window, response)
        times(Math.ceil(Math.log2(some.max)), () => tell(window, 'none'))
        expect(window.size).toBe(Math.min(some.min, some.max))
        times(2 * some.max, () => tell(window, 'prompt'))
        expect(window.size).toBe(some.max)
      }),
    )
  })
})

test('windows are kept from one activation to the next, of so many actors as are remembered', () => {
  const windows = new Windows()
  const window = windows.of('a', bounds)
  times(2, () => tell(window, 'prompt'))
  expect(windows.of('a', bounds).size).toBe(8)
  expect(windows.of('b', bounds).size).toBe(4)
  times(10_000, () => windows.of(crypto.randomUUID(), bounds))
  expect(windows.of('a', bounds).size).toBe(4)
})
