/** Network addresses, by whose they are. */
import ipaddr from 'ipaddr.js'

/** Whoever has one address of an IPv6 network has all the rest of its /64: the network; of IPv4 the address itself. */
export const networkOf = (address: string): string => {
  if (!ipaddr.IPv6.isValid(address)) return address
  const parsed = ipaddr.IPv6.parse(address)
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : parsed.parts.slice(0, 4).join(':')
}

/** The /48 of an IPv6 address, which a customer of a provider can own whole; null for IPv4. */
export const siteOf = (address: string): string | null => {
  if (!ipaddr.IPv6.isValid(address)) return null
  const parsed = ipaddr.IPv6.parse(address)
  return parsed.isIPv4MappedAddress() ? null : parsed.parts.slice(0, 3).join(':')
}
