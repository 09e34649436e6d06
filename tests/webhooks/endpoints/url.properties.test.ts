/** Property tests of endpoint URLs, generated from valid, invalid and deceptive parts. */
import { expect, test } from 'bun:test'
import { isIP } from 'node:net'
import { domainToUnicode } from 'node:url'
import fc from 'fast-check'
import { validateWebhookUrl } from '../../../src/webhooks/endpoints/url.ts'
import { accepted, refused } from './urls.ts'

const none: ReadonlySet<string> = new Set()

/** Host names that are never on the public internet. */
const neverPublic =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|in-addr\.arpa|ip6\.arpa|onion|invalid|svc)$/

const refusedPorts = new Set(refused['the port of a well-known service']!.urls.map(url => Number(new URL(url).port)))

/**
 * Generates an IPv4 address in any notation that some parser accepts: one to four parts, decimal, octal or hexadecimal.
 */
const someIpv4 = fc
  .record({
    value: fc.oneof(fc.nat(0xffffffff), fc.constantFrom(0x7f000001, 0x0a000001, 0xa9fea9fe, 0)),
    parts: fc.integer({ min: 1, max: 4 }),
    bases: fc.array(fc.constantFrom('', '0', '0x', '0X', '00', '0x0'), { minLength: 4, maxLength: 4 }),
  })
  .map(({ value, parts, bases }) => {
    const leading = [24, 16, 8].slice(0, parts - 1).map(shift => (value >>> shift) & 255)
    const last = value % 2 ** (8 * (5 - parts))
    return [...leading, last].map((number, place) => bases[place]! + number.toString(radixOf(bases[place]!))).join('.')
  })

const radixOf = (prefix: string): number => (/x/i.test(prefix) ? 16 : prefix === '' ? 10 : 8)

const someLabel = fc.oneof(
  fc.stringMatching(/^[a-zA-Z0-9-]{1,12}$/),
  fc.constantFrom('hooks', 'example', 'com', 'Example', 'xn--bcher-kva', 'xn--a', 'my_app', '1', '127', '0x7f', '08'),
  fc.constantFrom('', '-a', 'a-', 'localhost', 'local', 'internal', 'svc', 'cluster', 'arpa', 'home', 'a'.repeat(64)),
  fc.constantFrom('a!b', 'a,b', '*', 'a=b', '%61', 'a%2e', '~'),
  fc.string({ unit: 'binary', maxLength: 3 }),
)

const someHost = fc.oneof(
  { weight: 6, arbitrary: fc.array(someLabel, { maxLength: 4 }).map(labels => labels.join('.')) },
  { weight: 4, arbitrary: fc.domain() },
  { weight: 1, arbitrary: someIpv4 },
  { weight: 1, arbitrary: fc.ipV6().map(ip => `[${ip}]`) },
)

const somePort = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('', ':443', ':8443') },
  { weight: 1, arbitrary: fc.constantFrom(...': :0 :80 :22 :5432 :6379 :0443 :65536 :+443 :1e3'.split(' ')) },
  { weight: 1, arbitrary: fc.nat(70_000).map(port => `:${port}`) },
)

const someRest = fc.oneof(
  fc.constantFrom('', ...'/ /hook /a/../b /%2e%2e/ /@me ?x=1 ?x=y@z #x /ü /% \\ // /?#'.split(' '), '/a b'),
  fc.webPath(),
  fc.webQueryParameters().map(query => `?${query}`),
)

const someUrl = fc
  .tuple(
    fc.oneof(
      { weight: 12, arbitrary: fc.constant('https://') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(...'HTTPS:// http:// https:/ https: https:/// ftp:// //'.split(' '), ''),
      },
    ),
    fc.oneof(
      { weight: 12, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: fc.constantFrom('@', ':@', 'user@', 'user:password@', 'example.com@', '%40', '[') },
    ),
    someHost,
    somePort,
    someRest,
  )
  .map(parts => parts.join(''))

