/** A provider inside the service, to try out workflows without an external account. */
import { type TNull, Type } from '@sinclair/typebox'
import type { Provider } from '../provider.ts'

const failingNumber = /0000$/

/**
 * Delivers immediately, except to numbers that end in 0000. Every attempt to send a message returns the same provider
 * ID. A channel with `rejected` fails as if the provider rejected its credentials.
 */
export const sandbox: Provider<TNull> = {
  name: 'Sandbox',
  description:
    'A built-in test channel with a simulated phone, where you read and answer as a customer. No real messages are sent.',
  credentials: Type.Null(),
  capabilities: {
    freeFormWindowHours: null,
    templates: false,
    media: false,
    maxCharacters: 4096,
    rateLimit: null,
    reportsRead: true,
    isIdempotent: true,
  },
  api: null,
  numberOf: () => null,
  checkCredentials: async ({ sandboxDelivery }) =>
    sandboxDelivery === 'rejected'
      ? { ok: false, detail: rejection }
      : { ok: true, detail: 'The sandbox is part of this service.' },
  send: async ({ id, handle }, { sandboxDelivery }) =>
    sandboxDelivery === 'rejected'
      ? { kind: 'refused', error: { class: 'auth', code: null, detail: rejection, retryAfterMs: null } }
      : {
          kind: 'accepted',
          providerMessageId: `sandbox-${id}`,
          statuses: failingNumber.test(handle) ? [numberFailure] : statusesByDelivery[sandboxDelivery],
        },
  callbacks: null,
}

const rejection = 'The sandbox is configured to reject every request.'

const numberFailure = {
  status: 'failed',
  detail: 'The sandbox fails every message to a number that ends in 0000.',
} as const
const delivered = { status: 'delivered', detail: null } as const

const statusesByDelivery = {
  delivered: [delivered],
  read: [delivered, { status: 'read' as const, detail: null }],
  failed: [{ status: 'failed' as const, detail: 'The sandbox is configured to fail every message.' }],
  manual: [],
}
