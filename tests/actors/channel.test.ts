/** A lost lease must not send twice to a person: two channel actors, as two processes would have them, on one database. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { channelActors } from '../../src/actors/channel.ts'
import type { Database } from '../../src/db/client.ts'
import { Horizon, readSight } from '../../src/db/horizon.ts'
import { type Providers, providers, type SendResult } from '../../src/domain/channels/index.ts'
import { queueing, settle } from '../../src/domain/messages/index.ts'
import { createWorkspace } from '../../src/domain/workspaces/index.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { eventually } from '../support/world.ts'

let database: TestDatabase
let sql: Database
let workspaceId: string
let channelId: string
let customerId: string
const { signal } = new AbortController()

beforeAll(async () => {
  database = await testDatabase()
  sql = database.sql
  const owner = { email: 'owner@shop.example', password: 'correct horse battery' }
  workspaceId = (await createWorkspace(sql, { name: 'Shop', planId: 'unlimited', owner })).id
  const [channel] = await sql<{ id: string }[]>`
    insert into channels (workspace_id, kind, name) values (${workspaceId}, 'sandbox', 'Sandbox') returning id`
  const [customer] = await sql<{ id: string }[]>`
    insert into customers (workspace_id, phone) values (${workspaceId}, '+4915112345678') returning id`
  channelId = channel!.id
  customerId = customer!.id
})
afterAll(() => database.drop())

const queue = async (text: string): Promise<string> => {
  const message = { workspaceId, customerId, channelId, handle: '+4915112345678', text, writtenBy: null }
  const [row] = await sql<{ id: string }[]>`with ${queueing(sql, [message])} select id from queued`
  return row!.id
}

const statusOf = async (id: string) => {
  const [row] = await sql`
    select status, provider_message_id as provider, due_at as "dueAt", begun_at is not null as begun, put_off as "putOff"
    from messages where id = ${id}`
  return row!
}

/** A provider that does not know our ids, and answers each message when the test says so. */
const aProvider = () => {
  const handed = new Map<string, (result: SendResult) => void>()
  let count = 0
  const sandbox: Providers['sandbox'] = {
    ...providers.sandbox,
    capabilities: { ...providers.sandbox.capabilities, knowsOurIds: false },
    send: ({ id }) => {
      count++
      return new Promise(resolve => handed.set(id, resolve))
    },
  }
  return {
    actors: channelActors({ sql, horizon: new Horizon(() => readSight(sql)), providers: { ...providers, sandbox } }),
    handed,
    count: () => count,
  }
}

const actor = () => ({ kind: 'channel', workspaceId, id: channelId })

test('a message is marked before it is handed over, and whoever else read it leaves it alone', async () => {
  const id = await queue('once')
  const [one, other] = [aProvider(), aProvider()]
  const [[first], [second]] = await Promise.all([one.actors.read(actor(), 10, []), other.actors.read(actor(), 10, [])])
  const sending = one.actors.handle(actor(), first!, signal, () => {})
  const answer = await eventually('it is handed over', () => one.handed.get(id))
  expect(await statusOf(id)).toMatchObject({ status: 'queued', begun: true })

  await other.actors.handle(actor(), second!, signal, () => {})
  expect(other.count()).toBe(0)
  expect(await other.actors.read(actor(), 10, [])).toEqual([])

  answer({ kind: 'accepted', providerMessageId: 'p1', statuses: [{ status: 'delivered', detail: null }] })
  expect(await sending).toBe('prompt')
  expect(await statusOf(id)).toMatchObject({ status: 'delivered', provider: 'p1', dueAt: null })
})

test('one whose sender is gone is unknown to the next, which does not send it; and the sender, if it comes back, is believed', async () => {
  const id = await queue('lost')
  const [one, other] = [aProvider(), aProvider()]
  const [letter] = await one.actors.read(actor(), 10, [])
  const sending = one.actors.handle(actor(), letter!, signal, () => {})
  const answer = await eventually('it is handed over', () => one.handed.get(id))

  await sql`update messages set due_at = now() where id = ${id}`
  const [again] = await other.actors.read(actor(), 10, [])
  expect(again).toMatchObject({ id, begun: true })
  await other.actors.handle(actor(), again!, signal, () => {})
  expect(other.count()).toBe(0)
  expect(await statusOf(id)).toMatchObject({ status: 'unknown', dueAt: null })

  answer({ kind: 'accepted', providerMessageId: 'p2', statuses: [{ status: 'delivered', detail: null }] })
  await sending
  expect(await statusOf(id)).toMatchObject({ status: 'delivered', provider: 'p2' })
  const told =
    await sql`select data ->> 'status' as status from outbound_events where data ->> 'providerMessageId' = 'p2'`
  expect(told.map(({ status }) => status)).toEqual(['delivered'])
})

