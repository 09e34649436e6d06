import { describe, expect, test } from 'bun:test'
import {
  type OutboundMessage,
  type Providers,
  providers,
  type SendError,
  type SendResult,
} from '../../../src/messaging/channels/index.ts'
import { sendMessage } from '../../../src/messaging/messages/send.ts'
import type { DueMessage } from '../../../src/messaging/messages/sql.ts'
import { Keyring } from '../../../src/platform/encryption.ts'

const signal = new AbortController().signal
const message: DueMessage = {
  id: 'm',
  workspaceId: 'w',
  channelId: 'c',
  customerId: 'p',
  channelKind: 'sandbox',
  channelStatus: 'connected',
  credentials: null,
  sandboxDelivery: 'delivered',
  handle: '+4915112345678',
  text: 'Hello',
  template: null,
  isTemplate: false,
  marketing: false,
  sentBy: 'workflow',
  optedOut: false,
  addressOptOut: null,
  optedIn: false,
  customerOpened: null,
  erased: false,
  sinceInboundMs: null,
  sendStarted: false,
  ahead: null,
  retries: 0,
  lateMs: 0,
  queuedMs: 0,
  traceparent: null,
}

/** Returns providers that answer with the given result and record the ids of the messages they get. */
const answering = (result: SendResult, isIdempotent = false) => {
  const handed: string[] = []
  const sandbox: Providers['sandbox'] = {
    ...providers.sandbox,
    capabilities: { ...providers.sandbox.capabilities, isIdempotent },
    send: async ({ id }) => {
      handed.push(id)
      return result
    },
  }
  return { handed, providers: { ...providers, sandbox } }
}

const text = 'Not to this number.'
const refused = (error: Partial<SendError>): SendResult => ({
  kind: 'refused',
  error: { class: 'permanent', code: null, detail: text, retryAfterMs: null, ...error },
})
const accepted: SendResult = { kind: 'accepted', providerMessageId: 'p', statuses: [] }

const outcomeOf = (result: SendResult, other: Partial<DueMessage> = {}) =>
  sendMessage({ ...message, ...other }, answering(result).providers, signal)

