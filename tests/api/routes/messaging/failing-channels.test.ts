/** Tests of channels whose provider returns errors: queued messages, recovery and skipped messages. */
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { transaction } from '../../../../src/platform/postgres/client.ts'
import { callBack, callbackOf, connectWhatsApp, whatsAppSettings } from '../../../faults/support.ts'
import { startMailServer } from '../../../support/mail-server.ts'
import { well } from '../../../support/stand-in.ts'
import { use } from '../../../support/use.ts'
import { refusing, startWhatsApp } from '../../../support/whatsapp.ts'
import { eventually, useWorld } from '../../../support/world.ts'

const whatsapp = use(startWhatsApp)
const post = use(startMailServer)
const world = useWorld(() => ({
  ...whatsAppSettings(whatsapp),
  SMTP_URL: post.url,
  MAIL_FROM: 'engage@shop.example',
}))
let channel: { id: string; path: string }
let templateId: string
beforeAll(async () => {
  whatsapp.templates.push({ name: 'greeting', language: 'en', parameters: 0 })
  const ask = (status: number, _url: string, method: string, path: string, body?: unknown) =>
    world.expect(status, method, path, { body })
  channel = await connectWhatsApp(ask, world.url, whatsapp)
  whatsapp.callBack(world.url + channel.path)
  const body = { name: 'Greeting', category: 'utility', body: 'Good day', variables: [], provider: approved }
  templateId = (await world.expect(201, 'POST', '/v1/templates', { body })).id
  // A workflow that writes to the customer of each cart event.
  const say = { type: 'send_message', text: 'Your cart', channelId: channel.id, next: null }
  await world.workflow({ trigger: { eventType: 'cart.created' }, start: 'say', steps: { say } })
})
beforeEach(() => whatsapp.behave(well))

const approved = { name: 'greeting', language: 'en' }

let people = 0

/** Creates a customer who has sent a message. */
const someone = async () => {
  const phone = `+49154${10_000_000 + ++people}`
  const callback = callbackOf(whatsapp, { from: phone, text: 'Hello', id: `wamid.hello.${people}` })
  expect((await callBack(world.url + channel.path, whatsapp, callback)).status).toBe(200)
  const [customer] = (await world.expect(200, 'GET', `/v1/customers?phone=%2B${phone.slice(1)}`)).data
  const [conversation] = (await world.expect(200, 'GET', `/v1/conversations?customerId=${customer.id}`)).data
  return { phone, id: customer.id as string, conversationId: conversation.id as string }
}
type Someone = Awaited<ReturnType<typeof someone>>

const write = ({ conversationId }: Someone, body: unknown) =>
  world.expect(201, 'POST', `/v1/conversations/${conversationId}/messages`, { body })
const messageOf = (id: string) => world.expect(200, 'GET', `/v1/messages/${id}`)
const channelNow = () => world.expect(200, 'GET', `/v1/channels/${channel.id}`)
const ofOurs = async ({ id }: Someone): Promise<{ id: string; status: string; sentBy: { type: string } }[]> =>
  (await world.expect(200, 'GET', `/v1/messages?customerId=${id}`)).data.filter(
    ({ direction }: { direction: string }) => direction === 'outbound',
  )

/** Makes the channel fail with a message to another customer. */
const fail = async () => {
  whatsapp.behave(refusing(190, 401))
  await write(await someone(), { text: 'Not now' })
  await eventually('the channel is failing', async () => (await channelNow()).status === 'failing')
}

const mend = async () => {
  whatsapp.behave(well)
  await world.expect(200, 'PATCH', `/v1/channels/${channel.id}`, { body: { credentials: whatsapp.credentials } })
}

