/** Property tests of addresses in every notation, compared with a second description of the ranges. */
import { describe, expect, test } from 'bun:test'
import { isIP } from 'node:net'
import fc from 'fast-check'
import { isPublicAddress } from '../../../src/webhooks/endpoints/address.ts'

type Octets = [number, number, number, number]

/** Generates mostly numbers at which a range begins or ends. */
const octet = fc.oneof(
  fc.nat(255),
  fc.constantFrom(0, 1, 2, 9, 10, 11, 15, 16, 18, 19, 20, 31, 32, 51, 63, 64, 88, 99, 100, 113, 126, 127, 128, 129),
  fc.constantFrom(168, 169, 171, 172, 173, 191, 192, 193, 198, 203, 223, 224, 239, 240, 254, 255),
)

/** Includes the beginnings of ranges of three octets, which independent random numbers would seldom reach. */
const someOctets: fc.Arbitrary<Octets> = fc.oneof(
  fc.tuple(octet, octet, octet, octet),
  fc
    .tuple(
      fc.constantFrom([192, 0, 0], [192, 0, 2], [192, 88, 99], [198, 51, 100], [203, 0, 113], [168, 63, 129]),
      fc.constantFrom(-1, 0, 0, 1),
      fc.oneof(octet, fc.constant(16)),
    )
    .map(([[a, b, c], beside, d]): Octets => [a!, b!, Math.max(0, c! + beside), d]),
)

const isPublicIpv4 = ([a, b, c, d]: Octets): boolean => {
  if ([0, 10, 127].includes(a) || a >= 224) return false
  if (a === 100) return b < 64 || b > 127
  if (a === 168) return !(b === 63 && c === 129 && d === 16)
  if (a === 169) return b !== 254
  if (a === 172) return b < 16 || b > 31
  if (a === 192) return !(b === 168 || (b === 0 && (c === 0 || c === 2)) || (b === 88 && c === 99))
  if (a === 198) return !(b === 18 || b === 19 || (b === 51 && c === 100))
  if (a === 203) return !(b === 0 && c === 113)
  return true
}

const part = fc.oneof(fc.nat(0xffff), fc.constantFrom(0, 0, 0, 1, 0xffff))

/** Generates eight parts of 16 bits, mostly near the boundaries of ranges. */
const someParts: fc.Arbitrary<number[]> = fc.oneof(
  fc.array(part, { minLength: 8, maxLength: 8 }),
  fc
    .tuple(
      fc.constantFrom(0, 0x64, 0x1fff, 0x2000, 0x2001, 0x2002, 0x2003, 0x2606, 0x3ffe, 0x3fff, 0x4000, 0xfc00, 0xfe80),
      fc.oneof(part, fc.constantFrom(0, 0x1ff, 0x200, 0xdb7, 0xdb8, 0xdb9, 0xfff, 0x1000, 0xff9b)),
      fc.array(part, { minLength: 6, maxLength: 6 }),
    )
    .map(([first, second, rest]) => [first, second, ...rest]),
  someOctets.map(([a, b, c, d]) => [0, 0, 0, 0, 0, 0xffff, a * 256 + b, c * 256 + d]),
  someOctets.map(([a, b, c, d]) => [0, 0, 0, 0, 0, 0, a * 256 + b, c * 256 + d]),
)

const isPublicIpv6 = (parts: readonly number[]): boolean => {
  const [first, second] = [parts[0]!, parts[1]!]
  if (isMapped(parts)) return isPublicIpv4(lastOctets(parts))
  if (first < 0x2000 || first > 0x3fff || first === 0x2002) return false
  if (first === 0x2001) return second >= 0x200 && second !== 0xdb8
  return first < 0x3fff || second >= 0x1000
}

const isMapped = (parts: readonly number[]): boolean => parts[5] === 0xffff && parts.slice(0, 5).every(one => one === 0)

const lastOctets = (parts: readonly number[]): Octets => [
  parts[6]! >> 8,
  parts[6]! & 255,
  parts[7]! >> 8,
  parts[7]! & 255,
]

/** Generates notations of an address: in capitals, with leading zeros, with zeros omitted, with a decimal end. */
const someSpelling: fc.Arbitrary<(parts: readonly number[]) => string> = fc
  .record({ isUpper: fc.boolean(), isPadded: fc.boolean(), isDotted: fc.boolean(), from: fc.nat(7), count: fc.nat(8) })
  .map(({ isUpper, isPadded, isDotted, from, count }) => parts => {
    const words = parts.map(one => one.toString(16).padStart(isPadded ? 4 : 1, '0'))
    if (isDotted) words.splice(6, 2, lastOctets(parts).join('.'))
    const to = Math.min(from + count, isDotted ? 6 : 8)
    const isLeftOut = to > from && parts.slice(from, to).every(one => one === 0)
    const text = isLeftOut ? `${words.slice(0, from).join(':')}::${words.slice(to).join(':')}` : words.join(':')
    return isUpper ? text.toUpperCase() : text
  })

const runs = { numRuns: 2000 }

describe('a public address', () => {
  test('is an IPv4 address outside the special ranges', () => {
    fc.assert(
      fc.property(someOctets, octets => {
        expect(isPublicAddress(octets.join('.'))).toBe(isPublicIpv4(octets))
      }),
      runs,
    )
  })

  test('is a global unicast IPv6 address outside the special ranges, in any notation', () => {
    const counts = { public: 0, other: 0 }
    fc.assert(
      fc.property(someParts, someSpelling, (parts, spelling) => {
        const text = spelling(parts)
        expect(isIP(text)).toBe(6)
        expect(isPublicAddress(text)).toBe(isPublicIpv6(parts))
        counts[isPublicIpv6(parts) ? 'public' : 'other']++
      }),
      runs,
    )
    expect(Math.min(counts.public, counts.other)).toBeGreaterThan(100)
  })

  test('is only accepted in a valid notation', () => {
    const spelt = fc.oneof(
      someOctets.map(octets => octets.join('.')),
      fc.tuple(someParts, someSpelling).map(([parts, spelling]) => spelling(parts)),
    )
    const mangled = fc
      .tuple(spelt, fc.nat(40), fc.constantFrom('', '.', ':', '%', '0', ' ', '\0', '/', '[', 'g', '１', '%eth0'))
      .map(([text, place, other]) => text.slice(0, place) + other + text.slice(place + 1))
    const zoned = spelt.map(text => `${text}%1`)
    fc.assert(
      fc.property(fc.oneof(mangled, zoned, fc.string({ unit: 'binary' })), text => {
        if (isIP(text) === 0 || text.includes('%')) expect(isPublicAddress(text)).toBe(false)
        else expect(typeof isPublicAddress(text)).toBe('boolean')
      }),
      runs,
    )
  })
})
