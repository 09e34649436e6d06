import { expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { timeFor } from '../../src/domain/trials/time.ts'
import { TimedTurns } from '../../src/domain/turns.ts'

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