test('owners get one mail when a channel fails, and no other when it fails again soon', async () => {
  post.taken.length = 0
  await world.database.sql`update channels set failing_notified_at = now() - interval '7 hours'`
  await fail()
  const mail = await post.mailTo(world.owner.email)
  expect(mail.subject).toBe('A channel cannot send messages')
  expect(mail.text).toMatch(new RegExp(`\\n\\S+:\\d+/channels/${channel.id}\\r\\n`))
  expect(mail.text).toContain(`/v1/channels/${channel.id}`)
  expect(mail.text).toMatch(/has rejected requests since \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
  await mend()
  await fail()
  await mend()
  const events = (await world.expect(200, 'GET', '/v1/outbound-events')).data.filter(
    ({ data }: { data: { channelId?: string } }) => data.channelId === channel.id,
  )
  const outage = ['channel.recovered', 'channel.failing']
  expect(events.map(({ type }: { type: string }) => type)).toEqual([...outage, ...outage])
  for (const secret of Object.values(whatsapp.credentials)) expect(JSON.stringify(events)).not.toContain(secret)
  const asked = await world.database.sql`select from graphile_worker._private_jobs where key like 'mail:notice:%'`
  expect([asked.length, post.taken.length]).toEqual([0, 0])
})

test('an unknown phone number id makes the channel fail, and its messages stay queued', async () => {
  const wrong = { ...whatsapp.credentials, phoneNumberId: '999999999999999' }
  const ana = await someone()
  await world.expect(200, 'PATCH', `/v1/channels/${channel.id}`, { body: { credentials: wrong } })
  const messages = [await write(ana, { text: 'One' }), await write(ana, { text: 'Two' })]
  await eventually('the channel is failing', async () => (await channelNow()).status === 'failing')
  expect((await channelNow()).statusDetail).toBe(
    'WhatsApp does not know the phone number ID, or the access token lacks permission for it (code 100).',
  )
  for (const { id } of messages) expect((await messageOf(id)).status).toBe('queued')
  await mend()
  for (const { id } of messages)
    await eventually('it is sent', async () => (await messageOf(id)).status === 'sent', 15_000)
  expect(await channelNow()).toMatchObject({ status: 'connected', statusDetail: null })
})

describe('a message queued on a failing channel', () => {
  const ways = {
    'a call': ({ id }: Someone) =>
      world.expect(200, 'POST', `/v1/customers/${id}/opt-out`, { as: 'key', body: { reason: 'asked' } }),
    'a word of theirs': ({ phone }: Someone) =>
      whatsapp.write({ from: phone, text: 'Stop!', id: `wamid.stop.${phone}` }),
    'a report of the provider': ({ phone }: Someone) => whatsapp.wish(phone, 'stop'),
  }
  test('is skipped immediately when its customer opts out in any way, except a plain reply', async () => {
    const leaving = await Promise.all(Object.keys(ways).map(someone))
    const staying = await someone()
    const all = [...leaving, staying]
    await fail()
    const campaignId = await startCampaign(all.map(({ id }) => id))
    for (const one of all) {
      const event = { type: 'cart.created', customerId: one.id }
      await world.expect(201, 'POST', '/v1/events', { as: 'key', body: event })
      await write(one, { text: 'A reply' })
      await write(one, { templateId, variables: {} })
      await eventually('all messages are queued', async () => (await ofOurs(one)).length === 4)
    }
    const reported = () => world.database.sql`select id from outbound_events where type = 'message.status'`
    const before = await reported()
    const detail = 'opted_out: The customer has opted out.'
    const replies: string[] = []
    for (const [place, [way, optOut]] of Object.entries(ways).entries()) {
      await optOut(leaving[place]!)
      const left = await ofOurs(leaving[place]!)
      expect(left.map(({ status, sentBy }) => `${sentBy.type} ${status}`).sort(), way).toEqual([
        'campaign skipped',
        'user queued',
        'user skipped',
        'workflow skipped',
      ])
      for (const { id, status } of left)
        if (status === 'queued') replies.push(id)
        else expect(await messageOf(id)).toMatchObject({ detail, statuses: [{ status, detail }] })
    }
    expect((await ofOurs(staying)).map(({ status }) => status)).toEqual(Array(4).fill('queued'))
    expect(await reported()).toHaveLength(before.length)

    await mend()
    const campaign = await eventually(
      'the campaign is completed',
      async () => {
        const found = await world.expect(200, 'GET', `/v1/campaigns/${campaignId}`)
        return found.status === 'completed' && found
      },
      20_000,
    )
    expect(campaign.progress).toEqual({ audience: 4, sent: 1, skipped: 3, unknown: 0, skippedBy: { opted_out: 3 } })
    for (const id of replies)
      await eventually('the reply is sent', async () => (await messageOf(id)).status === 'sent', 15_000)
  }, 60_000)

  test('that is being processed is skipped later, and the opt-out does not wait', async () => {
    const ana = await someone()
    await fail()
    const held = await write(ana, { templateId, variables: {} })
    const free = await write(ana, { templateId, variables: {} })
    await transaction(world.database.sql, async tx => {
      await tx`select 1 from messages where id = ${held.id} for update`
      await world.expect(200, 'POST', `/v1/customers/${ana.id}/opt-out`, { body: { reason: 'asked' } })
      expect((await messageOf(free.id)).status).toBe('skipped')
      expect((await messageOf(held.id)).status).toBe('queued')
    })
    await mend()
    await eventually('it is skipped', async () => (await messageOf(held.id)).status === 'skipped', 15_000)
  })

  const startCampaign = async (customerIds: string[]): Promise<string> => {
    const body = { name: 'Spring', channelId: channel.id, templateId, variables: {}, audience: { customerIds } }
    const { id } = await world.expect(201, 'POST', '/v1/campaigns', { body })
    await world.expect(202, 'POST', `/v1/campaigns/${id}/start`)
    return id
  }
})
