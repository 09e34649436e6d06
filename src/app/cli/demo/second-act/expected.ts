/** Expected counts of the second act. */
import { regulars } from './customers.ts'

/** Includes David, who is also on the list of the campaign. */
const audience = regulars.length + 1
const sent = regulars.filter(({ consent }) => consent === 'opted in').length

export const campaign = { audience, sent, skipped: audience - sent, unknown: 0 }

export const messages = {
  /** Five reminders, to Ana, Bruno, Clara, David and Emma, two thank-you messages, and those of the campaign. */
  delivered: 5 + 2 + sent,
  /** Noor's answer to Emma. */
  read: 1,
  /** The message to David after his STOP. */
  skipped: 1,
  /** One each from Ana, Greta and Hugo, and two each from David and Emma. */
  received: 7,
}

/** David, and the customers on the list who are known to have opted out. */
export const optedOut = 1 + regulars.filter(({ consent }) => consent === 'opted out').length

/** Webhooks by type. A read message was also reported as delivered before. */
export const webhooks = {
  'message.received': messages.received,
  'message.status': messages.delivered + 2 * messages.read,
  'sale.created': 2,
  'customer.opted_out': optedOut,
  'campaign.completed': 1,
  ping: 1,
}
