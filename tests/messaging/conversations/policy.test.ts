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
}
const replied = { optedOut: true, customerOpened: false }
const text: Draft = { template: null }
const utility: Draft = { template: { marketing: false, isApproved: true } }
const marketing: Draft = { template: { marketing: true, isApproved: true } }
const ours: Draft = { template: { marketing: false, isApproved: false } }

/** What is written, the state of the conversation, the capabilities of the channel, and why it is rejected. */
test.each<[string, Partial<ConversationState>, Draft, Capabilities, ReturnType<typeof rejectionReason>]>([
  ['a text to a customer who wrote', {}, text, windowed, null],
  ['a text to a customer who never wrote, without a window', { sinceInboundMs: null }, text, always, null],
  ['a text to a customer who never wrote, with a window', { sinceInboundMs: null }, text, windowed, 'window_closed'],
  ['a text just before the window closes', { sinceInboundMs: 24 * hour - 1 }, text, windowed, null],
  ['a text as the window closes', { sinceInboundMs: 24 * hour }, text, windowed, 'window_closed'],
  ['an approved template outside the window', { sinceInboundMs: 30 * hour }, utility, windowed, null],
  ['an unapproved template outside the window', { sinceInboundMs: 30 * hour }, ours, windowed, 'window_closed'],
  ['an approved template on a provider without templates', {}, utility, always, null],
  ['a text to an opted-out customer who wrote', { optedOut: true }, text, windowed, null],
  ['a text to an opted-out customer who only replied', replied, text, windowed, 'opted_out'],
  ['a text to an opted-out customer who never wrote', { ...replied, sinceInboundMs: null }, text, always, 'opted_out'],
  ['a template to an opted-out customer', { optedOut: true }, utility, always, 'opted_out'],
  ['a marketing template without opt-in', {}, marketing, always, 'no_opt_in'],
  ['a marketing template with opt-in', { optedIn: true }, marketing, always, null],
  ['a marketing template after an opt-in and out', { optedIn: true, optedOut: true }, marketing, always, 'opted_out'],
  ['any message on a disconnected channel', { channelStatus: 'disconnected' }, text, always, 'channel_disconnected'],
  ['any message on a failing channel', { channelStatus: 'failing' }, text, always, null],
  ['any message without an address', { handle: null }, text, always, 'no_address'],
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
