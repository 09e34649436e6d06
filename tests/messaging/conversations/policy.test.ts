/** Tests whether a message can be sent in a conversation, and why not. */
import { expect, test } from 'bun:test'
import type { Capabilities } from '../../../src/messaging/channels/index.ts'
import { type Draft, rejectionReason, windowClosesAt } from '../../../src/messaging/conversations/policy.ts'
import type { ConversationState } from '../../../src/messaging/messages/index.ts'

const hour = 3_600_000
const always: Capabilities = {
  freeFormWindowHours: null,
  templates: false,
  media: false,
  maxCharacters: 4096,
  rateLimit: null,
  isIdempotent: true,
  reportsRead: false,
}
const windowed: Capabilities = { ...always, freeFormWindowHours: 24, templates: true }
const usual: ConversationState = {
  customerId: 'c',
  channelId: 'ch',
  channelKind: 'sandbox',
  channelStatus: 'connected',
  handle: '+4915112345678',
  sinceInboundMs: hour,
  optedIn: false,
  optedOut: false,
  customerOpened: true,
  waitedSeconds: null,
}
const text: Draft = { template: null }
const utility: Draft = { template: { marketing: false, isApproved: true } }
const marketing: Draft = { template: { marketing: true, isApproved: true } }
const ours: Draft = { template: { marketing: false, isApproved: false } }

/** Limits of the window, and fields without influence, which the API tests of conversations do not reach. */
test.each<[string, Partial<ConversationState>, Draft, Capabilities, ReturnType<typeof rejectionReason>]>([
  ['a text to a customer who never wrote, without a window', { sinceInboundMs: null }, text, always, null],
  ['a text just before the window closes', { sinceInboundMs: 24 * hour - 1 }, text, windowed, null],
  ['a text as the window closes', { sinceInboundMs: 24 * hour }, text, windowed, 'window_closed'],
  ['an unapproved template outside the window', { sinceInboundMs: 30 * hour }, ours, windowed, 'window_closed'],
  ['an approved template on a provider without templates', {}, utility, always, null],
  ['a marketing template after an opt-in and out', { optedIn: true, optedOut: true }, marketing, always, 'opted_out'],
  ['any message on a failing channel', { channelStatus: 'failing' }, text, always, null],
])('%s', (_what, into, draft, capabilities, reason) => {
  expect(rejectionReason({ ...usual, ...into }, draft, capabilities)).toBe(reason)
})

test('the window closes a number of hours after the last inbound message, and is never open without one', () => {
  const createdAt = new Date('2026-03-01T00:00:00Z')
  const lastInboundAt = new Date('2026-03-02T09:30:00Z')
  expect(windowClosesAt({ lastInboundAt, createdAt }, 24)).toEqual(new Date('2026-03-03T09:30:00Z'))
  expect(windowClosesAt({ lastInboundAt: null, createdAt }, 24)).toEqual(createdAt)
  expect(windowClosesAt({ lastInboundAt, createdAt }, null)).toBeNull()
})
