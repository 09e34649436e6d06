import { lookup as lookUpByName } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

/** IPv4 ranges outside the public internet, and one public address that a cloud provider uses internally. */
const privateIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map(range => ipaddr.IPv4.parseCIDR(range))

/** The only IPv6 range that is allocated to the public internet. */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Exceptions inside it: protocol assignments (including Teredo), documentation, 6to4 (which embeds an IPv4 address),
 * and a second documentation range.
 */
const privateIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(range => ipaddr.IPv6.parseCIDR(range))

/**
 * Returns whether a delivery may be sent to this address. Returns false for an unusual spelling and for an address with
 * a zone. An IPv4 address mapped into IPv6 is checked as IPv4.
 *
 * @param ip an IPv4 address of four decimal parts or an IPv6 address without brackets
 */
export const isPublicAddress = (ip: string): boolean => {
  const family = isIP(ip)
  if (family === 4) return isPublicIpv4(ipaddr.IPv4.parse(ip))
  if (family !== 6 || ip.includes('%')) return false
  const address = ipaddr.IPv6.parse(toHexadecimal(ip))
  return address.isIPv4MappedAddress() ? isPublicIpv4(address.toIPv4Address()) : isPublicIpv6(address)
}

/**
 * Rewrites a dotted end in hexadecimal. ipaddr.js takes `::8.8.8.8`, which is not public, for a mapped IPv4 address.
 */
const toHexadecimal = (ipv6: string): string =>
  ipv6.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...octets: string[]) => {
    const [a, b, c, d] = octets.map(Number)
    return `${(a! * 256 + b!).toString(16)}:${(c! * 256 + d!).toString(16)}`
  })

const isPublicIpv4 = (address: ipaddr.IPv4): boolean => !privateIpv4.some(range => address.match(range))

const isPublicIpv6 = (address: ipaddr.IPv6): boolean =>
  address.match(globalIpv6) && !privateIpv6.some(range => address.match(range))

/** An address of a host name, in the format of node:dns. */
export interface ResolvedAddress {
  address: string
  family: number
}

/** Returns every address of a host name. Rejects if there is none. */
export type Lookup = (host: string) => Promise<ResolvedAddress[]>

/**
 * The addresses that may be used, in the order to try them. Otherwise the reason: the name was not found, or one of its
 * addresses is not public.
 */
export type Resolution =
  | { ok: true; addresses: readonly [string, ...string[]] }
  | { ok: false; reason: 'dns' | 'private_address' }

/**
 * Resolves a host. Returns a recent result without a promise, and never rejects.
 *
 * @param host a host name, or an IP address without brackets
 * @param mayBePrivate skips the check for public addresses, for targets that the operator has allowed
 */
export type Resolve = (host: string, mayBePrivate?: boolean) => Resolution | Promise<Resolution>

/** Options of a resolver: the DNS lookup, the cache time and a clock, both in milliseconds. */
export interface ResolverOptions {
  lookup?: Lookup
  cacheMs?: number
  now?: () => number
}

/** Result of one lookup, with and without the check for public addresses. */
interface LookupResult {
  checked: Resolution
  unchecked: Resolution
}

interface CacheEntry {
  startedAt: number
  pending: Promise<LookupResult>
  result: LookupResult | undefined
  /** Result and start of the previous lookup. Used for a limited time while this lookup is slow. */
  previous: { result: LookupResult; startedAt: number } | undefined
}

const maxEntries = 4096

/** Milliseconds after which a lookup counts as slow and the previous result is used. */
const slowMs = 250
/** Milliseconds after which a lookup counts as hanging. */
const hangingMs = 2000
/** Maximum age in milliseconds of a previous result. */
const maxStaleMs = 60_000

const notFound: Resolution = { ok: false, reason: 'dns' }
const notPublic: Resolution = { ok: false, reason: 'private_address' }

/**
 * Creates a resolver for webhook deliveries. Every address of a name must be public, because the owner of the name
 * decides their order. The caller connects to a returned address and never to the name, which prevents DNS rebinding.
 *
 * A result is cached for `cacheMs` (default 3 s) from the start of its lookup. Concurrent lookups of one name share one
 * lookup. Failures are not cached. A lookup that hangs is shared for at most `cacheMs`.
 *
 * Lookups share the few threads of the runtime, and an unresponsive DNS server blocks one for many seconds. Names that
 * hung last time are therefore looked up one at a time. While a lookup is slow, a result from the last minute is used.
 */
