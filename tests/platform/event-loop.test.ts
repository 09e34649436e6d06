import { expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startScheduler } from '../../src/events/trials/scheduler.ts'
import { createYield, exclusiveIteration, TimedYield } from '../../src/platform/event-loop.ts'
import { longestStretch, maxStretchMs } from '../support/stretch.ts'

/** Keeps the processor busy. */
const work = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until; );
}

test('counts the time of its own work, not of waits and other tasks', async () => {
  const turns = new TimedYield()
  work(20)
  await turns.waitFor(() => sleep(200))
  setImmediate(() => work(200))
  await turns.yieldIfDue()
  expect(turns.spentMs).toBeWithin(20, 150)
})

test('yields after ten milliseconds of work', async () => {
  const rest = createYield()
  expect(rest()).toBeNull()
  work(11)
  const resting = rest()
  expect(resting).not.toBeNull()
  await resting
  expect(rest()).toBeNull()
})

test('concurrent trials pause after each slice for as long as it took', async () => {
  const trial = async () => {
    const turns = new TimedYield()
    for (let slice = 0; slice < 5; slice++) {
      work(4)
      await turns.yieldIfDue()
    }
    return turns.spentMs
  }
  const began = performance.now()
  const spent = await Promise.all([trial(), trial()])
  expect(performance.now() - began).toBeGreaterThan(2 * 10 * 4 - 10)
  for (const ms of spent) expect(ms).toBeWithin(20, 150)
})

test('a trial has time until its caller disconnects', () => {
  const controller = new AbortController()
  const { hasTime } = startScheduler(controller.signal)
  expect(hasTime()).toBe(true)
  controller.abort(new Error('gone'))
  expect(hasTime).toThrow('gone')
})

test('30 concurrent loops let other tasks run between their slices', async () => {
  const loop = async () => {
    const yieldIfDue = createYield()
    for (let piece = 0; piece < 15; piece++) {
      work(2)
      await yieldIfDue()
    }
  }
  // The loops start one after the other, as requests do, so each begins in a separate event loop iteration.
  const loops = () => Promise.all(Array.from({ length: 30 }, (_, n) => sleep(10 * n).then(loop)))
  expect((await longestStretch(loops)).ms).toBeLessThan(maxStretchMs)
})

test('30 concurrent callers each get a separate event loop iteration', async () => {
  const piece = async () => {
    await exclusiveIteration()
    work(10)
  }
  const pieces = () => Promise.all(Array.from({ length: 30 }, piece))
  expect((await longestStretch(pieces)).ms).toBeLessThan(maxStretchMs)
})
