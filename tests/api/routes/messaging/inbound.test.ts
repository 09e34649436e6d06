/** Tests of provider callbacks, signed like those of the providers. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import pino from 'pino'
import { eventually, newPhone, startWorld, unknownId, useWorld } from '../../../support/world.ts'

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

const metadata = { display_phone_number: '15550783881', phone_number_id: whatsapp.phoneNumberId }
const envelope = (value: Record<string, unknown>, field = 'messages') =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      { id: '102290129340398', changes: [{ field, value: { messaging_product: 'whatsapp', metadata, ...value } }] },
    ],
  })

const waMessage = (id: string, from: string, text: string) =>
  envelope({
    contacts: [{ profile: { name: 'Ada' }, wa_id: from }],
    messages: [{ from, id, timestamp: seconds(Date.now()), type: 'text', text: { body: text } }],
  })

const waStatus = (status: string, id: string) =>
  envelope({ statuses: [{ id, status, timestamp: '1800000000', recipient_id: '4915112345601' }] })

const callTwilio = (
  parameters: Record<string, string>,
  { query = '', base = publicUrl, token = twilio.authToken } = {},
) => {
  const path = pathOf(smsChannel) + query
  const names = Object.keys(parameters).sort()
  const signed = names.reduce((text, name) => text + name + parameters[name], base + path)
  return world.call('POST', path, {
    as: 'nobody',
    raw: new URLSearchParams(parameters).toString(),
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Twilio-Signature': createHmac('sha1', token).update(signed).digest('base64'),
    },
  })
}

const smsOf = (MessageSid: string, From: string, Body: string) => ({
  ...{ MessageSid, SmsSid: MessageSid, From, Body },
  ...{ AccountSid: twilio.accountSid, To: twilio.from, NumMedia: '0' },
})

const statusOfSms = (MessageSid: string, MessageStatus: string) => {
  const { accountSid: AccountSid } = twilio
  return { MessageSid, MessageStatus, AccountSid, To: '+4915112345613' }
}

const messagesOf = async (providerMessageId: string) =>
  world.database.sql<{ id: string; text: string; direction: string; status: string }[]>`
    select id, text, direction, status from messages where provider_message_id = ${providerMessageId}`

/** Creates an outbound message. With an id, the provider knows it; with null, its status is unknown. */
const sent = async (channelId: string, providerMessageId: string | null) => {
  const { workspaceId, database } = world
  const [row] = await database.sql<{ id: string }[]>`
    with customer as (
      insert into customers (workspace_id, phone) values (${workspaceId}, ${newPhone()}) returning id, phone
    ), conversation as (
      insert into conversations (workspace_id, channel_id, customer_id, handle)
      select ${workspaceId}, ${channelId}, id, phone from customer returning id, customer_id
    )
    insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, text, status, provider_message_id)
    select ${workspaceId}, ${channelId}, id, customer_id, 'outbound', 'Hello', ${providerMessageId ? 'sent' : 'unknown'},
      ${providerMessageId} from conversation returning id`
  return row!.id
}

const customerOf = async (phone: string) =>
  (await world.expect(200, 'GET', `/v1/customers?phone=%2B${phone.slice(1)}`)).data[0]

const seconds = (ms: number) => String(Math.floor(ms / 1000))

const statusOf = async (id: string) =>
  (await world.database.sql`select status from messages where id = ${id}`)[0]!.status

describe('a callback of WhatsApp', () => {
  test('is answered with 200 after the message is recorded, and records a repeat once', async () => {
    const body = waMessage('wamid.1', '4915112345601', 'Is it still there?')
    for (let time = 0; time < 2; time++) {
      expect((await callWhatsapp(body)).status).toBe(200)
      const message = { text: 'Is it still there?', direction: 'inbound', status: 'received' }
      expect(await messagesOf('wamid.1')).toMatchObject([message])
    }
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
    for (const name of ['read', 'delivered', 'sent']) await callWhatsapp(waStatus(name, 'wamid.out.1'))
    expect(await statusOf(id)).toBe('read')
    expect((await callWhatsapp(waStatus('delivered', 'wamid.nobody'))).status).toBe(200)
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
    expect((await callWhatsapp(body + ' '.repeat(200_000))).status).toBe(400)
  })
})

