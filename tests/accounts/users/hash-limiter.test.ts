import { describe, expect, test } from 'bun:test'
import { HashLimiter, type Requester } from '../../../src/accounts/users/hash-limiter.ts'
import { RetryLaterError } from '../../../src/core/errors.ts'

/** Creates a `HashLimiter` whose hashes end in order when the test ends them. */
const limiterOf = (total: number, maxWaiting: number) => {
  const limiter = new HashLimiter({ total, maxWaiting })
  const begun: string[] = []
  const ends: (() => void)[] = []
  let ended = 0
  return {
    begun,
    /** Resolves with `done` or with the error. */
    ask: (name: string, address = 'one', signal = new AbortController().signal): Promise<unknown> =>
      limiter
        .run({ address, signal }, () => {
          begun.push(name)
          return new Promise<string>(resolve => ends.push(() => resolve('done')))
        })
        .catch((error: unknown) => error),
    refusesAtOnce: (asker: Requester) => {
      try {
        limiter.rejectWhenFull(asker)
        return false
      } catch {
        return true
      }
    },
    endOne: async () => {
      ends[ended++]!()
      await settled()
    },
  }
}

const settled = () => new Promise(resolve => setImmediate(resolve))
const present = new AbortController().signal

test('rejects a caller when the queue is full, with the time to wait, before and while queueing', async () => {
  const { ask, begun, refusesAtOnce } = limiterOf(1, 8)
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) void ask(name)
  expect(refusesAtOnce({ address: 'one', signal: present })).toBe(false)
  void ask('i')
  expect(refusesAtOnce({ address: 'one', signal: present })).toBe(true)
  const refused = await ask('j')
  expect(refused).toBeInstanceOf(RetryLaterError)
  expect(refused).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 2 })
  expect(begun).toEqual(['a'])
})

test('removes a caller that disconnects, without a hash', async () => {
  const { ask, begun, endOne } = limiterOf(1, 1)
  void ask('a')
  const leaving = new AbortController()
  const left = ask('b', 'one', leaving.signal)
  expect(await ask('c')).toBeInstanceOf(RetryLaterError)
  leaving.abort()
  expect(await left).toBe(leaving.signal.reason)
  const stayed = ask('d')
  await endOne()
  await endOne()
  expect(await stayed).toBe('done')
  expect(await ask('e', 'one', leaving.signal)).toBe(leaving.signal.reason)
  expect(begun).toEqual(['a', 'd'])
})

test('releases the permit of a hash that fails', async () => {
  const limiter = new HashLimiter({ total: 1, maxWaiting: 1 })
  const fail = () => Promise.reject(new Error('out of memory'))
  expect(await limiter.run(null, fail).catch(error => error.message)).toBe('out of memory')
  expect(await limiter.run(null, async () => 'next')).toBe('next')
})

describe('sharing between addresses', () => {
  test('gives room in a full queue to an address with fewer callers, and rejects the last of the largest', async () => {
    const { ask, begun, endOne, refusesAtOnce } = limiterOf(1, 4)
    const crowd = ['a1', 'a2', 'a3', 'a4', 'a5'].map(name => ask(name, 'a'))
    expect(refusesAtOnce({ address: 'b', signal: present })).toBe(false)
    const other = ask('b1', 'b')
    expect(await crowd[4]).toBeInstanceOf(RetryLaterError)
    await endOne()
    await endOne()
    await endOne()
    expect(await other).toBe('done')
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  test('counts an IPv6 network of 48 bits as one address', async () => {
    const { ask } = limiterOf(1, 2)
    void ask('a', '2001:db8:1:2::1')
    void ask('b', '2001:db8:1:2::2')
    void ask('c', '2001:db8:1:2::3')
    expect(await ask('d', '2001:db8:1:2:ffff::4')).toBeInstanceOf(RetryLaterError)
    expect(await ask('e', '2001:db8:1:3::1')).toBeInstanceOf(RetryLaterError)
    expect(await Promise.race([ask('f', '2001:db8:2:1::1'), settled()])).toBeUndefined()
  })
})