test('one that the provider will not take yet is due again when it said, and may be begun anew', async () => {
  const id = await queue('later')
  const one = aProvider()
  const [letter] = await one.actors.read(actor(), 10, [])
  const sending = one.actors.handle(actor(), letter!, signal, () => {})
  const answer = await eventually('it is handed over', () => one.handed.get(id))
  answer({ kind: 'refused', error: { class: 'rate', code: '130429', detail: 'Too fast.', retryAfterMs: 60_000 } })
  expect(await sending).toBe('none')
  const later = await statusOf(id)
  expect(later).toMatchObject({ status: 'queued', begun: false, putOff: 1 })
  expect(later.dueAt.getTime() - Date.now()).toBeGreaterThan(50_000)
  const dueInMs = (await one.actors.dueInMs(actor()))!
  expect(dueInMs).toBeGreaterThan(50_000)
  expect(dueInMs).toBeLessThanOrEqual(60_000)
})

test('a provider that says nothing of a message narrows the window of its channel', async () => {
  const id = await queue('silence')
  const one = aProvider()
  const [letter] = await one.actors.read(actor(), 10, [])
  const handled = one.actors.handle(actor(), letter!, signal, () => {})
  const answer = await eventually('it is handed over', () => one.handed.get(id))
  answer({ kind: 'unknown', detail: 'The provider did not answer.' })
  expect(await handled).toBe('none')
})

test('putting one off twice does not take the mark from whoever has begun it since', async () => {
  const id = await queue('put off')
  const [one, other] = [aProvider(), aProvider()]
  const [letter] = await one.actors.read(actor(), 10, [])
  const sending = one.actors.handle(actor(), letter!, signal, () => {})
  const answer = await eventually('it is handed over', () => one.handed.get(id))
  answer({ kind: 'refused', error: { class: 'retry', code: null, detail: 'Later.', retryAfterMs: 1000 } })
  await sending

  await sql`update messages set due_at = now() where id = ${id}`
  const [again] = await other.actors.read(actor(), 10, [])
  const sendingAgain = other.actors.handle(actor(), again!, signal, () => {})
  const answerAgain = await eventually('it is handed over again', () => other.handed.get(id))
  await settle(sql, [{ workspaceId, id, putOff: 0, afterMs: 0 }])
  expect(await statusOf(id)).toMatchObject({ begun: true, putOff: 1 })
  answerAgain({ kind: 'accepted', providerMessageId: 'p4', statuses: [] })
  await sendingAgain
  expect(await statusOf(id)).toMatchObject({ status: 'sent', provider: 'p4' })
})

test('one that somebody holds locked is settled once it is free, and the others meanwhile', async () => {
  const [held, other] = [await queue('held'), await queue('other')]
  const one = aProvider()
  const letters = (await one.actors.read(actor(), 10, [])).filter(({ id }) => id === held || id === other)
  const sendings = letters.map(letter => one.actors.handle(actor(), letter, signal, () => {}))
  await eventually('both are handed over', () => one.handed.has(held) && one.handed.has(other))
  await sql.begin(async tx => {
    await tx`select 1 from messages where id = ${held} for update`
    for (const id of [held, other])
      one.handed.get(id)!({ kind: 'accepted', providerMessageId: `p-${id}`, statuses: [] })
    await eventually('the other is settled', async () => (await statusOf(other)).status === 'sent', 3000)
    expect(await statusOf(held)).toMatchObject({ status: 'queued' })
  })
  await Promise.all(sendings)
  expect(await statusOf(held)).toMatchObject({ status: 'sent', provider: `p-${held}` })
})

/** Two that are due, of which somebody holds the first until `meanwhile` is over; answers when both were handled. */
const withOneHeld = async (
  { actors }: ReturnType<typeof aProvider>,
  meanwhile: (held: string, other: string) => Promise<void>,
): Promise<[held: string, other: string]> => {
  const ids: [string, string] = [await queue('held'), await queue('other')]
  const letters = (await actors.read(actor(), 200, [])).filter(({ id }) => ids.includes(id))
  let sendings: Promise<unknown>[] = []
  await sql.begin(async tx => {
    await tx`select 1 from messages where id = ${ids[0]} for update`
    sendings = letters.map(letter => actors.handle(actor(), letter, signal, () => {}))
    await meanwhile(...ids)
  })
  await Promise.all(sendings)
  return ids
}

