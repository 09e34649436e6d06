/** Tests of provider callbacks, signed like those of the providers. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import pino from 'pino'
import { eventually, startWorld, unknownId, useWorld } from '../../../support/world.ts'

const publicUrl = 'https://engage.example.com/base'
const secretsKey = Buffer.alloc(32, 9).toString('base64')
const whatsapp = {
  phoneNumberId: '106540352242922',
  accessToken: 'EAAGm0PX4ZCpsBAAccessToken',
  appSecret: 'app-secret-of-whatsapp',
  verifyToken: 'verify-token-of-ours',
}
const twilio = {
  accountSid: 'AC00000000000000000000000000000001',
  authToken: 'auth-token-of-twilio',
  from: '+15551234567',
}
const secrets = [whatsapp.accessToken, whatsapp.appSecret, whatsapp.verifyToken, twilio.authToken]

const logged: string[] = []
const world = useWorld(
  {
    PUBLIC_URL: publicUrl,
    SECRETS_KEY: secretsKey,
    WHATSAPP_API_URL: 'http://127.0.0.1:9',
    TWILIO_API_URL: 'http://127.0.0.1:9',
  },
  { log: pino({ level: 'trace' }, { write: line => void logged.push(line) }) },
)
let waChannel: { id: string; inboundUrl: string }
let smsChannel: { id: string; inboundUrl: string }
beforeAll(async () => {
  waChannel = await connect('whatsapp_cloud', whatsapp)
  smsChannel = await connect('twilio_sms', twilio)
})

const connect = (kind: string, credentials: unknown) =>
  world.expect(201, 'POST', '/v1/channels', { body: { kind, name: kind, credentials } })

const pathOf = ({ inboundUrl }: { inboundUrl: string }) => inboundUrl.slice(publicUrl.length)

const signedByMeta = (body: string, secret = whatsapp.appSecret) => ({
  'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
})

const callWhatsapp = (body: string, headers: Record<string, string> = signedByMeta(body), channel = waChannel) =>
  world.call('POST', pathOf(channel), { as: 'nobody', raw: body, headers })

const envelope = (value: Record<string, unknown>) =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '102290129340398',
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '15550783881', phone_number_id: whatsapp.phoneNumberId },
              ...value,
            },
          },
        ],
      },
    ],
  })

const waMessage = (id: string, from: string, text: string) =>
  envelope({
    contacts: [{ profile: { name: 'Ada' }, wa_id: from }],
    messages: [{ from, id, timestamp: String(Math.floor(Date.now() / 1000)), type: 'text', text: { body: text } }],
  })

const callTwilio = (
  parameters: Record<string, string>,
  { query = '', base = publicUrl, token = twilio.authToken } = {},
) => {
  const path = pathOf(smsChannel) + query
  const signed = Object.keys(parameters)
    .sort()
    .reduce((text, name) => text + name + parameters[name], base + path)
  return world.call('POST', path, {
    as: 'nobody',
    raw: new URLSearchParams(parameters).toString(),
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Twilio-Signature': createHmac('sha1', token).update(signed).digest('base64'),
    },
  })
}

const smsOf = (sid: string, from: string, body: string) => ({
  MessageSid: sid,
  SmsSid: sid,
  AccountSid: twilio.accountSid,
  From: from,
  To: twilio.from,
  Body: body,
  NumMedia: '0',
})

const messagesOf = async (providerMessageId: string) =>
  world.database.sql<{ id: string; text: string; direction: string; status: string }[]>`
    select id, text, direction, status from messages where provider_message_id = ${providerMessageId}`

/** Creates an outbound message. With an id, the provider knows it; with null, its status is unknown. */
const sent = async (channelId: string, providerMessageId: string | null) => {
  const { sql } = world.database
  const { workspaceId } = world
  const [row] = await sql<{ id: string }[]>`
    with customer as (
      insert into customers (workspace_id, phone)
      values (${workspaceId}, '+4917' || lpad((random() * 1e8)::integer::text, 8, '0')) returning id, phone
    ), conversation as (
      insert into conversations (workspace_id, channel_id, customer_id, handle)
      select ${workspaceId}, ${channelId}, id, phone from customer returning id, customer_id
    )
    insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, text, status, provider_message_id)
    select ${workspaceId}, ${channelId}, id, customer_id, 'outbound', 'Hello', ${providerMessageId === null ? 'unknown' : 'sent'},
      ${providerMessageId} from conversation returning id`
  return row!.id
}