test("a repeated callback about an erased customer changes nothing, although the provider's ids are deleted", async () => {
  const { sql } = world.database
  const [theirs, ours] = ['wamid.HBgNNDkxNTExMjM0NTY3MA==', 'wamid.HBgNNDkxNTExMjM0NTY3MQ==']
  const said = waMessage(theirs, '4915112345670', 'Forget me')
  await callWhatsapp(said)
  const [inbound] = await messagesOf(theirs)
  const { customerId, conversationId } = await world.expect(200, 'GET', `/v1/messages/${inbound!.id}`)
  const [outbound] = await sql<{ id: string }[]>`
    insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, text, status, provider_message_id)
    values (${world.workspaceId}, ${waChannel.id}, ${conversationId}, ${customerId}, 'outbound', 'Sure', 'sent', ${ours})
    returning id`
  await callWhatsapp(waStatus('delivered', ours))
  await world.expect(204, 'DELETE', `/v1/customers/${customerId}`)

  for (const body of [said, waStatus('delivered', ours), waStatus('read', ours)])
    expect((await callWhatsapp(body)).status).toBe(200)
  const found = await world.expect(200, 'GET', `/v1/messages?customerId=${customerId}`)
  expect(found.data).toMatchObject([
    { id: outbound!.id, text: null, status: 'read', providerMessageId: null },
    { id: inbound!.id, text: null, providerMessageId: null },
  ])
  expect(await customerOf('+4915112345670')).toBeUndefined()
  const left = await sql<{ text: string }[]>`
    select m::text as text from messages m union all select e::text from early_statuses e
    union all select o::text from outbound_events o`
  // The ids can encode the customer.
  for (const { text } of left) expect(text).not.toMatch(/wamid\.HBgNNDkxNTEx/)
})

test('the verification request is answered with the challenge if the verify token is correct', async () => {
  const ask = (query: Record<string, string>, channel = waChannel.id) =>
    world.call('GET', `/v1/inbound/whatsapp/${channel}?${new URLSearchParams(query)}`, { as: 'nobody' })
  const asked = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444', 'hub.verify_token': whatsapp.verifyToken }
  const reply = await ask(asked)
  expect([reply.status, reply.body]).toEqual([200, '1158201444'])
  expect(reply.headers.get('content-type')).toStartWith('text/plain')
  const { 'hub.challenge': _, ...nothing } = asked
  for (const query of [{ ...asked, 'hub.verify_token': 'guess' }, nothing, {}] as Record<string, string>[])
    expect((await ask(query)).status).toBe(403)
  for (const id of [unknownId, smsChannel.id]) expect((await ask(asked, id)).status).toBe(404)
})

describe('a callback of Twilio', () => {
  test('is signed over the public URL, with any Host, and gets an empty response', async () => {
    const reply = await callTwilio(smsOf('SM1', '+4915112345611', 'Hello'))
    expect([reply.status, reply.body]).toEqual([200, '<Response/>'])
    expect(reply.headers.get('content-type')).toStartWith('text/xml')
    expect(await messagesOf('SM1')).toMatchObject([{ text: 'Hello', direction: 'inbound' }])
    for (const wrong of [{ base: world.url }, { token: 'guess' }])
      expect((await callTwilio(smsOf('SM2', '+4915112345612', 'No'), wrong)).status).toBe(401)
    expect(await messagesOf('SM2')).toHaveLength(0)
  })

  test('with a valid signature is read up to a limit, and a larger one is listed as rejected', async () => {
    const extra = Object.fromEntries(Array.from({ length: 1100 }, (_, place) => [`Extra${place}`, '1']))
    expect((await callTwilio({ ...smsOf('SM2a', '+4915112345618', 'Much'), ...extra })).status).toBe(200)
    expect(await messagesOf('SM2a')).toMatchObject([{ text: 'Much' }])
    const large = smsOf('SM2b', '+4915112345618', 'x'.repeat(300_000))
    expect((await callTwilio(large, { token: 'guess' })).status).toBe(401)
    expect((await callTwilio(large)).status).toBe(200)
    expect(await messagesOf('SM2b')).toHaveLength(0)
    await eventually('it is listed', async () => {
      const { data } = await world.expect(200, 'GET', '/v1/activity/not-accepted')
      const messages = data.filter((one: { sender: string }) => one.sender === 'twilio_sms')
      return JSON.stringify(messages).includes('bytes. The maximum is 262144.')
    })
    const endless = Object.fromEntries(Array.from({ length: 21_000 }, (_, place) => [`a${place}`, '']))
    expect((await callTwilio(endless)).status).toBe(400)
  })

  test("with a status finds its message by the query parameter or the provider's id", async () => {
    const id = await sent(smsChannel.id, null)
    expect((await callTwilio(statusOfSms('SM3', 'delivered'), { query: `?message=${id}` })).status).toBe(200)
    expect(await statusOf(id)).toBe('delivered')
    const again = await sent(smsChannel.id, 'SM4')
    await callTwilio({ ...statusOfSms('SM4', 'undelivered'), ErrorCode: '30005' })
    expect(await statusOf(again)).toBe('failed')
  })

  const consentsOf = async (phone: string) => {
    const { data } = await world.expect(200, 'GET', `/v1/customers/${(await customerOf(phone)).id}/consents`)
    return data.map(({ kind, source, words }: Record<string, string>) => [kind, source, words])
  }

  test('with an opt-out word that only Twilio knows opts out, also a new customer with the first message', async () => {
    const from = '+4915112345615'
    const parameters = { ...smsOf('SM7', from, 'no more ads'), OptOutType: 'STOP' }
    for (let time = 0; time < 2; time++) expect((await callTwilio(parameters)).status).toBe(200)
    expect((await customerOf(from)).optedOutAt).toEqual(expect.any(String))
    expect(await consentsOf(from)).toEqual([['opt_out', 'customer', 'no more ads']])
    expect(await messagesOf('SM7')).toMatchObject([{ text: 'no more ads', direction: 'inbound' }])
  })

  test('with a START is recorded once, for any number of repeats', async () => {
    const from = '+4915112345616'
    await callTwilio(smsOf('SM8', from, 'Hello'))
    for (const [sid, text] of Object.entries({ SM9: 'Start', SM10: 'welcome back' }))
      for (let time = 0; time < 2; time++)
        expect((await callTwilio({ ...smsOf(sid, from, text), OptOutType: 'START' })).status).toBe(200)
    expect(await consentsOf(from)).toEqual([
      ['opt_in', 'customer', 'welcome back'],
      ['opt_in', 'customer', 'Start'],
    ])
  })
})

