/** Tests Twilio messages against a server that follows Twilio's documentation. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { twilioSms } from '../../../../src/messaging/channels/providers/twilio-sms/index.ts'
import { answering, well } from '../../../support/stand-in.ts'
import { refusing, startTwilio, type Twilio } from '../../../support/twilio.ts'
import { handover, outbound } from './support.ts'

let twilio: Twilio
beforeAll(async () => {
  twilio = await startTwilio()
})
beforeEach(() => twilio.behave(well))
afterAll(() => twilio.stop())

const send = (message = outbound(), more = {}) => twilioSms.send(message, handover(twilio, more))
const lastSent = () => twilio.sent.at(-1)!

describe('sending', () => {
  test('sends a text from our number, with the status callback URL', async () => {
    const statusUrl = 'https://engage.example.com/v1/inbound/twilio/1?message=2'
    const result = await send(outbound(), { statusUrl })
    expect(result).toEqual({ kind: 'accepted', providerMessageId: lastSent().sid, statuses: [] })
    expect(lastSent()).toMatchObject({
      to: '+4915112345678',
      from: twilio.credentials.from,
      messagingServiceSid: null,
      body: 'Grüße, 日本語 😀',
      statusCallback: statusUrl,
    })
  })

  test('sends by a messaging service, which chooses the number', async () => {
    await twilioSms.send(outbound(), handover({ apiUrl: twilio.apiUrl, credentials: twilio.serviceCredentials }))
    const { messagingServiceSid } = twilio.serviceCredentials
    expect(lastSent()).toMatchObject({ from: null, messagingServiceSid, statusCallback: null })
  })

  test('sends over WhatsApp when our number is a WhatsApp number', async () => {
    const other = await startTwilio({ from: 'whatsapp:+15550123456' })
    expect((await twilioSms.send(outbound(), handover(other))).kind).toBe('accepted')
    expect(other.sent[0]).toMatchObject({ to: 'whatsapp:+4915112345678', from: 'whatsapp:+15550123456' })
    await other.stop()
  })

  test('reports a message that fails immediately as accepted and failed', async () => {
    twilio.behave(answering({ status: 201, body: { sid: 'SM1', status: 'failed', error_code: 30006 } }))
    const detail = 'The recipient number is a landline, or its network does not accept texts (code 30006).'
    const statuses = [{ status: 'failed', detail }]
    expect(await send()).toEqual({ kind: 'accepted', providerMessageId: 'SM1', statuses } as never)
  })
})

test.each([21606, 21659])(
  "code %d is permanent for a short code, because it can concern one customer's country",
  async code => {
    twilio.behave(refusing(code, 400))
    const credentials = { ...twilio.credentials, from: '12345' }
    const refused = await twilioSms.send(outbound(), handover({ apiUrl: twilio.apiUrl, credentials }))
    expect(refused).toMatchObject({ kind: 'refused', error: { class: 'permanent', code: String(code) } })
  },
)

describe('checking the credentials', () => {
  const ask = () => twilioSms.checkCredentials(handover(twilio))

  test('returns the name of the account, or a sentence when it does not work', async () => {
    expect(await ask()).toEqual({ ok: true, detail: 'Twilio knows the account Example Shop.' })
    twilio.account.status = 'suspended'
    expect(await ask()).toEqual({ ok: false, detail: 'Twilio reports that the account Example Shop is suspended.' })
    twilio.account.status = 'active'
    twilio.behave(refusing(20003, 401))
    expect(await ask()).toEqual({ ok: false, detail: 'Twilio rejected the account SID and auth token (code 20003).' })
  })
})
