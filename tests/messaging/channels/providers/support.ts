/** Helpers for the tests of providers. */
import type {
  CallbackRequest,
  CallOptions,
  OutboundMessage,
} from '../../../../src/messaging/channels/providers/provider.ts'

export const handover = <C>(
  { apiUrl, credentials }: { apiUrl: string; credentials: C },
  more: Partial<CallOptions<C>> = {},
): CallOptions<C> => ({
  credentials,
  apiUrl,
  statusUrl: null,
  sandboxDelivery: 'delivered',
  timeoutMs: 5000,
  signal: new AbortController().signal,
  ...more,
})

export const outbound = (more: Partial<OutboundMessage> = {}): OutboundMessage => ({
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e08',
  handle: '+4915112345678',
  text: 'Grüße, 日本語 😀',
  template: null,
  ...more,
})

export const callback = (body: string | Uint8Array, more: Partial<CallbackRequest> = {}): CallbackRequest => ({
  url: 'https://engage.example.com/v1/inbound/x/1',
  headers: new Headers(),
  body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  ...more,
})