/** Generates an accepted URL with a random change. */
const someMangledUrl = fc
  .tuple(
    fc.constantFrom(...accepted),
    fc.nat(60),
    fc.nat(1),
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2 }),
      fc.constantFrom('@', ':', '/', '\\', '.', '%', '\t', '[', ']', '0x'),
    ),
  )
  .map(([url, place, missing, more]) => url.slice(0, place) + more + url.slice(place + missing))

const anyUrl = fc.oneof(someUrl, someMangledUrl, fc.string({ unit: 'binary' }))

/** Returns the text between the slashes and the path, in lower case and without the port. Uses no URL parser. */
const hostIn = (url: string): string =>
  url
    .slice(url.indexOf('://') + 3)
    .split(/[/?#]/, 1)[0]!
    .replace(/:[0-9]+$/, '')
    .toLowerCase()

/** Replaces each byte beyond ASCII of the UTF-8 form. */
const percentEncoded = (text: string): string =>
  Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[\x80-\xff]/g, byte => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)

/** Matches a host with the slashes before it. */
const hostPattern = /:\/\/[^/?#:]*/

test('an accepted URL uses https, the exact host it names, a public name and an allowed port, and others get a reason', () => {
  const counts = { accepted: 0, refused: 0 }
  fc.assert(
    fc.property(anyUrl, url => {
      const verdict = validateWebhookUrl(url, none)
      counts[verdict.ok ? 'accepted' : 'refused']++
      if (!verdict.ok) {
        expect(verdict.reason).toMatch(/^(The|Port|No|Every) .*[^ ]$/)
        return
      }
      const stored = verdict.url
      // Only characters beyond ASCII are changed, and the result stands for exactly what was written.
      expect(domainToUnicode(hostIn(stored))).toBe(domainToUnicode(hostIn(url).normalize('NFC')))
      expect(stored.replace(hostPattern, '')).toBe(percentEncoded(url.replace(hostPattern, '')))
      if (/^[\x20-\x7e]*$/.test(url)) expect(stored).toBe(url)
      expect(validateWebhookUrl(stored, none)).toEqual(verdict)
      const { protocol, username, password, hostname, port, href } = new URL(stored)
      expect([protocol, username, password, hostname]).toEqual(['https:', '', '', hostIn(stored)])
      // The parser changes only the case of the host and the default port.
      const [, authority, rest] = /^https:\/\/([^/?#]*)(.*)$/is.exec(stored)!
      const path = rest!.startsWith('/') ? rest! : `/${rest}`
      expect(href).toBe(`https://${authority!.toLowerCase().replace(/:443$/, '')}${path}`)
      expect(isIP(hostname.replaceAll(/[[\]]/g, ''))).toBe(0)
      expect(hostname).toMatch(/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/)
      expect(hostname).not.toMatch(neverPublic)
      expect(port === '' || (Number(port) >= 1024 && !refusedPorts.has(Number(port)))).toBe(true)
    }),
    { numRuns: 5000 },
  )
  expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(200)
})

test('an allowed private target allows exactly its own host and port', () => {
  const target = fc.constantFrom<string>('127.0.0.1:8080', 'localhost:3000', '[::1]:8080', 'receiver:80', '127.1:8080')
  const url = fc.oneof(
    someUrl,
    fc
      .tuple(
        fc.constantFrom('http://', 'https://'),
        target,
        fc.constantFrom('', '/hook', '/../', '@example.com/', '.', '0'),
      )
      .map(parts => parts.join('')),
  )
  fc.assert(
    fc.property(url, fc.uniqueArray(target), (url, targets) => {
      const verdict = validateWebhookUrl(url, new Set(targets))
      if (!verdict.ok || validateWebhookUrl(url, none).ok) return
      const { protocol, username, hostname, port } = new URL(url)
      expect(targets).toContain(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`)
      expect([username, hostname]).toEqual(['', hostIn(url)])
    }),
    { numRuns: 1000 },
  )
})
