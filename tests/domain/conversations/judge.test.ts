/** Tests whether a message can be sent in a conversation, and why not. */
import { describe, expect, test } from 'bun:test'
import type { Capabilities } from '../../../src/domain/channels/index.ts'
import { type Draft, judge, windowClosesAt } from '../../../src/domain/conversations/judge.ts'
import type { WrittenInto } from '../../../src/domain/messages/index.ts'

const hour = 3_600_000
const always: Capabilities = {
  freeFormWindowHours: null,
  templates: false,
  media: false,
  maxCharacters: 4096,
  pace: null,
  knowsOurIds: true,
}
const windowed: Capabilities = { ...always, freeFormWindowHours: 24, templates: true }
const usual: WrittenInto = {
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
const text: Draft = { template: null }
const utility: Draft = { template: { marketing: false, isApproved: true } }
const marketing: Draft = { template: { marketing: true, isApproved: true } }
const ours: Draft = { template: { marketing: false, isApproved: false } }

describe('a message', () => {
  test.each<[string, Partial<WrittenInto>, Draft, Capabilities, ReturnType<typeof judge>]>([
    ['a text to somebody who wrote', {}, text, windowed, null],
    ['a text to somebody who never wrote, where any may be written', { sinceInboundMs: null }, text, always, null],
    [
      'a text to somebody who never wrote, where there is a window',
      { sinceInboundMs: null },
      text,
      windowed,
      'window_closed',
    ],
    ['a text just before the window closes', { sinceInboundMs: 24 * hour - 1 }, text, windowed, null],
    ['a text as the window closes', { sinceInboundMs: 24 * hour }, text, windowed, 'window_closed'],
    ['an approved template behind the window', { sinceInboundMs: 30 * hour }, utility, windowed, null],
    [
      'a template that no provider approved behind the window',
      { sinceInboundMs: 30 * hour },
      ours,
      windowed,
      'window_closed',
    ],
    ['an approved template where the provider has none', {}, utility, always, null],
    ['a text to somebody opted out who wrote', { optedOut: true }, text, windowed, null],
    [
      'a text to somebody opted out who only answered us',
      { optedOut: true, customerOpened: false },
      text,
      windowed,
      'opted_out',
    ],
    [
      'a text to somebody opted out who never wrote',
      { optedOut: true, sinceInboundMs: null, customerOpened: false },
      text,
      always,
      'opted_out',
    ],
    ['a template to somebody opted out', { optedOut: true }, utility, always, 'opted_out'],
    ['a marketing template without opt-in', {}, marketing, always, 'no_opt_in'],
    ['a marketing template with opt-in', { optedIn: true }, marketing, always, null],
    [
      'a marketing template to somebody opted in and out',
      { optedIn: true, optedOut: true },
      marketing,
      always,
      'opted_out',
    ],
    ['anything over a channel that is gone', { channelStatus: 'disconnected' }, text, always, 'channel_disconnected'],
    ['anything over a channel that is failing', { channelStatus: 'failing' }, text, always, null],
    ['anything without an address', { handle: null }, text, always, 'no_address'],
  ])('%s', (_what, into, draft, capabilities, reason) => {
    expect(judge({ ...usual, ...into }, draft, capabilities)).toBe(reason)
  })
})

test('the window closes a number of hours after the last inbound message, and is never open without one', () => {
  const createdAt = new Date('2026-03-01T00:00:00Z')
  const lastInboundAt = new Date('2026-03-02T09:30:00Z')
  expect(windowClosesAt({ lastInboundAt, createdAt }, 24)).toEqual(new Date('2026-03-03T09:30:00Z'))
  expect(windowClosesAt({ lastInboundAt: null, createdAt }, 24)).toEqual(createdAt)
  expect(windowClosesAt({ lastInboundAt, createdAt }, null)).toBeNull()
})
