/** Tests inbound messages: their customer, their conversation, the emitted events and duplicates. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { type InboundMessage, receiveMessage } from '../../../src/messaging/inbound/index.ts'
import { connect, transaction } from '../../../src/platform/postgres/client.ts'
import { newWorkspace, useDatabase } from '../../support/database.ts'

const database = useDatabase()
const [workspaceId, otherWorkspaceId] = [randomUUID(), randomUUID()]
const [channelId, otherChannelId] = [randomUUID(), randomUUID()]
beforeAll(async () => {
  await newWorkspace(database.sql, workspaceId)
  await newWorkspace(database.sql, otherWorkspaceId)
  await database.sql`
    insert into channels (workspace_id, id, kind, name)
    values (${workspaceId}, ${channelId}, 'sandbox', 'ours'), (${otherWorkspaceId}, ${otherChannelId}, 'sandbox', 'theirs')`
})

let numbers = 0
const newPhone = (): string => `+49151${String(++numbers).padStart(8, '0')}`

const from = (handle: string, more: Partial<InboundMessage> = {}): InboundMessage => ({
  workspaceId,
  channelId,
  channelKind: 'sandbox',
  providerMessageId: randomUUID(),
  handle,
  otherHandle: null,
  name: null,
  type: 'text',
  text: 'Where is my order?',
  sentAt: new Date('2026-03-01T09:30:00.120Z'),
  ...more,
})

const receive = (message: InboundMessage) => receiveMessage(database.sql, message)

const newCustomer = async (fields: { phone?: string; externalId?: string; workspace?: string }): Promise<string> => {
  const [row] = await database.sql<{ id: string }[]>`
    insert into customers (workspace_id, phone, external_id)
    values (${fields.workspace ?? workspaceId}, ${fields.phone ?? null}, ${fields.externalId ?? null}) returning id`
  return row!.id
}

const customerOf = async (id: string) => (await database.sql`select * from customers where id = ${id}`)[0]!
const conversationOf = async (id: string) => (await database.sql`select * from conversations where id = ${id}`)[0]!
const messagesOf = (conversationId: string) => database.sql`
  select * from messages where conversation_id = ${conversationId} order by id`
const handlesOf = async (customerId: string) => {
  const rows = await database.sql`select handle from handles where customer_id = ${customerId} order by 1`
  return rows.map(({ handle }) => handle)
}
const toldOf = (customerId: string) => database.sql<{ type: string; data: Record<string, unknown> }[]>`
  select type, data from outbound_events where data_subject_id = ${customerId} order by id`
const consentsOf = (customerId: string) => database.sql`
  select kind, source, words from consents where customer_id = ${customerId} order by id`

describe('the sender', () => {
  test('is enrolled without a phone if the address is not a phone, and found by either address', async () => {
    const first = await receive(from('US.1', { otherHandle: 'user-1', name: 'Ben' }))
    expect(await customerOf(first.customerId)).toMatchObject({ phone: null, name: 'Ben', has_handle: true })
    expect(await handlesOf(first.customerId)).toEqual(['US.1', 'user-1'])
    expect((await receive(from('user-1'))).customerId).toBe(first.customerId)
    expect((await receive(from('US.1'))).customerId).toBe(first.customerId)
    expect((await toldOf(first.customerId))[0]!.data.from).toBeNull()
  })

  test('is found by the other address if that is a phone, and the event names the phone', async () => {
    const phone = newPhone()
    const id = await newCustomer({ phone })
    const { customerId, conversationId } = await receive(from('US.2', { otherHandle: phone }))
    expect(customerId).toBe(id)
    expect((await toldOf(id))[0]!.data.from).toBe(phone)
    expect((await conversationOf(conversationId)).handle).toBe('US.2')
    expect((await receive(from('US.2'))).customerId).toBe(id)
  })

  test('is the customer who has the phone now, and the address moves to that customer', async () => {
    const phone = newPhone()
    const { customerId: before } = await receive(from(phone))
    await database.sql`update customers set phone = ${newPhone()} where id = ${before}`
    expect((await receive(from(phone))).customerId).toBe(before)
    const now = await newCustomer({ phone })
    expect((await receive(from(phone))).customerId).toBe(now)
    expect(await handlesOf(before)).toEqual([])
    expect(await handlesOf(now)).toEqual([phone])
  })

  test('belongs to the workspace of the channel, and is never an erased customer', async () => {
    const phone = newPhone()
    const theirs = await newCustomer({ phone, workspace: otherWorkspaceId })
    expect((await receive(from(phone))).customerId).not.toBe(theirs)
    const other = from(phone, { workspaceId: otherWorkspaceId, channelId: otherChannelId })
    expect((await receive(other)).customerId).toBe(theirs)
    const { customerId } = await receive(from('US.3'))
    await database.sql`update customers set erased_at = now() where id = ${customerId}`
    expect((await receive(from('US.3', { otherHandle: 'again' }))).customerId).not.toBe(customerId)
  })

  test('is one customer if concurrent messages share an address', async () => {
    const phone = newPhone()
    const receipts = await Promise.all(
      [
        from('chain-a', { otherHandle: 'chain-b' }),
        from('chain-b', { otherHandle: 'chain-c' }),
        from('chain-c', { otherHandle: phone }),
        from(phone, { name: 'Cleo' }),
      ].map(receive),
    )
    expect(new Set(receipts.map(({ customerId }) => customerId)).size).toBe(1)
    const { customerId } = receipts[0]!
    expect(await customerOf(customerId)).toMatchObject({ phone, name: 'Cleo' })
    expect(await handlesOf(customerId)).toEqual([phone, 'chain-a', 'chain-b', 'chain-c'].sort())
  })
})

test.each([
  ['in the future', new Date(Date.now() + 3_600_000)],
  ['from before there were any', new Date(0)],
  ['that is invalid', new Date(Number.NaN)],
])('a message with a time %s gets the time of receipt', async (_what, sentAt) => {
  const before = Date.now()
  const { conversationId } = await receive(from(newPhone(), { sentAt }))
  const [row] = await messagesOf(conversationId)
  expect(row!.sent_at.getTime()).toBeWithin(before, Date.now() + 1)
})

test('a message is stored with replacement characters and a truncated text', async () => {
  const text = `a\0b\ud800${'x'.repeat(100_000)}`
  const { conversationId, customerId } = await receive(from(newPhone(), { text, name: '\0'.repeat(300) }))
  const [row] = await messagesOf(conversationId)
  expect(row!.text).toBe(`a\ufffdb\ufffd${'x'.repeat(65_532)}`)
  expect((await customerOf(customerId)).name).toBe('\ufffd'.repeat(200))
})

test('a repeated message is handled once per channel, also concurrently, and returns the result of the first', async () => {
  const message = from(newPhone())
  const receipts = await Promise.all(Array.from({ length: 5 }, () => receive(message)))
  const [first] = receipts as [(typeof receipts)[number]]
  expect(receipts).toEqual([true, false, false, false, false].map(isNew => ({ ...first, isNew })))
  expect(await receive({ ...message, text: 'changed', handle: newPhone() })).toEqual({ ...first, isNew: false })
  expect(await messagesOf(first.conversationId)).toHaveLength(1)
  expect(await toldOf(first.customerId)).toHaveLength(1)
  expect(await conversationOf(first.conversationId)).toMatchObject({ unread: 1 })
  const elsewhere = { ...message, workspaceId: otherWorkspaceId, channelId: otherChannelId }
  expect((await receive(elsewhere)).isNew).toBe(true)
})

describe('receiving messages concurrently', () => {
  test('stores 1000 messages of one customer in one conversation, in order, with an event each', async () => {
    const phone = newPhone()
    const receipts = await Promise.all(
      Array.from({ length: 1000 }, (_, n) => receive(from(phone, { text: String(n) }))),
    )
    const { customerId, conversationId } = receipts[0]!
    expect(new Set(receipts.map(one => `${one.customerId} ${one.conversationId}`)).size).toBe(1)
    const rows = await messagesOf(conversationId)
    expect(rows.map(({ text }) => text)).toEqual(Array.from({ length: 1000 }, (_, n) => String(n)))
    expect(rows.map(({ id }) => id)).toEqual(receipts.map(({ messageId }) => messageId))
    expect(await conversationOf(conversationId)).toMatchObject({ unread: 1000 })
    expect(await toldOf(customerId)).toHaveLength(1000)
  })

  test('causes no deadlock and no duplicates with two processes and opposite order', async () => {
    const other = connect({ url: database.url, applicationName: 'another process' })
    const ids = Array.from({ length: 300 }, () => randomUUID())
    const people = [...Array.from({ length: 15 }, newPhone), ...Array.from({ length: 15 }, (_, n) => `US.p${n}`)]
    const messages = ids.map((providerMessageId, n) => from(people[n % 30]!, { providerMessageId }))
    const receipts = await Promise.all([
      ...messages.map(message => receiveMessage(database.sql, message)),
      ...messages.toReversed().map(message => receiveMessage(other, message)),
    ])
    await other.end()
    expect(receipts.filter(({ isNew }) => isNew)).toHaveLength(300)
    expect(new Set(receipts.map(({ messageId }) => messageId)).size).toBe(300)
    const customers = [...new Set(receipts.map(({ customerId }) => customerId))]
    expect(customers).toHaveLength(30)
    const conversations = await database.sql`
      select unread, (select count(*)::integer from messages m where m.conversation_id = c.id) as messages
      from conversations c where customer_id = any(${customers}::uuid[])`
    expect(conversations.map(row => ({ ...row }))).toEqual(Array(30).fill({ unread: 10, messages: 10 }))
    const [strays] = await database.sql`
      select count(*)::integer as n from customers c where workspace_id = ${workspaceId} and erased_at is null
        and external_id is null and not exists (select from handles h where h.customer_id = c.id)
        and not exists (select from messages m where m.customer_id = c.id)`
    expect(strays!.n).toBe(0)
  })

  test('does not wait for a locked conversation, except for its own messages', async () => {
    const [held, ...others] = Array.from({ length: 4 }, newPhone) as [string, ...string[]]
    const { conversationId } = await receive(from(held))
    const stuck = Promise.withResolvers<unknown>()
    await transaction(database.sql, async tx => {
      await tx`select 1 from conversations where id = ${conversationId} for update`
      receive(from(held)).then(stuck.resolve, stuck.reject)
      expect(await Promise.all(others.map(phone => receive(from(phone))))).toHaveLength(3)
      expect(await Promise.race([stuck.promise, 'not yet'])).toBe('not yet')
    })
    expect(await stuck.promise).toMatchObject({ conversationId, isNew: true })
    expect(await conversationOf(conversationId)).toMatchObject({ unread: 2 })
  })
})

describe('an opt-out word', () => {
  test('opts out with the first message, once in concurrent messages', async () => {
    for (const address of [newPhone(), 'US.5']) {
      const [first] = await Promise.all([1, 2, 3, 4].map(() => receive(from(address, { text: ' “Stop!” ' }))))
      const { customerId } = first!
      expect((await customerOf(customerId)).opted_out_at).toBeInstanceOf(Date)
      const told = await toldOf(customerId)
      expect(told.filter(({ type }) => type === 'message.received')).toHaveLength(4)
      expect(told.filter(({ type }) => type === 'customer.opted_out')).toMatchObject([
        { data: { channel: 'sandbox', handle: address, scope: 'all', reason: 'Stop' } },
      ])
      expect(await consentsOf(customerId)).toMatchObject([{ kind: 'opt_out', source: 'customer', words: 'Stop' }])
    }
  })

  test('is applied after another transaction releases the customer', async () => {
    const phone = newPhone()
    const id = await newCustomer({ phone })
    const receipt = await transaction(database.sql, async tx => {
      await tx`select 1 from customers where id = ${id} for update`
      const asked = receive(from(phone, { text: 'STOP' }))
      expect(await receive(from(newPhone()))).toMatchObject({ isNew: true })
      return { asked }
    })
    await receipt.asked
    expect((await customerOf(id)).opted_out_at).toBeInstanceOf(Date)
  })
})
