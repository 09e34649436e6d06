import { describe, expect, test } from 'bun:test'
import { type Providers, providers, type SendError, type SendResult } from '../../../src/domain/channels/index.ts'
import { sendMessage } from '../../../src/domain/messages/send.ts'
import type { DueMessage } from '../../../src/domain/messages/sql.ts'

const signal = new AbortController().signal
const message: DueMessage = {
  id: 'm',
  workspaceId: 'w',
  channelKind: 'sandbox',
  handle: '+4915112345678',
  text: 'Hello',
  optedOut: false,
  begun: false,
  putOff: 0,
  lateMs: 0,
}

/** Providers that answer as told, and count what they are handed. */
const answering = (result: SendResult, knowsOurIds = false) => {
  const handed: string[] = []
  const sandbox: Providers['sandbox'] = {
    ...providers.sandbox,
    capabilities: { ...providers.sandbox.capabilities, knowsOurIds },
    send: async ({ id }) => {
      handed.push(id)
      return result
    },
  }
  return { handed, providers: { ...providers, sandbox } }
}

const refused = (error: Partial<SendError>): SendResult => ({
  kind: 'refused',
  error: { class: 'permanent', code: null, detail: 'Not to this number.', retryAfterMs: null, ...error },
})
const accepted: SendResult = { kind: 'accepted', providerMessageId: 'p', statuses: [] }

const outcomeOf = (result: SendResult, other: Partial<DueMessage> = {}) =>
  sendMessage({ ...message, ...other }, answering(result).providers, signal)

test('what a provider accepts is sent, and whatever it told at once follows', async () => {
  const told = { ...accepted, statuses: [{ status: 'read' as const, detail: null }] }
  expect(await outcomeOf(told)).toEqual({
    workspaceId: 'w',
    id: 'm',
    providerMessageId: 'p',
    statuses: [
      { status: 'sent', detail: null },
      { status: 'read', detail: null },
    ],
  })
})

test('nothing is handed over for somebody who has opted out', async () => {
  const { handed, providers } = answering(accepted)
  expect(await sendMessage({ ...message, optedOut: true }, providers, signal)).toMatchObject({
    statuses: [{ status: 'skipped', detail: 'The customer has opted out.' }],
  })
  expect(handed).toEqual([])
})

test('no answer leaves a message unknown, and it is not sent again', async () => {
  expect(await outcomeOf({ kind: 'unknown', detail: 'No answer came.' })).toMatchObject({
    statuses: [{ status: 'unknown', detail: 'No answer came.' }],
  })
})

test('a provider that keeps silent for longer than it may leaves the message unknown', async () => {
  const sandbox: Providers['sandbox'] = { ...providers.sandbox, send: () => new Promise(() => {}) }
  expect(await sendMessage(message, { ...providers, sandbox }, signal, 20)).toMatchObject({
    statuses: [{ status: 'unknown', detail: 'The provider did not answer within 0.02 seconds.' }],
  })
})

test('a message over a kind of channel that only a newer release knows is left to it for a while', async () => {
  const pigeon = { ...message, channelKind: 'pigeon' as DueMessage['channelKind'] }
  expect(await sendMessage(pigeon, providers, signal)).toEqual({
    workspaceId: 'w',
    id: 'm',
    leftMs: 15_000,
  })
})

describe('a message that somebody else had begun', () => {
  test('is not handed over again, and unknown', async () => {
    const { handed, providers } = answering(accepted)
    expect(await sendMessage({ ...message, begun: true }, providers, signal)).toMatchObject({
      statuses: [{ status: 'unknown', detail: expect.stringContaining('nobody knows') }],
    })
    expect(handed).toEqual([])
  })

  test('is handed over again where the provider knows it by our id', async () => {
    const { handed, providers } = answering(accepted, true)
    expect(await sendMessage({ ...message, begun: true }, providers, signal)).toMatchObject({ providerMessageId: 'p' })
    expect(handed).toEqual(['m'])
  })
})

describe('a refusal', () => {
  test.each(['permanent', 'window', 'opted_out', 'auth'] as const)('of the class %s fails the message', async kind => {
    expect(await outcomeOf(refused({ class: kind }))).toMatchObject({
      statuses: [{ status: 'failed', detail: 'Not to this number.' }],
    })
  })

  test.each(['retry', 'rate'] as const)('of the class %s puts it off for as long as the provider says', async kind => {
    expect(await outcomeOf(refused({ class: kind, retryAfterMs: 7000 }))).toEqual({
      workspaceId: 'w',
      id: 'm',
      putOff: 0,
      afterMs: 7000,
    })
  })

  test('that does not say when puts it off longer each time, and at the sixth fails it', async () => {
    const waits = []
    for (let putOff = 0; putOff < 5; putOff++) waits.push(await outcomeOf(refused({ class: 'retry' }), { putOff }))
    expect(waits.map(wait => 'afterMs' in wait && wait.afterMs)).toEqual([1000, 2000, 4000, 8000, 16_000])
    expect(await outcomeOf(refused({ class: 'retry' }), { putOff: 5 })).toMatchObject({
      statuses: [{ status: 'failed' }],
    })
  })

  test('that asks for no time, or for days, is kept within a second and five minutes', async () => {
    expect(await outcomeOf(refused({ class: 'rate', retryAfterMs: 0 }))).toMatchObject({ afterMs: 1000 })
    expect(await outcomeOf(refused({ class: 'rate', retryAfterMs: 86_400_000 }))).toMatchObject({ afterMs: 300_000 })
  })
})
