/** Tests the lookup of host names. The property tests say which addresses are public. */
import { describe, expect, test } from 'bun:test'
import { createResolver, type Resolution, type ResolvedAddress } from '../../../src/webhooks/endpoints/address.ts'

describe('createResolver', () => {
  const publicAddress = '93.184.216.34'
  const ipv4 = (...addresses: string[]): ResolvedAddress[] => addresses.map(address => ({ address, family: 4 }))

  /**
   * Creates a resolver with a manual clock and a lookup that returns the answers in order. It repeats the last answer.
   */
  const world = (...answers: (ResolvedAddress[] | Error | Promise<ResolvedAddress[]>)[]) => {
    const asked: string[] = []
    const clock = { ms: 0 }
    const resolve = createResolver({
      now: () => clock.ms,
      lookup: async host => {
        asked.push(host)
        const answer = answers.length > 1 ? answers.shift()! : answers[0]!
        if (answer instanceof Error) throw answer
        return answer
      },
    })
    return { resolve, asked, clock }
  }

  const never = new Promise<ResolvedAddress[]>(() => {})

  test.each([
    ['one private address', ipv4(publicAddress, '10.0.0.1')],
    ['one private address first', ipv4('10.0.0.1', publicAddress)],
    ['one private IPv6 address', [...ipv4(publicAddress), { address: '::1', family: 6 }]],
    ['an answer that is no address', ipv4('somewhere')],
  ])('refuses a name with %s', async (_, found) => {
    expect(await world(found).resolve('hooks.example.com')).toEqual({ ok: false, reason: 'private_address' })
  })

  test('returns IPv4 before IPv6', async () => {
    const { resolve } = world([{ address: '2606:4700:4700::1111', family: 6 }, ...ipv4(publicAddress)])
    expect(await resolve('hooks.example.com')).toEqual({ ok: true, addresses: [publicAddress, '2606:4700:4700::1111'] })
  })

  test('refuses a name that is not found, and looks it up again the next time', async () => {
    const { resolve, asked } = world(new Error('ENOTFOUND'), [], ipv4(publicAddress))
    for (let n = 0; n < 2; n++) expect(await resolve('hooks.example.com')).toEqual({ ok: false, reason: 'dns' })
    expect(await resolve('hooks.example.com')).toEqual({ ok: true, addresses: [publicAddress] })
    expect(asked).toHaveLength(3)
  })

  test('caches an answer for three seconds, and then refuses a name that has become private', async () => {
    const { resolve, asked, clock } = world(ipv4(publicAddress), ipv4('127.0.0.1'))
    const found: Resolution = { ok: true, addresses: [publicAddress] }
    expect(await resolve('hooks.example.com')).toEqual(found)
    clock.ms = 2999
    expect(resolve('hooks.example.com')).toEqual(found)
    expect(asked).toHaveLength(1)
    clock.ms = 3000
    expect(await resolve('hooks.example.com')).toEqual({ ok: false, reason: 'private_address' })
  })

  test('shares one lookup between concurrent calls for a name', async () => {
    const { resolve, asked } = world(ipv4(publicAddress))
    const all = await Promise.all(Array.from({ length: 50 }, () => resolve('hooks.example.com')))
    expect(new Set(all.map(resolution => resolution.ok))).toEqual(new Set([true]))
    expect(asked).toEqual(['hooks.example.com'])
    await resolve('other.example.com')
    expect(asked).toEqual(['hooks.example.com', 'other.example.com'])
  })

  test('uses the last answer for up to a minute while the next lookup hangs', async () => {
    const { resolve, clock } = world(ipv4(publicAddress), never)
    const found = await resolve('hooks.example.com')
    for (const ms of [3000, 30_000, 59_999]) {
      clock.ms = ms
      expect(await resolve('hooks.example.com')).toEqual(found)
    }
    clock.ms = 60_000
    const late = await Promise.race([resolve('hooks.example.com'), new Promise(resolve => setTimeout(resolve, 400))])
    expect(late).toBeUndefined()
  })

  test('runs hanging names one at a time, and does not delay other names', async () => {
    const clock = { ms: 0 }
    const hung = new Map<string, () => void>()
    const asked: string[] = []
    const resolve = createResolver({
      now: () => clock.ms,
      lookup: host => {
        asked.push(host)
        if (host.startsWith('fast')) return Promise.resolve(ipv4(publicAddress))
        return new Promise((_, reject) => hung.set(host, () => reject(new Error('ETIMEOUT'))))
      },
    })
    const slow = ['a.example', 'b.example', 'c.example']
    const first = slow.map(host => resolve(host))
    expect(asked.splice(0)).toEqual(slow)
    clock.ms = 10_000
    for (const end of hung.values()) end()
    await Promise.all(first)

    const again = slow.map(host => resolve(host))
    clock.ms += 3000
    for (const host of slow) void resolve(host)
    expect(await resolve('fast.example')).toEqual({ ok: true, addresses: [publicAddress] })
    expect(asked.splice(0)).toEqual(['a.example', 'fast.example'])
    for (const [index, host] of slow.entries()) {
      clock.ms += 10_000
      hung.get(host)!()
      expect(await again[index]).toEqual({ ok: false, reason: 'dns' })
      await new Promise(resolve => setImmediate(resolve))
    }
    expect(asked).toEqual(['b.example', 'c.example'])
  })

  test('keeps the newer answer when an older lookup fails late', async () => {
    const hung = Promise.withResolvers<ResolvedAddress[]>()
    const { resolve, asked, clock } = world(hung.promise, ipv4(publicAddress))
    const first = resolve('hooks.example.com')
    clock.ms = 3000
    await resolve('hooks.example.com')
    hung.reject(new Error('ENOTFOUND'))
    expect(await first).toEqual({ ok: false, reason: 'dns' })
    await resolve('hooks.example.com')
    expect(asked).toHaveLength(2)
  })

  test('does not check the addresses of an allowed target, with the same lookup', async () => {
    const { resolve, asked } = world(ipv4('127.0.0.1'))
    expect(await resolve('receiver', true)).toEqual({ ok: true, addresses: ['127.0.0.1'] })
    expect(await resolve('receiver')).toEqual({ ok: false, reason: 'private_address' })
    expect(asked).toHaveLength(1)
  })

  test('checks an IP address without a lookup', async () => {
    const { resolve, asked } = world(new Error('ENOTFOUND'))
    expect(await resolve('127.0.0.1')).toEqual({ ok: false, reason: 'private_address' })
    expect(await resolve('::1', true)).toEqual({ ok: true, addresses: ['::1'] })
    expect(await resolve(publicAddress)).toEqual({ ok: true, addresses: [publicAddress] })
    expect(asked).toEqual([])
  })
})