const statusOf = async (id: string) =>
  (await world.database.sql`select status from messages where id = ${id}`)[0]!.status

describe('a callback of WhatsApp', () => {
  test('is answered with 200 after the message is recorded, and records a repeat once', async () => {
    const body = waMessage('wamid.1', '4915112345601', 'Is it still there?')
    const first = await callWhatsapp(body)
    expect(first.status).toBe(200)
    expect(await messagesOf('wamid.1')).toMatchObject([
      { text: 'Is it still there?', direction: 'inbound', status: 'received' },
    ])
    expect((await callWhatsapp(body)).status).toBe(200)
    expect(await messagesOf('wamid.1')).toHaveLength(1)
  })

  test('needs no Content-Type, and is signed over the received bytes', async () => {
    const body = waMessage('wamid.2', '4915112345602', 'caf\u00e9').replace('é', '\\u00e9')
    expect((await callWhatsapp(body, { ...signedByMeta(body), 'Content-Type': 'text/plain' })).status).toBe(200)
    expect(await messagesOf('wamid.2')).toMatchObject([{ text: 'café' }])
    expect((await callWhatsapp(body.replace('\\u00e9', 'é'), signedByMeta(body))).status).toBe(401)
  })

  test.each([
    ['without a signature', {}],
    ['with another secret', signedByMeta(waMessage('wamid.3', '4915112345603', 'No'), 'other')],
    ['with an invalid signature', { 'X-Hub-Signature-256': 'sha256=zz' }],
  ])('%s is 401, before the body is read', async (_, headers) => {
    for (const body of [waMessage('wamid.3', '4915112345603', 'No'), 'no json at all', '']) {
      const reply = await callWhatsapp(body, headers)
      expect([reply.status, reply.body.error.code]).toEqual([401, 'unauthorized'])
    }
    expect(await messagesOf('wamid.3')).toHaveLength(0)
  })

  test('for an unknown, disconnected or other kind of channel is 404, before the signature is checked', async () => {
    const body = waMessage('wamid.4', '4915112345604', 'No')
    const gone = await connect('whatsapp_cloud', { ...whatsapp, phoneNumberId: '999' })
    await world.expect(204, 'DELETE', `/v1/channels/${gone.id}`)
    for (const id of [unknownId, 'nonsense', smsChannel.id, gone.id])
      for (const headers of [signedByMeta(body), {}] as Record<string, string>[])
        expect(
          (await world.call('POST', `/v1/inbound/whatsapp/${id}`, { as: 'nobody', raw: body, headers })).status,
        ).toBe(404)
  })

  test('applies statuses in any order, and accepts one of an unknown message', async () => {
    const id = await sent(waChannel.id, 'wamid.out.1')
    const status = (name: string, id = 'wamid.out.1') =>
      envelope({ statuses: [{ id, status: name, timestamp: '1800000000', recipient_id: '4915112345601' }] })
    for (const name of ['read', 'delivered', 'sent']) expect((await callWhatsapp(status(name))).status).toBe(200)
    expect(await statusOf(id)).toBe('read')
    expect((await callWhatsapp(status('delivered', 'wamid.nobody'))).status).toBe(200)
  })

  test('that cannot be parsed is 200, and is listed as rejected with its sender', async () => {
    for (const body of ['no json', '[]', '{}', envelope({ messages: [{ nothing: true }, 7] }), '[['.repeat(50_000)]) {
      const reply = await callWhatsapp(body)
      expect([body.slice(0, 20), reply.status]).toEqual([body.slice(0, 20), 200])
    }
    const { data } = await world.expect(200, 'GET', '/v1/activity/not-accepted')
    const found = data.filter(({ sender }: { sender: string }) => sender === 'whatsapp_cloud')
    expect(found.length).toBeGreaterThan(0)
    for (const one of found)
      expect(one).toMatchObject({ method: 'POST', path: '/v1/inbound/whatsapp/:channelId', status: 200 })
  })

  test('is accepted with 3 MB, and a larger one is rejected', async () => {
    const body = `${waMessage('wamid.5', '4915112345605', 'Large')}${' '.repeat(3_000_000)}`
    expect((await callWhatsapp(body)).status).toBe(200)
    const larger = body + ' '.repeat(200_000)
    expect((await callWhatsapp(larger)).status).toBe(400)
  })

  test('is recorded when 200 arrive concurrently', async () => {
    const bodies = Array.from({ length: 200 }, (_, n) =>
      waMessage(`wamid.many.${n}`, `49151200${10_000 + n}`, `No ${n}`),
    )
    const replies = await Promise.all(bodies.map(body => callWhatsapp(body)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    const [row] = await world.database.sql<{ count: number }[]>`
      select count(*)::integer as count from messages where provider_message_id like 'wamid.many.%'`
    expect(row!.count).toBe(200)
  })
})

describe('a repeated callback about an erased customer', () => {
  test("changes nothing, although the provider's ids, which can encode the customer, are deleted", async () => {
    const { sql } = world.database
    const ids = ['wamid.HBgNNDkxNTExMjM0NTY3MA==', 'wamid.HBgNNDkxNTExMjM0NTY3MQ==']
    const said = waMessage(ids[0]!, '4915112345670', 'Forget me')
    expect((await callWhatsapp(said)).status).toBe(200)
    const [inbound] = await messagesOf(ids[0]!)
    const { customerId, conversationId } = await world.expect(200, 'GET', `/v1/messages/${inbound!.id}`)
    const [ours] = await sql<{ id: string }[]>`
      insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, text, status, provider_message_id)
      values (${world.workspaceId}, ${waChannel.id}, ${conversationId}, ${customerId}, 'outbound', 'Sure', 'sent', ${ids[1]!})
      returning id`
    const status = (name: string, more = {}) =>
      envelope({
        statuses: [{ id: ids[1], status: name, timestamp: '1800000000', recipient_id: '4915112345670', ...more }],
      })
    expect((await callWhatsapp(status('delivered'))).status).toBe(200)
    await world.expect(204, 'DELETE', `/v1/customers/${customerId}`)

    for (const body of [said, status('delivered'), status('read')]) expect((await callWhatsapp(body)).status).toBe(200)
    const found = await world.expect(200, 'GET', `/v1/messages?customerId=${customerId}`)
    expect(found.data).toMatchObject([
      { id: ours!.id, text: null, status: 'read', providerMessageId: null },
      { id: inbound!.id, text: null, providerMessageId: null },
    ])
    expect((await world.expect(200, 'GET', '/v1/customers?phone=%2B4915112345670')).data).toEqual([])
    const left = await sql<{ text: string }[]>`
      select m::text as text from messages m union all select e::text from early_statuses e
      union all select o::text from outbound_events o`
    for (const { text } of left) for (const id of ids) expect(text).not.toContain(id)
  })

  test('for an unknown message loses its detail after the erasure', async () => {
    const phone = '+4915112345671'
    const { id } = await world.expect(201, 'POST', '/v1/customers', { body: { phone } })
    const failure = { code: 999_999, title: `Number ${phone} cannot be reached` }
    const early = envelope({
      statuses: [{ id: 'wamid.early', status: 'failed', timestamp: '1800000000', errors: [failure] }],
    })
    expect((await callWhatsapp(early)).status).toBe(200)
    const wordsOf = async () =>
      (await world.database.sql`select detail from early_statuses where provider_message_id = 'wamid.early'`)[0]!.detail
    expect(await wordsOf()).toContain(phone)
    await world.expect(204, 'DELETE', `/v1/customers/${id}`)
    expect(await wordsOf()).toBeNull()
  })
})

describe('the verification request', () => {
  const ask = (query: Record<string, string>, channel = waChannel.id) =>
    world.call('GET', `/v1/inbound/whatsapp/${channel}?${new URLSearchParams(query)}`, { as: 'nobody' })
  const asked = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444', 'hub.verify_token': whatsapp.verifyToken }

  test('is answered with the challenge as plain text when the verify token is correct', async () => {
    const reply = await ask(asked)
    expect([reply.status, reply.body]).toEqual([200, '1158201444'])
    expect(reply.headers.get('content-type')).toStartWith('text/plain')
  })

  test('is rejected otherwise', async () => {
    expect((await ask({ ...asked, 'hub.verify_token': 'guess' })).status).toBe(403)
    expect((await ask({})).status).toBe(403)
    const { 'hub.challenge': _, ...nothing } = asked
    expect((await ask(nothing)).status).toBe(403)
    expect((await ask(asked, unknownId)).status).toBe(404)
    expect((await ask(asked, smsChannel.id)).status).toBe(404)
  })
})

describe('a callback of Twilio', () => {
  test('is signed over the public URL, with any Host, and gets an empty response', async () => {
    const reply = await callTwilio(smsOf('SM1', '+4915112345611', 'Hello'))
    expect([reply.status, reply.body]).toEqual([200, '<Response/>'])
    expect(reply.headers.get('content-type')).toStartWith('text/xml')
    expect(await messagesOf('SM1')).toMatchObject([{ text: 'Hello', direction: 'inbound' }])
  })

  test('signed over another URL or with another token is 401', async () => {
    expect((await callTwilio(smsOf('SM2', '+4915112345612', 'No'), { base: world.url })).status).toBe(401)
    expect((await callTwilio(smsOf('SM2', '+4915112345612', 'No'), { token: 'guess' })).status).toBe(401)
    expect(await messagesOf('SM2')).toHaveLength(0)
  })

  test('with a valid signature is read up to a limit, and a larger one is listed as rejected', async () => {
    const extra = Object.fromEntries(Array.from({ length: 1100 }, (_, place) => [`Extra${place}`, '1']))
    expect((await callTwilio({ ...smsOf('SM2a', '+4915112345618', 'Much'), ...extra })).status).toBe(200)
    expect(await messagesOf('SM2a')).toMatchObject([{ text: 'Much' }])
    for (const [sid, size] of [
      ['SM2b', 300_000],
      ['SM2c', 1_000_000],
    ] as const) {
      const large = smsOf(sid, '+4915112345618', 'x'.repeat(size))
      expect((await callTwilio(large, { token: 'guess' })).status).toBe(401)
      expect((await callTwilio(large)).status).toBe(200)
      expect(await messagesOf(sid)).toHaveLength(0)
    }
    await eventually('it is listed', async () => {
      const { data } = await world.expect(200, 'GET', '/v1/activity/not-accepted')
      return data.some(
        ({ sender, message }: Record<string, string>) =>
          sender === 'twilio_sms' && message!.includes('bytes. The maximum is 262144.'),
      )
    })
    const endless = Object.fromEntries(Array.from({ length: 21_000 }, (_, place) => [`a${place}`, '']))
    expect((await callTwilio(endless)).status).toBe(400)
  })

  test("with a status finds its message by the query parameter or the provider's id", async () => {
    const id = await sent(smsChannel.id, null)
    const status = {
      MessageSid: 'SM3',
      MessageStatus: 'delivered',
      AccountSid: twilio.accountSid,
      To: '+4915112345613',
    }
    expect((await callTwilio(status, { query: `?message=${id}` })).status).toBe(200)
    expect(await statusOf(id)).toBe('delivered')
    const again = await sent(smsChannel.id, 'SM4')
    await callTwilio({ ...status, MessageSid: 'SM4', MessageStatus: 'undelivered', ErrorCode: '30005' })
    expect(await statusOf(again)).toBe('failed')
  })

  test('with an opt-out of a customer opts the customer out', async () => {
    await callTwilio(smsOf('SM5', '+4915112345614', 'Hello'))
    await callTwilio({ ...smsOf('SM6', '+4915112345614', 'stop'), OptOutType: 'STOP' })
    const { data } = await world.expect(200, 'GET', '/v1/customers?phone=%2B4915112345614')
    expect(data[0].optedOutAt).toEqual(expect.any(String))
  })

  const consentsOf = async (phone: string) => {
    const { data: customers } = await world.expect(200, 'GET', `/v1/customers?phone=%2B${phone.slice(1)}`)
    const { data } = await world.expect(200, 'GET', `/v1/customers/${customers[0].id}/consents`)
    return data.map(({ kind, source, words }: Record<string, string>) => [kind, source, words])
  }

  test('with an opt-out word that only Twilio knows also opts out a new customer', async () => {
    await callTwilio({ ...smsOf('SM7', '+4915112345615', 'no more ads'), OptOutType: 'STOP' })
    expect(await consentsOf('+4915112345615')).toEqual([['opt_out', 'customer', 'no more ads']])
  })

  test('with a START is recorded once, for any number of repeats', async () => {
    const from = '+4915112345616'
    await callTwilio(smsOf('SM8', from, 'Hello'))
    for (const [sid, text] of [
      ['SM9', 'Start'],
      ['SM10', 'welcome back'],
    ] as const)
      for (let time = 0; time < 2; time++)
        expect((await callTwilio({ ...smsOf(sid, from, text), OptOutType: 'START' })).status).toBe(200)
    expect(await consentsOf(from)).toEqual([
      ['opt_in', 'customer', 'welcome back'],
      ['opt_in', 'customer', 'Start'],
    ])
  })

  test('with a first message that Twilio marks as an opt-out opts the new customer out', async () => {
    const parameters = { ...smsOf('SM88', '+4915112345688', 'Genug jetzt'), OptOutType: 'STOP' }
    expect((await callTwilio(parameters)).status).toBe(200)
    const { data } = await world.expect(200, 'GET', '/v1/customers?phone=%2B4915112345688')
    expect(data).toHaveLength(1)
    expect(data[0].optedOutAt).toEqual(expect.any(String))
    expect((await callTwilio(parameters)).status).toBe(200)
    const consents = await world.expect(200, 'GET', `/v1/customers/${data[0].id}/consents`)
    expect(consents.data).toMatchObject([{ kind: 'opt_out', source: 'customer', words: 'Genug jetzt' }])
    expect(await messagesOf('SM88')).toMatchObject([{ text: 'Genug jetzt', direction: 'inbound' }])
  })
})

describe('a provider opt-out of an unknown customer', () => {
  const wish = (value: string, who: Record<string, string>) =>
    envelope({
      user_preferences: [{ ...who, category: 'marketing_messages', value, detail: 'No ads', timestamp: '1760000000' }],
    })

  test('enrols and opts out once, by number or by user id', async () => {
    for (const [who, address] of [
      [{ wa_id: '4915112345690' }, '+4915112345690'],
      [{ user_id: 'US.690' }, 'US.690'],
    ] as const) {
      const body = wish('stop', who)
      for (let time = 0; time < 2; time++) expect((await callWhatsapp(body)).status).toBe(200)
      const [row] = await world.database.sql<{ id: string }[]>`
        select customer_id as id from handles where channel_id = ${waChannel.id} and handle = ${address}`
      const customer = await world.expect(200, 'GET', `/v1/customers/${row!.id}`)
      expect(customer).toMatchObject({
        phone: address.startsWith('+') ? address : null,
        optedOutAt: expect.any(String),
      })
      const { data } = await world.expect(200, 'GET', `/v1/customers/${row!.id}/consents`)
      expect(data).toMatchObject([{ kind: 'opt_out', source: 'customer', words: 'No ads' }])
      const told = await world.database.sql`
        select data from outbound_events where type = 'customer.opted_out' and data_subject_id = ${row!.id}`
      expect(told).toMatchObject([{ data: { channel: 'whatsapp_cloud', handle: address, reason: 'No ads' } }])
    }
  })

  test('that is withdrawn enrols no customer', async () => {
    expect((await callWhatsapp(wish('resume', { wa_id: '4915112345691' }))).status).toBe(200)
    const { data } = await world.expect(200, 'GET', '/v1/customers?phone=%2B4915112345691')
    expect(data).toEqual([])
  })
})

describe('a provider opt-out after an owner has lifted the opt-out', () => {
  const seconds = (ms: number) => String(Math.floor(ms / 1000))
  const metadata = { phone_number_id: whatsapp.phoneNumberId }
  /** Two forms in which WhatsApp reports it: a user preference, or a failed outbound message. */
  const told = {
    'a wish': (from: string, at: number) =>
      JSON.stringify({
        object: 'whatsapp_business_account',
        entry: [
          { changes: [{ field: 'user_preferences', value: { metadata, user_preferences: [wishOf(from, at)] } }] },
        ],
      }),
    'a failure': (from: string, at: number) => envelope({ statuses: [failureOf(from, at)] }),
  }
  const wishOf = (from: string, at: number) => ({
    ...{ wa_id: from.slice(1), category: 'marketing_messages', value: 'stop', detail: 'No more' },
    timestamp: seconds(at),
  })
  const failureOf = (from: string, at: number) => ({
    ...{ id: `wamid.failed.${from}.${at}`, status: 'failed', recipient_id: from.slice(1), timestamp: seconds(at) },
    errors: [{ code: 131050, title: 'Stopped' }],
  })

  const customerOf = async (phone: string) =>
    (await world.expect(200, 'GET', `/v1/customers?phone=%2B${phone.slice(1)}`)).data[0]
  const isOut = async (phone: string) => (await customerOf(phone)).optedOutAt !== null
  const ledgerOf = async (phone: string): Promise<{ kind: string; at: string; words: string }[]> =>
    (await world.expect(200, 'GET', `/v1/customers/${(await customerOf(phone)).id}/consents`)).data
  const kindsOf = async (phone: string) => (await ledgerOf(phone)).map(({ kind }) => kind)
  const lift = async (phone: string) =>
    world.expect(200, 'POST', `/v1/customers/${(await customerOf(phone)).id}/opt-out/lift`, {
      body: { reason: 'asked for it by phone' },
    })
  const toldOf = async (phone: string) =>
    (
      await world.database.sql`select 1 from outbound_events
        where type = 'customer.opted_out' and data_subject_id = ${(await customerOf(phone)).id}`
    ).length
  let number = 0
  const someone = async () => {
    const phone = `+4915112346${String(++number).padStart(3, '0')}`
    expect((await callWhatsapp(waMessage(`wamid.lift.${number}`, phone.slice(1), 'Hello'))).status).toBe(200)
    return phone
  }
  const ways = Object.keys(told) as (keyof typeof told)[]

  test.each(ways)('that is repeated (%s) changes nothing', async way => {
    const phone = await someone()
    const body = told[way](phone, Date.now())
    expect((await callWhatsapp(body)).status).toBe(200)
    expect(await isOut(phone)).toBe(true)
    await lift(phone)
    for (let time = 0; time < 2; time++) expect((await callWhatsapp(body)).status).toBe(200)
    expect(await isOut(phone)).toBe(false)
    expect(await kindsOf(phone)).toEqual(['lift', 'opt_out'])
    expect(await toldOf(phone)).toBe(1)
  })

  test.each(ways)('from before that arrives late (%s) is in the ledger once, at its own time', async way => {
    const phone = await someone()
    await world.expect(200, 'POST', `/v1/customers/${(await customerOf(phone)).id}/opt-out`, {
      body: { reason: 'asked' },
    })
    await lift(phone)
    const at = Math.floor(Date.now() / 1000 - 3600) * 1000
    for (let time = 0; time < 2; time++) expect((await callWhatsapp(told[way](phone, at))).status).toBe(200)
    expect(await isOut(phone)).toBe(false)
    const ledger = await ledgerOf(phone)
    expect(ledger.map(({ kind }) => kind)).toEqual(['lift', 'opt_out', 'opt_out'])
    expect(ledger[2]!.at).toBe(new Date(at).toISOString())
    expect(await toldOf(phone)).toBe(1)
  })

  test.each(ways)('from after the lift (%s) opts out again', async way => {
    const phone = await someone()
    const now = Date.now()
    await callWhatsapp(told[way](phone, now - 60_000))
    await lift(phone)
    expect((await callWhatsapp(told[way](phone, now + 5000))).status).toBe(200)
    expect(await isOut(phone)).toBe(true)
    expect(await kindsOf(phone)).toEqual(['opt_out', 'lift', 'opt_out'])
    expect(await toldOf(phone)).toBe(2)
  })

  test('from Twilio, which has no time, is identified by its message', async () => {
    const phone = '+4915112347001'
    const stop = { ...smsOf('SM901', phone, 'no more ads'), OptOutType: 'STOP' }
    await callTwilio(stop)
    await lift(phone)
    expect((await callTwilio(stop)).status).toBe(200)
    expect(await isOut(phone)).toBe(false)
    expect(await kindsOf(phone)).toEqual(['lift', 'opt_out'])
    expect((await callTwilio({ ...stop, MessageSid: 'SM902', SmsSid: 'SM902' })).status).toBe(200)
    expect(await isOut(phone)).toBe(true)
  })

  test('from Twilio by a failed outbound message is identified by that message', async () => {
    const id = await sent(smsChannel.id, 'SM903')
    const [row] = await world.database.sql<{ phone: string }[]>`
      select c.phone from customers c join messages m on m.customer_id = c.id where m.id = ${id}`
    const phone = row!.phone
    const failed = {
      ...{ MessageSid: 'SM903', MessageStatus: 'failed', ErrorCode: '21610' },
      ...{ AccountSid: twilio.accountSid, To: phone },
    }
    expect((await callTwilio(failed)).status).toBe(200)
    expect(await isOut(phone)).toBe(true)
    await lift(phone)
    expect((await callTwilio(failed)).status).toBe(200)
    expect(await isOut(phone)).toBe(false)
    expect(await kindsOf(phone)).toEqual(['lift', 'opt_out'])
  })
})

describe('a sandbox', () => {
  const sandbox = (delivery = 'delivered') =>
    world.expect(201, 'POST', '/v1/channels', { body: { kind: 'sandbox', name: 'Sandbox', sandbox: { delivery } } })

  test('accepts messages as if the customer had written them', async () => {
    const { id } = await sandbox()
    const path = `/v1/channels/${id}/sandbox/messages`
    const body = { from: '+4915112345621', text: 'Hello', name: 'Ada', providerMessageId: 'mine' }
    const message = await world.expect(201, 'POST', path, { body })
    expect(message).toMatchObject({
      channelId: id,
      direction: 'inbound',
      text: 'Hello',
      status: 'received',
      providerMessageId: 'mine',
    })
    expect((await world.expect(201, 'POST', path, { body })).id).toBe(message.id)
    const image = await world.expect(201, 'POST', path, { body: { from: '+4915112345621', type: 'image' } })
    expect(image).toMatchObject({ text: null, conversationId: message.conversationId })
    for (const wrong of [
      { text: 'no one' },
      { from: '123', text: 'x' },
      { from: body.from },
      { ...body, type: 'song' },
    ])
      await world.expect(400, 'POST', path, { body: wrong })
  })

  test('accepts statuses as if the provider had sent them, and manual messages stay sent until then', async () => {
    const as = await world.otherOwner()
    const channel = await world.expect(201, 'POST', '/v1/channels', {
      as,
      body: { kind: 'sandbox', name: 'By hand', sandbox: { delivery: 'manual' } },
    })
    const steps = { say: { type: 'send_message', text: 'Thank you', next: null } }
    const workflow = await world.expect(201, 'POST', '/v1/workflows', {
      as,
      body: { name: 'Thanks', definition: { trigger: { eventType: 'a' }, start: 'say', steps } },
    })
    await world.expect(200, 'POST', `/v1/workflows/${workflow.id}/publish`, { as })
    await world.expect(200, 'PATCH', `/v1/workflows/${workflow.id}`, { as, body: { enabled: true } })
    await world.expect(201, 'POST', '/v1/events', { as, body: { type: 'a', phone: '+4915112345622' } })
    const read = async () => (await world.expect(200, 'GET', '/v1/messages', { as })).data[0]
    const message = await eventually('it is sent', async () => {
      const one = await read()
      return one?.status === 'sent' && one
    })
    const tell = (status: string, more = {}) =>
      world.expect(202, 'POST', `/v1/channels/${channel.id}/sandbox/statuses`, {
        as,
        body: { messageId: message.id, status, ...more },
      })
    await tell('read')
    await tell('delivered')
    expect((await read()).status).toBe('read')
    await world.expect(404, 'POST', `/v1/channels/${channel.id}/sandbox/statuses`, {
      as,
      body: { messageId: unknownId, status: 'read' },
    })
    const other = await world.expect(201, 'POST', '/v1/channels', { as, body: { kind: 'sandbox', name: 'Other' } })
    await world.expect(404, 'POST', `/v1/channels/${other.id}/sandbox/statuses`, {
      as,
      body: { messageId: message.id, status: 'failed', detail: 'No words are left behind' },
    })
    const left = await world.database
      .sql`select 1 from early_statuses where channel_id = any(${[channel.id, other.id]})`
    expect(left).toHaveLength(0)
  })

  test('is required: another kind of channel is 422', async () => {
    const said = { from: '+4915112345623', text: 'x' }
    await world.expect(422, 'POST', `/v1/channels/${waChannel.id}/sandbox/messages`, { body: said })
    await world.expect(422, 'POST', `/v1/channels/${waChannel.id}/sandbox/statuses`, {
      body: { messageId: unknownId, status: 'read' },
    })
  })
})

describe('credentials', () => {
  test('are checked, and the error names the field', async () => {
    const { appSecret: _, ...lacking } = whatsapp
    const kind = 'whatsapp_cloud'
    for (const [body, field] of [
      [{ kind, credentials: lacking }, 'credentials.appSecret'],
      [{ kind }, 'credentials'],
      [{ kind, credentials: { ...whatsapp, more: 1 } }, 'credentials.more'],
      [{ kind, credentials: whatsapp, sandbox: { delivery: 'read' } }, 'sandbox'],
    ] as const)
      expect(await world.answer('POST', '/v1/channels', { body: { name: 'x', ...body } })).toBe(
        `400 invalid_request ${field}`,
      )
    for (const [body, field] of [
      [{ credentials: lacking }, 'credentials.appSecret'],
      [{ sandbox: { delivery: 'read' } }, 'sandbox'],
    ] as const)
      expect(await world.answer('PATCH', `/v1/channels/${waChannel.id}`, { body })).toBe(`400 invalid_request ${field}`)
  })

  test('have at least 16 characters when they authenticate callbacks', async () => {
    const given = (credentials: object) => ({
      kind: 'authToken' in credentials ? 'twilio_sms' : 'whatsapp_cloud',
      credentials,
    })
    for (const [field, complete] of [
      ['appSecret', { ...whatsapp, phoneNumberId: '1616' }],
      ['verifyToken', { ...whatsapp, phoneNumberId: '1616' }],
      ['authToken', { ...twilio, from: '+15551616161' }],
    ] as const) {
      const short = given({ ...complete, [field]: 'x'.repeat(15) })
      const { error } = await world.expect(400, 'POST', '/v1/channels', { body: { name: 'x', ...short } })
      expect(error.details).toEqual({ [`credentials.${field}`]: expect.stringContaining('16 to 1000 characters') })
      const long = given({ ...complete, [field]: 'x'.repeat(16) })
      const { id } = await world.expect(201, 'POST', '/v1/channels', { body: { name: 'x', ...long } })
      await world.expect(204, 'DELETE', `/v1/channels/${id}`)
    }
  })

  test('are rejected for a connected number until its channel is disconnected', async () => {
    const credentials = { ...whatsapp, phoneNumberId: '777' }
    const body = { kind: 'whatsapp_cloud', name: 'Once', credentials }
    const [one, two] = await Promise.all([1, 2].map(() => world.call('POST', '/v1/channels', { body })))
    expect([one!.status, two!.status].sort()).toEqual([201, 409])
    const first = one!.status === 201 ? one!.body : two!.body
    expect(first).toMatchObject({
      number: '777',
      sandbox: null,
      inboundUrl: `${publicUrl}/v1/inbound/whatsapp/${first.id}`,
    })
    const other = await connect('whatsapp_cloud', { ...whatsapp, phoneNumberId: '778' })
    expect((await world.call('PATCH', `/v1/channels/${other.id}`, { body: { credentials } })).status).toBe(409)
    await world.expect(204, 'DELETE', `/v1/channels/${first.id}`)
    const again = await world.expect(201, 'POST', '/v1/channels', { body })
    expect(again.number).toBe('777')
    const [row] = await world.database.sql`select credentials from channels where id = ${first.id}`
    expect(row!.credentials).toBeNull()
  })

  test('apply immediately after a change', async () => {
    const channel = await connect('whatsapp_cloud', { ...whatsapp, phoneNumberId: '555' })
    const body = envelope({})
    expect((await callWhatsapp(body, signedByMeta(body), channel)).status).toBe(200)
    await world.expect(200, 'PATCH', `/v1/channels/${channel.id}`, {
      body: { credentials: { ...whatsapp, phoneNumberId: '555', appSecret: 'another-app-secret' } },
    })
    expect((await callWhatsapp(body, signedByMeta(body), channel)).status).toBe(401)
    expect((await callWhatsapp(body, signedByMeta(body, 'another-app-secret'), channel)).status).toBe(200)
  })

  test('are stored encrypted, and are in no response, log line or rejected request', async () => {
    const { sql } = world.database
    const [row] = await sql<{ credentials: Buffer }[]>`select credentials from channels where id = ${waChannel.id}`
    expect(row!.credentials.length).toBeGreaterThan(40)
    const tables = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`
    for (const { name } of tables) {
      const rows = await sql<{ text: string }[]>`select t::text as text from ${sql(name)} t`
      for (const secret of secrets)
        expect(
          rows.some(({ text }) => text.includes(secret)),
          name,
        ).toBe(false)
    }
    const answers = [
      await world.call('GET', '/v1/channels'),
      await world.call('GET', `/v1/channels/${waChannel.id}`),
      await world.call('POST', `/v1/channels/${waChannel.id}/test`),
      await world.call('GET', '/v1/activity/not-accepted'),
    ].map(({ body }) => JSON.stringify(body))
    expect(logged.length).toBeGreaterThan(50)
    for (const secret of secrets) for (const text of [...answers, ...logged]) expect(text.includes(secret)).toBe(false)
  })
})

test('without an encryption key, a channel with credentials is 422 and the error names the setting', async () => {
  await using other = await startWorld()
  const body = { kind: 'twilio_sms', name: 'x', credentials: twilio }
  const { error } = await other.expect(422, 'POST', '/v1/channels', { body })
  expect(error).toMatchObject({ code: 'unprocessable', message: expect.stringContaining('SECRETS_KEY') })
})