test('an accepted message is sent, followed by the statuses of the answer', async () => {
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

test('a missing answer makes the message unknown, without a retry', async () => {
  expect(await outcomeOf({ kind: 'unknown', detail: 'No answer came.' })).toMatchObject({
    statuses: [{ status: 'unknown', detail: 'No answer came.' }],
  })
})

test('a provider that exceeds the timeout makes the message unknown', async () => {
  const sandbox: Providers['sandbox'] = { ...providers.sandbox, send: () => new Promise(() => {}) }
  expect(await sendMessage(message, { ...providers, sandbox }, signal, 20)).toMatchObject({
    statuses: [{ status: 'unknown', detail: 'The provider did not answer within 0.02 seconds.' }],
  })
})

test('a message of a channel kind from a newer release is left to newer processes for 15 seconds', async () => {
  const pigeon = { ...message, channelKind: 'pigeon' as DueMessage['channelKind'] }
  expect(await sendMessage(pigeon, providers, signal)).toEqual({ workspaceId: 'w', id: 'm', leftMs: 15_000 })
})

test('a message that another process started to send is sent again only if the provider recognises it by our id', async () => {
  const { handed, providers } = answering(accepted)
  expect(await sendMessage({ ...message, sendStarted: true }, providers, signal)).toMatchObject({
    statuses: [{ status: 'unknown', detail: expect.stringContaining('may have arrived') }],
  })
  expect(handed).toEqual([])
  const idempotent = answering(accepted, true)
  const sent = await sendMessage({ ...message, sendStarted: true }, idempotent.providers, signal)
  expect([sent, idempotent.handed]).toMatchObject([{ providerMessageId: 'p' }, ['m']])
})

const failed = (detail = text) => ({ statuses: [{ status: 'failed', detail }] })
const fails = (afterMs: number) => ({ kind: 'fails', detail: `${text} (code 190)`, afterMs })
const pausing = 'pauses the channel and never fails the message'
const atProvider = failed(`${text} (code 21610)`)
const optsOut = { kind: 'opts out', reason: `${text} (code 21610)` }
const authPauses: [retries: number, afterMs: number][] = [
  [0, 30_000],
  [1, 60_000],
  [5, 900_000],
  [300, 900_000],
]
/** Refusals with the number of earlier retries, and what follows. */
test.each<[string, Partial<SendError>, number, object]>([
  ['fails the message', {}, 0, failed()],
  ['fails the message outside the window', { class: 'window' }, 0, failed()],
  ['adds its code', { code: '131026' }, 0, failed(`${text} (code 131026)`)],
  ['adds its code once', { code: '131026', detail: 'No (code 131026).' }, 0, failed('No (code 131026).')],
  ['opts the customer out', { class: 'opted_out', code: '21610' }, 0, { ...atProvider, sideEffect: optsOut }],
  ...authPauses.map(([retries, afterMs]): [string, Partial<SendError>, number, object] => {
    const sideEffect = fails(afterMs)
    return [
      `of our credentials ${pausing}`,
      { class: 'auth', code: '190' },
      retries,
      { retries, afterMs: 1000, sideEffect },
    ]
  }),
  [
    `of a rate limit ${pausing}`,
    { class: 'rate', retryAfterMs: 7000 },
    300,
    { retries: 300, afterMs: 7000, sideEffect: { kind: 'pauses', afterMs: 7000 } },
  ],
  ["has the provider's delay", { class: 'retry', retryAfterMs: 7000 }, 0, { retries: 0, afterMs: 7000 }],
  ['has a delay of at least a second', { class: 'rate', retryAfterMs: 0 }, 0, { afterMs: 1000 }],
  ['has a delay of at most five minutes', { class: 'rate', retryAfterMs: 86_400_000 }, 0, { afterMs: 300_000 }],
  ...[1000, 2000, 4000, 8000, 16_000].map((afterMs, retries): [string, Partial<SendError>, number, object] => [
    `without a time has a growing delay: ${afterMs} ms`,
    { class: 'retry' },
    retries,
    { afterMs },
  ]),
  ['without a time fails the message at the sixth attempt', { class: 'retry' }, 5, failed()],
])('a refusal %s', async (_, error, retries, expected) => {
  expect(await outcomeOf(refused(error), { retries })).toMatchObject(expected)
})

describe('sending a message', () => {
  const hour = 3_600_000
  /** Returns a provider with a messaging window and templates, and the messages it gets. */
  const whatsapp = () => {
    const handed: OutboundMessage[] = []
    const sandbox: Providers['sandbox'] = {
      ...providers.sandbox,
      capabilities: { ...providers.sandbox.capabilities, freeFormWindowHours: 24, templates: true },
      send: async outbound => {
        handed.push(outbound)
        return accepted
      },
    }
    return { handed, providers: { ...providers, sandbox } }
  }
  const template = { name: 'cart', language: 'en', parameters: ['Ada'] }
  const templated = { isTemplate: true, template }
  const sent = 'sent'
  const optedOut = 'opted_out: The customer has opted out.'
  const out = { optedOut: true, sinceInboundMs: hour }
  const byPerson = { ...out, sentBy: 'user' }

  test.each([
    ['a workflow to somebody opted out', out, optedOut],
    ['a campaign to somebody opted out', { ...out, sentBy: 'campaign' }, optedOut],
    ['nobody in particular to somebody opted out', { ...out, sentBy: null }, optedOut],
    ['a person who answers somebody opted out', { ...byPerson, customerOpened: true }, sent],
    ['a person to somebody opted out who only answered', { ...byPerson, customerOpened: false }, optedOut],
    ['a person who writes first to somebody opted out', { optedOut: true, sentBy: 'user' }, optedOut],
    ['a person with a template', { ...byPerson, customerOpened: true, ...templated }, optedOut],
    ['marketing without an opt-in', { marketing: true, ...templated }, 'no_opt_in'],
    ['marketing with one', { marketing: true, optedIn: true, ...templated }, sent],
    ['a text within the window', { sinceInboundMs: 24 * hour - 1 }, sent],
    ['a text after it', { sinceInboundMs: 24 * hour }, 'window_closed'],
    ['a text to somebody who never wrote', {}, 'window_closed'],
    ['a text of a person, which the provider judges', { sentBy: 'user' }, sent],
    ['an approved template, at any time', templated, sent],
    ['a template that is not approved', { isTemplate: true }, 'window_closed'],
    ['to somebody who was erased', { erased: true }, 'The customer was erased.'],
    ['on a disconnected channel', { channelStatus: 'disconnected', sinceInboundMs: 1 }, 'channel_disconnected'],
  ] as [string, Partial<DueMessage>, string][])('%s', async (_, change, expected) => {
    const { handed, providers } = whatsapp()
    const outcome = await sendMessage({ ...message, ...change }, providers, signal)
    const [first] = 'statuses' in outcome ? outcome.statuses : []
    if (expected === sent) expect(first!.status).toBe('sent')
    else expect(first).toMatchObject({ status: 'skipped', detail: expect.stringContaining(expected) })
    expect(handed).toHaveLength(expected === sent ? 1 : 0)
    if (expected === sent) expect(handed[0]!.template).toEqual(change.template ?? null)
  })

  test('decrypts the credentials for the provider and removes them from its error', async () => {
    const keyring = new Keyring([new Uint8Array(32).fill(1)])
    const credentials = keyring.encrypt(JSON.stringify({ accessToken: 'EAAG-very-secret' }), ['credentials', 'w', 'c'])
    let given: unknown
    const sandbox: Providers['sandbox'] = {
      ...providers.sandbox,
      send: async (_, { credentials }) => {
        given = credentials
        return refused({ class: 'auth', detail: 'EAAG-very-secret is not valid.' })
      },
    }
    const reach = { keyring, publicUrl: () => '', hasPublicUrl: false, providerUrls: {} }
    const send = (some: typeof reach | undefined) =>
      sendMessage({ ...message, credentials }, { ...providers, sandbox }, signal, 1000, some)
    expect(await send(reach)).toMatchObject({ sideEffect: { kind: 'fails', detail: '… is not valid.' } })
    expect(given).toEqual({ accessToken: 'EAAG-very-secret' })
    given = null
    const other = { ...reach, keyring: new Keyring([new Uint8Array(32).fill(2)]) }
    for (const some of [other, undefined])
      expect(await send(some)).toMatchObject({
        sideEffect: { kind: 'fails', detail: expect.stringContaining('SECRETS_KEY') },
      })
    expect(given).toBeNull()
  })
})