const wishOf = (who: Record<string, string>, value = 'stop', at = Date.now()) => {
  const wish = { ...who, category: 'marketing_messages', value, detail: 'No more', timestamp: seconds(at) }
  return envelope({ user_preferences: [wish] }, 'user_preferences')
}

test('a provider opt-out enrols an unknown customer once, by number or by user id, and an opt-in does not', async () => {
  for (const [who, address] of [
    [{ wa_id: '4915112345690' }, '+4915112345690'],
    [{ user_id: 'US.690' }, 'US.690'],
  ] as [Record<string, string>, string][]) {
    for (let time = 0; time < 2; time++)
      expect((await callWhatsapp(wishOf(who, 'stop', 1_760_000_000_000))).status).toBe(200)
    const [row] = await world.database.sql<{ id: string }[]>`
      select customer_id as id from handles where channel_id = ${waChannel.id} and handle = ${address}`
    const customer = await world.expect(200, 'GET', `/v1/customers/${row!.id}`)
    expect(customer).toMatchObject({ phone: address.startsWith('+') ? address : null, optedOutAt: expect.any(String) })
    const { data } = await world.expect(200, 'GET', `/v1/customers/${row!.id}/consents`)
    expect(data).toMatchObject([{ kind: 'opt_out', source: 'customer', words: 'No more' }])
    const told = await world.database.sql`
      select data from outbound_events where type = 'customer.opted_out' and data_subject_id = ${row!.id}`
    expect(told).toMatchObject([{ data: { channel: 'whatsapp_cloud', handle: address, reason: 'No more' } }])
  }
  for (const wa_id of ['4915112345690', '4915112345691'])
    expect((await callWhatsapp(wishOf({ wa_id }, 'resume'))).status).toBe(200)
  expect(await customerOf('+4915112345691')).toBeUndefined()
  // It is only recorded for a customer who opted out.
  const { id, optedOutAt } = await customerOf('+4915112345690')
  expect(optedOutAt).not.toBeNull()
  const { data } = await world.expect(200, 'GET', `/v1/customers/${id}/consents`)
  expect(data.map(({ kind }: { kind: string }) => kind)).toEqual(['opt_in', 'opt_out'])
})

