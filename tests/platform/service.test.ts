import { describe, expect, test } from 'bun:test'
import { createService, inParallel, inSequence, type Service } from '../../src/platform/service.ts'

const never = new AbortController().signal

/** Services that record their calls. `b` stops only after `letBStop`. */
const written = () => {
  const said: string[] = []
  const { promise: bMayStop, resolve: letBStop } = Promise.withResolvers<void>()
  const part = (name: string): Service => ({
    name,
    start: async () => {
      said.push(`start ${name}`)
    },
    stop: async () => {
      if (name === 'b') await bMayStop
      said.push(`stop ${name}`)
    },
  })
  return { said, parts: ['a', 'b', 'c'].map(part), letBStop }
}

test('sequential services start in order and stop in reverse, one after the other', async () => {
  const { said, parts, letBStop } = written()
  const whole = inSequence('whole', parts)
  await whole.start()
  const stopped = whole.stop(never)
  letBStop()
  await stopped
  expect(said).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a'])
})

test('parallel services start in order and stop without waiting for each other', async () => {
  const { said, parts, letBStop } = written()
  const whole = inParallel('whole', parts)
  await whole.start()
  const stopped = whole.stop(never)
  await Promise.resolve()
  expect(said).toEqual(['start a', 'start b', 'start c', 'stop a', 'stop c'])
  letBStop()
  await stopped
  expect(said.at(-1)).toBe('stop b')
})

test('a service that cannot start prevents the start of later ones', async () => {
  const { said, parts } = written()
  const broken = createService('broken', { start: () => Promise.reject(new Error('no')) })
  await expect(inSequence('whole', [parts[0]!, broken, parts[2]!]).start()).rejects.toThrow('no')
  expect(said).toEqual(['start a'])
})

describe('a simple service', () => {
  const counted = () => {
    const count = { started: 0, stopped: 0 }
    const part = createService('counted', {
      start: () => {
        count.started++
      },
      stop: () => {
        count.stopped++
      },
    })
    return { count, part }
  }

  test('starts once and stops once after repeated calls', async () => {
    const { count, part } = counted()
    await Promise.all([part.start(), part.start()])
    await Promise.all([part.stop(never), part.stop(never)])
    await part.stop(never)
    expect(count).toEqual({ started: 1, stopped: 1 })
  })

  test('never starts after it was stopped', async () => {
    const { count, part } = counted()
    await part.stop(never)
    await part.start()
    expect(count.started).toBe(0)
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
