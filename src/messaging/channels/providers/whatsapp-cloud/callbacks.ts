/** Verification of WhatsApp callbacks. */
import { hmac, isSame } from '../digest.ts'
import type { CallbackRequest, Callbacks } from '../provider.ts'
import type { Credentials } from './credentials.ts'
import { read } from './read.ts'

const signatureHeader = 'x-hub-signature-256'

export const callbacks: Callbacks<Credentials> = {
  name: 'whatsapp',
  setup:
    'In the Meta app dashboard, open WhatsApp › Configuration. Enter this callback URL with your verify token, and subscribe to “messages”.',
  description: 'Receives callbacks from Meta, signed in X-Hub-Signature-256.',
  mediaType: 'application/json',
  signatureHeader,
  verify: ({ headers, body }: CallbackRequest, { appSecret }) =>
    isSame(headers.get(signatureHeader) ?? '', `sha256=${hmac('sha256', appSecret, body).toString('hex')}`),
  read: ({ body }, { phoneNumberId }) => read(body, phoneNumberId),
  challenge: (query, { verifyToken }) => {
    const isSubscription = query.get('hub.mode') === 'subscribe'
    const isTokenValid = isSame(query.get('hub.verify_token') ?? '', verifyToken)
    return isSubscription && isTokenValid ? (query.get('hub.challenge')?.slice(0, 1000) ?? null) : null
  },
  response: { contentType: 'text/plain; charset=utf-8', body: 'EVENT_RECEIVED' },
}
