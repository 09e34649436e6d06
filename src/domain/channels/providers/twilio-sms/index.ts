/** Texts by Twilio. */
import type { Provider } from '../provider.ts'
import { callbacks } from './callbacks.ts'
import { Credentials } from './credentials.ts'
import { send, whoAreWe } from './send.ts'

/** Texts at any time, by a number or by a messaging service that chooses among several. */
export const twilioSms: Provider<typeof Credentials> = {
  description: 'SMS, by Twilio: from a number of yours, or by a messaging service.',
  credentials: Credentials,
  capabilities: {
    freeFormWindowHours: null,
    templates: false,
    media: false,
    maxCharacters: 1600,
    // Twilio keeps what comes faster than a number may send; more calls at once than this it turns away.
    pace: { perSecond: 20, perHandleMs: null },
    knowsOurIds: false,
  },
  api: { setting: 'TWILIO_API_URL', defaultUrl: 'https://api.twilio.com' },
  numberOf: credentials => ('from' in credentials ? credentials.from : credentials.messagingServiceSid),
  whoAreWe,
  send,
  callbacks,
}
