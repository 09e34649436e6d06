/** Converts addresses from and to Twilio's format. Numbers of other networks have a prefix, such as `whatsapp:`. */
import { parseId, parsePhone } from '../parsers.ts'
import type { Credentials } from './credentials.ts'

const whatsapp = 'whatsapp:'

/** Returns a customer's address in the network of our number. */
export const addressFor = (handle: string, credentials: Credentials): string =>
  'from' in credentials && credentials.from.startsWith(whatsapp) ? `${whatsapp}${handle}` : handle

/** Matches senders without a number: short codes, names, and ids of other networks. */
const senderIdPattern = /^[A-Za-z0-9][A-Za-z0-9._:@+-]*$/

/**
 * Returns the number without its prefix, or the sender's id if there is no number. Returns null if the address is
 * missing or invalid.
 */
export const handleFrom = (address: unknown): string | null => {
  const text = parseId(address)
  const bare = text?.startsWith(whatsapp) ? text.slice(whatsapp.length) : text
  if (!bare) return null
  return parsePhone(bare) ?? (senderIdPattern.test(bare) ? bare : null)
}
