import { expect, test } from 'bun:test'
import { Computations } from '../../../src/api/limits/computations.ts'
import { eventually } from '../../support/world.ts'

const { signal } = new AbortController()

test('one trial per workspace and two per process run at a time, and a check does not wait for them', async () => {
  const computations = new Computations()
  const running: string[] = []
  const finish: (() => void)[] = []
  for (const workspace of ['a', 'a', 'b', 'c'])
    void computations.run('trials', workspace, signal, async () => {
      running.push(workspace)
      await new Promise<void>(resolve => finish.push(resolve))
    })
  await eventually('two run', () => running.length === 2)
  expect(await computations.run('checks', 'a', signal, async () => running.join(' '))).toBe('a b')
  finish[0]!()
  await eventually('a third runs', () => running.length === 3)
  expect(running.join(' ')).toBe('a b a')
  finish[1]!()
  await eventually('a fourth runs', () => running.length === 4)
  expect(running.join(' ')).toBe('a b a c')
})

test('the checks of one workspace leave half of the time to others, in many short slices', async () => {
  const computations = new Computations()
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
