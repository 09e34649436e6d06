/** Tests of conversations: the list, assignment, reading, closing, replies and opting out. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { type InboundMessage, receiveMessage } from '../../../../src/messaging/inbound/index.ts'
import { openTransaction } from '../../../support/database.ts'
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
const list = async (query: string): Promise<{ data: { id: string; customerName: string | null }[] }> =>
  world.expect(200, 'GET', `/v1/conversations?${query}`)
const idsOf = async (query: string) => (await list(query)).data.map(({ id }) => id)
const reply = (id: string, body: unknown, status = 201) =>
  world.expect(status, 'POST', `/v1/conversations/${id}/messages`, { body })
/** Sends a reply that must be 422, and returns its reason. */
const refusal = async (id: string, body: unknown) => (await reply(id, body, 422)).error.details.reason
const open = (body: { channelId: string; customerId: string }, status = 201) =>
  world.expect(status, 'POST', '/v1/conversations', { body, as: agent.as })
const settled = (id: string, withinMs?: number) =>
  eventually(
    'it is delivered',
    async () => {
      const message = await world.expect(200, 'GET', `/v1/messages/${id}`)
      return message.status === 'delivered' && message
    },
    withinMs,
  )
const erase = (customerId: string) => world.expect(204, 'DELETE', `/v1/customers/${customerId}`)
const disconnected = async () => {
  const id = await world.sandbox()
  await world.database.sql`update channels set status = 'disconnected' where id = ${id}`
  return id
}

const customer = (id: string) => world.expect(200, 'GET', `/v1/customers/${id}`)
const consents = async (id: string) => (await world.expect(200, 'GET', `/v1/customers/${id}/consents`)).data

type Entry = { action: string; actor: { id: string }; detail: unknown }

describe('a possible opt-out', () => {
  const looksAlike = { text: 'Please stop texting me' }
  const decide = (id: string, decision: string, status = 200) =>
    world.expect(status, 'POST', `/v1/conversations/${id}/opt-out-decision`, { as: agent.as, body: { decision } })
  const entriesOf = async (id: string) => {
    const { data } = await world.expect(200, 'GET', `/v1/audit?targetId=${id}`)
    return data.map(({ action, actor, detail }: Entry) => [action, actor.id, detail])
  }

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

  test('is confirmed by an agent once: emitted, recorded, and settled in all conversations of the customer', async () => {
    const phone = newPhone()
    const { conversationId: id, customerId } = await receive(phone, looksAlike)
    const other = await receive(phone, { ...looksAlike, channelId: await world.sandbox() })
    expect(other.customerId).toBe(customerId)
    // Both decisions read the customer before either of them can opt the customer out.
    const { sql } = world.database
    const commit = await openTransaction(sql, tx => tx`select 1 from customers where id = ${customerId} for update`)
    const decisions = [decide(id, 'opted_out'), decide(id, 'opted_out')]
    await eventually('both decisions wait', async () => {
      const open = await sql`select 1 from pg_stat_activity where state = 'idle in transaction'
        and datname = current_database()`
      return open.length === 3
    })
    await commit()
    await Promise.all(decisions)
    const { optedOutAt } = await customer(customerId)
    expect(optedOutAt).not.toBeNull()
    for (const one of [id, other.conversationId]) expect(await read(one)).toMatchObject({ looksLikeOptOut: false })
    expect(await decide(id, 'opted_out')).toMatchObject({ id, looksLikeOptOut: false, waitingSince: null })
    expect(await decide(id, 'ignored')).toMatchObject({ looksLikeOptOut: false })
    expect((await customer(customerId)).optedOutAt).toBe(optedOutAt)
    const { data } = await world.expect(200, 'GET', `/v1/customers/${customerId}/consents`)
    expect(data).toMatchObject([{ kind: 'opt_out', source: 'dashboard', userId: agent.id }])
    expect(await entriesOf(id)).toEqual([['decideOptOut', agent.id, { decision: 'opted_out' }]])
    const told = await world.expect(200, 'GET', '/v1/outbound-events?type=customer.opted_out')
    const ofThem = told.data.filter((event: { data: { handle: string } }) => event.data.handle === phone)
    expect(ofThem).toMatchObject([{ data: { channel: 'sandbox', scope: 'all', reason: data[0].words } }])
  })

  test.each(['by a word', 'by a call'])('is settled by an opt-out %s, also after that is lifted', async way => {
    const phone = newPhone()
    const { conversationId: id, customerId } = await receive(phone, looksAlike)
    const change = (what: string) =>
      world.expect(200, 'POST', `/v1/customers/${customerId}/${what}`, { body: { reason: 'Asked for it' } })
    await (way === 'by a word' ? receive(phone, { text: 'STOP' }) : change('opt-out'))
    expect(await read(id)).toMatchObject({ looksLikeOptOut: false })
    // The customer has opted out already, so there is nothing to decide.
    await receive(phone, looksAlike)
    expect(await read(id)).toMatchObject({ looksLikeOptOut: false })
    await change('opt-out/lift')
    expect(await read(id)).toMatchObject({ looksLikeOptOut: false })
    await receive(phone, looksAlike)
    expect(await read(id)).toMatchObject({ looksLikeOptOut: true })
  })

  test('can be decided without a flag: ignoring changes nothing, opting out opts out once', async () => {
    const { conversationId: id, customerId } = await receive(newPhone())
    expect(Object.keys((await decide(id, 'later', 400)).error.details)).toEqual(['decision'])
    await decide(id, 'ignored')
    expect(await entriesOf(id)).toEqual([])
    await Promise.all([decide(id, 'opted_out'), decide(id, 'opted_out'), decide(id, 'ignored')])
    expect((await customer(customerId)).optedOutAt).not.toBeNull()
    expect((await world.expect(200, 'GET', `/v1/customers/${customerId}/consents`)).data).toHaveLength(1)
  })
})

