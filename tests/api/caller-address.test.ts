import { describe, expect, test } from 'bun:test'
import { createCallerAddress } from '../../src/api/caller-address.ts'

const proxies = createCallerAddress(['10.0.0.0/8', '2001:db8:1::/48', '192.0.2.7/32'])

describe('the address of a caller', () => {
  test('is the address of the connection when no proxy is trusted, whatever the headers claim', () => {
    const untrusting = createCallerAddress([])
    expect(untrusting('10.0.0.1', '198.51.100.1')).toBe('10.0.0.1')
    expect(untrusting('unknown', '198.51.100.1')).toBe('unknown')
    expect(proxies('198.51.100.9', '198.51.100.1')).toBe('198.51.100.9')
  })

  test.each([
    ['the last address that a trusted proxy was called from', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['not the earlier part, which the caller wrote', '10.0.0.1', '203.0.113.1, 198.51.100.1', '198.51.100.1'],
    ['the one before other trusted proxies', '10.0.0.1', '198.51.100.1, 10.2.3.4,192.0.2.7', '198.51.100.1'],
    ['the first address if all are trusted', '10.0.0.1', '10.9.9.9, 10.2.3.4', '10.9.9.9'],
    ['the proxy itself without a header', '10.0.0.1', null, '10.0.0.1'],
    ['the proxy itself without an address in the header', '10.0.0.1', 'somebody', '10.0.0.1'],
    ['of IPv6', '2001:db8:1::5', '2001:DB8:2:0::9', '2001:db8:2::9'],
    ['IPv4 for a connection over IPv6', '::ffff:10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['without the port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['without the brackets and the port', '10.0.0.1', '[2001:db8:2::9]:4711', '2001:db8:2::9'],
    ['nothing that only some parsers accept', '10.0.0.1', '0x7f.1', '10.0.0.1'],
  ])('is resolved: %s', (_, connection, forwardedFor, address) => {
    expect(proxies(connection, forwardedFor)).toBe(address)
  })
})
