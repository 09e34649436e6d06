import { describe, expect, test } from 'bun:test'
import { newId } from '../../../../src/core/ids.ts'
import { foldText } from '../../../../src/core/word-search.ts'
import { startReceiver } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { play } from '../../../support/workflows.ts'
import { eventually, useWorld } from '../../../support/world.ts'

const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))

const { workflow } = play(() => world)

interface Found {
  type: string
  id: string
  title: string
  detail: string
}

const found = async (q: string, as: 'owner' | Record<string, string> = 'owner'): Promise<Found[]> =>
  (await world.expect(200, 'GET', `/v1/search?q=${encodeURIComponent(q)}`, { as })).data

const customer = async (body: object): Promise<string> =>
  (await world.expect(201, 'POST', '/v1/customers', { body })).id

describe('GET /v1/search', () => {
  test('finds every record of an event by its id, from the customer to the delivery and its endpoint', async () => {
    const say = { type: 'send_message', text: 'Thank you, {{customer.name}}', next: null }
    const definition = { trigger: { eventType: 'order.created' }, start: 'say', steps: { say } }
    const workflowId = await workflow(definition, 'Order thank-you')
    const channelId = await world.sandbox()
    const webhook = await world.expect(201, 'POST', '/v1/webhooks', {
      body: { url: receiver.url, events: ['message.status'], name: 'Shop' },
    })
    const { event } = await world.expect(201, 'POST', '/v1/events', {
      as: 'key',
      body: { type: 'order.created', phone: '+4915170000001', name: 'Ana Beispiel' },
    })
    const messages = await eventually('the message', async () => {
      const { messages } = await world.expect(200, 'GET', `/v1/events/${event.id}`)
      return messages[0]?.status === 'delivered' && messages
    })
    const [delivery] = await eventually('the delivery', async () => {
      const { data } = await world.expect(200, 'GET', `/v1/webhooks/${webhook.id}/deliveries`)
      return data[0]?.status === 'delivered' && data
    })
    const [{ id: conversationId }] = (await world.expect(200, 'GET', '/v1/conversations')).data
    const [{ id: messageId, runId }] = messages
    const { id: eventId, customerId } = event

    const entry = (type: string, id: string, title: string, detail: string | RegExp) => ({
      ...{ type, id, title },
      detail: typeof detail === 'string' ? detail : expect.stringMatching(detail),
    })
    const endpoint = entry('webhook', webhook.id, 'Shop', `Webhook endpoint, ${receiver.url}, on`)
    for (const one of [
      entry('event', eventId, 'order.created', /, \d{4}-\d\d-\d\dT[\d:.]+Z$/),
      entry('customer', customerId, 'Ana Beispiel', 'Customer, +4915170000001'),
      entry('run', runId, 'Order thank-you', /^Run, for Ana Beispiel, done, /),
      entry('message', messageId, 'Thank you, Ana Beispiel', /^Message, to Ana Beispiel, delivered, /),
      entry('outbound_event', delivery.eventId, 'message.status', /^Outbound event, /),
      entry('workflow', workflowId, 'Order thank-you', 'Workflow, starts with order.created, on'),
      entry('channel', channelId, 'Sandbox', 'Channel, sandbox, connected'),
      entry('conversation', conversationId, 'Ana Beispiel', 'Conversation, on Sandbox, open'),
      endpoint,
    ])
      expect(await found(one.id)).toEqual([one])
    expect(await found(` ${eventId.toUpperCase()} `)).toHaveLength(1)
    const itself = entry('delivery', delivery.id, 'message.status', /^Delivery, to Shop, delivered, /)
    expect(await found(delivery.id)).toEqual([itself, endpoint])
    // An agent cannot read deliveries.
    expect(await found(delivery.id, (await world.person('agent')).as)).toEqual([endpoint])

    expect(await found('thank')).toMatchObject([{ type: 'workflow', id: workflowId }])
    expect(await found('SHO')).toEqual([endpoint])
    expect(await found(new URL(receiver.url).host)).toEqual([endpoint])
    for (const q of ['ana', 'ANA B', '+4915170000001', '4915170000001', '0049 151 7000-0001', '+49 (151) 70 00 00 01'])
      expect(await found(q)).toMatchObject([{ type: 'customer', id: customerId }])
    expect(await found('beispiel')).toMatchObject([{ type: 'customer', id: customerId }])
  })

  test('finds templates, campaigns and sales by their ids', async () => {
    const body = { name: 'News', category: 'marketing', body: 'Hello', variables: [] }
    const { id: templateId } = await world.expect(201, 'POST', '/v1/templates', { body })
    const [channel] = (await world.expect(200, 'GET', '/v1/channels')).data
    const campaign = { name: 'Spring', channelId: channel.id, templateId, variables: {}, audience: { all: true } }
    const { id: campaignId } = await world.expect(201, 'POST', '/v1/campaigns', { body: campaign })
    const [{ id }] = (await world.expect(200, 'GET', '/v1/conversations')).data
    const amount = { amount: 129.9, currency: 'EUR' }
    const sale = await world.expect(201, 'POST', `/v1/conversations/${id}/sale`, { body: amount })
    expect([...(await found(templateId)), ...(await found(campaignId)), ...(await found(sale.id))]).toMatchObject([
      { type: 'template', id: templateId, title: 'News', detail: 'Template, marketing' },
      { type: 'campaign', id: campaignId, title: 'Spring', detail: 'Campaign, draft' },
      { type: 'sale', id: sale.id, title: '129.9 EUR' },
    ])
  })

  test('finds a rejected request by its request id, immediately', async () => {
    const { body } = await world.call('POST', '/v1/events', { as: 'key', body: { type: 'x', phone: 'none' } })
    const [refusal] = await found(body.request_id)
    expect(refusal).toMatchObject({ type: 'not_accepted', title: body.error.message })
    expect(refusal!.detail).toStartWith('Not accepted, invalid_request, once, ')
    expect(await found(refusal!.id)).toEqual([refusal!])
  })

  test('finds a customer by external id, also a UUID, by address on a channel and by copied phone', async () => {
    const [uuid, phone] = [newId(), '+4915170000555']
    const [byText, byUuid] = [await customer({ externalId: 'Kunde 7/ä', phone }), await customer({ externalId: uuid })]
    const { workspaceId, database } = world
    await database.sql`
      insert into handles (workspace_id, channel_id, handle, customer_id)
      values (${workspaceId}, ${newId()}, 'US.1234', ${byText}), (${workspaceId}, ${newId()}, 'US.1234', ${byText})`
    // A phone number can be copied with invisible marks, narrow spaces or a prefix.
    const copied = ['\u202a+49 1517 0000555\u202c', '+49\u202f1517\u20110000555', 'tel:+4915170000555']
    for (const q of ['Kunde 7/ä', 'US.1234', ...copied])
      expect(await found(q)).toMatchObject([{ type: 'customer', id: byText }])
    expect(await found(uuid)).toMatchObject([{ type: 'customer', id: byUuid }])
    expect(await found('unde 7')).toMatchObject([{ type: 'customer', id: byText }])
    expect(await found('US.123')).toEqual([])
  })

  test('returns at most 20, and workflows and endpoints before any number of customers', async () => {
    const { workspaceId, database } = world
    await database.sql`
      insert into customers (workspace_id, external_id, name)
      select ${workspaceId}, 'many-' || n, 'Müller ' || lpad(n::text, 3, '0') from generate_series(1, 100) n`
    const steps = { end: { type: 'exit', reason: 'none' } }
    const id = await workflow({ trigger: { eventType: 'mueller' }, start: 'end', steps }, 'MÜLLER anrufen')
    const names = (await found('mÜl')).map(({ title }) => title)
    expect(names).toHaveLength(20)
    expect(names.slice(0, 3)).toEqual(['MÜLLER anrufen', 'Müller 001', 'Müller 002'])
    expect(await found(id)).toHaveLength(1)
    const with09 = ['Müller 009', ...Array.from({ length: 10 }, (_, n) => `Müller 09${n}`)]
    expect((await found('Müller 09')).map(({ title }) => title).toSorted()).toEqual(with09)
    expect(await found('%')).toEqual([])
    expect(await found('_')).toEqual([])
  })

  test('finds parts of names, of URLs and of numbers, and the ends of phone numbers', async () => {
    const steps = { end: { type: 'exit', reason: 'none' } }
    const weekly = await workflow({ trigger: { eventType: 'weekly' }, start: 'end', steps }, 'Weekly follow up')
    const body = { name: 'Cart reminder', category: 'marketing', body: 'Hello', variables: [] }
    const { id: templateId } = await world.expect(201, 'POST', '/v1/templates', { body })
    const [channel] = (await world.expect(200, 'GET', '/v1/channels')).data
    const campaign = {
      channelId: channel.id,
      templateId,
      variables: {},
      audience: { all: true },
      name: 'Spring sale 26',
    }
    const { id: campaignId } = await world.expect(201, 'POST', '/v1/campaigns', { body: campaign })
    const webhook = { url: `${receiver.url}/hooks/crm`, events: ['message.status'] }
    const { id: webhookId } = await world.expect(201, 'POST', '/v1/webhooks', { body: webhook })
    const agent = await world.person()
    const phone = '+4915170110110'
    const byPhone = await customer({ phone, externalId: 'Order-0110-x' })
    const inside = await customer({ externalId: 'Order-70110-x' })
    for (const [q, type, id] of [
      ['follow', 'workflow', weekly],
      ['LOW UP', 'workflow', weekly],
      ['cart', 'template', templateId],
      ['mind', 'template', templateId],
      ['sale 2', 'campaign', campaignId],
      ['hooks', 'webhook', webhookId],
      [agent.email.slice(0, 20), 'member', agent.memberId],
      ['0110', 'customer', byPhone],
      ['0151 7011-0110', 'customer', byPhone],
      ['70110-x', 'customer', inside],
    ] as const) {
      const [first] = await found(q, agent.as)
      expect(first, q).toMatchObject({ type, id })
    }
    expect((await found('0110')).map(({ id }) => id)).toEqual([byPhone, inside])
    // A plus begins a number.
    expect((await found('+4915170110')).map(({ id }) => id)).toEqual([byPhone])
    expect(await found('+0110')).toEqual([])
    expect((await found('xx')).map(({ id }) => id)).toEqual([])
    // Beyond the newest 20,000 customers, the index finds them.
    const { workspaceId, database } = world
    await database.sql`insert into customers (workspace_id, external_id)
      select ${workspaceId}, 'filler-' || n from generate_series(1, 20_001) n`
    for (const q of ['0110-x', 'der-701'])
      expect(
        (await found(q)).map(({ id }) => id),
        q,
      ).toContain(inside)
    expect((await found('0110'))[0]).toMatchObject({ id: byPhone })
    await database.sql`delete from customers where external_id like 'filler-%'`
  })

  test('finds words in any order, without accents and whatever separates them', async () => {
    const steps = { end: { type: 'exit', reason: 'none' } }
    const definition = { trigger: { eventType: 'thanks' }, start: 'end', steps }
    const thanks = await workflow(definition, 'Basket thank-you')
    const winter = await workflow(definition, 'Été – soldes d’hiver')
    const jelena = await customer({ phone: '+4915170220001', name: 'Jelena Petrović' })
    const bruno = await customer({ phone: '+4915170220002', name: 'Bruno O’Keller' })
    const mueller = await customer({ phone: '+4915170220003', name: 'Nguyễn Thị Minh Khai' })
    const agent = await world.person()
    await world.database.sql`update users set name = 'Zoë Ångström' where email = ${agent.email}`
    for (const [q, id] of [
      ['basket thank you', thanks],
      ['THANK-YOU basket', thanks],
      ['you, (basket)', thanks],
      ['ete soldes', winter],
      ['hiver soldes', winter],
      ["d'hiver", winter],
      ['petrovic', jelena],
      ['Petrovic Jelena', jelena],
      ['PETROVI\u0106', jelena],
      ['petrovic\u0301', jelena],
      ['okeller', null],
      ['o-keller bruno', bruno],
      ['keller bruno', bruno],
      ['minh nguyen khai thi', mueller],
      ['angstrom zoe', agent.memberId],
      ['petrovic bruno', null],
      ['basket thank them', null],
    ] as const) {
      const [first] = await found(q)
      expect([q, first?.id ?? null]).toEqual([q, id])
    }
    // Names that start with the text come first, also without their accents.
    await customer({ phone: '+4915170220004', name: 'Ana Petrovic' })
    const start = await customer({ phone: '+4915170220005', name: 'Pétrovic Old' })
    for (let n = 6; n < 9; n++) await customer({ phone: `+491517022000${n}`, name: `Late Petrovic ${n}` })
    expect((await found('petrovic'))[0]!.id).toBe(start)
  })

  test('compares texts as the database folds them', async () => {
    const texts = [
      'Ångström ŁØß',
      'İstanbul Iı',
      'ΝΊΚΟΣ νίκος',
      'ẞ Ǆ ǆ',
      '한국어 北京',
      'e\u0301\u0327x',
      '🎂 10 %_\\',
      'ｆｕｌｌ',
    ]
    const rows = await world.database.sql<{ folded: string }[]>`
      select search_text(text) collate pg_c_utf8 as folded from unnest(${texts}::text[]) text`
    expect(rows.map(({ folded }) => folded)).toEqual(texts.map(foldText))
  })

  test('does not find erased customers or their names', async () => {
    const body = { phone: '+4915170000777', externalId: 'gone-1', name: 'Zoe Weg' }
    const id = await customer(body)
    const { event } = await world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type: 'x', customerId: id } })
    for (const q of [id, ...Object.values(body)]) expect(await found(q)).toHaveLength(1)
    expect((await found(event.id))[0]!.detail).toContain('about Zoe Weg')
    await world.expect(204, 'DELETE', `/v1/customers/${id}`)
    for (const q of [id, ...Object.values(body)]) expect(await found(q)).toEqual([])
    expect(JSON.stringify(await found(event.id))).not.toContain('Zoe')
  })

  test('finds nothing for an empty query', async () => {
    for (const query of ['', '?q=', '?q=%20%20'])
      expect(await world.expect(200, 'GET', `/v1/search${query}`)).toEqual({ data: [] })
  })

  test('excludes other workspaces', async () => {
    const as = await world.otherOwner()
    const [ana] = await found('ana')
    for (const q of [ana!.id, 'ana', '+4915170000001', 'thank', 'follow', 'US.1234'])
      expect(await found(q, as)).toEqual([])
  })
})