test('one that somebody holds locked is begun when it is free and read again, and the others meanwhile', async () => {
  const one = aProvider()
  const accept = (id: string) => one.handed.get(id)!({ kind: 'accepted', providerMessageId: id, statuses: [] })
  const [held] = await withOneHeld(one, async (_, other) => {
    await eventually('the other is handed over', () => one.handed.has(other), 3000)
    accept(other)
  })
  expect(one.handed.has(held)).toBe(false)
  expect(await statusOf(held)).toMatchObject({ status: 'queued', begun: false })

  const again = (await one.actors.read(actor(), 200, [])).find(({ id }) => id === held)
  const sending = one.actors.handle(actor(), again!, signal, () => {})
  await eventually('it is handed over', () => one.handed.has(held))
  accept(held)
  await sending
  expect(await statusOf(held)).toMatchObject({ status: 'sent', provider: held })
})

test('one that somebody holds locked is put off once it is free, and the others meanwhile', async () => {
  const later = { class: 'retry', code: null, detail: 'Later.', retryAfterMs: 60_000 } as const
  const known = channelActors({
    sql,
    horizon: new Horizon(() => readSight(sql)),
    providers: {
      ...providers,
      sandbox: { ...providers.sandbox, send: async () => ({ kind: 'refused', error: later }) },
    },
  })
  const [held] = await withOneHeld({ ...aProvider(), actors: known }, async (_, other) => {
    await eventually('the other is put off', async () => (await statusOf(other)).putOff === 1, 3000)
  })
  expect(await statusOf(held)).toMatchObject({ status: 'queued', putOff: 1 })
})

test('one that somebody holds locked is left to a newer release once it is free, and the others meanwhile', async () => {
  await sql`update channels set kind = 'pigeon' where id = ${channelId}`
  const isLater = async (id: string) => (await statusOf(id)).dueAt > new Date()
  const [held] = await withOneHeld(aProvider(), async (_, other) => {
    await eventually('the other is left', () => isLater(other), 3000)
  })
  expect(await isLater(held)).toBe(true)
  await sql`update channels set kind = 'sandbox' where id = ${channelId}`
})

const accept = async (): Promise<SendResult> => ({ kind: 'accepted', providerMessageId: randomUUID(), statuses: [] })
const patience = { class: 'rate', code: null, detail: 'Later.', retryAfterMs: 60_000 } as const

test.each<[string, () => Promise<SendResult>]>([
  ['takes its time now and then', () => sleep(300).then(accept)],
  ['asks for patience', async () => ({ kind: 'refused', error: patience })],
])('what is late on a channel whose provider %s is not late by our fault, and on others it is', async (_, unruly) => {
  const late: number[] = []
  let send = accept
  const actors = channelActors({
    sql,
    horizon: new Horizon(() => readSight(sql)),
    providers: { ...providers, sandbox: { ...providers.sandbox, send: () => send() } },
    onLate: ms => late.push(ms),
  })
  /** One that was due long ago. */
  const sendLate = async (channel = actor()) => {
    const id = await queue('late')
    await sql`update messages set due_at = now() - interval '10 seconds' where id = ${id}`
    const letter = (await actors.read(actor(), 200, [])).find(found => found.id === id)
    await actors.handle(channel, letter!, signal, () => {})
  }
  const tells = async (channel = actor()) => {
    const { length } = late
    await eventually('it is told', async () => {
      await sendLate(channel)
      return late.length > length
    })
  }
  await tells()
  expect(late[0]).toBeGreaterThan(9000)

  send = unruly
  for (let count = 0; count < 5; count++) await sendLate()
  send = accept
  const { length } = late
  await sendLate()
  expect(late).toHaveLength(length)
  await tells({ ...actor(), id: randomUUID() })
})

test('one over a kind of channel that only a newer release knows is left alone for a while, and its mark is not touched', async () => {
  const id = await queue('by pigeon')
  await sql`update channels set kind = 'pigeon' where id = ${channelId}`
  const one = aProvider()
  const [letter] = await one.actors.read(actor(), 10, [])
  expect(await one.actors.handle(actor(), letter!, signal, () => {})).toBe('none')
  expect(one.count()).toBe(0)
  const left = await statusOf(id)
  expect(left).toMatchObject({ status: 'queued', begun: false, putOff: 0 })
  expect(left.dueAt.getTime() - Date.now()).toBeGreaterThan(10_000)

  // Begun by a process that knows the kind: as long as that one has it in hand, and after it died over it.
  await sql`update messages set begun_at = now(), due_at = now() + interval '1 minute' where id = ${id}`
  const before = await statusOf(id)
  await one.actors.handle(actor(), letter!, signal, () => {})
  expect(await statusOf(id)).toEqual(before)
  await sql`update messages set due_at = now() where id = ${id}`
  await one.actors.handle(actor(), letter!, signal, () => {})
  const dead = await statusOf(id)
  expect(dead).toMatchObject({ status: 'queued', begun: true, putOff: 0 })
  expect(dead.dueAt.getTime() - Date.now()).toBeGreaterThan(10_000)
  await sql`update channels set kind = 'sandbox' where id = ${channelId}`
})
