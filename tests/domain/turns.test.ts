import { expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { timeFor } from '../../src/domain/trials/time.ts'
import { inTurns, ownTurn, TimedTurns } from '../../src/domain/turns.ts'
import { longestStretch, maxStretchMs } from '../support/stretch.ts'

/** Keeps the processor busy. */
const work = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until; );
}

test('counts the time of its own work, not of waits and other tasks', async () => {
  const turns = new TimedTurns()
  work(20)
  await turns.waitFor(() => sleep(200))
  setImmediate(() => work(200))
  await turns.rest()
  expect(turns.spentMs).toBeWithin(20, 150)
})

test('yields after ten milliseconds of work', async () => {
  const turns = new TimedTurns()
  expect(turns.rest()).toBeNull()
  work(11)
  const rest = turns.rest()
  expect(rest).not.toBeNull()
  await rest
  expect(turns.rest()).toBeNull()
})

test('a trial has time until its caller disconnects', () => {
  const controller = new AbortController()
  const { hasTime } = timeFor(controller.signal)
  expect(hasTime()).toBe(true)
  controller.abort(new Error('gone'))
  expect(hasTime).toThrow('gone')
})

test('30 concurrent loops let other tasks run between their slices', async () => {
  const loop = async () => {
    const rest = inTurns()
    for (let piece = 0; piece < 15; piece++) {
      work(2)
      await rest()
    }
  }
  // The loops start one after the other, as requests do, so each begins in a separate event loop iteration.
  const { ms } = await longestStretch(() =>
    Promise.all(Array.from({ length: 30 }, (_, place) => sleep(10 * place).then(loop))),
  )
  expect(ms).toBeLessThan(maxStretchMs)
})

test('30 concurrent callers each get a separate event loop iteration', async () => {
  const piece = async () => {
    await ownTurn()
    work(10)
  }
  const { ms } = await longestStretch(() => Promise.all(Array.from({ length: 30 }, piece)))
  expect(ms).toBeLessThan(maxStretchMs)
})
