import { expect, test } from 'bun:test'
import { sendMessage } from '../../../src/workflows/steps/send-message.ts'
import { channel, visit } from './visit.ts'

const hello = { type: 'send_message', text: 'Hello {{customer.name|there}}', next: 'after' } as const

test('queues the rendered text on the channel that was connected first', () => {
  expect(sendMessage.enter(hello, visit())).toEqual({
    outcome: 'queued',
    effects: [
      {
        kind: 'queue_message',
        text: 'Hello Ana',
        channelId: 'first',
        handle: '+4915112345678',
        template: null,
        skipped: null,
      },
    ],
    next: 'after',
  })
})

test('uses its own channel, regardless of the case of its id', () => {
  const [effect] = sendMessage.enter({ ...hello, channelId: 'SECOND' }, visit()).effects!
  expect(effect).toMatchObject({ channelId: 'second' })
})

test.each([
  ['no_channel', { channels: [] }, {}],
  ['no_channel', {}, { channelId: 'gone' }],
  ['no_address', { channels: [channel({ address: null })] }, {}],
  ['no_text', {}, { text: ' {{data.text}}\n' }],
  ['no_text', { data: { blank: ' \t ' } }, { text: '{{data.blank}}' }],
  ['no_text', { data: { invisible: '\u200b\u2800' } }, { text: '{{data.invisible}}' }],
])('is skipped with the reason %s, and the run continues', (reason, seen, step) => {
  expect(sendMessage.enter({ ...hello, ...step }, visit(seen))).toEqual({
    outcome: 'skipped',
    detail: { reason },
    next: 'after',
  })
})

test('reports an unknown path in the text at its field', () => {
  expect([...sendMessage.faults!({ ...hello, text: '{{customer.nickname}}' })].map(([field]) => field)).toEqual([
    'text',
  ])
  expect([...sendMessage.faults!(hello)]).toEqual([])
})

test('requires its channel to exist when published', () => {
  expect([...sendMessage.references!({ ...hello, channelId: 'one' })]).toEqual([
    { kind: 'channel', id: 'one', field: 'channelId' },
  ])
  expect([...sendMessage.references!(hello)]).toEqual([])
})
