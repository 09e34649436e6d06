/** Tests message statuses from providers: in any order, repeated, too early, or of unknown messages. */
import { beforeAll, describe, expect, test } from 'bun:test'
import {
  deleteOldEarlyStatuses,
  type ReportedStatus,
  recordStatuses,
  settle,
} from '../../../src/messaging/messages/index.ts'
import { newWorkspace, useDatabase } from '../../support/database.ts'
import { eventually } from '../../support/world.ts'

const database = useDatabase()
const [workspaceId, channelId] = [crypto.randomUUID(), crypto.randomUUID()]
const [conversationId, customerId] = [crypto.randomUUID(), crypto.randomUUID()]
beforeAll(async () => {
  const { sql } = database
  await newWorkspace(sql, workspaceId)
  await sql`insert into channels (workspace_id, id, kind, name) values (${workspaceId}, ${channelId}, 'sandbox', 'Sandbox')`
  await sql`insert into customers (workspace_id, id, phone) values (${workspaceId}, ${customerId}, '+4915112345678')`
  await sql`insert into conversations (workspace_id, id, channel_id, customer_id, handle)
    values (${workspaceId}, ${conversationId}, ${channelId}, ${customerId}, '+4915112345678')`
})

/** Creates a message with the given status and returns its id and its provider's id. */
const message = async (status: string, known = true) => {
  const providerMessageId = `p-${crypto.randomUUID()}`
  const queuedAt = status === 'queued' ? new Date() : null
  const [row] = await database.sql<{ id: string }[]>`
    insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, text, status,
      provider_message_id, due_at, send_started_at)
    values (${workspaceId}, ${channelId}, ${conversationId}, ${customerId}, 'outbound', 'Hello', ${status},
      ${known ? providerMessageId : null}, ${queuedAt}, ${queuedAt})
    returning id`
  return { id: row!.id, providerMessageId }
}

const tell = (providerMessageId: string, status: ReportedStatus['status'], more: Partial<ReportedStatus> = {}) => {
  const reported = { workspaceId, channelId, providerMessageId, messageId: null, status, detail: null, at: null }
  return recordStatuses(database.sql, { ...reported, ...more })
}

const read = async (id: string) => {
  const [row] = await database.sql`
    select status, detail, provider_message_id as provider, due_at as "dueAt", sent_at is not null as sent
    from messages where id = ${id}`
  const traced = await database.sql`select status from message_statuses where message_id = ${id} order by id`
  const told = await database.sql`
    select data ->> 'status' as status, data ->> 'detail' as detail from outbound_events
    where type = 'message.status' and data ->> 'providerMessageId' = ${row!.provider} order by id`
  return {
    ...row!,
    traced: traced.map(({ status }) => status),
    told: told.map(({ status }) => status),
    details: told.map(({ detail }) => detail),
  } as Record<string, unknown>
}

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000)

