/**
 * Determines the network address of a caller. `X-Forwarded-For` counts only on connections from a proxy in
 * `TRUSTED_PROXIES`, because any caller can write that header.
 */
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

/** Returns the caller's address, given the address of the connection and the header `X-Forwarded-For`. */
export type CallerAddress = (connection: string, forwardedFor: string | null) => string

/** Creates a `CallerAddress`. `trusted` lists networks such as `10.0.0.0/8`. */
export const createCallerAddress = (trusted: readonly string[]): CallerAddress => {
  const networks = trusted.map(network => ipaddr.parseCIDR(network) as Network)
  if (networks.length === 0) return connection => normalizeAddress(connection)
  const isTrusted = (address: Address) => networks.some(network => isWithin(address, network))
  return (connection, forwardedFor) => {
    const nearest = addressOf(connection)
    if (nearest === null || !isTrusted(nearest)) return normalizeAddress(connection)
    return lastUntrusted(nearest, forwardedFor, isTrusted).toString()
  }
}

/**
 * Returns the last address in the list that is not a trusted proxy. Each proxy appends the address that called it, so
 * the list is read from the end. Entries before the result can be forged. An entry that is not an address ends the
 * search.
 */
const lastUntrusted = (
  nearest: Address,
  forwardedFor: string | null,
  isTrusted: (address: Address) => boolean,
): Address => {
  let candidate = nearest
  for (const entry of forwardedFor?.split(',').reverse() ?? []) {
    const address = addressOf(withoutPort(entry.trim()))
    if (address === null) return candidate
    candidate = address
    if (!isTrusted(address)) return candidate
  }
  return candidate
}

const isWithin = (address: Address, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, bits)

/** Parses an address. An IPv4-mapped IPv6 address becomes the IPv4 address. Returns null for invalid text. */
const addressOf = (text: string): Address | null => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : null
}

/** Removes the port that some proxies append: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (text: string): string => {
  if (text.startsWith('[')) return text.slice(1, text.indexOf(']'))
  const colon = text.indexOf(':')
  return colon >= 0 && colon === text.lastIndexOf(':') ? text.slice(0, colon) : text
}

const normalizeAddress = (connection: string): string =>
  connection.startsWith('::ffff:') ? (addressOf(connection)?.toString() ?? connection) : connection
