import { lookup as lookUpByName } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Everything in IPv4 that is not the public internet, and the one public address a cloud uses as its own inside. */
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

/** The only part of IPv6 that is given out for the public internet. */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Inside it: protocol assignments (Teredo among them), documentation, 6to4, which carries an IPv4 address, and documentation again. */
const privateIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(range => ipaddr.IPv6.parseCIDR(range))

/**
 * Whether a delivery may be sent to this address. What is no address in its usual spelling, or carries a zone, is not
 * public; an IPv4 address mapped into IPv6 is judged as the IPv4 address it stands for.
 *
 * @param ip an IPv4 address of four decimal parts or an IPv6 address without brackets
 */
export const isPublicAddress = (ip: string): boolean => {
  const family = isIP(ip)
  if (family === 4) return isPublicIpv4(ipaddr.IPv4.parse(ip))
  if (family !== 6 || ip.includes('%')) return false
  const address = ipaddr.IPv6.parse(inHexadecimal(ip))
  return address.isIPv4MappedAddress() ? isPublicIpv4(address.toIPv4Address()) : isPublicIpv6(address)
}

/** Without the dotted end it may have: ipaddr.js takes `::8.8.8.8`, which leads nowhere public, for a mapped address. */
const inHexadecimal = (ipv6: string): string =>
  ipv6.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...octets: string[]) => {
    const [a, b, c, d] = octets.map(Number)
    return `${(a! * 256 + b!).toString(16)}:${(c! * 256 + d!).toString(16)}`
  })

const isPublicIpv4 = (address: ipaddr.IPv4): boolean => !privateIpv4.some(range => address.match(range))

const isPublicIpv6 = (address: ipaddr.IPv6): boolean =>
  address.match(globalIpv6) && !privateIpv6.some(range => address.match(range))

/** One address a name leads to, as node:dns gives it. */
export interface LookedUpAddress {
  address: string
  family: number
}

/** Finds every address of a host name; rejects when there is none. */
export type Lookup = (host: string) => Promise<LookedUpAddress[]>

/**
 * The addresses that may be dialled, the one to try first in front, or why none may be: the name was not found, or
 * one of its addresses is not public.
 */
export type Resolution =
  | { ok: true; addresses: readonly [string, ...string[]] }
  | { ok: false; reason: 'dns' | 'private_address' }

/**
 * Says where a host may be reached. Answers without a promise what was looked up a moment ago, and never rejects.
 *
 * @param host a host name, or an IP address without brackets
 * @param mayBePrivate leaves out the check: for targets the operator has allowed by name
 */
export type Resolve = (host: string, mayBePrivate?: boolean) => Resolution | Promise<Resolution>

/** What a resolver can be given: the look-up behind it, how long an answer is kept, and its clock (milliseconds). */
export interface ResolverOptions {
  lookup?: Lookup
  cacheMs?: number
  now?: () => number
}

/** What one look-up found, judged for both kinds of caller at once. */
interface Finding {
  checked: Resolution
  unchecked: Resolution
}

interface CacheEntry {
  startedAt: number
  pending: Promise<Finding>
  finding: Finding | undefined
  /** What the look-up before found, and when that began: good for a while where this one takes long. */
  before: { finding: Finding; startedAt: number } | undefined
}

const maxEntries = 4096

/** A look-up that takes longer is slow: what was found before is dialled meanwhile. */
const slowMs = 250
/** One that takes longer than this hangs, or as good as. */
const hangsMs = 2000
/** So long after it was asked for, an answer is dialled no more, however long the next one takes. */
const maxStaleMs = 60_000

const notFound: Resolution = { ok: false, reason: 'dns' }
const notPublic: Resolution = { ok: false, reason: 'private_address' }

/**
 * A resolver for the delivery of webhooks. Every address of a name must be public, because whoever owns the name
 * decides which of them comes first; the caller dials one of the addresses returned and never the name, so that a
 * name which leads elsewhere a moment later (DNS rebinding) changes nothing.
 *
 * An answer is kept for `cacheMs` (3 s) from the start of its look-up, and look-ups of one name at one time are one.
 * A failed look-up is not kept, and one that hangs is joined no longer than an answer would be kept.
 *
 * Look-ups share the runtime's few threads, and a name whose servers are silent keeps one for many seconds. So names
 * that hung last time wait for one another and leave the threads to the others; and a name that was found within the last
 * minute is dialled as it was found while its next look-up is slow.
 */