describe('a status', () => {
  test.each([
    [['sent', 'delivered', 'read'], 'read', ['delivered', 'read']],
    [['read', 'delivered', 'sent'], 'read', ['read']],
    [['delivered', 'sent', 'read'], 'read', ['delivered', 'read']],
    [['delivered', 'delivered', 'delivered'], 'delivered', ['delivered']],
    [['failed', 'sent'], 'failed', ['failed']],
    [['failed', 'delivered'], 'failed', ['failed']],
    [['delivered', 'failed'], 'delivered', ['delivered']],
  ] as const)('%p leads to %s, one by one or together', async (statuses, status, told) => {
    const [one, all] = [await message('sent'), await message('sent')]
    for (const each of statuses) await tell(one.providerMessageId, each)
    await Promise.all(statuses.map(each => tell(all.providerMessageId, each)))
    for (const { id } of [one, all]) {
      const found = await read(id)
      expect(found).toMatchObject({ status, told: [...told] })
      expect((found.traced as string[]).toSorted()).toEqual([...new Set(statuses)].toSorted())
    }
  })

  test('with a failure outranks an older delivery, and loses to a delivery with a newer provider time', async () => {
    const { id, providerMessageId } = await message('sent')
    await tell(providerMessageId, 'failed', { at: at(10), detail: 'Not reachable (code 131026).' })
    await tell(providerMessageId, 'delivered', { at: at(5) })
    expect(await read(id)).toMatchObject({ status: 'failed', detail: 'Not reachable (code 131026).', told: ['failed'] })
    expect((await read(id)).details).toEqual(['Not reachable (code 131026).'])
    await tell(providerMessageId, 'read', { at: at(20) })
    expect(await read(id)).toMatchObject({ status: 'read', detail: null, told: ['failed', 'read'] })
    expect((await read(id)).traced).toEqual(['failed', 'delivered', 'read'])
  })

  test.each(['queued', 'unknown'])('settles a message that was %s, by our own id', async before => {
    const { id, providerMessageId } = await message(before, false)
    expect(await tell(providerMessageId, 'delivered', { messageId: id })).toBe('recorded')
    expect(await read(id)).toMatchObject({
      status: 'delivered',
      provider: providerMessageId,
      dueAt: null,
      sent: true,
      told: ['delivered'],
    })
    // A later result from the sending worker changes nothing.
    await settle(database.sql, [
      { workspaceId, id, providerMessageId: null, statuses: [{ status: 'unknown', detail: 'Silence.' }] },
    ])
    expect(await read(id)).toMatchObject({ status: 'delivered', traced: ['delivered'] })
  })

  test('does not change a message in another channel or workspace, or that was never sent', async () => {
    const { id, providerMessageId } = await message('sent')
    expect(await tell(providerMessageId, 'read', { channelId: crypto.randomUUID(), messageId: id })).toBe('early')
    expect(await tell(providerMessageId, 'read', { workspaceId: crypto.randomUUID(), messageId: id })).toBe('early')
    expect(await read(id)).toMatchObject({ status: 'sent', traced: [] })
    const skipped = await message('skipped')
    await tell(skipped.providerMessageId, 'delivered')
    expect(await read(skipped.id)).toMatchObject({ status: 'skipped', traced: [], told: [] })
  })

  test('is stored without its text if the customer was erased', async () => {
    const { id, providerMessageId } = await message('sent')
    await database.sql`update messages set text = null where id = ${id}`
    await tell(providerMessageId, 'failed', { detail: 'Ada Lovelace is not reachable.' })
    expect(await read(id)).toMatchObject({ status: 'failed', detail: null, details: [null] })
    const [row] = await database.sql`select detail from message_statuses where message_id = ${id}`
    expect(row!.detail).toBeNull()
  })
})

describe('a status of a message that is not recorded yet', () => {
  const early = async (providerMessageId: string) =>
    (await database.sql`select 1 from early_statuses where provider_message_id = ${providerMessageId}`).length

  const accepted = (id: string, providerMessageId: string) => {
    const statuses = [{ status: 'sent' as const, detail: null }]
    return settle(database.sql, [{ workspaceId, id, providerMessageId, callbackChannel: { channelId }, statuses }])
  }

  test('is stored once and applied when the message is recorded', async () => {
    const { id, providerMessageId } = await message('queued', false)
    for (const status of ['delivered', 'delivered', 'read'] as const)
      expect(await tell(providerMessageId, status)).toBe('early')
    expect(await early(providerMessageId)).toBe(2)
    await accepted(id, providerMessageId)
    expect(await read(id)).toMatchObject({
      status: 'read',
      traced: ['sent', 'delivered', 'read'],
      told: ['delivered', 'read'],
    })
    expect(await early(providerMessageId)).toBe(0)
  })

  test('is applied when both are written concurrently', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => message('queued', false)))
    await Promise.all(
      all.flatMap(({ id, providerMessageId }) => [
        tell(providerMessageId, 'delivered'),
        accepted(id, providerMessageId),
        tell(providerMessageId, 'read'),
      ]),
    )
    for (const { id, providerMessageId } of all) {
      expect(await read(id)).toMatchObject({ status: 'read' })
      expect(await early(providerMessageId)).toBe(0)
    }
  })

  test('is deleted after a week, because its message may never appear', async () => {
    for (const id of ['recent', 'old']) await tell(id, 'read')
    await database.sql`update early_statuses set at = now() - interval '8 days' where provider_message_id = 'old'`
    await deleteOldEarlyStatuses(database.sql, 1000)
    expect([await early('recent'), await early('old')]).toEqual([1, 0])
  })
})

test('a locked message delays only its own statuses', async () => {
  const [held, other] = [await message('sent'), await message('sent')]
  let first = ''
  const both = await database.sql.begin(async tx => {
    await tx`select 1 from messages where id = ${held.id} for update`
    const all = [tell(held.providerMessageId, 'read'), tell(other.providerMessageId, 'read')]
    for (const [place, one] of all.entries()) void one.then(() => (first ||= String(place)))
    await eventually('the other is recorded', () => first !== '')
    return { all }
  })
  expect(first).toBe('1')
  await Promise.all(both.all)
  expect(await read(held.id)).toMatchObject({ status: 'read' })
})
