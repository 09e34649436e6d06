import { expect, test } from 'bun:test'
import { Computations } from '../../../src/api/limits/computations.ts'
import { eventually } from '../../support/world.ts'

/** Starts a trial for each of these workspaces. */
const started = (workspaces: string[], signal = new AbortController().signal) => {
  const computations = new Computations()
  const running: string[] = []
  const finish: (() => void)[] = []
  const calls = workspaces.map(workspace =>
    computations.run('trials', workspace, signal, async () => {
      running.push(workspace)
      await new Promise<void>(resolve => finish.push(resolve))
    }),
  )
  return { computations, running, finish, calls }
}

test('one trial per workspace and two per process run at a time', async () => {
  const { running, finish } = started(['a', 'a', 'b', 'c'])
  await eventually('two run', () => running.length === 2)
  expect(running).toEqual(['a', 'b'])
  finish[0]!()
  await eventually('a third runs', () => running.length === 3)
  expect(running).toEqual(['a', 'b', 'a'])
  finish[1]!()
  await eventually('a fourth runs', () => running.length === 4)
  expect(running).toEqual(['a', 'b', 'a', 'c'])
})

test('a check does not wait for trials', async () => {
  const { computations } = started(['a', 'b'])
  const { signal } = new AbortController()
  expect(await computations.run('checks', 'a', signal, async () => 'judged')).toBe('judged')
})

test('a call whose sender has disconnected does no work', async () => {
  const controller = new AbortController()
  const { running, calls } = started(['a', 'a'], controller.signal)
  const failure = calls[1]!.catch(error => error)
  const reason = new Error('gone')
  controller.abort(reason)
  expect(await failure).toBe(reason)
  expect(running).toEqual(['a'])
})

test('the checks of one workspace leave half of the time to others, in many short slices', async () => {
  const computations = new Computations()
  const { signal } = new AbortController()
  let turns = 0
  let isOver = false
  const turn = () => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  turn()
  const startedAt = performance.now()
  const calls = Array.from({ length: 5 }, () =>
    computations.run('checks', 'a', signal, async () => {
      for (const until = performance.now() + 20; performance.now() < until; );
    }),
  )
  await Promise.all(calls)
  isOver = true
  expect(performance.now() - startedAt).toBeGreaterThan(5 * 20 + 4 * 20 - 10)
  expect(turns).toBeGreaterThan(50)
})
