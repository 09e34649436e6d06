/** Addresses as Twilio writes them: a number, behind the name of its network where that is not the telephone's. */
import { idOf, phoneOf } from '../outside.ts'
import type { Credentials } from './credentials.ts'

const whatsapp = 'whatsapp:'

/** To a customer, over the network of the number it is from. */
export const addressFor = (handle: string, credentials: Credentials): string =>
  'from' in credentials && credentials.from.startsWith(whatsapp) ? `${whatsapp}${handle}` : handle

/** What Twilio knows senders without a number by: short codes, names, ids of other networks. */
const named = /^[A-Za-z0-9][A-Za-z0-9._:@+-]*$/

/** The number alone, or what stands for one where none is told; null where there is no address, or it cannot be one. */
export const handleFrom = (address: unknown): string | null => {
  const text = idOf(address)
  const bare = text?.startsWith(whatsapp) ? text.slice(whatsapp.length) : text
  if (!bare) return null
  return phoneOf(bare) ?? (named.test(bare) ? bare : null)
}