describe('a provider opt-out after an owner has lifted the opt-out', () => {
  /** Two forms in which WhatsApp reports it: a user preference, or a failed outbound message. */
  const told = {
    'a wish': (from: string, at: number) => wishOf({ wa_id: from.slice(1) }, 'stop', at),
    'a failure': (from: string, at: number) => envelope({ statuses: [failureOf(from, at)] }),
  }
  const failureOf = (from: string, at: number) => ({
    ...{ id: `wamid.failed.${from}.${at}`, status: 'failed', recipient_id: from.slice(1), timestamp: seconds(at) },
    errors: [{ code: 131050, title: 'Stopped' }],
  })
  /** Returns whether the customer is out, the ledger, newest first, and the number of emitted opt-outs. */
  const ledgerOf = async (phone: string): Promise<string> => {
    const { id, optedOutAt } = await customerOf(phone)
    const { data } = await world.expect(200, 'GET', `/v1/customers/${id}/consents`)
    const emitted = await world.database.sql`
      select 1 from outbound_events where type = 'customer.opted_out' and data_subject_id = ${id}`
    const kinds = data.map(({ kind }: { kind: string }) => kind).join(' ')
    return `${optedOutAt === null ? 'in' : 'out'}: ${kinds}, emitted ${emitted.length}`
  }
  const lift = async (phone: string) => {
    const body = { reason: 'asked' }
    await world.expect(200, 'POST', `/v1/customers/${(await customerOf(phone)).id}/opt-out/lift`, { body })
  }

  test.each(Object.entries(told))('applies only if it is newer than the lift (%s)', async (way, bodyOf) => {
    const phone = way === 'a wish' ? '+4915112346001' : '+4915112346002'
    await callWhatsapp(waMessage(`wamid.lift.${phone}`, phone.slice(1), 'Hello'))
    const now = Date.now()
    const call = async (at: number) => expect((await callWhatsapp(bodyOf(phone, at))).status).toBe(200)
    await call(now)
    expect(await ledgerOf(phone)).toBe('out: opt_out, emitted 1')
    await lift(phone)
    for (let time = 0; time < 2; time++) await call(now)
    expect(await ledgerOf(phone)).toBe('in: lift opt_out, emitted 1')
    // One from before the lift that arrives late is in the ledger once, at its own time.
    const before = Math.floor(now / 1000 - 3600) * 1000
    for (let time = 0; time < 2; time++) await call(before)
    expect(await ledgerOf(phone)).toBe('in: lift opt_out opt_out, emitted 1')
    const { data } = await world.expect(200, 'GET', `/v1/customers/${(await customerOf(phone)).id}/consents`)
    expect(data[2].at).toBe(new Date(before).toISOString())
    await call(now + 5000)
    expect(await ledgerOf(phone)).toBe('out: opt_out lift opt_out opt_out, emitted 2')
  })

  test('from Twilio, which has no time, is identified by its message or by a failed message of ours', async () => {
    const id = await sent(smsChannel.id, 'SM903')
    const [row] = await world.database.sql<{ phone: string }[]>`
      select c.phone from customers c join messages m on m.customer_id = c.id where m.id = ${id}`
    const stop = { ...smsOf('SM901', '+4915112347001', 'no more ads'), OptOutType: 'STOP' }
    for (const [phone, report] of [
      ['+4915112347001', stop],
      [row!.phone, { ...statusOfSms('SM903', 'failed'), To: row!.phone, ErrorCode: '21610' }],
    ] as const) {
      await callTwilio(report)
      expect(await ledgerOf(phone)).toBe('out: opt_out, emitted 1')
      await lift(phone)
      expect((await callTwilio(report)).status).toBe(200)
      expect(await ledgerOf(phone)).toBe('in: lift opt_out, emitted 1')
    }
    await callTwilio({ ...stop, MessageSid: 'SM902', SmsSid: 'SM902' })
    expect(await ledgerOf('+4915112347001')).toBe('out: opt_out lift opt_out, emitted 2')
  })
})

