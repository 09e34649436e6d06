/** Tests the WhatsApp Cloud API client against a server that follows its documentation. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { whatsappCloud } from '../../../../src/messaging/channels/providers/whatsapp-cloud/index.ts'
import { selfSignedCertificate } from '../../../support/certificate.ts'
import { startReceiver } from '../../../support/receiver.ts'
import { acceptAndHang, answering, nonsense, well } from '../../../support/stand-in.ts'
import { refusing, startWhatsApp, type WhatsApp, whatsAppError } from '../../../support/whatsapp.ts'
import { handover, outbound } from './support.ts'

let whatsapp: WhatsApp
beforeAll(async () => {
  whatsapp = await startWhatsApp()
})
beforeEach(() => whatsapp.behave(well))
afterAll(() => whatsapp.stop())

const send = (message = outbound(), more = {}) => whatsappCloud.send(message, handover(whatsapp, more))
const lastSent = () => whatsapp.sent.at(-1)!

describe('sending', () => {
  test('sends a text to the digits of the number, together with our id', async () => {
    const result = await send()
    expect(result).toEqual({ kind: 'accepted', providerMessageId: lastSent().id, statuses: [] })
    expect(lastSent()).toMatchObject({ to: '4915112345678', text: 'Grüße, 日本語 😀', opaque: outbound().id })
  })

  test('sends a template by name and language, with its parameters in order', async () => {
    whatsapp.templates.push(
      { name: 'cart', language: 'en_US', parameters: 2 },
      { name: 'plain', language: 'de', parameters: 0 },
    )
    await send(outbound({ template: { name: 'cart', language: 'en_US', parameters: ['Ana', '3'] } }))
    expect(lastSent()).toMatchObject({
      text: null,
      template: { name: 'cart', language: 'en_US', parameters: ['Ana', '3'] },
    })
    const plain = await send(outbound({ template: { name: 'plain', language: 'de', parameters: [] } }))
    expect(plain.kind).toBe('accepted')
  })

  test('sends to the WhatsApp user id of a customer without a number', async () => {
    await send(outbound({ handle: 'US.13491208655302741918' }))
    expect(lastSent()).toMatchObject({ to: null, userId: 'US.13491208655302741918' })
  })
})

describe('a phone number id that is not ours', () => {
  const credentials = () => ({ ...whatsapp.credentials, phoneNumberId: '100000000000001' })
  const words = 'WhatsApp does not know the phone number ID, or the access token lacks permission for it'

  test('is an error of the channel, not of the message, and is reported when the credentials are checked', async () => {
    const strangers = handover({ apiUrl: whatsapp.apiUrl, credentials: credentials() })
    const error = { class: 'auth', code: '100', detail: `${words} (code 100).` }
    expect(await whatsappCloud.send(outbound(), strangers)).toMatchObject({ kind: 'refused', error })
    expect(await whatsappCloud.checkCredentials(strangers)).toEqual({ ok: false, detail: error.detail })
    whatsapp.behave(refusing(100, 400, "Unsupported post request. Object with ID '1' does not exist, cannot be loaded"))
    expect(await send()).toMatchObject({ error: { class: 'auth', code: '100' } })
  })

  test('differs from another parameter that is not valid, which is an error of the message', async () => {
    whatsapp.behave(refusing(100, 400, 'Invalid parameter', 'Parameter value is not valid: recipient does not exist'))
    expect(await send()).toMatchObject({ error: { class: 'permanent', code: '100' } })
  })
})

test('waits six seconds before it writes to one customer again', async () => {
  whatsapp.behave(refusing(131056))
  expect(await send()).toMatchObject({ error: { class: 'retry', retryAfterMs: 6000 } })
})

test('a status 500 with a known error code is a refusal', async () => {
  whatsapp.behave(answering(whatsAppError(500, 131026, 'Message undeliverable')))
  expect(await send()).toMatchObject({ kind: 'refused', error: { class: 'permanent', code: '131026' } })
})

describe('a message that was certainly not received can be retried', () => {
  test('when the certificate is not valid', async () => {
    const receiver = await startReceiver({ tls: selfSignedCertificate('graph.example.com') })
    const apiUrl = `https://127.0.0.1:${receiver.port}/v23.0`
    const refused = await whatsappCloud.send(outbound(), handover({ apiUrl, credentials: whatsapp.credentials }))
    const detail = 'WhatsApp could not be reached: its certificate is not valid.'
    expect(refused).toMatchObject({ kind: 'refused', error: { class: 'retry', detail } })
    expect(receiver.requests).toHaveLength(0)
    await receiver.stop()
  })

  test('when the service stops before the request', async () => {
    const before = whatsapp.requests.length
    expect(await send(outbound(), { signal: AbortSignal.abort() })).toMatchObject({ error: { class: 'retry' } })
    expect(whatsapp.requests.length).toBe(before)
  })

  test('but not when the service stops during the request', async () => {
    whatsapp.behave(acceptAndHang)
    const stopping = new AbortController()
    const before = whatsapp.sent.length
    const sending = send(outbound(), { signal: stopping.signal })
    await whatsapp.untilSent(before + 1)
    stopping.abort()
    expect((await sending).kind).toBe('unknown')
  })
})

describe('checking the credentials', () => {
  const ask = (more = {}) => whatsappCloud.checkCredentials(handover(whatsapp, more))

  test('returns the number and its name, or a sentence when WhatsApp rejects them or does not answer', async () => {
    const known = 'WhatsApp knows this number as +1 555-012-3456 of Example Shop.'
    expect(await ask()).toEqual({ ok: true, detail: known, number: '+15550123456' })
    const credentials = { ...whatsapp.credentials, accessToken: 'EAAwrong-token' }
    const wrong = await whatsappCloud.checkCredentials(handover({ apiUrl: whatsapp.apiUrl, credentials }))
    const rejected = 'WhatsApp rejected the access token: it is wrong, revoked or expired (code 190).'
    expect(wrong).toEqual({ ok: false, detail: rejected })
    whatsapp.behave(nonsense(), acceptAndHang)
    expect(await ask()).toEqual({ ok: false, detail: 'WhatsApp responded with status 200 and an unreadable body.' })
    expect(await ask({ timeoutMs: 100 })).toMatchObject({ ok: false })
  })
})
