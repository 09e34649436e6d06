/** WhatsApp via Meta's Cloud API. */
import type { Provider } from '../provider.ts'
import { callbacks } from './callbacks.ts'
import { Credentials } from './credentials.ts'
import { checkCredentials, send } from './send.ts'

/** Free-form texts are allowed for a day after the customer's last message, approved templates at any time. */
export const whatsappCloud: Provider<typeof Credentials> = {
  name: 'WhatsApp',
  description:
    'Uses the Cloud API of Meta. You can send free text for 24 hours after the last message of a customer, and approved templates at any time.',
  credentials: Credentials,
  capabilities: {
    freeFormWindowHours: 24,
    templates: true,
    media: false,
    maxCharacters: 4096,
    // WhatsApp accepts larger bursts. The remainder is left for another process that may have used the channel before.
    rateLimit: { perSecond: 80, perHandleMs: 6000, handleBurst: 20 },
    reportsRead: true,
    isIdempotent: false,
  },
  api: { setting: 'WHATSAPP_API_URL', defaultUrl: 'https://graph.facebook.com/v23.0' },
  numberOf: ({ phoneNumberId }) => phoneNumberId,
  checkCredentials,
  send,
  callbacks,
}