describe('a conversation', () => {
  test('is opened by a message of the customer, and contains it', async () => {
    const handle = newPhone()
    const { conversationId: id, customerId, messageId } = await receive(handle)
    const { createdAt, lastMessage, waitingMessage, ...rest } = await read(id)
    expect(rest).toEqual({
      ...{ id, channelId, channelKind: 'sandbox', customerId, customerName: null, handle, status: 'open' },
      ...{ assigneeId: null, unread: 1, windowClosesAt: null, looksLikeOptOut: false },
      ...{ updatedAt: createdAt, waitingSince: createdAt },
    })
    const { statuses: _, ...message } = await world.expect(200, 'GET', `/v1/messages/${messageId}`)
    expect(lastMessage).toEqual(message)
    const { id: ofMessage, type, text, createdAt: at } = message
    expect(waitingMessage).toEqual({ id: ofMessage, type, text, createdAt: at })
    expect(message).toMatchObject({
      ...{ direction: 'inbound', type: 'text', text: 'Where is my order?', status: 'received' },
      ...{ sentBy: null, templateId: null },
    })
  })

  test('has the start of the newest message of a customer who waits, among the newest 50', async () => {
    const { sql } = world.database
    const phone = newPhone()
    const { conversationId: id, customerId } = await receive(phone, { text: 'Hello?' })
    const { messageId } = await receive(phone, { text: '😀'.repeat(201) })
    // As if a campaign had written: an answer would end the wait.
    const campaignWrites = (count: number) => sql`
      insert into messages (workspace_id, id, channel_id, conversation_id, customer_id, direction, text, status, sent_by, sent_by_id)
      select workspace_id, uuidv7(), channel_id, conversation_id, customer_id, 'outbound', 'Sale', 'sent', 'campaign', id
      from messages, generate_series(1, ${count}) where id = ${messageId}`
    await campaignWrites(49)
    const text = '😀'.repeat(200)
    for (const one of [await read(id), ...(await list(`customerId=${customerId}`)).data])
      expect(one).toMatchObject({
        lastMessage: { text: 'Sale' },
        waitingMessage: { id: messageId, type: 'text', text },
      })
    await campaignWrites(1)
    expect(await read(id)).toMatchObject({ waitingSince: expect.any(String), waitingMessage: null })
    await receive(phone, { text: 'Still there?' })
    expect(await read(id)).toMatchObject({ waitingMessage: { text: 'Still there?' } })
    await reply(id, { text: 'Yes' })
    expect(await read(id)).toMatchObject({ waitingSince: null, waitingMessage: null })
  })

  test('is opened once with a customer who has an address on a connected channel', async () => {
    const both = { channelId, customerId: await newCustomer({ phone: newPhone() }) }
    const calls = await Promise.all([1, 2, 3].map(() => world.call('POST', '/v1/conversations', { body: both })))
    expect(calls.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    const opened = await open(both, 200)
    expect(opened).toMatchObject({ unread: 0, waitingSince: null, lastMessage: null, status: 'open' })
    for (const call of calls) expect(call.body).toEqual(opened)
    // The address of an earlier message suffices, on its channel.
    const { customerId, conversationId } = await receive(`US.${randomUUID()}`)
    expect((await open({ channelId, customerId }, 200)).id).toBe(conversationId)
    for (const [body, status, details] of [
      [{ ...both, channelId: await disconnected() }, 422, { reason: 'channel_disconnected' }],
      [{ customerId, channelId: await world.sandbox() }, 422, { reason: 'no_address' }],
      [{ ...both, channelId: randomUUID() }, 400, { channelId: expect.any(String) }],
      [{ ...both, customerId: randomUUID() }, 400, { customerId: expect.any(String) }],
    ] as const)
      expect((await open(body, status)).error.details).toEqual(details)
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
    for (const body of [{}, { status: 'gone' }]) await world.expect(400, 'PATCH', path, { body })
  })

  test('has no unread messages after it is read, and keeps the flag of a possible opt-out', async () => {
    const { conversationId: id, customerId } = await receive(newPhone(), { text: 'Please stop texting me' })
    const waitingSince = expect.any(String)
    expect(await read(id)).toMatchObject({ unread: 1, looksLikeOptOut: true, waitingSince })
    expect(await world.expect(200, 'GET', `/v1/customers/${customerId}`)).toMatchObject({ optedOutAt: null })
    await world.expect(204, 'POST', `/v1/conversations/${id}/read`, { as: agent.as })
    for (const one of [await read(id), ...(await list(`customerId=${customerId}`)).data])
      expect(one).toMatchObject({ unread: 0, looksLikeOptOut: true, waitingSince })
  })

  test('has the current name of its customer, and after erasure no name, address, texts and keys', async () => {
    const { sql } = world.database
    const phone = newPhone()
    const { conversationId: id, customerId } = await receive(phone, { name: 'Ana' })
    const named = async () =>
      [await read(id), ...(await list(`customerId=${customerId}`)).data].map(one => one.customerName)
    expect(await named()).toEqual(['Ana', 'Ana'])
    await world.expect(200, 'PATCH', `/v1/customers/${customerId}`, { body: { name: 'Ana B.' } })
    expect(await named()).toEqual(['Ana B.', 'Ana B.'])
    await world.expect(200, 'PATCH', `/v1/conversations/${id}`, { body: { assigneeId: agent.id } })
    const body = { text: 'On its way.', idempotencyKey: `reply to ${phone}` }
    const first = await reply(id, body)
    await erase(customerId)
    expect(await named()).toEqual([null, null])
    expect(await read(id)).toMatchObject({ handle: null, assigneeId: agent.id, lastMessage: { text: null } })
    expect(await sql`select 1 from handles where customer_id = ${customerId}`).toHaveLength(0)
    const kept = await sql<{ row: string }[]>`select m::text as row from messages m where conversation_id = ${id}`
    for (const { row } of kept) expect(row).not.toContain(phone)
    expect(await reply(id, body, 200)).toMatchObject({ id: first.id, text: null })
    expect(await refusal(id, { text: 'Hello?', idempotencyKey: 'another' })).toBe('no_address')
  })

  test('rejects messages from the start of the erasure of its customer', async () => {
    const { conversationId: id, customerId } = await receive(newPhone())
    const { sql } = world.database
    const [older, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    // Erasure waits for earlier transactions. Until they end, the address is still stored.
    const transaction = sql.begin(async tx => {
      await tx`select now()`
      begun.resolve()
      await older.promise
    })
    await begun.promise
    const erasing = erase(customerId)
    const isErasing = () => sql`select 1 from customers where id = ${customerId} and erased_at is not null`
    await eventually('it is being erased', async () => (await isErasing()).length > 0)
    expect((await read(id)).handle).not.toBeNull()
    expect(await refusal(id, { text: 'Hello?' })).toBe('no_address')
    older.resolve()
    await Promise.all([transaction, erasing])
  })

  test('is unassigned when its assignee leaves the team, for any number of conversations', async () => {
    const { as, id: userId, memberId } = await world.person()
    const { conversationId: id } = await receive(newPhone())
    const assign = (status: number) =>
      world.expect(status, 'PATCH', `/v1/conversations/${id}`, { body: { assigneeId: userId } })
    await assign(200)
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
    await world.expect(403, 'GET', '/v1/conversations', { as })
    const left = () => sql`select 1 from conversations where assignee_id = ${userId}`
    await eventually('all are unassigned', async () => (await left()).length === 0)
    await sql`delete from conversations where customer_id in (select id from customers where external_id like 'left-%')`
    await assign(400)
  })
})

describe('the list', () => {
  test('is ordered by activity of both sides, and continues after each page', async () => {
    const phones = Array.from({ length: 5 }, newPhone)
    const customers = await Promise.all(phones.map(phone => receive(phone)))
    const ids = customers.map(({ conversationId }) => conversationId)
    await receive(phones[0]!)
    const seen = (await world.pages('/v1/conversations?limit=2')).flat().map(({ id }) => id)
    expect(seen[0]).toBe(ids[0])
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining(ids))
    expect(seen).toEqual(await idsOf('limit=100'))
    for (const id of [ids[1]!, ids[2]!, ids[1]!]) {
      await reply(id, { text: 'Hello' })
      expect((await idsOf('limit=1'))[0]).toBe(id)
    }
  })

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
    for (const [query, found] of [
      ['', all],
      ['assigneeId=me', [mine]],
      [`assigneeId=${agent.id}`, [theirs]],
      ['assigneeId=none', [closed, answered]],
      ['status=closed', [closed]],
      ['status=open&assigneeId=none', [answered]],
      ['waiting=true', [mine, theirs, closed]],
      ['waiting=false', [answered]],
      ['unread=true&status=open', [mine, theirs]],
      ['unread=false', [answered]],
      [`channelId=${channelId}`, all],
      [`channelId=${randomUUID()}`, []],
    ] as const) {
      const ids = (await idsOf(`limit=100&${query}`)).filter(id => all.includes(id))
      expect(ids.sort(), query).toEqual(found.toSorted())
    }
    expect(await idsOf(`customerId=${(await read(mine)).customerId}`)).toEqual([mine])
    await world.database.sql`
      update conversations c set active_at = ${new Date('2026-03-01T00:00:00Z')}::timestamptz + (n - 1) * interval '1 minute'
      from unnest(${all}::uuid[]) with ordinality as t(id, n) where c.id = t.id`
    for (const [query, found] of [
      ['since=2026-03-01T00:00:00Z&until=2026-03-01T00:03:00Z', [answered, closed, theirs, mine]],
      ['since=2026-03-01T00:00:00.001Z&until=2026-03-01T00:02:59Z', [closed, theirs]],
      ['until=2026-03-01T00:02:00Z&waiting=true', [closed, theirs, mine]],
      ['until=2026-03-01T00:02:00Z&sort=longest_waiting', [mine, theirs]],
      ['until=2026-03-01T00:02:00Z&unread=false', []],
      [`until=2026-03-01T00:00:00Z&customerId=${(await read(mine)).customerId}`, [mine]],
      [`since=2026-03-01T00:01:00Z&customerId=${(await read(mine)).customerId}`, []],
    ] as const)
      expect(
        (await idsOf(`limit=100&${query}`)).filter(id => all.includes(id)),
        query,
      ).toEqual([...found])
    const backwards = 'since=2026-03-02T00:00:00Z&until=2026-03-01T00:00:00Z'
    expect(await world.answer('GET', `/v1/conversations?${backwards}`)).toBe('400 invalid_request since')
  })

  test('lists open waiting conversations, longest wait first, in pages without gaps', async () => {
    const ids = []
    for (const seconds of [30, 3000, 300, 3, 30_000]) {
      const { conversationId } = await receive(newPhone(), { text: seconds === 300 ? 'Please stop texting me' : 'Hi' })
      await world.database.sql`
        update conversations set waiting_since = now() - interval '1 day' - ${seconds} * interval '1 second'
        where id = ${conversationId}`
      ids.push(conversationId)
    }
    const [second, fourth, third, last, first] = ids as [string, string, string, string, string]
    await world.expect(200, 'PATCH', `/v1/conversations/${fourth}`, { body: { status: 'closed' } })
    await world.expect(200, 'PATCH', `/v1/conversations/${last}`, { body: { assigneeId: agent.id } })
    const path = `/v1/conversations?sort=longest_waiting&limit=2`
    const listed = (await world.pages(path)).flat().map(({ id }) => id)
    expect(listed.slice(0, 4)).toEqual([first, third, second, last])
    const waits = (await world.pages(path)).flat().map(({ waitingSince, status }) => [status, Date.parse(waitingSince)])
    expect(waits).toEqual(waits.toSorted(([, a], [, b]) => Number(a) - Number(b)))
    expect(waits.every(([status]) => status === 'open')).toBe(true)
    expect(await idsOf(`sort=longest_waiting&assigneeId=${agent.id}&limit=1`)).toEqual([last])
    expect(await idsOf('sort=longest_waiting&looksLikeOptOut=true&limit=1')).toEqual([third])
    const { nextCursor } = await world.expect(200, 'GET', path)
    for (const query of [`cursor=${nextCursor}`, 'sort=longest_waiting&status=closed', 'sort=oldest'])
      await world.expect(400, 'GET', `/v1/conversations?${query}`)
  })

  test('lists a closed conversation as unanswered until a possible opt-out is decided', async () => {
    const { conversationId: id, customerId } = await receive(newPhone(), { text: 'Please stop texting me' })
    const isListed = async () => {
      const lists = ['sort=longest_waiting&unanswered=true', 'unanswered=true', 'unanswered=true&status=closed']
      const found = await Promise.all(lists.map(async query => (await idsOf(`limit=100&${query}`)).includes(id)))
      expect(await idsOf('limit=100&sort=longest_waiting')).not.toContain(id)
      expect((await idsOf('limit=100&unanswered=false')).includes(id)).toBe(!found[0])
      return found
    }
    const waiting = async () => (await world.expect(200, 'GET', '/v1/inbox/stats')).waiting
    await world.expect(201, 'POST', `/v1/conversations/${id}/messages`, { body: { text: 'Why?' } })
    await world.expect(200, 'PATCH', `/v1/conversations/${id}`, { body: { status: 'closed' } })
    const before = await waiting()
    expect(await isListed()).toEqual([true, true, true])
    await world.expect(200, 'POST', `/v1/conversations/${id}/opt-out-decision`, { body: { decision: 'ignored' } })
    expect(await isListed()).toEqual([false, false, false])
    expect(await waiting()).toBe(before - 1)

    await receive((await world.expect(200, 'GET', `/v1/customers/${customerId}`)).phone, {
      text: 'Please stop texting me',
    })
    await world.expect(200, 'PATCH', `/v1/conversations/${id}`, { body: { status: 'closed' } })
    expect(await isListed()).toEqual([true, true, true])
    await world.expect(200, 'POST', `/v1/customers/${customerId}/opt-out`, { body: { reason: 'asked' } })
    expect(await isListed()).toEqual([false, false, false])
    const [row] = await world.database.sql`select unanswered_since as since from conversations where id = ${id}`
    expect(row!.since).toBeNull()
  })

  test('filters by a possible opt-out until a decision, also after reading and an opt-out', async () => {
    const [ana, ben] = [
      await receive(newPhone(), { text: 'Please stop texting me' }),
      await receive(newPhone(), { text: 'Please stop texting me' }),
    ]
    const found = async (query: string) =>
      (await idsOf(`limit=100&${query}`)).filter(id => [ana, ben].some(({ conversationId }) => conversationId === id))
    for (const { conversationId } of [ana, ben])
      await world.expect(204, 'POST', `/v1/conversations/${conversationId}/read`, { as: agent.as })
    expect(await found('looksLikeOptOut=true')).toEqual([ben.conversationId, ana.conversationId])
    await world.expect(200, 'POST', `/v1/conversations/${ana.conversationId}/opt-out-decision`, {
      body: { decision: 'ignored' },
    })
    await world.expect(200, 'POST', `/v1/customers/${ben.customerId}/opt-out`, { body: { reason: 'asked' } })
    expect(await found('looksLikeOptOut=true')).toEqual([])
    expect(await found('looksLikeOptOut=false')).toEqual([ben.conversationId, ana.conversationId])
  })

  test('finds customers by a part of the name or the number, also beyond the scanned conversations', async () => {
    const [ana, ben] = [newPhone(), newPhone()]
    const id = await newCustomer({ phone: ana, name: 'Ana Weekly-Followup' })
    const { conversationId } = await receive(ana)
    await receive(ben, { name: 'Ben' })
    for (const q of ['weekly', 'KLY-FOLLOW', 'f%C3%B6llow%20ana', ana.slice(-9), `q${conversationId}`])
      expect(await idsOf(`q=${q}&limit=5`), q).toEqual(q.startsWith('q') ? [] : [conversationId])
    expect(await idsOf(`q=weekly&sort=longest_waiting&customerId=${id}`)).toEqual([conversationId])
    expect(await idsOf('q=%20%20&limit=1')).toHaveLength(1)
    // 20,001 newer conversations, which the scan of the first page does not pass.
    const { sql } = world.database
    const names = (await sql`
      insert into customers (workspace_id, name, external_id) select ${world.workspaceId}, 'Filler', 'filler-' || n
      from generate_series(1, 20_001) n returning id`) as { id: string }[]
    await sql`insert into conversations (workspace_id, channel_id, customer_id, handle)
      select ${world.workspaceId}, ${channelId}, id, id::text from unnest(${names.map(one => one.id)}::uuid[]) as id`
    expect(await list('q=weekly')).toMatchObject({ data: [{ id: conversationId }], nextCursor: null })
    // Too many customers match: the scan continues.
    expect(await list('q=ill&status=closed')).toMatchObject({ data: [], nextCursor: expect.any(String) })
    const pages = await world.pages('/v1/conversations?q=filler&limit=100')
    expect(new Set(pages.flat().map(one => one.id)).size).toBe(20_001)
    await sql`delete from conversations where handle = customer_id::text`
    await sql`delete from customers where name = 'Filler'`
  })

  test('rejects a cursor with an impossible time', async () => {
    for (const text of ['2026-02-31T00:00:00.000000Z x', `2026-02-31T00:00:00.000000Z ${randomUUID()}`])
      await world.expect(400, 'GET', `/v1/conversations?cursor=${Buffer.from(text).toString('base64url')}`)
  })
})

