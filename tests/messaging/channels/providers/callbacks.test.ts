/** Tests how provider callbacks are verified and read, including malformed ones. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { maxItems, maxText } from '../../../../src/messaging/channels/providers/parsers.ts'
import type { CallbackContent } from '../../../../src/messaging/channels/providers/provider.ts'
import { twilioSms } from '../../../../src/messaging/channels/providers/twilio-sms/index.ts'
import { whatsappCloud } from '../../../../src/messaging/channels/providers/whatsapp-cloud/index.ts'
import {
  signTwilio,
  startTwilio,
  type Twilio,
  inbound as twilioMessage,
  statusOf as twilioStatus,
} from '../../../support/twilio.ts'
import {
  escaped,
  signWhatsApp,
  startWhatsApp,
  type WhatsApp,
  inbound as whatsappMessage,
  statusOf as whatsappStatus,
} from '../../../support/whatsapp.ts'
import { callback } from './support.ts'

const vectors = JSON.parse(readFileSync(join(import.meta.dirname, '../../../vectors/callbacks.json'), 'utf8'))

const ourNumber = '106540352242922'
let whatsapp: WhatsApp
let twilio: Twilio
beforeAll(async () => {
  ;[whatsapp, twilio] = await Promise.all([startWhatsApp(), startTwilio()])
  whatsapp.credentials.phoneNumberId = ourNumber
})
afterAll(() => Promise.all([whatsapp.stop(), twilio.stop()]))

const ourMessage = '01981b7e-3c00-7a51-9a64-1f0f5c3d7e08'
const { callbacks: ofWhatsApp } = whatsappCloud
const { callbacks: ofTwilio } = twilioSms

describe('a WhatsApp signature', () => {
  const verify = (body: string, signature: string | null, appSecret: string) => {
    const headers = new Headers(signature === null ? {} : { 'X-Hub-Signature-256': signature })
    return ofWhatsApp!.verify(callback(body, { headers }), { ...whatsapp.credentials, appSecret })
  }

  test.each(vectors.whatsapp as { name: string; appSecret: string; body: string; signature: string }[])(
    'is verified: $name',
    ({ appSecret, body, signature }) => {
      expect(signWhatsApp(appSecret, body)).toBe(signature)
      expect(verify(body, signature, appSecret)).toBe(true)
      expect(verify(`${body} `, signature, appSecret)).toBe(false)
      expect(verify(body, signature, `${appSecret}x`)).toBe(false)
      expect(verify(body, null, appSecret)).toBe(false)
      const sha1 = signature.replace('sha256', 'sha1')
      for (const wrong of ['', 'sha256=', signature.slice(0, -1), sha1, `${signature}0`, 'é'])
        expect(verify(body, wrong, appSecret)).toBe(false)
    },
  )

  test('covers the raw bytes, including bytes that are not UTF-8', () => {
    const body = new Uint8Array([0xff, 0xfe, 0x00, 0x7b])
    const headers = new Headers({ 'X-Hub-Signature-256': signWhatsApp(whatsapp.credentials.appSecret, body) })
    expect(ofWhatsApp!.verify(callback(body, { headers }), whatsapp.credentials)).toBe(true)
  })
})

describe('a Twilio signature', () => {
  const verify = (url: string, body: string, signature: string | null, authToken = twilio.credentials.authToken) => {
    const headers = new Headers(signature === null ? {} : { 'X-Twilio-Signature': signature })
    return ofTwilio!.verify(callback(body, { url, headers }), { ...twilio.credentials, authToken })
  }
  const form = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString()

  interface Vector {
    name: string
    authToken: string
    url: string
    parameters?: Record<string, string>
    body?: string
    signature: string
  }
  test.each(vectors.twilio as Vector[])('is verified: $name', ({ authToken, url, parameters, body, signature }) => {
    const sent = body ?? form(parameters!)
    expect(signTwilio(authToken, url, parameters)).toBe(signature)
    expect(verify(url, sent, signature, authToken)).toBe(true)
    expect(verify(url, body === undefined ? `${sent}&More=1` : `${body} `, signature, authToken)).toBe(false)
    expect(verify(url.replace('foo=1', 'foo=2'), sent, signature, authToken)).toBe(false)
    expect(verify(url.replace('https', 'http'), sent, signature, authToken)).toBe(false)
    expect(verify(url, sent, signature, `${authToken}6`)).toBe(false)
    for (const wrong of [null, '', signature.slice(1), `${signature}=`, signature.toLowerCase()])
      expect(verify(url, sent, wrong, authToken)).toBe(false)
  })

  test('is valid with the default port of the URL, and without any port', () => {
    const parameters = { MessageSid: 'SM1' }
    const url = 'https://engage.example.com/v1/inbound/twilio/1?message=2'
    const { authToken } = twilio.credentials
    for (const signed of [url, url.replace('.com/', '.com:443/')])
      expect(verify(url, form(parameters), signTwilio(authToken, signed, parameters))).toBe(true)
    const withPort = url.replace('.com/', '.com:8443/')
    for (const signed of [withPort, url])
      expect(verify(withPort, form(parameters), signTwilio(authToken, signed, parameters))).toBe(true)
    expect(verify(url, form(parameters), signTwilio(authToken, withPort, parameters))).toBe(false)
  })

  test('covers the decoded parameters, in any characters', () => {
    const url = 'https://engage.example.com/x'
    const parameters = { Body: 'Grüße + 100 % 😀\r\n=&', From: '+4915112345678', B: '', a: 'small letters come last' }
    expect(verify(url, form(parameters), signTwilio(twilio.credentials.authToken, url, parameters))).toBe(true)
  })

  test('is rejected quickly with too many parameters, without a check', () => {
    const url = 'https://engage.example.com/x'
    const body = 'a=&'.repeat(1024 * 1024)
    const before = performance.now()
    expect(() => verify(url, body, 'x')).toThrow('at most 2000 parameters')
    expect(performance.now() - before).toBeLessThan(1000)
  })
})

test('the WhatsApp challenge is answered when the verify token is correct', () => {
  const { verifyToken } = whatsapp.credentials
  const asked = (mode: string, token: string) => {
    const query = { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': '1158201444' }
    return ofWhatsApp!.challenge!(new URLSearchParams(query), whatsapp.credentials)
  }
  expect(asked('subscribe', verifyToken)).toBe('1158201444')
  expect([asked('subscribe', `${verifyToken}x`), asked('unsubscribe', verifyToken)]).toEqual([null, null])
  expect(ofWhatsApp!.challenge!(new URLSearchParams(), whatsapp.credentials)).toBeNull()
})

const readWhatsApp = (body: string | Uint8Array): CallbackContent =>
  ofWhatsApp!.read(callback(body), whatsapp.credentials)
const ofOurs = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { metadata: { phone_number_id: ourNumber }, ...value }
    : value
/** Returns a callback whose changes name our phone number, unless they name another. */
const envelope = (...values: unknown[]) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '1', changes: values.map(value => ({ field: 'messages', value: ofOurs(value) })) }],
})
const told = (...values: unknown[]) => readWhatsApp(escaped(envelope(...values)))
const from = '+4915112345678'
const at = new Date('2026-03-01T09:30:02Z')