test('a sandbox accepts messages like those of a customer, and statuses like those of a provider', async () => {
  const body = { kind: 'sandbox', name: 'By hand', sandbox: { delivery: 'manual' } }
  const { id } = await world.expect(201, 'POST', '/v1/channels', { body })
  const path = `/v1/channels/${id}/sandbox`
  const said = { from: '+4915112345621', text: 'Hello', name: 'Ada', providerMessageId: 'mine' }
  const message = await world.expect(201, 'POST', `${path}/messages`, { body: said })
  const { name: _, from: __, ...kept } = said
  expect(message).toMatchObject({ ...kept, channelId: id, direction: 'inbound', status: 'received' })
  expect((await world.expect(201, 'POST', `${path}/messages`, { body: said })).id).toBe(message.id)
  const image = await world.expect(201, 'POST', `${path}/messages`, { body: { from: said.from, type: 'image' } })
  expect(image).toMatchObject({ text: null, conversationId: message.conversationId })
  for (const wrong of [{ text: 'no one' }, { from: '123', text: 'x' }, { from: said.from }, { ...said, type: 'song' }])
    await world.expect(400, 'POST', `${path}/messages`, { body: wrong })

  const reply = { body: { text: 'Thank you' } }
  const { id: messageId } = await world.expect(
    201,
    'POST',
    `/v1/conversations/${message.conversationId}/messages`,
    reply,
  )
  await eventually('it stays sent', async () => (await statusOf(messageId)) === 'sent')
  const report = (expected: number, channel: string, status: object) =>
    world.expect(expected, 'POST', `/v1/channels/${channel}/sandbox/statuses`, { body: { messageId, ...status } })
  for (const status of ['read', 'delivered']) await report(202, id, { status })
  expect(await statusOf(messageId)).toBe('read')
  await report(404, id, { messageId: unknownId, status: 'read' })
  const other = await world.sandbox()
  await report(404, other, { status: 'failed', detail: 'No words are left behind' })
  const left = await world.database.sql`select 1 from early_statuses where channel_id = any(${[id, other]})`
  expect(left).toHaveLength(0)
  await world.expect(422, 'POST', `/v1/channels/${waChannel.id}/sandbox/messages`, { body: said })
  await report(422, waChannel.id, { status: 'read' })
})

describe('credentials', () => {
  test('are checked, and the error names the field', async () => {
    const { appSecret: _, ...lacking } = whatsapp
    for (const [body, field] of [
      [{ credentials: lacking }, 'credentials.appSecret'],
      [{}, 'credentials'],
      [{ credentials: { ...whatsapp, more: 1 } }, 'credentials.more'],
      [{ credentials: whatsapp, sandbox: { delivery: 'read' } }, 'sandbox'],
    ] as const) {
      const answer = await world.answer('POST', '/v1/channels', {
        body: { kind: 'whatsapp_cloud', name: 'x', ...body },
      })
      expect(answer).toBe(`400 invalid_request ${field}`)
    }
    const body = { credentials: lacking }
    expect(await world.answer('PATCH', `/v1/channels/${waChannel.id}`, { body })).toBe(
      '400 invalid_request credentials.appSecret',
    )
  })

  test('are rejected for a connected number until its channel is disconnected', async () => {
    const credentials = { ...whatsapp, phoneNumberId: '777' }
    const body = { kind: 'whatsapp_cloud', name: 'Once', credentials }
    const replies = await Promise.all([1, 2].map(() => world.call('POST', '/v1/channels', { body })))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
    const first = replies.find(({ status }) => status === 201)!.body
    const inboundUrl = `${publicUrl}/v1/inbound/whatsapp/${first.id}`
    expect(first).toMatchObject({ number: '777', sandbox: null, inboundUrl })
    const other = await connect('whatsapp_cloud', { ...whatsapp, phoneNumberId: '778' })
    await world.expect(409, 'PATCH', `/v1/channels/${other.id}`, { body: { credentials } })
    await world.expect(204, 'DELETE', `/v1/channels/${first.id}`)
    const again = await world.expect(201, 'POST', '/v1/channels', { body })
    expect(again.number).toBe('777')
    const [row] = await world.database.sql`select credentials from channels where id = ${first.id}`
    expect(row!.credentials).toBeNull()
  })

  test('apply immediately after a change', async () => {
    const channel = await connect('whatsapp_cloud', { ...whatsapp, phoneNumberId: '555' })
    const body = envelope({})
    const status = async (secret?: string) => (await callWhatsapp(body, signedByMeta(body, secret), channel)).status
    expect(await status()).toBe(200)
    const credentials = { ...whatsapp, phoneNumberId: '555', appSecret: 'another-app-secret' }
    await world.expect(200, 'PATCH', `/v1/channels/${channel.id}`, { body: { credentials } })
    expect([await status(), await status('another-app-secret')]).toEqual([401, 200])
  })

  test('are stored encrypted, and are in no response, log line or rejected request', async () => {
    const { sql } = world.database
    const tables = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`
    for (const { name } of tables) {
      const rows = await sql<{ text: string }[]>`select t::text as text from ${sql(name)} t`
      for (const secret of secrets) expect(rows.filter(({ text }) => text.includes(secret)).length, name).toBe(0)
    }
    const answers = [
      await world.call('GET', '/v1/channels'),
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