export const createResolver = (options: ResolverOptions = {}): Resolve => {
  const { lookup = lookUpAll, cacheMs = 3000, now = () => performance.now() } = options
  const entries = new Map<string, CacheEntry>()
  const fairly = inTurnWhereHanging(lookup, now)

  return (host, mayBePrivate = false) => {
    let entry = entries.get(host)
    if (entry === undefined || now() - entry.startedAt >= cacheMs) entry = startLookup(entries, host, fairly, now())
    const choose = (finding: Finding) => (mayBePrivate ? finding.unchecked : finding.checked)
    return entry.finding === undefined ? orBefore(entry, now()).then(choose) : choose(entry.finding)
  }
}

/** What is being looked up; or what was found before, where that is not long ago and the look-up is slow. */
const orBefore = ({ pending, before }: CacheEntry, now: number): Promise<Finding> => {
  if (before === undefined || now - before.startedAt >= maxStaleMs) return pending
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(before.finding), slowMs)
    void pending.then(finding => {
      clearTimeout(timer)
      resolve(finding)
    })
  })
}

const lookUpAll: Lookup = host => lookUpByName(host, { all: true })

const startLookup = (entries: Map<string, CacheEntry>, host: string, lookup: Lookup, startedAt: number): CacheEntry => {
  const last = entries.get(host)
  const before = last?.finding ? { finding: last.finding, startedAt: last.startedAt } : last?.before
  const entry: CacheEntry = { startedAt, pending: find(host, lookup), finding: undefined, before }
  entries.delete(host)
  if (entries.size >= maxEntries) entries.delete(entries.keys().next().value!)
  entries.set(host, entry)
  entry.pending.then(finding => {
    if (finding.unchecked.ok) entry.finding = finding
    // A later look-up may have taken the place of one that hung.
    else if (entries.get(host) === entry) entries.delete(host)
  })
  return entry
}

/** Names that hung and wait for their turn. */
const maxInLine = 1000
/** A look-up that never ends does not keep the others from their turn. */
const maxTurnMs = 15_000

/**
 * The same look-up, one after the other for names whose last one hung or is not over yet, each in the line once. What comes
 * when the line is full is refused, as a name that was not found.
 */
const inTurnWhereHanging = (lookup: Lookup, now: () => number): Lookup => {
  const hanging = new Set<string>()
  const line: (() => void)[] = []
  /** Of those that wait for their turn, or have it. */
  const turns = new Map<string, Promise<LookedUpAddress[]>>()
  let busy = false

  const timed: Lookup = async host => {
    const startedAt = now()
    know(hanging, host, true)
    try {
      return await lookup(host)
    } finally {
      know(hanging, host, now() - startedAt > hangsMs)
    }
  }
  const next = () => {
    const start = line.shift()
    busy = start !== undefined
    start?.()
  }
  const inTurn: Lookup = async host => {
    if (busy) {
      await new Promise<void>(resolve => line.push(resolve))
    }
    busy = true
    let over = false
    const end = () => {
      if (over) return
      over = true
      turns.delete(host)
      next()
    }
    const timer = setTimeout(end, maxTurnMs)
    try {
      return await timed(host)
    } finally {
      clearTimeout(timer)
      end()
    }
  }
  return host => {
    if (!hanging.has(host)) return timed(host)
    const joined = turns.get(host)
    if (joined) return joined
    if (turns.size >= maxInLine) return Promise.reject(new Error('too many names hang'))
    const turn = inTurn(host)
    turns.set(host, turn)
    return turn
  }
}

/** Remembers as many as there are entries; the one that was told of longest ago is forgotten first. */
const know = (hanging: Set<string>, host: string, hangs: boolean): void => {
  hanging.delete(host)
  if (!hangs) return
  if (hanging.size >= maxEntries) hanging.delete(hanging.values().next().value!)
  hanging.add(host)
}

const find = async (host: string, lookup: Lookup): Promise<Finding> => {
  try {
    return judge(isIP(host) === 0 ? await lookup(host) : [{ address: host, family: isIP(host) }])
  } catch {
    return { checked: notFound, unchecked: notFound }
  }
}

/** IPv4 goes first: every network has it, while a route for IPv6 is often missing and its packets may just vanish. */
const judge = (found: readonly LookedUpAddress[]): Finding => {
  const [first, ...others] = found.toSorted((a, b) => a.family - b.family).map(({ address }) => address)
  if (first === undefined) return { checked: notFound, unchecked: notFound }
  const unchecked: Resolution = { ok: true, addresses: [first, ...others] }
  return { checked: unchecked.addresses.every(isPublicAddress) ? unchecked : notPublic, unchecked }
}
