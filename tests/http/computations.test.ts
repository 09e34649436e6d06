import { expect, test } from 'bun:test'
import { Computations } from '../../src/http/computations.ts'

const settled = () => new Promise(resolve => setTimeout(resolve))

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

test('one trial of a workspace runs at a time, and two of the process', async () => {
  const { running, finish } = started(['a', 'a', 'b', 'c'])
  await settled()
  expect(running).toEqual(['a', 'b'])
  finish[0]!()
  await settled()
  expect(running).toEqual(['a', 'b', 'a'])
  finish[1]!()
  await settled()
  expect(running).toEqual(['a', 'b', 'a', 'c'])
})

test('a check does not wait for trials', async () => {
  const { computations } = started(['a', 'b'])
  const { signal } = new AbortController()
  expect(await computations.run('checks', 'a', signal, async () => 'judged')).toBe('judged')
})

test('a call whose sender has gone does no work', async () => {
  const controller = new AbortController()
  const { running, calls } = started(['a', 'a'], controller.signal)
  const failures = Promise.all(calls.map(call => call.catch(error => error)))
  const reason = new Error('gone')
  controller.abort(reason)
  expect(await failures).toEqual([reason, reason])
  expect(running).toEqual([])
})

test('everybody else has a turn between two calls that waited', async () => {
  const computations = new Computations()
  const { signal } = new AbortController()
  const order: string[] = []
  const calls = Array.from({ length: 3 }, (_, n) =>
    computations.run('checks', 'a', signal, async () => {
      order.push(`check ${n}`)
      setImmediate(() => order.push('another'))
    }),
  )
  await Promise.all(calls)
  expect(order.slice(0, 4)).toEqual(['check 0', 'another', 'check 1', 'another'])
})
