/** A provider inside the service: for trying workflows out without an account anywhere. */
import { type TNull, Type } from '@sinclair/typebox'
import type { Provider } from '../provider.ts'

const failingHandle = /0000$/

/** Delivers at once, except to numbers that end in 0000. The same message always gets the same provider id. */
export const sandbox: Provider<TNull> = {
  description:
    'a provider inside the service. It delivers every message at once, except to numbers that end in 0000: those fail.',
  credentials: Type.Null(),
  capabilities: {
    freeFormWindowHours: null,
    templates: false,
    media: false,
    maxCharacters: 4096,
    knowsOurIds: true,
  },
  send: async ({ id, handle }) => ({
    kind: 'accepted',
    providerMessageId: `sandbox-${id}`,
    statuses: [
      failingHandle.test(handle)
        ? { status: 'failed', detail: 'The sandbox fails every message to a number that ends in 0000.' }
        : { status: 'delivered', detail: null },
    ],
  }),
  callbacks: null,
}
