/** What must come of the second act, as its story goes. */
import { regulars } from './cast.ts'

/** David is on the list of the campaign as well. */
const audience = regulars.length + 1
const sent = regulars.filter(({ consent }) => consent === 'opted in').length

export const campaign = { audience, sent, skipped: audience - sent, unknown: 0 }

export const messages = {
  /** To Ana, Bruno, Clara, David and Emma; two thank-yous; the campaign's. */
  delivered: 5 + 2 + sent,
  /** Noor's answer to Emma. */
  read: 1,
  /** To David, who had said STOP. */
  skipped: 1,
  /** From Ana, Greta and Hugo, and two each from David and Emma. */
  received: 7,
}

/** David, and those of the list who are known to have opted out. */
export const optedOut = 1 + regulars.filter(({ consent }) => consent === 'opted out').length

/** Webhooks by their type. What is read is told of as delivered before. */
export const told = {
  'message.received': messages.received,
  'message.status': messages.delivered + 2 * messages.read,
  'sale.created': 2,
  'customer.opted_out': optedOut,
  'campaign.completed': 1,
  ping: 1,
}
