/** SMS via Twilio. */
import type { Provider } from '../provider.ts'
import { callbacks } from './callbacks.ts'
import { Credentials } from './credentials.ts'
import { checkCredentials, send } from './send.ts'

/** Sends texts at any time, from a number or a messaging service that selects a number. */
export const twilioSms: Provider<typeof Credentials> = {
  name: 'SMS with Twilio',
  description: 'Sends SMS from one of your Twilio numbers, or from a messaging service of Twilio.',
  credentials: Credentials,
  capabilities: {
    freeFormWindowHours: null,
    templates: false,
    media: false,
    maxCharacters: 1600,
    // Twilio queues messages above the rate of a number, but rejects more concurrent calls than this rate causes.
    rateLimit: { perSecond: 20, perHandleMs: null },
    reportsRead: false,
    isIdempotent: false,
  },
  api: { setting: 'TWILIO_API_URL', defaultUrl: 'https://api.twilio.com' },
  numberOf: credentials => ('from' in credentials ? credentials.from : credentials.messagingServiceSid),
  checkCredentials,
  send,
  callbacks,
}