describe('a WhatsApp callback', () => {
  test('reads a message with its sender, name and time', () => {
    const content = { name: 'Žofie 😀', text: 'Grüße / 日本語' }
    const expected = { kind: 'message', providerMessageId: 'wamid.1', ...content, type: 'text', sentAt: at }
    expect(told(whatsappMessage(whatsapp, { from, ...content, id: 'wamid.1', at, userId: 'DE.1' }))).toEqual({
      items: [{ ...expected, handle: from, otherHandle: 'DE.1' }],
      rejections: [],
    } as never)
    // A customer without a number has only a WhatsApp user id.
    const { items } = told(whatsappMessage(whatsapp, { userId: 'US.13491208655302741918', text: 'Hi' }))
    expect(items).toMatchObject([{ handle: 'US.13491208655302741918', otherHandle: null, name: 'Ana', text: 'Hi' }])
  })

  const types: [string, Record<string, unknown>, string, string | null][] = [
    ['image', { id: '1', caption: 'My cat' }, 'image', 'My cat'],
    ['sticker', { id: '1', animated: false }, 'image', null],
    ['video', { id: '1', caption: 'Look' }, 'video', 'Look'],
    ['audio', { id: '1', voice: true }, 'audio', null],
    ['document', { id: '1', filename: 'a.pdf', caption: 'Bill' }, 'document', 'Bill'],
    ['location', { latitude: 1, longitude: 2, name: 'Here' }, 'location', null],
    ['button', { payload: 'YES', text: 'Yes, please' }, 'text', 'Yes, please'],
    ['interactive', { type: 'button_reply', button_reply: { id: '1', title: 'Later' } }, 'text', 'Later'],
    ['interactive', { type: 'list_reply', list_reply: { id: '1', title: 'Size M' } }, 'text', 'Size M'],
    ['interactive', { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent' } }, 'text', 'Sent'],
    ['reaction', { message_id: 'wamid.0', emoji: '👍' }, 'other', null],
    ['unsupported', { type: 'poll' }, 'other', null],
    ['something_new', {}, 'other', null],
    ['__proto__', {}, 'other', null],
    ['constructor', {}, 'other', null],
  ]
  test.each(types)('reads a message of the type %s', (type, content, expected, text) => {
    const { items, rejections } = told(whatsappMessage(whatsapp, { from, other: { type, content } }))
    expect(items).toMatchObject([{ kind: 'message', type: expected, text }])
    expect(rejections).toEqual([])
  })

  test('skips a message that the customer did not write, and gives the reason', () => {
    const other = { type: 'system', content: { type: 'user_changed_number' } }
    const reason = 'it reports a change of the number or account of the customer.'
    expect(told(whatsappMessage(whatsapp, { from, other }))).toEqual({
      items: [],
      rejections: [`A message of the type "system" was skipped: ${reason}`],
    })
  })

  test('reads a status with our id of the message and the reason of a failure', () => {
    const message = { id: 'wamid.1', to: '4915112345678', opaque: ourMessage }
    const status = (name: string, more = {}) => told(whatsappStatus(whatsapp, message, name, { at, ...more })).items
    const common = { kind: 'status', providerMessageId: 'wamid.1', messageId: ourMessage, detail: null, at }
    for (const name of ['sent', 'delivered', 'read'])
      expect(status(name)).toEqual([{ ...common, status: name }] as never)
    expect(status('played')).toEqual([{ ...common, status: 'read' }] as never)
    const detail =
      'More than 24 hours have passed since the customer last wrote: WhatsApp only accepts templates (code 131047).'
    const failed = status('failed', { error: { code: 131047, title: 'Re-engagement message' } })
    expect(failed).toEqual([{ ...common, status: 'failed', detail }] as never)
    const unheardOf = status('failed', { error: { code: 139999, title: 'New', details: 'Something new.' } })
    expect(unheardOf).toMatchObject([{ detail: 'WhatsApp could not deliver it: Something new (code 139999).' }])
    expect(status('failed')).toMatchObject([{ detail: 'WhatsApp could not deliver it and gave no reason.' }])
    expect(status('warning')).toEqual([])
    const foreign = told(whatsappStatus(whatsapp, { ...message, opaque: 'somebody else’s' }, 'sent', {})).items
    expect(foreign).toMatchObject([{ messageId: null }])
  })

  test('reads an opt-out from a failed message, and a marketing opt-out and opt-in', () => {
    const error = { code: 131050, title: 'Stopped' }
    const failed = whatsappStatus(whatsapp, { id: 'wamid.1', to: '4915112345678' }, 'failed', { error })
    const preference = { kind: 'preference', handle: from, wants: 'stop' }
    expect(told(failed).items).toMatchObject([preference, { kind: 'status', status: 'failed' }])
    const wish = (preference: object) => {
      const changes = [{ field: 'user_preferences', value: ofOurs({ user_preferences: [preference] }) }]
      return readWhatsApp(escaped({ object: 'whatsapp_business_account', entry: [{ changes }] }))
    }
    const words = 'User requested to stop'
    expect(wish({ wa_id: '4915112345678', value: 'stop', detail: words }).items).toEqual([
      { ...preference, words },
    ] as never)
    expect(wish({ user_id: 'US.1', value: 'resume' }).items).toEqual([
      { kind: 'preference', handle: 'US.1', wants: 'resume', words: 'resume' },
    ])
    expect(wish({ wa_id: '4915112345678', value: 'perhaps' })).toEqual({
      items: [],
      rejections: ['entry.0.changes.0.value.user_preferences.0.value must be "stop" or "resume", not "perhaps".'],
    })
  })

  test('skips a change without the id of a number, and reports it', () => {
    for (const metadata of [undefined, {}, { phone_number_id: ['1'] }]) {
      const { items, rejections } = told({ ...whatsappMessage(whatsapp, { from, text: 'Whose?' }), metadata })
      const says = 'entry.0.changes.0.value.metadata.phone_number_id must be the ID of a phone number, not '
      expect([items, rejections]).toEqual([[], [expect.stringContaining(says)]])
    }
  })

  test('does not repeat an address that is not valid', () => {
    const { messages } = whatsappMessage(whatsapp, { from, text: 'x', id: 'wamid.1' }) as { messages: object[] }
    const { rejections } = told({
      messages: [{ ...messages[0], from: '49179-1234567' }],
      user_preferences: [{ wa_id: ' 491791234567', value: 'stop' }],
    })
    expect(rejections).toEqual([
      'entry.0.changes.0.value.messages.0.from must be a phone number, not a text of 13 characters.',
      'entry.0.changes.0.value.user_preferences.0.wa_id must be a phone number, not a text of 13 characters.',
    ])
  })

  test('reads everything in a batch: entries, changes, messages and statuses', () => {
    const message = (id: string) => whatsappMessage(whatsapp, { from, text: id, id })
    const { statuses } = whatsappStatus(whatsapp, { id: 'wamid.4', to: '1234567' }, 'read', {}) as {
      statuses: object[]
    }
    const change = (value: object, field = 'messages') => ({ field, value })
    const { items, rejections } = readWhatsApp(
      escaped({
        object: 'whatsapp_business_account',
        entry: [
          { changes: [change(message('wamid.1')), change({ event: 'x' }, 'account_update')] },
          { changes: [change(message('wamid.2')), change({ ...message('wamid.3'), statuses })] },
        ],
      }),
    )
    const ids = items.map(item => 'providerMessageId' in item && item.providerMessageId)
    expect([ids, rejections]).toEqual([['wamid.1', 'wamid.2', 'wamid.3', 'wamid.4'], []])
  })

  test('skips the changes of another number of the account', () => {
    const { items, rejections } = told(
      whatsappMessage(whatsapp, { from, text: 'To somebody else', phoneNumberId: '999' }),
      whatsappMessage(whatsapp, { from, text: 'To us', id: 'wamid.us' }),
    )
    expect(items).toMatchObject([{ providerMessageId: 'wamid.us' }])
    expect(rejections).toEqual([
      'The callback is for the phone number ID "999", which does not belong to this channel.',
    ])
  })

  test('keeps a message whose time is not valid', () => {
    for (const timestamp of ['253402300800', '0', '-1', 'yesterday', '1e9', {}, null, 1e300]) {
      const { messages } = whatsappMessage(whatsapp, { from, text: 'Hello' }) as { messages: object[] }
      const { items, rejections } = told({ messages: [{ ...messages[0], timestamp }] })
      expect(Math.abs(Date.now() - (items[0] as { sentAt: Date }).sentAt.getTime())).toBeLessThan(60_000)
      expect(rejections).toEqual([expect.stringMatching(/messages\.0\.timestamp must be a time/)])
    }
  })

  test('reads at most `maxItems` items and reports the rest', () => {
    const one = (id: number) =>
      (whatsappMessage(whatsapp, { from, text: 'x', id: `wamid.${id}` }) as { messages: unknown[] }).messages[0]
    const value = { messages: Array.from({ length: maxItems + 5 }, (_, id) => one(id)) }
    const { items, rejections } = told(value, { messages: [one(-1)] })
    expect(items).toHaveLength(maxItems)
    expect(rejections).toEqual([`The callback has more than ${maxItems} items. The others were skipped.`])
  })

  const account = (entry: string) => `{"object":"whatsapp_business_account","entry":${entry}}`
  const nonsense: [string, string | Uint8Array, RegExp][] = [
    ['nothing', '', /is not valid JSON/],
    ['a list', '[]', /must be an object, not a list/],
    ['null', 'null', /must be an object, not "null"/],
    ['something else', '{"object":"page","entry":[]}', /is for "page"/],
    ['no entries', '{"object":"whatsapp_business_account"}', /entry must be a list, not nothing/],
    ['entries of numbers', account('[1]'), /entry\.0 must be an object, not "1"/],
    ['a value that is a text', escaped(envelope('x')), /changes\.0\.value must be an object, not "x"/],
    ['messages that are none', escaped(envelope({ messages: 'x' })), /value\.messages must be a list, not "x"/],
    ['a message without an id', escaped(envelope({ messages: [{ from: '491511234567' }] })), /messages\.0\.id must be/],
    ['a message without a sender', escaped(envelope({ messages: [{ id: 'wamid.1' }] })), /messages\.0\.from must be/],
    [
      'an unknown status',
      escaped(envelope({ statuses: [{ id: 'a', status: 'eaten' }] })),
      /status is not known: "eaten"/,
    ],
    ['ten megabytes', new Uint8Array(10 * 1024 * 1024).fill(0x61), /has 10485760 bytes. The maximum is/],
    ['an abyss', '['.repeat(200_000), /is not valid JSON/],
    ['a deeper one', '['.repeat(2_000_000), /more than 250000 quotation marks and brackets/],
    ['a deep message', account('['.repeat(5000) + ']'.repeat(5000)), /entry\.0 must be an object/],
    ['no UTF-8', new Uint8Array([0xff, 0xfe]), /is not valid JSON/],
  ]
  test.each(nonsense)('reports %s in a sentence', (_, body, words) => {
    const { items, rejections } = readWhatsApp(body)
    expect(items).toEqual([])
    expect(rejections).toHaveLength(1)
    expect(rejections[0]).toMatch(words)
  })
})

const readTwilio = (parameters: Record<string, string>, query = ''): CallbackContent =>
  ofTwilio!.read(
    callback(new URLSearchParams(parameters).toString(), { url: `https://engage.example.com/x${query}` }),
    twilio.credentials,
  )

describe('a Twilio callback', () => {
  test('reads a message with its sender, over WhatsApp with the plain number and the profile name', () => {
    const text = 'Grüße + 日本語'
    const { items, rejections } = readTwilio(twilioMessage(twilio, { from, text, sid: 'SM1' }))
    const message = { kind: 'message', providerMessageId: 'SM1', handle: from, otherHandle: null, name: null }
    expect([items, rejections]).toMatchObject([[{ ...message, type: 'text', text }], []])
    const more = { WaId: '4915112345678', ProfileName: 'Ana', To: 'whatsapp:+15550123456' }
    const overWhatsApp = readTwilio(twilioMessage(twilio, { from: `whatsapp:${from}`, text: 'Hi', more }))
    expect(overWhatsApp.items).toMatchObject([{ handle: from, name: 'Ana', text: 'Hi' }])
    const hidden = readTwilio(twilioMessage(twilio, { from: 'whatsapp:US.123', text: 'Hi' }))
    expect(hidden.items).toMatchObject([{ handle: 'US.123', otherHandle: null }])
  })

  test.each([
    [['image/jpeg'], 'image'],
    [['video/mp4', 'image/jpeg'], 'video'],
    [['audio/ogg'], 'audio'],
    [['application/pdf'], 'document'],
    [['text/vcard'], 'other'],
  ])('reads a message with %j as the type %s', (media, type) => {
    const { items } = readTwilio(twilioMessage(twilio, { from, text: 'Look', media: media as string[] }))
    expect(items).toMatchObject([{ type: type as string, text: 'Look' }])
  })

  test('reads coordinates as a location, and an empty message as the type other', () => {
    const more = { Latitude: '52.5', Longitude: '13.4' }
    expect(readTwilio(twilioMessage(twilio, { from, more })).items).toMatchObject([{ type: 'location', text: null }])
    expect(readTwilio(twilioMessage(twilio, { from })).items).toMatchObject([{ type: 'other', text: null }])
  })

  test('reads a stop or start word as a preference, followed by the message', () => {
    const wish = (text: string, optOutType: 'STOP' | 'START' | 'HELP') =>
      readTwilio(twilioMessage(twilio, { from, text, optOutType })).items
    expect(wish('Enough', 'STOP')).toMatchObject([
      { kind: 'preference', handle: from, wants: 'stop', words: 'Enough' },
      { kind: 'message', text: 'Enough' },
    ])
    expect(wish('Again', 'START')).toMatchObject([{ kind: 'preference', wants: 'resume' }, { kind: 'message' }])
    expect(wish('Help', 'HELP')).toMatchObject([{ kind: 'message' }])
    // A message that was refused because of an opt-out also reports it.
    const refused = twilioStatus(twilio, { sid: 'SM1', to: from, from: null }, 'failed', { errorCode: 21610 })
    expect(readTwilio(refused).items).toMatchObject([
      { kind: 'preference', handle: from, wants: 'stop' },
      { kind: 'status', status: 'failed' },
    ])
  })

  test('reads a status with our id of the message', () => {
    const sent = { sid: 'SM1', to: from, from: null }
    const status = (name: string, more = {}) =>
      readTwilio(twilioStatus(twilio, sent, name, more), `?message=${ourMessage}`)
    const common = { kind: 'status', providerMessageId: 'SM1', messageId: ourMessage, detail: null, at: null }
    const mapped = { sent: 'sent', delivered: 'delivered', read: 'read', partially_delivered: 'delivered' }
    for (const [name, expected] of Object.entries(mapped))
      expect(status(name).items).toEqual([{ ...common, status: expected }] as never)
    for (const name of ['accepted', 'scheduled', 'queued', 'sending'])
      expect(status(name)).toEqual({ items: [], rejections: [] })
    const failed = (detail: string) => [{ ...common, status: 'failed', detail }] as never
    const unreachable = 'The phone of the customer could not be reached (code 30003).'
    expect(status('undelivered', { errorCode: 30003 }).items).toEqual(failed(unreachable))
    const unknown = 'Twilio could not deliver it and gave no reason.'
    for (const name of ['failed', 'canceled']) expect(status(name).items).toEqual(failed(unknown))
    expect(status('eaten')).toEqual({ items: [], rejections: ['MessageStatus is not known: "eaten".'] })
    expect(status('constructor').rejections).toHaveLength(1)
    expect(readTwilio(twilioStatus(twilio, sent, 'sent'), '?message=x').items).toMatchObject([{ messageId: null }])
  })

  test('reads the time of a status if it is valid', () => {
    const sent = { sid: 'SM1', to: from, from: null }
    const at = (doneDate: string) =>
      (readTwilio(twilioStatus(twilio, sent, 'delivered', { doneDate })).items[0] as { at: Date | null }).at
    expect(at('2603010930')).toEqual(new Date('2026-03-01T09:30:00Z'))
    for (const wrong of ['2602300930', '2613010930', '2603012530', '9903010930', '26030109', 'yesterday!', ''])
      expect(at(wrong)).toBeNull()
  })

  const notNamed = /^From must be the address of the customer, not nothing\.$/
  const markup = /^From must be the address of the customer, not a text of 25 characters\.$/
  test.each<[string, Record<string, string>, RegExp]>([
    ['nothing', {}, /^MessageSid must be the id of the message, not nothing\.$/],
    ['an endless id', { MessageSid: 'S'.repeat(5000) }, /^MessageSid must be the id/],
    ['a message without a sender', { MessageSid: 'SM1', Body: 'x' }, notNamed],
    ['a message from markup', { MessageSid: 'SM1', From: '<script>alert(1)</script>', Body: 'x' }, markup],
    ['ten megabytes', { MessageSid: 'SM1', Body: 'x'.repeat(10_000_000) }, /^The callback has 100000\d\d bytes/],
  ])('reports %s in a sentence', (_, parameters, words) => {
    const { items, rejections } = readTwilio(parameters)
    expect(items).toEqual([])
    expect(rejections).toHaveLength(1)
    expect(rejections[0]).toMatch(words)
  })
})

describe('any callback', () => {
  /** Asserts that the content can be stored and stays within the limits. */
  const holds = ({ items, rejections }: CallbackContent) => {
    expect(items.length).toBeLessThanOrEqual(maxItems + 2)
    expect(rejections.length).toBeLessThanOrEqual(21)
    for (const sentence of rejections) expect(sentence.length).toBeLessThan(1000)
    for (const value of items.flatMap(item => Object.values(item)))
      if (typeof value === 'string') {
        expect(value.length).toBeLessThanOrEqual(maxText)
        expect(value.isWellFormed() && !value.includes('\0')).toBe(true)
      } else if (value instanceof Date)
        expect(value.getTime()).toBeWithin(Date.UTC(2009, 0), Date.now() + 2 * 86_400_000)
  }

  /** Random values in the shape of a callback, in which any field can hold any value. */
  const names = 'from id timestamp type text body wa_id user_id status errors code value'.split(' ')
  const lists = 'messages statuses contacts user_preferences errors metadata'.split(' ')
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\0', '\ud800', '__proto__', '9'.repeat(300), -0, 1e308, '1700000000', '4915112345678'),
  )
  const thing = fc.dictionary(fc.constantFrom(...names), anything)
  const value = fc.dictionary(
    fc.constantFrom(...lists),
    fc.oneof(anything, fc.array(fc.oneof(thing, anything), { maxLength: 4 })),
  )

  test('never throws, and yields only content that can be stored', () => {
    const bodies = fc.oneof(
      anything,
      fc.array(value).map(all => envelope(...all)),
    )
    fc.assert(
      fc.property(bodies, body => holds(readWhatsApp(JSON.stringify(body) ?? ''))),
      { numRuns: 500 },
    )
    const parameters =
      'MessageSid SmsSid SmsStatus MessageStatus From To Body NumMedia ErrorCode OptOutType RawDlrDoneDate ProfileName'
    const parameter = fc.constantFrom(...parameters.split(' '), 'MediaContentType0')
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('failed', 'delivered', 'received', '21610', '+4915112345678', 'whatsapp:', 'STOP', '9999999999'),
    )
    const form = fc.dictionary(parameter, text).map(values => new URLSearchParams(values).toString())
    fc.assert(
      fc.property(fc.oneof(form, fc.uint8Array({ maxLength: 300 })), fc.string(), (body, url) => {
        const request = callback(body, { url, headers: new Headers({ 'X-Twilio-Signature': 'x' }) })
        holds(readWhatsApp(body))
        holds(ofTwilio!.read(request, twilio.credentials))
        ofWhatsApp!.verify(request, whatsapp.credentials)
        ofTwilio!.verify(request, twilio.credentials)
      }),
      { numRuns: 500 },
    )
  })

  test('keeps every well-formed message among malformed ones', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(thing, anything, fc.constant('good')), { maxLength: 12 }),
        fc.array(value, { maxLength: 3 }),
        (mixed, others) => {
          let count = 0
          const good = () => {
            const value = whatsappMessage(whatsapp, { from, text: 'x', id: `wamid.good${count++}`, at })
            return (value as { messages: unknown[] }).messages[0]
          }
          const messages = mixed.map(one => (one === 'good' ? good() : one))
          const { items } = readWhatsApp(JSON.stringify(envelope(...others, { messages }, null)))
          const found = items.filter(item => item.kind === 'message' && item.providerMessageId.startsWith('wamid.good'))
          expect(found).toHaveLength(count)
          expect(found.every(item => item.kind === 'message' && item.text === 'x')).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('is reported as incomplete wherever it is cut off', () => {
    const whole = escaped(envelope(whatsappMessage(whatsapp, { from, text: 'Hello' })))
    for (let length = 0; length < whole.length; length++)
      expect(readWhatsApp(whole.slice(0, length))).toEqual({
        items: [],
        rejections: ['The callback is not valid JSON, or is incomplete.'],
      })
  })
})
