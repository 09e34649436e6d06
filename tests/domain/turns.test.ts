import { expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { timeFor } from '../../src/domain/trials/time.ts'
import { inTurns, ownTurn, TimedTurns } from '../../src/domain/turns.ts'
import { longestStretch, maxStretchMs } from '../support/stretch.ts'

/** Keeps the processor busy. */
const work = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until; );
}

test('the work counts, and neither waits nor the turns of others do', async () => {
  const turns = new TimedTurns()
  work(20)
  await turns.waitFor(() => sleep(200))
  setImmediate(() => work(200))
  await turns.rest()
  expect(turns.spentMs).toBeWithin(20, 150)
})

test('a turn of others comes after ten milliseconds of work', async () => {
  const turns = new TimedTurns()
  expect(turns.rest()).toBeNull()
  work(11)
  const rest = turns.rest()
  expect(rest).not.toBeNull()
  await rest
  expect(turns.rest()).toBeNull()
})

test('a trial has time until its caller goes away', () => {
  const controller = new AbortController()
  const { hasTime } = timeFor(controller.signal)
  expect(hasTime()).toBe(true)
  controller.abort(new Error('gone'))
  expect(hasTime).toThrow('gone')
})

test('30 loops at the same time let other callers through between their slices', async () => {
  const loop = async () => {
    const rest = inTurns()
    for (let piece = 0; piece < 15; piece++) {
      work(2)
      await rest()
    }
  }
  // Begun one after the other, as requests are: what each does at first is in a turn of its own.
  const { ms } = await longestStretch(() =>
    Promise.all(Array.from({ length: 30 }, (_, place) => sleep(10 * place).then(loop))),
  )
  expect(ms).toBeLessThan(maxStretchMs)
})

test('30 callers that want a turn of their own get one each', async () => {
  const piece = async () => {
    await ownTurn()
    work(10)
  }
  const { ms } = await longestStretch(() => Promise.all(Array.from({ length: 30 }, piece)))
  expect(ms).toBeLessThan(maxStretchMs)
})
