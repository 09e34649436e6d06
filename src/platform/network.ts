/** Groups network addresses by their probable owner. */
import ipaddr from 'ipaddr.js'

/**
 * Returns the /64 network of an IPv6 address, because one host usually controls all of it. Returns an IPv4 address
 * unchanged.
 */
export const networkOf = (address: string): string => {
  if (!ipaddr.IPv6.isValid(address)) return address
  const parsed = ipaddr.IPv6.parse(address)
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : parsed.parts.slice(0, 4).join(':')
}

/** Returns the /48 network of an IPv6 address, which one customer of a provider can own. Returns null for IPv4. */
export const siteOf = (address: string): string | null => {
  if (!ipaddr.IPv6.isValid(address)) return null
  const parsed = ipaddr.IPv6.parse(address)
  return parsed.isIPv4MappedAddress() ? null : parsed.parts.slice(0, 3).join(':')
}
