import { expect, test } from 'bun:test'
import { sendMessage } from '../../../../src/domain/workflows/steps/send-message.ts'
import { channel, visit } from './visit.ts'

const hello = { type: 'send_message', text: 'Hello {{customer.name|there}}', next: 'after' } as const

test('queues the text as the customer will read it, over the channel that was connected first', () => {
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

test('goes over the channel it names, however its letters are cased', () => {
  const [effect] = sendMessage.enter({ ...hello, channelId: 'SECOND' }, visit()).effects!
  expect(effect).toMatchObject({ channelId: 'second' })
})

test.each([
  ['no_channel', { channels: [] }, {}],
  ['no_channel', {}, { channelId: 'gone' }],
  ['no_address', { channels: [channel({ address: null })] }, {}],
])('is skipped with the reason %s, and the run goes on', (reason, seen, step) => {
  expect(sendMessage.enter({ ...hello, ...step }, visit(seen))).toEqual({
    outcome: 'skipped',
    detail: { reason },
    next: 'after',
  })
})

test.each(['{{data.text}}', ' {{data.text}}\n', '{{data.blank}}'])('is skipped where no text is left of %j', text => {
  const seen = visit({ data: { blank: ' \t ' } })
  expect(sendMessage.enter({ ...hello, text }, seen)).toEqual({
    outcome: 'skipped',
    detail: { reason: 'no_text' },
    next: 'after',
  })
})

test('a text that asks for what no run knows is a fault of its field', () => {
  expect([...sendMessage.faults!({ ...hello, text: '{{customer.nickname}}' })].map(([field]) => field)).toEqual([
    'text',
  ])
  expect([...sendMessage.faults!(hello)]).toEqual([])
})

test('the channel it names must exist to be published', () => {
  expect([...sendMessage.references!({ ...hello, channelId: 'one' })]).toEqual([
    { kind: 'channel', id: 'one', field: 'channelId' },
  ])
  expect([...sendMessage.references!(hello)]).toEqual([])
})