export const createResolver = (options: ResolverOptions = {}): Resolve => {
  const { lookup = lookUpAll, cacheMs = 3000, now = () => performance.now() } = options
  const entries = new LRUCache<string, CacheEntry>({ max: maxEntries })
  const queuedLookup = queueHangingLookups(lookup, now)

  return (host, mayBePrivate = false) => {
    let entry = entries.get(host)
    if (entry === undefined || now() - entry.startedAt >= cacheMs)
      entry = startLookup(entries, host, queuedLookup, now())
    const choose = (result: LookupResult) => (mayBePrivate ? result.unchecked : result.checked)
    return entry.result === undefined ? orPrevious(entry, now()).then(choose) : choose(entry.result)
  }
}

/** Waits for the lookup. If it is slow and there is a recent previous result, resolves with that. */
const orPrevious = ({ pending, previous }: CacheEntry, now: number): Promise<LookupResult> => {
  if (previous === undefined || now - previous.startedAt >= maxStaleMs) return pending
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(previous.result), slowMs)
    void pending.then(result => {
      clearTimeout(timer)
      resolve(result)
    })
  })
}

const lookUpAll: Lookup = host => lookUpByName(host, { all: true })

const startLookup = (
  entries: LRUCache<string, CacheEntry>,
  host: string,
  lookup: Lookup,
  startedAt: number,
): CacheEntry => {
  const last = entries.get(host)
  const previous = last?.result ? { result: last.result, startedAt: last.startedAt } : last?.previous
  const entry: CacheEntry = { startedAt, pending: resolveHost(host, lookup), result: undefined, previous }
  entries.set(host, entry)
  entry.pending.then(result => {
    if (result.unchecked.ok) entry.result = result
    // A later lookup may have replaced this entry while it was hanging.
    else if (entries.get(host) === entry) entries.delete(host)
  })
  return entry
}

/** Maximum number of hanging names in the queue. */
const maxQueued = 1000
/** Maximum time in milliseconds for which a lookup blocks the queue. */
const maxBlockingMs = 15_000

/**
 * Wraps a lookup with a queue for names whose last lookup hung or has not finished. The queue runs one lookup at a time
 * and contains each name once. If the queue is full, the lookup rejects, and the name counts as not found.
 */
const queueHangingLookups = (lookup: Lookup, now: () => number): Lookup => {
  const hanging = new LRUCache<string, true>({ max: maxEntries })
  const queue: (() => void)[] = []
  /** Lookups that are queued or running. */
  const queuedLookups = new Map<string, Promise<ResolvedAddress[]>>()
  let isBusy = false

  const timed: Lookup = async host => {
    const startedAt = now()
    setHanging(hanging, host, true)
    try {
      return await lookup(host)
    } finally {
      setHanging(hanging, host, now() - startedAt > hangingMs)
    }
  }
  const next = () => {
    const start = queue.shift()
    isBusy = start !== undefined
    start?.()
  }
  const lookUpInQueue: Lookup = async host => {
    if (isBusy) {
      await new Promise<void>(resolve => queue.push(resolve))
    }
    isBusy = true
    let isDone = false
    const end = () => {
      if (isDone) return
      isDone = true
      queuedLookups.delete(host)
      next()
    }
    const timer = setTimeout(end, maxBlockingMs)
    try {
      return await timed(host)
    } finally {
      clearTimeout(timer)
      end()
    }
  }
  return host => {
    if (!hanging.has(host)) return timed(host)
    const pendingResult = queuedLookups.get(host)
    if (pendingResult) return pendingResult
    if (queuedLookups.size >= maxQueued) return Promise.reject(new Error('too many host name lookups are pending'))
    const queuedResult = lookUpInQueue(host)
    queuedLookups.set(host, queuedResult)
    return queuedResult
  }
}

/** Remembers whether a name hangs. */
const setHanging = (hanging: LRUCache<string, true>, host: string, isHanging: boolean): void => {
  if (isHanging) hanging.set(host, true)
  else hanging.delete(host)
}

const resolveHost = async (host: string, lookup: Lookup): Promise<LookupResult> => {
  try {
    return checkAddresses(isIP(host) === 0 ? await lookup(host) : [{ address: host, family: isIP(host) }])
  } catch {
    return { checked: notFound, unchecked: notFound }
  }
}

/**
 * Sorts IPv4 first: every network has it, while IPv6 routes are often missing and packets may be lost without an error.
 */
const checkAddresses = (resolved: readonly ResolvedAddress[]): LookupResult => {
  const [first, ...others] = resolved.toSorted((a, b) => a.family - b.family).map(({ address }) => address)
  if (first === undefined) return { checked: notFound, unchecked: notFound }
  const unchecked: Resolution = { ok: true, addresses: [first, ...others] }
  return { checked: unchecked.addresses.every(isPublicAddress) ? unchecked : notPublic, unchecked }
}
