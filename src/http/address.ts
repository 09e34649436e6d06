/**
 * From which network address a call came: that of the connection or, where a proxy made the connection that the operator
 * trusts (`TRUSTED_PROXIES`), the one that it tells of. Nobody else's `X-Forwarded-For` counts: anybody can write one.
 */
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

/** How to tell a caller's address from that of the connection and the header `X-Forwarded-For`. */
export type CallerAddress = (connection: string, forwardedFor: string | null) => string

/** `trusted` are networks such as `10.0.0.0/8`. */
export const callerAddressBehind = (trusted: readonly string[]): CallerAddress => {
  const networks = trusted.map(network => ipaddr.parseCIDR(network) as Network)
  if (networks.length === 0) return connection => plain(connection)
  const isTrusted = (address: Address) => networks.some(network => isWithin(address, network))
  return (connection, forwardedFor) => {
    const nearest = addressOf(connection)
    if (nearest === null || !isTrusted(nearest)) return plain(connection)
    return furthestKnown(nearest, forwardedFor, isTrusted).toString()
  }
}

/**
 * Each proxy appends whom it was called by, so the list is read from its end: the first address that is no trusted
 * proxy's is the caller's, and what stands before it was written by anybody. Something that is no address ends the list.
 */
const furthestKnown = (
  nearest: Address,
  forwardedFor: string | null,
  isTrusted: (address: Address) => boolean,
): Address => {
  let known = nearest
  for (const told of forwardedFor?.split(',').reverse() ?? []) {
    const address = addressOf(withoutPort(told.trim()))
    if (address === null) return known
    known = address
    if (!isTrusted(address)) return known
  }
  return known
}

const isWithin = (address: Address, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, bits)

/** An IPv4 address that was reached over IPv6 is the IPv4 address. Null for what is none. */
const addressOf = (text: string): Address | null => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : null
}

/** Some proxies tell the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (text: string): string => {
  if (text.startsWith('[')) return text.slice(1, text.indexOf(']'))
  const colon = text.indexOf(':')
  return colon >= 0 && colon === text.lastIndexOf(':') ? text.slice(0, colon) : text
}

const plain = (connection: string): string =>
  connection.startsWith('::ffff:') ? (addressOf(connection)?.toString() ?? connection) : connection
