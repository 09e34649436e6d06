import { describe, expect, test } from 'bun:test'
import { createResolver, isPublicAddress, type ResolvedAddress } from '../../../src/webhooks/endpoints/address.ts'

describe('isPublicAddress', () => {
  /** The last address before a range, the first and last of the range, and the first after it. */
  const ipv4Ranges: [string, string | null, string, string, string | null][] = [
    ['0/8', null, '0.0.0.0', '0.255.255.255', '1.0.0.0'],
    ['10/8', '9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
    ['100.64/10', '100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0'],
    ['127/8', '126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0'],
    ['168.63.129.16', '168.63.129.15', '168.63.129.16', '168.63.129.16', '168.63.129.17'],
    ['169.254/16', '169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0'],
    ['172.16/12', '172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
    ['192.0.0/24', '191.255.255.255', '192.0.0.0', '192.0.0.255', '192.0.1.0'],
    ['192.0.2/24', '192.0.1.255', '192.0.2.0', '192.0.2.255', '192.0.3.0'],
    ['192.88.99/24', '192.88.98.255', '192.88.99.0', '192.88.99.255', '192.88.100.0'],
    ['192.168/16', '192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'],
    ['198.18/15', '198.17.255.255', '198.18.0.0', '198.19.255.255', '198.20.0.0'],
    ['198.51.100/24', '198.51.99.255', '198.51.100.0', '198.51.100.255', '198.51.101.0'],
    ['203.0.113/24', '203.0.112.255', '203.0.113.0', '203.0.113.255', '203.0.114.0'],
    ['224/4', '223.255.255.255', '224.0.0.0', '239.255.255.255', null],
    ['240/4', null, '240.0.0.0', '255.255.255.255', null],
  ]

  test.each(ipv4Ranges)('%s is not public, and its neighbours are, also mapped into IPv6', (_, ...addresses) => {
    for (const prefix of ['', '::ffff:'])
      for (const [place, ip] of addresses.entries())
        if (ip !== null) expect(isPublicAddress(prefix + ip)).toBe(place === 0 || place === 3)
  })

  test.each([
    '',
    ' ',
    'localhost',
    '8.8.8',
    '134744072',
    '0x8.8.8.8',
    '010.8.8.8',
    '8.8.8.8 ',
    '8.8.8.8/32',
    '[2606:4700::1]',
    '8.8.8.256',
    '１.1.1.1',
    '8.8.8.8\0',
  ])('a text that is not an address in standard notation is not public: "%s"', ip => {
    expect(isPublicAddress(ip)).toBe(false)
  })
})

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

  test('accepts a name with public addresses', async () => {
    const { resolve } = world(ipv4(publicAddress))
    expect(await resolve('hooks.example.com')).toEqual({ ok: true, addresses: [publicAddress] })
  })

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
    expect(await resolve('hooks.example.com')).toEqual({ ok: false, reason: 'dns' })
    expect(await resolve('hooks.example.com')).toEqual({ ok: false, reason: 'dns' })
    expect(await resolve('hooks.example.com')).toEqual({ ok: true, addresses: [publicAddress] })
    expect(asked).toHaveLength(3)
  })

  test('refuses a name whose lookup throws synchronously', async () => {
    const resolve = createResolver({
      lookup: () => {
        throw new Error('no resolver')
      },
    })
    expect(await resolve('hooks.example.com')).toEqual({ ok: false, reason: 'dns' })
  })

  test('caches an answer for three seconds', async () => {
    const { resolve, asked, clock } = world(ipv4(publicAddress))
    await resolve('hooks.example.com')
    clock.ms = 2999
    expect(resolve('hooks.example.com')).toEqual({ ok: true, addresses: [publicAddress] })
    expect(asked).toHaveLength(1)
    clock.ms = 3000
    await resolve('hooks.example.com')
    expect(asked).toHaveLength(2)
  })

  test('refuses a name that becomes private once the cached answer has expired', async () => {
    const { resolve, clock } = world(ipv4(publicAddress), ipv4('127.0.0.1'))
    expect(await resolve('hooks.example.com')).toEqual({ ok: true, addresses: [publicAddress] })
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

  test('starts a new lookup while an old one hangs', async () => {
    const { resolve, clock } = world(never, ipv4(publicAddress))
    void resolve('hooks.example.com')
    clock.ms = 3000
    expect(await resolve('hooks.example.com')).toEqual({ ok: true, addresses: [publicAddress] })
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

  test('uses the system resolver by default', async () => {
    const resolution = await createResolver()('localhost', true)
    expect(resolution.ok && resolution.addresses.some(address => address === '127.0.0.1' || address === '::1')).toBe(
      true,
    )
    expect(await createResolver()('localhost')).toEqual({ ok: false, reason: 'private_address' })
  })
})
