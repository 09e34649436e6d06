/** Tests of many concurrent customer messages during database faults. No message is lost or recorded twice. */
import { afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { transaction } from '../../src/platform/postgres/client.ts'
import { use } from '../support/use.ts'
import { startWhatsApp } from '../support/whatsapp.ts'
import { eventually, useWorld } from '../support/world.ts'
import {
  booksOfMessages,
  type CalledBack,
  callBack,
  callBackUntilTaken,
  callbackOf,
  connectionsLost,
  connectWhatsApp,
  expectTakenOrToComeAgain,
  expectVerified,
  since,
  useProcesses,
  whatsAppSettings,
} from './support.ts'

setDefaultTimeout(90_000)

const whatsapp = use(startWhatsApp)

const { start } = useProcesses()

/** A provider repeats a callback that meets a lock, as all callers of these tests do. */
const lockConflict = 'request failed: {"type":"LockConflict"'

test('1000 messages of a new customer to two processes are recorded once and in order, also when repeated', async () => {
  const { sql, ask, callbackUrls } = await start({
    behaviours: [],
    processes: 2,
    errors: [...connectionsLost, lockConflict],
    whatsapp,
  })
  const [callers, rounds, inEach] = [40, 5, 5]
  const from = '+4915112340001'
  const idOf = (caller: number, n: number) => `wamid.${caller}.${n}`
  const body = (caller: number, round: number) => {
    const numbers = Array.from({ length: inEach }, (_, n) => round * inEach + n)
    return callbackOf(whatsapp, ...numbers.map(n => ({ from, text: `${caller}:${n}`, id: idOf(caller, n) })))
  }
  // The second time each callback goes to the other process.
  for (const time of [0, 1])
    await Promise.all(
      Array.from({ length: callers }, async (_, caller) => {
        for (let round = 0; round < rounds; round++)
          await callBackUntilTaken(() => callbackUrls[(caller + time) % 2]!, whatsapp, body(caller, round))
      }),
    )
  const count = callers * rounds * inEach
  const ofCaller = Array.from({ length: rounds * inEach }, (_, n) => n)
  const ids = Array.from({ length: callers }, (_, caller) => ofCaller.map(n => idOf(caller, n))).flat()
  const each = { messages: count, distinct: count, unread: count, told: count }
  const one = { conversations: 1, customers: 1, allConversations: 1, allCustomers: 1 }
  expect(await booksOfMessages(sql, ids)).toEqual({ ...each, ...one })
  const [conversation] = (await ask(200, 'GET', '/v1/conversations')).data
  const texts = (await sql`select text from messages order by id`).map(({ text }) => text as string)
  for (let caller = 0; caller < callers; caller++)
    expect(texts.filter(text => text.startsWith(`${caller}:`))).toEqual(ofCaller.map(n => `${caller}:${n}`))
  expect(conversation.lastMessage.text).toBe(texts.at(-1)!)
})

let people = 0
const newPhone = () => `+49152${String(10_000_000 + ++people)}`

/** A request that waits for a locked row takes longer than this, or gets no success response. */
const soonMs = 2000

describe('while a row is locked', () => {
  const world = useWorld(() => whatsAppSettings(whatsapp), { errors: [lockConflict] })
  afterEach(() => expectVerified(world.database.sql))
  let inboundUrl: string
  let channelId: string
  beforeAll(async () => {
    const ask = (status: number, _url: string, method: string, path: string, body?: unknown) =>
      world.expect(status, method, path, { body })
    const channel = await connectWhatsApp(ask, world.url, whatsapp)
    channelId = channel.id
    inboundUrl = world.url + channel.path
  })

  const says = (from: string, text: string, id: string) =>
    callBack(inboundUrl, whatsapp, callbackOf(whatsapp, { from, text, id }))

  /** Creates a customer with one message. */
  const known = async (id: string) => {
    const from = newPhone()
    expect(await says(from, 'Hello', `${id}.known`)).toMatchObject({ status: 200 })
    const [row] = await world.database.sql<{ customerId: string; conversationId: string }[]>`
      select customer_id as "customerId", conversation_id as "conversationId" from messages
      where provider_message_id = ${`${id}.known`}`
    return { from, ...row! }
  }

  const messagesOf = async (id: string) =>
    (await world.database.sql`select 1 from messages where provider_message_id = ${id}`).length

  /** Locked rows, and the answers to three callbacks that concern them. Only those that change the row must be retried. */
  const locks: [string, string[], number[]][] = [
    ['customer', ['customers'], [200, 503, 200]],
    ['conversation', ['conversations'], [503, 503, 503]],
    ['channel', ['channels', 'workspaces'], [200, 200, 200]],
  ]
  const expectOthersSoon = async ([name, tables, statuses]: (typeof locks)[number]) => {
    const held = await known(`wamid.held.${name}`)
    const others = await Promise.all(Array.from({ length: 5 }, (_, n) => known(`wamid.other.${name}.${n}`)))
    const ofHeld = ['Once more', 'STOP', 'And again'].map((text, n) => ({ id: `wamid.held.${name}.${n}`, text }))
    const rows = [held.customerId, held.conversationId, channelId, world.workspaceId]
    await transaction(world.database.sql, async tx => {
      for (const table of tables) await tx`select 1 from ${tx(table)} where id = any(${rows}::uuid[]) for update`
      const waiting = Promise.all(ofHeld.map(({ id, text }) => says(held.from, text, id)))
      const from = performance.now()
      const answers = await Promise.all([
        ...others.map(({ from }, n) => says(from, 'Hello?', `wamid.other.${name}.${n}.2`)),
        ...others.map(({ from }, n) => says(from, 'STOP', `wamid.other.${name}.${n}.3`)),
        ...others.map((_, n) => says(newPhone(), 'New here', `wamid.new.${name}.${n}`)),
      ])
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      expect(since(from)).toBeLessThan(soonMs)
      const own = await waiting
      expect(own.map(({ status }) => status)).toEqual(statuses)
      for (const answer of own) expectTakenOrToComeAgain(answer)
      expect(await Promise.all(ofHeld.map(({ id }) => messagesOf(id)))).toEqual(
        statuses.map(status => (status === 200 ? 1 : 0)),
      )
    })
    for (const { id, text } of ofHeld) {
      expect(await says(held.from, text, id)).toMatchObject({ status: 200 })
      expect(await messagesOf(id)).toBe(1)
    }
    const customer = await world.expect(200, 'GET', `/v1/customers/${held.customerId}`)
    expect(customer.optedOutAt).not.toBeNull()
  }
  test('records callbacks of others soon, and its own immediately or after a retry', () =>
    Promise.all(locks.map(expectOthersSoon)))

  /** More callbacks than the concurrency limit of a channel. */
  const flood = 150

  test('answers others on the channel during a flood for a locked conversation, and loses none of its messages', async () => {
    const [held, other] = [await known('wamid.flooding'), await known('wamid.calm')]
    const ids = Array.from({ length: flood }, (_, n) => `wamid.flood.${n}`)
    const send = () => ids.map(id => says(held.from, 'Again', id))
    let flooding: Promise<CalledBack>[] = []
    await transaction(world.database.sql, async tx => {
      await tx`select 1 from conversations where id = ${held.conversationId} for update`
      let answered = 0
      flooding = send()
      for (const one of flooding) one.finally(() => answered++)
      for (let round = 0; round < 3; round++) {
        const calm = [
          says(other.from, `Hello ${round}`, `wamid.calm.${round}`),
          says(newPhone(), 'New here', `wamid.calm.new.${round}`),
        ]
        expect((await Promise.all(calm)).map(({ status }) => status)).toEqual([200, 200])
      }
      await eventually('most are rejected, and only a few wait', () => answered >= flood - 8)
      expect(await says(other.from, 'STOP', 'wamid.calm.stop')).toMatchObject({ status: 200 })
    })
    const answers = await Promise.all(flooding)
    expect(answers.filter(({ status }) => status === 503).length).toBeGreaterThanOrEqual(flood - 8)
    for (const answer of answers) expectTakenOrToComeAgain(answer)
    expect((await Promise.all(send())).map(({ status }) => status)).toEqual(ids.map(() => 200))
    for (const id of ids) expect(await messagesOf(id)).toBe(1)
  })
})
