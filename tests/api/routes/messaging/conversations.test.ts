/** Tests of conversations: the list, assignment, reading, closing and replies. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { type InboundMessage, receiveMessage } from '../../../../src/messaging/inbound/index.ts'
import { eventually, newPhone, type Person, unknownId, useWorld } from '../../../support/world.ts'

const world = useWorld()
let channelId: string
let agent: Person
beforeAll(async () => {
  channelId = await world.sandbox()
  agent = await world.person()
})

const receive = (handle: string, more: Partial<InboundMessage> = {}) =>
  receiveMessage(world.database.sql, {
    workspaceId: world.workspaceId,
    channelId,
    channelKind: 'sandbox',
    providerMessageId: randomUUID(),
    handle,
    otherHandle: null,
    name: null,
    type: 'text',
    text: 'Where is my order?',
    sentAt: new Date(),
    ...more,
  })

const newCustomer = async (fields: Record<string, unknown>) =>
  (await world.expect(201, 'POST', '/v1/customers', { body: fields })).id as string

const read = (id: string) => world.expect(200, 'GET', `/v1/conversations/${id}`)
const list = async (query: string): Promise<{ data: { id: string }[]; nextCursor: string | null }> =>
  world.expect(200, 'GET', `/v1/conversations?${query}`)
const idsOf = async (query: string) => (await list(query)).data.map(({ id }) => id)
const reply = (id: string, body: unknown, status = 201) =>
  world.expect(status, 'POST', `/v1/conversations/${id}/messages`, { body })
const reasonOf = (body: { error: { code: string; details: { reason: string } } }) => [
  body.error.code,
  body.error.details.reason,
]

describe('a possible opt-out', () => {
  const looksAlike = { text: 'Please stop texting me' }
  const decide = (id: string, decision: string, status = 200) =>
    world.expect(status, 'POST', `/v1/conversations/${id}/opt-out-decision`, { as: agent.as, body: { decision } })
  const entriesOf = async (id: string) =>
    (await world.expect(200, 'GET', `/v1/audit?targetId=${id}`)).data.map(
      ({ action, actor, detail }: { action: string; actor: { id: string }; detail: unknown }) => [
        action,
        actor.id,
        detail,
      ],
    )
  const customer = (id: string) => world.expect(200, 'GET', `/v1/customers/${id}`)

  test('is ignored by an agent once, until the customer writes another such message', async () => {
    const phone = newPhone()
    const { conversationId: id, customerId } = await receive(phone, looksAlike)
    expect(await decide(id, 'ignored')).toMatchObject({ id, looksLikeOptOut: false })
    expect(await decide(id, 'ignored')).toMatchObject({ id, looksLikeOptOut: false })
    expect(await entriesOf(id)).toEqual([['decideOptOut', agent.id, { decision: 'ignored' }]])
    expect((await customer(customerId)).optedOutAt).toBeNull()
    await receive(phone)
    expect(await read(id)).toMatchObject({ looksLikeOptOut: false })
    await receive(phone, looksAlike)
    expect(await read(id)).toMatchObject({ looksLikeOptOut: true })
  })

  test('is confirmed by an agent: emitted, recorded, and settled in all conversations of the customer', async () => {
    const phone = newPhone()
    const { conversationId: id, customerId } = await receive(phone, looksAlike)
    const other = await receive(phone, { ...looksAlike, channelId: await world.sandbox() })
    expect(other.customerId).toBe(customerId)
    expect(await decide(id, 'opted_out')).toMatchObject({ id, looksLikeOptOut: false })
    const { optedOutAt } = await customer(customerId)
    expect(optedOutAt).not.toBeNull()
    expect(await read(other.conversationId)).toMatchObject({ looksLikeOptOut: false })
    expect(await decide(id, 'opted_out')).toMatchObject({ looksLikeOptOut: false })
    expect(await decide(id, 'ignored')).toMatchObject({ looksLikeOptOut: false })
    expect((await customer(customerId)).optedOutAt).toBe(optedOutAt)
    const { data } = await world.expect(200, 'GET', `/v1/customers/${customerId}/consents`)
    expect(data).toMatchObject([{ kind: 'opt_out', source: 'dashboard', userId: agent.id }])
    expect(await entriesOf(id)).toEqual([['decideOptOut', agent.id, { decision: 'opted_out' }]])
    const told = await world.expect(200, 'GET', '/v1/outbound-events?type=customer.opted_out')
    const ofThem = told.data.filter((event: { data: { handle: string } }) => event.data.handle === phone)
    expect(ofThem).toMatchObject([{ data: { channel: 'sandbox', scope: 'all', reason: data[0].words } }])
  })

  test.each([
    ['by a word', (phone: string) => receive(phone, { text: 'STOP' })],
    [
      'by the interface',
      (_: string, customerId: string) =>
        world.expect(200, 'POST', `/v1/customers/${customerId}/opt-out`, {
          as: 'key',
          body: { reason: 'Asked on the phone' },
        }),
    ],
  ])('is settled by an opt-out %s, also after that is lifted', async (_, optOut) => {
    const phone = newPhone()
    const { conversationId: id, customerId } = await receive(phone, looksAlike)
    await optOut(phone, customerId)
    expect(await read(id)).toMatchObject({ looksLikeOptOut: false })
    // The customer has opted out already, so there is nothing to decide.
    await receive(phone, looksAlike)
    expect(await read(id)).toMatchObject({ looksLikeOptOut: false })
    await world.expect(200, 'POST', `/v1/customers/${customerId}/opt-out/lift`, { body: { reason: 'Asked for it' } })
    expect(await read(id)).toMatchObject({ looksLikeOptOut: false })
    await receive(phone, looksAlike)
    expect(await read(id)).toMatchObject({ looksLikeOptOut: true })
  })

  test('can be decided without a flag: ignoring changes nothing, opting out opts out', async () => {
    const { conversationId: id, customerId } = await receive(newPhone())
    expect(Object.keys((await decide(id, 'later', 400)).error.details)).toEqual(['decision'])
    await decide(id, 'ignored')
    expect(await entriesOf(id)).toEqual([])
    await decide(id, 'opted_out')
    expect((await customer(customerId)).optedOutAt).not.toBeNull()
  })

  test('is decided by concurrent calls without an error, and opts out once', async () => {
    const { conversationId: id, customerId } = await receive(newPhone(), looksAlike)
    await Promise.all([decide(id, 'opted_out'), decide(id, 'opted_out'), decide(id, 'ignored')])
    const { data } = await world.expect(200, 'GET', `/v1/customers/${customerId}/consents`)
    expect(data).toHaveLength(1)
    expect(await read(id)).toMatchObject({ looksLikeOptOut: false })
  })
})

describe('a conversation', () => {
  test('has the current name of its customer, also in lists, and none after erasure', async () => {
    const { conversationId: id, customerId } = await receive(newPhone(), { name: 'Ana' })
    const named = async () => {
      const listed = (await list(`customerId=${customerId}`)).data as { customerName?: string | null }[]
      return [(await read(id)).customerName, ...listed.map(({ customerName }) => customerName)]
    }
    expect(await named()).toEqual(['Ana', 'Ana'])
    await world.expect(200, 'PATCH', `/v1/customers/${customerId}`, { body: { name: 'Ana B.' } })
    expect(await named()).toEqual(['Ana B.', 'Ana B.'])
    await world.expect(204, 'DELETE', `/v1/customers/${customerId}`)
    expect(await named()).toEqual([null, null])
  })

  test('is opened by a message of the customer, and contains it', async () => {
    const phone = newPhone()
    const { conversationId, customerId, messageId } = await receive(phone)
    const { createdAt, updatedAt, waitingSince, lastMessage, ...rest } = await read(conversationId)
    expect(rest).toEqual({
      id: conversationId,
      channelId,
      channelKind: 'sandbox',
      customerId,
      customerName: null,
      handle: phone,
      status: 'open',
      assigneeId: null,
      unread: 1,
      windowClosesAt: null,
      looksLikeOptOut: false,
    })
    expect(waitingSince).toBe(createdAt)
    expect(updatedAt).toBe(createdAt)
    const message = await world.expect(200, 'GET', `/v1/messages/${messageId}`)
    expect({ ...lastMessage, statuses: [] }).toEqual(message)
    expect(lastMessage).toMatchObject({
      direction: 'inbound',
      type: 'text',
      text: 'Where is my order?',
      status: 'received',
      sentBy: null,
      templateId: null,
    })
  })

  test('is opened once with a customer who has an address on the channel', async () => {
    const customerId = await newCustomer({ phone: newPhone() })
    const body = { channelId, customerId }
    const opened = await world.expect(201, 'POST', '/v1/conversations', { body, as: agent.as })
    expect(opened).toMatchObject({ unread: 0, waitingSince: null, lastMessage: null, status: 'open' })
    expect(await world.expect(200, 'POST', '/v1/conversations', { body })).toEqual(opened)
    const both = { channelId, customerId: await newCustomer({ phone: newPhone() }) }
    const calls = await Promise.all([1, 2, 3].map(() => world.call('POST', '/v1/conversations', { body: both })))
    expect(calls.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    expect(new Set(calls.map(call => call.body.id)).size).toBe(1)
  })

  test('is rejected without an address on the channel, or on a disconnected channel', async () => {
    const without = await newCustomer({ externalId: randomUUID() })
    const refused = await world.expect(422, 'POST', '/v1/conversations', { body: { channelId, customerId: without } })
    expect(reasonOf(refused)).toEqual(['unprocessable', 'no_address'])
    const gone = await world.sandbox()
    await world.database.sql`update channels set status = 'disconnected' where id = ${gone}`
    const customerId = await newCustomer({ phone: newPhone() })
    const body = { channelId: gone, customerId }
    expect(reasonOf(await world.expect(422, 'POST', '/v1/conversations', { body }))).toEqual([
      'unprocessable',
      'channel_disconnected',
    ])
    for (const [field, wrong] of Object.entries({ channelId: randomUUID(), customerId: randomUUID() })) {
      const { error } = await world.expect(400, 'POST', '/v1/conversations', {
        body: { channelId, customerId, [field]: wrong },
      })
      expect(Object.keys(error.details)).toEqual([field])
    }
  })

  test('is opened at the address of an earlier message when that is the only one', async () => {
    const { customerId, conversationId } = await receive(`US.${randomUUID()}`)
    const body = { channelId, customerId }
    expect((await world.expect(200, 'POST', '/v1/conversations', { body })).id).toBe(conversationId)
    const other = await world.sandbox()
    await world.expect(422, 'POST', '/v1/conversations', { body: { channelId: other, customerId } })
  })

  test('can be closed and assigned, and a message of the customer opens it again', async () => {
    const phone = newPhone()
    const { conversationId: id } = await receive(phone)
    const path = `/v1/conversations/${id}`
    const closed = await world.expect(200, 'PATCH', path, { body: { status: 'closed', assigneeId: agent.id } })
    expect(closed).toMatchObject({ status: 'closed', assigneeId: agent.id })
    await receive(phone)
    expect(await read(id)).toMatchObject({ status: 'open', assigneeId: agent.id, unread: 2 })
    const { error } = await world.expect(400, 'PATCH', path, { body: { assigneeId: randomUUID() } })
    expect(Object.keys(error.details)).toEqual(['assigneeId'])
    expect(await world.expect(200, 'PATCH', path, { body: { assigneeId: null } })).toMatchObject({ assigneeId: null })
    await world.expect(400, 'PATCH', path, { body: {} })
    await world.expect(400, 'PATCH', path, { body: { status: 'gone' } })
  })

  test('has no unread messages after it is read, and keeps the flag of a possible opt-out', async () => {
    const { conversationId: id, customerId } = await receive(newPhone(), { text: 'Please stop texting me' })
    expect(await read(id)).toMatchObject({ unread: 1, looksLikeOptOut: true })
    expect(await world.expect(200, 'GET', `/v1/customers/${customerId}`)).toMatchObject({ optedOutAt: null })
    await world.expect(204, 'POST', `/v1/conversations/${id}/read`, { as: agent.as })
    expect(await read(id)).toMatchObject({ unread: 0, looksLikeOptOut: true })
    expect((await list(`customerId=${customerId}`)).data).toMatchObject([{ looksLikeOptOut: true }])
    expect((await read(id)).waitingSince).not.toBeNull()
  })

  test('can be read after its customer is erased, without an address', async () => {
    const { conversationId: id, customerId } = await receive(newPhone())
    await world.expect(200, 'PATCH', `/v1/conversations/${id}`, { body: { assigneeId: agent.id } })
    await world.expect(204, 'DELETE', `/v1/customers/${customerId}`)
    expect(await read(id)).toMatchObject({ handle: null, assigneeId: agent.id, lastMessage: { text: null } })
    expect(await world.database.sql`select 1 from handles where customer_id = ${customerId}`).toHaveLength(0)
    expect(reasonOf(await reply(id, { text: 'Hello?' }, 422))).toEqual(['unprocessable', 'no_address'])
  })

  test('keeps no idempotency key after its customer is erased, and a repeat gets the same response', async () => {
    const phone = newPhone()
    const { conversationId: id, customerId } = await receive(phone)
    const body = { text: 'On its way.', idempotencyKey: `reply to ${phone}` }
    const first = await world.expect(201, 'POST', `/v1/conversations/${id}/messages`, { body })
    await world.expect(204, 'DELETE', `/v1/customers/${customerId}`)
    const kept = await world.database.sql`select m::text as row from messages m where conversation_id = ${id}`
    expect(kept.map(({ row }) => row).filter(row => row.includes(phone))).toEqual([])
    const again = await world.expect(200, 'POST', `/v1/conversations/${id}/messages`, { body })
    expect(again).toMatchObject({ id: first.id, text: null })
    expect(reasonOf(await reply(id, { text: 'Hello?', idempotencyKey: 'another' }, 422))).toEqual([
      'unprocessable',
      'no_address',
    ])
  })

  test('rejects messages from the start of the erasure of its customer', async () => {
    const { conversationId: id, customerId } = await receive(newPhone())
    const { sql } = world.database
    const older = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    // Erasure waits for earlier transactions. Until they end, the address is still stored.
    const transaction = sql.begin(async tx => {
      await tx`select now()`
      begun.resolve()
      await older.promise
    })
    await begun.promise
    const erasing = world.expect(204, 'DELETE', `/v1/customers/${customerId}`)
    await eventually('it is being erased', async () => {
      const [row] = await sql`select 1 from customers where id = ${customerId} and erased_at is not null`
      return row
    })
    expect((await read(id)).handle).not.toBeNull()
    expect(reasonOf(await reply(id, { text: 'Hello?' }, 422))).toEqual(['unprocessable', 'no_address'])
    older.resolve()
    await Promise.all([transaction, erasing])
  })

  test('is unassigned when its assignee leaves the team, for any number of conversations', async () => {
    const { as, id: userId, memberId } = await world.person()
    const { conversationId: id } = await receive(newPhone())
    await world.expect(200, 'PATCH', `/v1/conversations/${id}`, { body: { assigneeId: userId } })
    const { sql } = world.database
    await sql`
      with customer as (
        insert into customers (workspace_id, external_id)
        select ${world.workspaceId}, 'left-' || n from generate_series(1, 1100) n returning id
      )
      insert into conversations (workspace_id, channel_id, customer_id, assignee_id, active_at)
      select ${world.workspaceId}, ${channelId}, id, ${userId}, now() - interval '1 day' from customer`
    await world.expect(204, 'DELETE', `/v1/members/${memberId}`)
    expect(await read(id)).toMatchObject({ assigneeId: null })
    expect(await idsOf('assigneeId=none&limit=100')).toContain(id)
    await world.expect(403, 'GET', '/v1/conversations', { as })
    await eventually('all are unassigned', async () => {
      const [row] = await sql`select count(*)::integer as left from conversations where assignee_id = ${userId}`
      return row!.left === 0
    })
    await sql`delete from conversations where customer_id in (select id from customers where external_id like 'left-%')`
    await world.expect(400, 'PATCH', `/v1/conversations/${id}`, { body: { assigneeId: userId } })
  })
})

describe('the list', () => {
  test('is ordered by activity and continues after each page', async () => {
    const customers = await Promise.all(Array.from({ length: 5 }, () => receive(newPhone())))
    const [first] = customers
    await receiveAgain(first!.customerId)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page = await list(`limit=2${cursor === null ? '' : `&cursor=${cursor}`}`)
      seen.push(...page.data.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(seen[0]).toBe(first!.conversationId)
    expect(new Set(seen).size).toBe(seen.length)
    for (const { conversationId } of customers) expect(seen).toContain(conversationId)
    expect(seen).toEqual(await idsOf('limit=100'))
  })

  const receiveAgain = async (customerId: string) => {
    const { phone } = await world.expect(200, 'GET', `/v1/customers/${customerId}`)
    return receive(phone)
  }

  test('applies its filters', async () => {
    const [mine, theirs, closed, answered] = (await Promise.all([1, 2, 3, 4].map(() => receive(newPhone())))).map(
      ({ conversationId }) => conversationId,
    ) as [string, string, string, string]
    const { user } = await world.expect(200, 'GET', '/v1/auth/session')
    const patch = (id: string, body: unknown) => world.expect(200, 'PATCH', `/v1/conversations/${id}`, { body })
    await patch(mine, { assigneeId: user.id })
    await patch(theirs, { assigneeId: agent.id })
    await patch(closed, { status: 'closed' })
    await reply(answered, { text: 'On its way.' })
    await world.expect(204, 'POST', `/v1/conversations/${answered}/read`)
    const all = [mine, theirs, closed, answered]
    const among = async (query: string) => (await idsOf(`limit=100&${query}`)).filter(id => all.includes(id)).sort()
    expect(await among('')).toEqual([...all].sort())
    expect(await among('assigneeId=me')).toEqual([mine])
    expect(await among(`assigneeId=${agent.id}`)).toEqual([theirs])
    expect(await among('assigneeId=none')).toEqual([closed, answered].sort())
    expect(await among('status=closed')).toEqual([closed])
    expect(await among('status=open&assigneeId=none')).toEqual([answered])
    expect(await among('waiting=true')).toEqual([mine, theirs, closed].sort())
    expect(await among('waiting=false')).toEqual([answered])
    expect(await among('unread=true&status=open')).toEqual([mine, theirs].sort())
    expect(await among('unread=false')).toEqual([answered])
    expect(await among(`channelId=${channelId}`)).toEqual([...all].sort())
    expect(await among(`channelId=${randomUUID()}`)).toEqual([])
    const { customerId } = await read(mine)
    expect(await idsOf(`customerId=${customerId}`)).toEqual([mine])
  })

  test('rejects a cursor with an impossible time', async () => {
    for (const text of ['2026-02-31T00:00:00.000000Z x', `2026-02-31T00:00:00.000000Z ${randomUUID()}`])
      await world.expect(400, 'GET', `/v1/conversations?cursor=${Buffer.from(text).toString('base64url')}`)
  })
})

describe('a reply', () => {
  test('is queued with its author, is sent immediately, and ends the wait of the customer', async () => {
    const { conversationId: id, customerId } = await receive(newPhone())
    const queued = await world.expect(201, 'POST', `/v1/conversations/${id}/messages`, {
      body: { text: ' It left our house this morning. ' },
      as: agent.as,
    })
    expect(queued).toMatchObject({
      conversationId: id,
      channelId,
      customerId,
      direction: 'outbound',
      type: 'text',
      text: ' It left our house this morning. ',
      status: 'queued',
      templateId: null,
      sentBy: { type: 'user', id: agent.id },
    })
    expect(await read(id)).toMatchObject({ waitingSince: null, unread: 1, lastMessage: { id: queued.id } })
    const sent = await eventually('it is delivered', async () => {
      const message = await world.expect(200, 'GET', `/v1/messages/${queued.id}`)
      return message.status === 'delivered' && message
    })
    expect(sent.statuses.map(({ status }: { status: string }) => status)).toEqual(['sent', 'delivered'])
    const { data } = await world.expect(200, 'GET', `/v1/conversations/${id}/messages`)
    expect(data.map((message: { direction: string }) => message.direction)).toEqual(['outbound', 'inbound'])
  })

  test('is sent within milliseconds', async () => {
    const { conversationId: id } = await receive(newPhone())
    await reply(id, { text: 'first' })
    const from = performance.now()
    const { id: messageId } = await reply(id, { text: 'second' })
    await eventually('it is delivered', async () => {
      const { status } = await world.expect(200, 'GET', `/v1/messages/${messageId}`)
      return status === 'delivered'
    })
    expect(performance.now() - from).toBeLessThan(250)
  })

  test('with an idempotency key is written once, also with concurrent calls', async () => {
    const { conversationId: id } = await receive(newPhone())
    const path = `/v1/conversations/${id}/messages`
    const body = { text: 'Once', idempotencyKey: 'k-1' }
    const calls = await Promise.all([1, 2, 3, 4].map(() => world.call('POST', path, { body })))
    expect(calls.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201])
    expect(new Set(calls.map(call => call.body.id)).size).toBe(1)
    const repeat = await world.expect(200, 'POST', path, { body: { text: 'Something else', idempotencyKey: 'k-1' } })
    expect(repeat.text).toBe('Once')
    const { conversationId: other } = await receive(newPhone())
    await reply(other, body)
  })

  test.each([
    ['nothing', {}],
    ['white space', { text: ' \n ' }],
    ['invisible characters', { text: '\u200b \u2800' }],
    ['over the maximum', { text: 'x'.repeat(4097) }],
    ['no text', { text: 7 }],
    ['both', { text: 'Hello', templateId: unknownId }],
    ['an invalid key', { text: 'Hello', idempotencyKey: '' }],
    ['an unknown template', { templateId: unknownId, variables: {} }],
    ['a variable that is not a text', { templateId: unknownId, variables: { a: 1 } }],
  ])('with %s is rejected', async (_what, body) => {
    const { conversationId: id } = await receive(newPhone())
    const { error } = await reply(id, body, 400)
    expect(error.code).toBe('invalid_request')
  })

  test('has at most 4096 characters, of any number of bytes', async () => {
    const { conversationId: id } = await receive(newPhone())
    await reply(id, { text: '😀'.repeat(4096) })
  })

  test('is rejected when the customer answered the first message with an opt-out', async () => {
    const phone = newPhone()
    const { id } = await world.expect(201, 'POST', '/v1/conversations', {
      body: { channelId, customerId: await newCustomer({ phone }) },
    })
    await reply(id, { text: 'We have something for you.' })
    await receive(phone, { text: 'STOP' })
    expect(reasonOf(await reply(id, { text: 'Are you sure?' }, 422))).toEqual(['unprocessable', 'opted_out'])
  })

  test('reaches a customer who wrote before opting out, and not one who never wrote', async () => {
    const phone = newPhone()
    const { conversationId: id } = await receive(phone)
    await receive(phone, { text: 'STOP' })
    const queued = await reply(id, { text: 'You will hear nothing more from us.' })
    await eventually('it is delivered', async () => {
      const { status } = await world.expect(200, 'GET', `/v1/messages/${queued.id}`)
      return status === 'delivered'
    })
    const customerId = await newCustomer({ phone: newPhone() })
    const opened = await world.expect(201, 'POST', '/v1/conversations', { body: { channelId, customerId } })
    await world.expect(200, 'POST', `/v1/customers/${customerId}/opt-out`, { body: { reason: 'asked' } })
    expect(reasonOf(await reply(opened.id, { text: 'Hello' }, 422))).toEqual(['unprocessable', 'opted_out'])
  })

  test('on a disconnected channel is rejected', async () => {
    const gone = await world.sandbox()
    const { conversationId: id } = await receive(newPhone(), { channelId: gone })
    await world.database.sql`update channels set status = 'disconnected' where id = ${gone}`
    expect(reasonOf(await reply(id, { text: 'Hello' }, 422))).toEqual(['unprocessable', 'channel_disconnected'])
  })

  test('moves the conversation to the top of the list', async () => {
    const [first, second] = (await Promise.all([receive(newPhone()), receive(newPhone())])) as [
      Awaited<ReturnType<typeof receive>>,
      Awaited<ReturnType<typeof receive>>,
    ]
    for (const { conversationId } of [first, second, first]) {
      await reply(conversationId, { text: 'Hello' })
      expect((await idsOf('limit=1'))[0]).toBe(conversationId)
    }
  })
})

describe('a template', () => {
  const newTemplate = async (category: 'utility' | 'marketing', provider: Record<string, string> | null = null) => {
    const [row] = await world.database.sql<{ id: string }[]>`
      insert into templates (workspace_id, name, category, body, variables, provider)
      values (${world.workspaceId}, 'shipped', ${category}, 'Hello {{name}}, it left.',
        '[{"name": "name", "sample": "Ana"}]', ${provider && JSON.stringify(provider)}::text::jsonb)
      returning id`
    return row!.id
  }

  test('is sent with its variables filled in, and the message has its id', async () => {
    const { conversationId: id } = await receive(newPhone())
    const templateId = await newTemplate('utility')
    const queued = await reply(id, { templateId, variables: { name: 'Ana' } })
    expect(queued).toMatchObject({ text: 'Hello Ana, it left.', templateId })
  })

  test('with a missing, empty or unknown variable is rejected under its name', async () => {
    const { conversationId: id } = await receive(newPhone())
    const templateId = await newTemplate('utility')
    for (const [variables, names] of [
      [undefined, ['variables.name']],
      [{ name: 'Ana', nmae: 'Ana' }, ['variables.nmae']],
      [{ name: ' ' }, ['variables.name']],
    ] as const) {
      const { error } = await reply(id, { templateId, variables }, 400)
      expect(Object.keys(error.details)).toEqual([...names])
    }
  })

  test('is rejected after an opt-out, and a marketing one also without an opt-in', async () => {
    const phone = newPhone()
    const { conversationId: id, customerId } = await receive(phone)
    const [utility, marketing] = [await newTemplate('utility'), await newTemplate('marketing')]
    const write = (templateId: string, status: number) => reply(id, { templateId, variables: { name: 'Ana' } }, status)
    expect(reasonOf(await write(marketing, 422))).toEqual(['unprocessable', 'no_opt_in'])
    await world.expect(200, 'POST', `/v1/customers/${customerId}/opt-in`, { body: { evidence: 'form' } })
    await write(marketing, 201)
    await receive(phone, { text: 'STOP' })
    for (const templateId of [utility, marketing])
      expect(reasonOf(await write(templateId, 422))).toEqual(['unprocessable', 'opted_out'])
  })

  test('can be sent after the window has closed when it is approved', async () => {
    const [row] = await world.database.sql<{ id: string }[]>`
      insert into channels (workspace_id, kind, name) values (${world.workspaceId}, 'whatsapp_cloud', 'w') returning id`
    const { conversationId: id } = await receive(newPhone(), { channelId: row!.id, channelKind: 'whatsapp_cloud' })
    const { windowClosesAt, lastMessage } = await read(id)
    expect(Date.parse(windowClosesAt) - Date.parse(lastMessage.sentAt)).toBe(24 * 3_600_000)
    await reply(id, { text: 'Hello' })
    await world.database.sql`
      update conversations set last_inbound_at = last_inbound_at - interval '25 hours' where id = ${id}`
    expect(reasonOf(await reply(id, { text: 'Hello' }, 422))).toEqual(['unprocessable', 'window_closed'])
    const templateId = await newTemplate('utility', { name: 'shipped', language: 'en_US' })
    const { id: messageId } = await reply(id, { templateId, variables: { name: 'Ana' } })
    const [queued] = await world.database.sql`select provider_template from messages where id = ${messageId}`
    expect(queued!.provider_template).toEqual({ name: 'shipped', language: 'en_US', parameters: ['Ana'] })
    const unapproved = await newTemplate('utility')
    const refused = await reply(id, { templateId: unapproved, variables: { name: 'Ana' } }, 422)
    expect(reasonOf(refused)).toEqual(['unprocessable', 'window_closed'])
  })

  test('or a text is required, and unknown fields are named', async () => {
    const { conversationId: id } = await receive(newPhone())
    expect((await reply(id, { txet: 'Hello', idempotency_key: 'a' }, 400)).error.details).toEqual({
      body: 'Must contain either text, or templateId with its variables.',
      txet: 'Is not a known field. Did you mean text?',
      idempotency_key: 'Is not a known field. Did you mean idempotencyKey?',
    })
  })

  test('is required when a message arrives so late that its window has already closed', async () => {
    const [row] = await world.database.sql<{ id: string }[]>`
      insert into channels (workspace_id, kind, name) values (${world.workspaceId}, 'whatsapp_cloud', 'l') returning id`
    const over = { channelId: row!.id, channelKind: 'whatsapp_cloud' } as const
    const [phone, hourMs, now] = [newPhone(), 3_600_000, Date.now()]
    const { conversationId: id } = await receive(phone, { ...over, sentAt: new Date(now - 25 * hourMs) })
    const windowEnd = async () => Date.parse((await read(id)).windowClosesAt)
    expect(await windowEnd()).toBe(now - hourMs)
    expect(reasonOf(await reply(id, { text: 'Hello' }, 422))).toEqual(['unprocessable', 'window_closed'])
    await receive(phone, { ...over, sentAt: new Date(now - hourMs) })
    await receive(phone, { ...over, sentAt: new Date(now - 26 * hourMs) })
    expect(await windowEnd()).toBe(now + 23 * hourMs)
    await reply(id, { text: 'Hello' })
  })

  test('is sent again as a template', async () => {
    const { conversationId: id, customerId } = await receive(newPhone())
    const templateId = await newTemplate('marketing')
    await world.expect(200, 'POST', `/v1/customers/${customerId}/opt-in`, { body: { evidence: 'form' } })
    const first = await reply(id, { templateId, variables: { name: 'Ana' } })
    await eventually('it is delivered', async () => {
      const { status } = await world.expect(200, 'GET', `/v1/messages/${first.id}`)
      return status === 'delivered'
    })
    await world.database.sql`update messages set status = 'unknown' where id = ${first.id}`
    const again = await world.expect(201, 'POST', `/v1/messages/${first.id}/resend`)
    expect(again).toMatchObject({ text: first.text, templateId })
  })
})