describe('a reply', () => {
  test('is queued with its author, is sent immediately, and ends the wait of the customer', async () => {
    const { conversationId: id, customerId } = await receive(newPhone())
    const body = { text: ' It left our house this morning. ' }
    const queued = await world.expect(201, 'POST', `/v1/conversations/${id}/messages`, { body, as: agent.as })
    expect(queued).toMatchObject({
      ...{ ...body, conversationId: id, channelId, customerId, direction: 'outbound', type: 'text' },
      ...{ status: 'queued', templateId: null, sentBy: { type: 'user', id: agent.id } },
    })
    expect(await read(id)).toMatchObject({ waitingSince: null, unread: 0, lastMessage: { id: queued.id } })
    const sent = await settled(queued.id, 1000)
    expect(sent.statuses.map(({ status }: { status: string }) => status)).toEqual(['sent', 'delivered'])
    const { data } = await world.expect(200, 'GET', `/v1/conversations/${id}/messages`)
    expect(data.map((message: { direction: string }) => message.direction)).toEqual(['outbound', 'inbound'])
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

  test('has 1 to 4096 characters, of any number of bytes, and an invalid one is rejected', async () => {
    const { conversationId: id } = await receive(newPhone())
    await reply(id, { text: '😀'.repeat(4096) })
    for (const body of [
      {},
      { text: ' \n ' },
      { text: '\u200b \u2800' },
      { text: 'x'.repeat(4097) },
      { text: 7 },
      { text: 'Hello', templateId: unknownId },
      { text: 'Hello', idempotencyKey: '' },
      { templateId: unknownId, variables: {} },
      { templateId: unknownId, variables: { a: 1 } },
    ])
      expect((await reply(id, body, 400)).error.code, JSON.stringify(body)).toBe('invalid_request')
    expect((await reply(id, { txet: 'Hello', idempotency_key: 'a' }, 400)).error.details).toEqual({
      body: 'Must contain either text, or templateId with its variables.',
      txet: 'Is not a known field. Did you mean text?',
      idempotency_key: 'Is not a known field. Did you mean idempotencyKey?',
    })
  })

  test('after an opt-out reaches only a customer who wrote first', async () => {
    const phones = [newPhone(), newPhone()]
    const { conversationId: id } = await receive(phones[0]!)
    await receive(phones[0]!, { text: 'STOP' })
    await settled((await reply(id, { text: 'You will hear nothing more from us.' })).id)
    const opened = await open({ channelId, customerId: await newCustomer({ phone: phones[1]! }) })
    await reply(opened.id, { text: 'We have something for you.' })
    await receive(phones[1]!, { text: 'STOP' })
    expect(await refusal(opened.id, { text: 'Are you sure?' })).toBe('opted_out')
  })

  test('on a disconnected channel is rejected', async () => {
    const { conversationId: id } = await receive(newPhone(), { channelId: await disconnected() })
    expect(await refusal(id, { text: 'Hello' })).toBe('channel_disconnected')
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

  test('with a missing, empty or unknown variable is rejected under its name', async () => {
    const { conversationId: id } = await receive(newPhone())
    const templateId = await newTemplate('utility')
    for (const [variables, name] of [
      [undefined, 'variables.name'],
      [{ name: 'Ana', nmae: 'Ana' }, 'variables.nmae'],
      [{ name: ' ' }, 'variables.name'],
    ] as const)
      expect(Object.keys((await reply(id, { templateId, variables }, 400)).error.details)).toEqual([name])
  })

  test('is rejected after an opt-out, and a marketing one also without an opt-in', async () => {
    const phone = newPhone()
    const { conversationId: id, customerId } = await receive(phone)
    const [utility, marketing] = [await newTemplate('utility'), await newTemplate('marketing')]
    const variables = { name: 'Ana' }
    expect(await refusal(id, { templateId: marketing, variables })).toBe('no_opt_in')
    await world.expect(200, 'POST', `/v1/customers/${customerId}/opt-in`, { body: { evidence: 'form' } })
    await reply(id, { templateId: marketing, variables })
    await receive(phone, { text: 'STOP' })
    for (const templateId of [utility, marketing])
      expect(await refusal(id, { templateId, variables })).toBe('opted_out')
  })

  test('is required after the window has closed, and must be approved', async () => {
    const [row] = await world.database.sql<{ id: string }[]>`
      insert into channels (workspace_id, kind, name) values (${world.workspaceId}, 'whatsapp_cloud', 'w') returning id`
    const [phone, hourMs, now] = [newPhone(), 3_600_000, Date.now()]
    const receiveAt = (hoursAgo: number) =>
      receive(phone, { channelId: row!.id, channelKind: 'whatsapp_cloud', sentAt: new Date(now - hoursAgo * hourMs) })
    const { conversationId: id } = await receiveAt(25)
    const windowEnd = async () => Date.parse((await read(id)).windowClosesAt)
    expect(await windowEnd()).toBe(now - hourMs)
    expect(await refusal(id, { text: 'Hello' })).toBe('window_closed')
    const [approved, unapproved] = [
      await newTemplate('utility', { name: 'shipped', language: 'en_US' }),
      await newTemplate('utility'),
    ]
    const variables = { name: 'Ana' }
    const { id: messageId } = await reply(id, { templateId: approved, variables })
    const [queued] = await world.database.sql`select provider_template from messages where id = ${messageId}`
    expect(queued!.provider_template).toEqual({ name: 'shipped', language: 'en_US', parameters: ['Ana'] })
    expect(await refusal(id, { templateId: unapproved, variables })).toBe('window_closed')
    // The newest message opens the window from its own time, and an older one that arrives later does not change it.
    await receiveAt(1)
    await receiveAt(26)
    expect(await windowEnd()).toBe(now + 23 * hourMs)
    await reply(id, { text: 'Hello' })
  })

  test('is sent with its variables filled in, also when it is sent again', async () => {
    const { conversationId: id } = await receive(newPhone())
    const templateId = await newTemplate('utility')
    const first = await reply(id, { templateId, variables: { name: 'Ana' } })
    expect(first).toMatchObject({ text: 'Hello Ana, it left.', templateId })
    await settled(first.id)
    await world.database.sql`update messages set status = 'unknown' where id = ${first.id}`
    const again = await world.expect(201, 'POST', `/v1/messages/${first.id}/resend`)
    expect(again).toMatchObject({ text: first.text, templateId })
  })
})

describe('a message that opts out', () => {
  const waitOf = async (id: string) => (await read(id)).waitingSince as string | null
  const isListed = async (id: string) => {
    const { customerId } = await read(id)
    return (await idsOf(`waiting=true&customerId=${customerId}`)).includes(id)
  }

  test('starts no wait, also in a closed conversation, and the next message does', async () => {
    const handle = newPhone()
    const { conversationId: id } = await receive(handle, { text: 'STOP' })
    expect(await read(id)).toMatchObject({ status: 'open', unread: 1, waitingSince: null, looksLikeOptOut: false })
    expect(await isListed(id)).toBe(false)
    await receive(handle, { text: 'Stop!' })
    expect(await isListed(id)).toBe(false)
    await receive(handle)
    const since = await waitOf(id)
    expect(since).not.toBeNull()
    // A wait continues, because the earlier message still has no answer.
    await receive(handle, { text: 'STOP' })
    expect(await waitOf(id)).toBe(since)
    await world.expect(200, 'PATCH', `/v1/conversations/${id}`, { body: { status: 'closed' } })
    await receive(handle, { text: 'STOP' })
    expect(await read(id)).toMatchObject({ status: 'open', waitingSince: null })
    await receive(handle)
    expect(await isListed(id)).toBe(true)
  })

  test('starts no wait after an answer to it failed', async () => {
    // The sandbox rejects messages to numbers that end with 0000.
    const handle = newPhone().replace(/....$/, '0000')
    const { conversationId: id } = await receive(handle, { text: 'STOP' })
    const { id: messageId } = await reply(id, { text: 'You get no more messages.' })
    await eventually(
      'the answer failed',
      async () => (await world.expect(200, 'GET', `/v1/messages/${messageId}`)).status === 'failed',
    )
    expect(await isListed(id)).toBe(false)
  })

  test('is not one that only resembles an opt-out: the customer waits until a person decides', async () => {
    const handle = newPhone()
    const { conversationId: id } = await receive(handle, { text: 'please stop texting me' })
    expect(await isListed(id)).toBe(true)
    const path = `/v1/conversations/${id}/opt-out-decision`
    await world.expect(200, 'POST', path, { as: agent.as, body: { decision: 'opted_out' } })
    expect(await isListed(id)).toBe(false)
  })
})

describe('the opt-out words of a workspace', () => {
  const put = (words: unknown, status = 200) => world.expect(status, 'PUT', '/v1/opt-out-words', { body: { words } })
  test('are set, read and compared with messages', async () => {
    expect(await world.expect(200, 'GET', '/v1/opt-out-words')).toEqual({ words: [] })
    expect(await put(['Basta', ' kein Interesse '])).toEqual({ words: ['Basta', 'kein Interesse'] })
    expect(await world.expect(200, 'GET', '/v1/opt-out-words')).toEqual({
      words: ['Basta', 'kein Interesse'],
    })
    const { customerId } = await receive(newPhone(), { text: '„KEIN  INTERESSE!“ 🙏' })
    expect((await customer(customerId)).optedOutAt).not.toBeNull()
    await put(['Basta'])
    const other = await receive(newPhone(), { text: 'kein Interesse' })
    expect((await customer(other.customerId)).optedOutAt).toBeNull()
    const hundred = Array.from({ length: 100 }, (_, n) => `word ${n}`)
    expect((await put(hundred)).words).toEqual(hundred)
    await put([])
    expect(await world.expect(200, 'GET', '/v1/opt-out-words')).toEqual({ words: [] })
  })

  test.each([
    ['a repeated word', ['Basta', '“basta”!'], 'words.1'],
    ['a word without letters and digits', ['fine', '!!! 🙂'], 'words.1'],
    ['a word that is too long', ['x'.repeat(51)], 'words.0'],
    ['a word that is too long after NFKC', ['\ufdfa'.repeat(50)], 'words.0'],
    ['too many', Array.from({ length: 101 }, (_, n) => `word ${n}`), 'words'],
  ])('rejects %s', async (_what, words, place) => {
    const { error } = await put(words, 400)
    expect(Object.keys(error.details)).toEqual([place])
  })
})

describe('lifting an opt-out', () => {
  test('needs a reason, is recorded, and later messages opt out again', async () => {
    const phone = newPhone()
    const { customerId: id } = await receive(phone, { text: 'STOP' })
    const path = `/v1/customers/${id}/opt-out/lift`
    const body = { reason: 'Called us' }
    await world.expect(400, 'POST', path, { body: { reason: ' ' } })
    expect(await world.expect(200, 'POST', path, { body })).toMatchObject({ id, phone, optedOutAt: null })
    expect((await customer(id)).optedOutAt).toBeNull()
    await world.expect(422, 'POST', path, { body })
    await receive(phone, { text: 'stop' })
    expect((await customer(id)).optedOutAt).not.toBeNull()
    const told = await world.expect(200, 'GET', '/v1/outbound-events?type=customer.opted_out')
    const ofThem = told.data.filter(({ data }: { data: { handle: string } }) => data.handle === phone)
    expect(ofThem).toHaveLength(2)
    const { user } = await world.expect(200, 'GET', '/v1/auth/session')
    const at = expect.any(String)
    const entry = { id: expect.any(String), eventId: null, at }
    expect(await consents(id)).toEqual([
      { ...entry, kind: 'opt_out', source: 'customer', words: 'stop', userId: null },
      { ...entry, kind: 'lift', source: 'dashboard', words: 'Called us', userId: user.id },
      { ...entry, kind: 'opt_out', source: 'customer', words: 'STOP', userId: null },
    ])
    const { data } = await world.expect(200, 'GET', `/v1/customers/${id}/timeline`)
    expect(data.filter(({ kind }: { kind: string }) => kind === 'lift')).toMatchObject([{ words: 'Called us' }])
  })

  test('is not done by an opt-in, a START or an event', async () => {
    const phone = newPhone()
    const { customerId: id } = await receive(phone, { text: 'STOP' })
    await world.expect(200, 'POST', `/v1/customers/${id}/opt-in`, { body: { evidence: 'form' } })
    await receive(phone, { text: 'START' })
    const event = { type: 'order.created', phone, data: {}, optIn: { evidence: 'order' } }
    await world.expect(201, 'POST', '/v1/events', { as: 'key', body: event })
    expect((await customer(id)).optedOutAt).not.toBeNull()
    const kinds = (await consents(id)).map(({ kind, source }: Record<string, string>) => `${kind} ${source}`)
    expect(kinds).toEqual(['opt_in api', 'opt_in customer', 'opt_in dashboard', 'opt_out customer'])
    const pages = await world.pages(`/v1/customers/${id}/consents?limit=2`, { as: 'key' })
    expect(pages.flat()).toEqual(await consents(id))
  })
})
