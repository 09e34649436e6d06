/** Verification of WhatsApp callbacks. */
import { hmac, isSame } from '../digest.ts'
import type { CallbackRequest, Callbacks } from '../provider.ts'
import type { Credentials } from './credentials.ts'
import { read } from './read.ts'

const signatureHeader = 'x-hub-signature-256'

export const callbacks: Callbacks<Credentials> = {
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
