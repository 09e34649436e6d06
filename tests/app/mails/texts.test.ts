import { expect, test } from 'bun:test'
import {
  channelFailingText,
  endpointFailingText,
  endpointHeldText,
  invitationText,
  monthlyEventsText,
  quoted,
} from '../../../src/app/mails/texts.ts'

test.each([
  ['Shop', '"Shop"'],
  ['Acme Inc.', '"Acme Inc."'],
  ['M&S: Köln', '"M&S: Köln"'],
  ['https://evil.example/login', '"https evil example login"'],
  ['hxxp:\\\\evil.example', '"hxxp evil example"'],
  ['www.evil.example', '"www evil example"'],
  ['ana@evil.example', '"ana evil example"'],
  ['evil．example, evil。example, evil\u2024example', '"evil example, evil example, evil example"'],
  ['evil\u200B.\u200Bexample', '"evil . example"'],
  ['Shop" is closed. "Pay', `"Shop' is closed. 'Pay"`],
  ['Shop\r\n\r\nPay here', '"Shop Pay here"'],
  ['Shop \u202Eelpmaxe', '"Shop elpmaxe"'],
])('the name %p appears in a mail as %p', (name, shown) => {
  expect(quoted(name)).toBe(shown)
})

test('no subject contains a name from the workspace, and no text contains a link from it', () => {
  const name = 'Pay at https://evil.example now'
  const link = { page: 'https://ours.example/x', record: 'https://ours.example/v1/x' }
  const since = '2026-03-01T09:30:00.000Z'
  const at = new Date(since)
  const mails = [
    invitationText({ workspace: name, invitedBy: name, role: 'agent', link: link.page, expiresAt: at }),
    ...[500, null].map(statusCode =>
      endpointFailingText({
        ...{ workspace: name, name, host: 'till.example', failingSince: at, statusCode, error: 'timed out', link },
      }),
    ),
    endpointHeldText({ workspace: name, name, host: 'till.example', failingSince: at, heldAt: at, link }),
    channelFailingText({ workspace: name, name, since, link }),
    monthlyEventsText({ workspace: name, used: 9, limit: 10, since, resetsAt: at, link }),
  ]
  for (const { subject, text } of mails) {
    expect(subject).not.toMatch(/Pay|evil/)
    expect(text).toContain('"Pay at https evil example now"')
    expect(text).not.toContain('evil.example')
  }
})
