import { describe, expect, test } from 'bun:test'
import { createLoop, createService, inParallel, inSequence, type Service } from '../../src/platform/service.ts'

const never = new AbortController().signal

/** Services that record their calls. The service `b` stops only after `letBStop`. */
const recorded = () => {
  const calls: string[] = []
  const { promise: bMayStop, resolve: letBStop } = Promise.withResolvers<void>()
  const services = ['a', 'b', 'c'].map(
    (name): Service => ({
      name,
      start: async () => void calls.push(`start ${name}`),
      stop: async () => {
        if (name === 'b') await bMayStop
        calls.push(`stop ${name}`)
      },
    }),
  )
  return { calls, services, letBStop }
}

test.each([
  ['sequential services start in order and stop in reverse, one after the other', inSequence, 'c', 'b a'],
  ['parallel services start in order and stop without waiting for each other', inParallel, 'a c', 'b'],
] as const)('%s', async (_, combine, stopped, stoppedAfterB) => {
  const { calls, services, letBStop } = recorded()
  const whole = combine('whole', services)
  await whole.start()
  const stopping = whole.stop(never)
  await new Promise(resolve => setTimeout(resolve))
  const expected = ['start a', 'start b', 'start c', ...stopped.split(' ').map(name => `stop ${name}`)]
  expect(calls).toEqual(expected)
  letBStop()
  await stopping
  expect(calls).toEqual([...expected, ...stoppedAfterB.split(' ').map(name => `stop ${name}`)])
})

test('a service that cannot start prevents the start of later ones', async () => {
  const { calls, services } = recorded()
  const broken = createService('broken', { start: () => Promise.reject(new Error('no')) })
  await expect(inSequence('whole', [services[0]!, broken, services[2]!]).start()).rejects.toThrow('no')
  expect(calls).toEqual(['start a'])
})

describe('a simple service', () => {
  const counted = () => {
    const count = { started: 0, stopped: 0 }
    const start = () => void count.started++
    const stop = () => void count.stopped++
    return { count, service: createService('counted', { start, stop }) }
  }

  test('starts once and stops once after repeated calls, and never starts after it was stopped', async () => {
    const { count, service } = counted()
    await Promise.all([service.start(), service.start()])
    await Promise.all([service.stop(never), service.stop(never)])
    await service.stop(never)
    await service.start()
    expect(count).toEqual({ started: 1, stopped: 1 })
    const another = counted()
    await another.service.stop(never)
    await another.service.start()
    expect(another.count.started).toBe(0)
  })

  test('stops only if it has started, and never throws', async () => {
    const said: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const part = createService('slow', {
      start: async () => {
        await promise
        said.push('started')
      },
      stop: () => {
        said.push('stopped')
        throw new Error('too late')
      },
      onError: error => said.push(String(error)),
    })
    const started = part.start()
    const stopped = part.stop(never)
    resolve()
    await Promise.all([started, stopped])
    expect(said).toEqual(['started', 'stopped', 'Error: too late'])
  })
})

describe('a loop', () => {
  test('runs again after an error, which it reports, and ends when it is stopped', async () => {
    const errors: unknown[] = []
    const { promise: second, resolve: onSecond } = Promise.withResolvers<void>()
    let [runs, active] = [0, 0]
    const work = async () => {
      active++
      if (++runs === 2) onSecond()
      await new Promise(resolve => setTimeout(resolve))
      active--
      if (runs === 1) throw new Error('first')
    }
    const loop = createLoop('loop', 1, work, error => errors.push(error))
    await loop.start()
    await second
    await loop.stop(never)
    expect(active).toBe(0)
    expect(errors).toEqual([new Error('first')])
  })

  test('never runs after it was stopped first', async () => {
    let runs = 0
    const loop = createLoop(
      'loop',
      1,
      async () => void runs++,
      () => {},
    )
    await loop.stop(never)
    await loop.start()
    expect(runs).toBe(0)
  })
})
