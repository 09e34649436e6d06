/** Fairness and cancellation: tests/platform/keyed-limiter.test.ts and tests/api/routes/accounts/sign-in.test.ts. */
import { expect, test } from 'bun:test'
import { HashLimiter } from '../../../src/accounts/users/hash-limiter.ts'
import { RetryLaterError } from '../../../src/core/errors.ts'

const { signal } = new AbortController()

/** Creates a limiter with one permit, and a function that asks for a hash that never ends. It resolves to an error. */
const limiterOf = (maxWaiting: number) => {
  const limiter = new HashLimiter({ total: 1, maxWaiting })
  const ask = (address: string): Promise<unknown> =>
    limiter.run({ address, signal }, () => new Promise(() => {})).catch((error: unknown) => error)
  return { limiter, ask }
}

test('rejects a caller when the queue is full, with the time to wait, before and while queueing', async () => {
  const { limiter, ask } = limiterOf(8)
  const reject = () => limiter.rejectWhenFull({ address: 'one', signal })
  for (let n = 0; n < 8; n++) void ask('one')
  reject()
  void ask('one')
  expect(reject).toThrow(RetryLaterError)
  expect(await ask('one')).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 2 })
})

test('releases the permit of a hash that fails', async () => {
  const limiter = new HashLimiter({ total: 1, maxWaiting: 1 })
  const fail = () => Promise.reject(new Error('out of memory'))
  expect(await limiter.run(null, fail).catch(error => error.message)).toBe('out of memory')
  expect(await limiter.run(null, async () => 'next')).toBe('next')
})

test('counts an IPv6 network of 48 bits as one address', async () => {
  const { ask } = limiterOf(2)
  for (const host of ['2::1', '2::2', '2::3']) void ask(`2001:db8:1:${host}`)
  for (const host of ['2:ffff::4', '3::1']) expect(await ask(`2001:db8:1:${host}`)).toBeInstanceOf(RetryLaterError)
  const other = ask('2001:db8:2:1::1')
  expect(await Promise.race([other, new Promise(resolve => setImmediate(resolve))])).toBeUndefined()
})
