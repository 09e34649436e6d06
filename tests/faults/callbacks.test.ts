/** Tests of many concurrent customer messages during database faults. No message is lost or recorded twice. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { transaction } from '../../src/platform/postgres/client.ts'
import { use } from '../support/use.ts'
import { startWhatsApp, wishBody } from '../support/whatsapp.ts'
import { eventually, useWorld } from '../support/world.ts'
import {
  booksOfMessages,
  type CalledBack,
  callBack,
  callBackUntilTaken,
  callbackOf,
  callbackOfStatus,
  connectionsLost,
  connectWhatsApp,
  expectTakenOrToComeAgain,
  pause,
  type Started,
  since,
  useProcesses,
  whatsAppSettings,
} from './support.ts'

setDefaultTimeout(90_000)

const whatsapp = use(startWhatsApp)

const { start } = useProcesses()

/** Starts two processes on a new database with a channel. */
const setUp = () => start({ behaviours: [], processes: 2, errors: connectionsLost, whatsapp })

const manyMessages = 1000

describe('a thousand messages of a new customer', () => {
  test('are recorded once, in one conversation, when sent together to two processes, several times', async () => {
    const { sql, callbackUrls } = await setUp()
    const ids = Array.from({ length: manyMessages }, (_, n) => `wamid.once.${n}`)
    const bodies = ids.map((id, n) => callbackOf(whatsapp, { from: '+4915112340001', text: `Number ${n}`, id }))
    const books = {
      messages: manyMessages,
      distinct: manyMessages,
      conversations: 1,
      customers: 1,
      allConversations: 1,
      allCustomers: 1,
      unread: manyMessages,
      told: manyMessages,
    }
    // In the second round each callback goes to the other process.
    for (let round = 0; round < 2; round++) {
      await Promise.all(
        bodies.map((body, n) => callBackUntilTaken(() => callbackUrls[(n + round) % 2]!, whatsapp, body)),
      )
      expect(await booksOfMessages(sql, ids)).toEqual(books)
    }
  })

  test('keep the order in which each process received them', async () => {
    const { ask, callbackUrls } = await setUp()
    const [callers, rounds, inEach] = [40, 5, 5]
    const text = (caller: number, number: number) => `${caller}:${number}`
    await Promise.all(
      Array.from({ length: callers }, async (_, caller) => {
        for (let round = 0; round < rounds; round++) {
          const messages = Array.from({ length: inEach }, (_, n) => ({
            from: '+4915112340001',
            text: text(caller, round * inEach + n),
          }))
          await callBackUntilTaken(() => callbackUrls[caller % 2]!, whatsapp, callbackOf(whatsapp, ...messages))
        }
      }),
    )
    const { data } = await ask(200, 'GET', '/v1/conversations')
    expect(data).toHaveLength(1)
    const messages = await allMessages(ask, data[0].id)
    const texts = messages.map(message => message.text)
    expect(texts).toHaveLength(callers * rounds * inEach)
    for (let caller = 0; caller < callers; caller++)
      expect(texts.filter(one => one.startsWith(`${caller}:`))).toEqual(
        Array.from({ length: rounds * inEach }, (_, number) => text(caller, number)),
      )
    expect(data[0].lastMessage.id).toBe(messages.at(-1)!.id)
  })
})

/** Returns the messages of a conversation, oldest first. */
const allMessages = async (ask: Started['ask'], id: string): Promise<{ id: string; text: string }[]> => {
  const found: { id: string; text: string }[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page = await ask(200, 'GET', `/v1/conversations/${id}/messages?limit=100${after}`)
    found.push(...page.data)
    cursor = page.nextCursor
  }
  return found.reverse()
}

let people = 0
const newPhone = () => `+49152${String(10_000_000 + ++people)}`

/** A request that waits for a locked row takes longer than this, or gets no success response. */
const soonMs = 2000

describe('while a row is locked', () => {
  const errors = ['request failed: {"type":"LockConflict"']
  const world = useWorld(() => whatsAppSettings(whatsapp), { errors })
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

  const rowsOf = async (from: string) => {
    const [row] = await world.database.sql<{ customerId: string; conversationId: string; channelId: string }[]>`
      select c.id as "customerId", co.id as "conversationId", co.channel_id as "channelId" from customers c
      join conversations co on co.workspace_id = c.workspace_id and co.customer_id = c.id
      where c.phone = ${from}`
    return row!
  }

  /** Creates a customer with one message. */
  const known = async (id: string) => {
    const from = newPhone()
    expect(await says(from, 'Hello', `${id}.known`)).toMatchObject({ status: 200 })
    return { from, ...(await rowsOf(from)) }
  }

  const messagesOf = async (id: string) =>
    (await world.database.sql`select 1 from messages where provider_message_id = ${id}`).length

  test.each(['customers', 'conversations', 'channels', 'workspaces'] as const)(
    '(%s) records callbacks of others soon, and its own immediately or after a retry',
    async table => {
      const held = await known(`wamid.held.${table}`)
      const others = await Promise.all(Array.from({ length: 5 }, (_, n) => known(`wamid.other.${table}.${n}`)))
      const id = { customers: held.customerId, conversations: held.conversationId }
      const ofHeld = ['Once more', 'STOP', 'And again'].map((text, n) => ({
        id: `wamid.held.${table}.${n}`,
        text,
      }))
      let own: CalledBack[] = []
      await transaction(world.database.sql, async tx => {
        await tx`select 1 from ${tx(table)}
          ${table in id ? tx`where id = ${id[table as keyof typeof id]}` : tx``} for update`
        const waiting = Promise.all(ofHeld.map(({ id, text }) => says(held.from, text, id)))
        const from = performance.now()
        const answers = await Promise.all([
          ...others.map(({ from }, n) => says(from, 'Hello?', `wamid.other.${table}.${n}.2`)),
          ...others.map(({ from }, n) => says(from, 'STOP', `wamid.other.${table}.${n}.3`)),
          ...others.map((_, n) => says(newPhone(), 'New here', `wamid.new.${table}.${n}`)),
        ])
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
        expect(since(from)).toBeLessThan(soonMs)
        own = await waiting
        for (const [n, answer] of own.entries()) {
          expectTakenOrToComeAgain(answer)
          expect(await messagesOf(ofHeld[n]!.id)).toBe(answer.status === 200 ? 1 : 0)
        }
      })
      for (const { id, text } of ofHeld) {
        expect(await says(held.from, text, id)).toMatchObject({ status: 200 })
        expect(await messagesOf(id)).toBe(1)
      }
      const customer = await world.expect(200, 'GET', `/v1/customers/${held.customerId}`)
      expect(customer.optedOutAt).not.toBeNull()
      // Only callbacks that change the locked row must be retried.
      const held503 = { customers: [200, 503, 200], conversations: [503, 503, 503] }
      expect(own.map(({ status }) => status)).toEqual(held503[table as keyof typeof held503] ?? [200, 200, 200])
    },
  )

  test('keeps the order of the messages of a locked conversation after a retry', async () => {
    const held = await known('wamid.order')
    const texts = Array.from({ length: 24 }, (_, n) => `Line ${n}`)
    const body = callbackOf(whatsapp, ...texts.map((text, n) => ({ from: held.from, text, id: `wamid.order.${n}` })))
    let answer = Promise.resolve<CalledBack | null>(null)
    await transaction(world.database.sql, async tx => {
      await tx`select 1 from conversations where id = ${held.conversationId} for update`
      answer = callBack(inboundUrl, whatsapp, body)
      // By then the service has chosen the messages that wait for the lock: a few per customer.
      await pause(soonMs)
    })
    expect(await answer).toMatchObject({ status: 503 })
    await callBackUntilTaken(() => inboundUrl, whatsapp, body)
    const { data } = await world.expect(200, 'GET', `/v1/conversations/${held.conversationId}/messages?limit=100`)
    expect(data.map(({ text }: { text: string }) => text).reverse()).toEqual(['Hello', ...texts])
  })

  /** More callbacks than the concurrency limit of a channel. */
  const flood = 150

  test.each(['customers', 'conversations'] as const)(
    '(%s) answers others on the channel during a flood for the locked row, and loses none of its messages',
    async table => {
      const held = await known(`wamid.flooding.${table}`)
      const other = await known(`wamid.calm.${table}`)
      const id = table === 'customers' ? held.customerId : held.conversationId
      // Callbacks that change the locked row.
      const bodies = Array.from({ length: flood }, (_, n) =>
        table === 'customers'
          ? wishBody(whatsapp, held.from, 'stop', `No more, ${n}`)
          : callbackOf(whatsapp, { from: held.from, text: `Again ${n}`, id: `wamid.flood.${table}.${n}` }),
      )
      let answers: CalledBack[] = []
      await transaction(world.database.sql, async tx => {
        await tx`select 1 from ${tx(table)} where id = ${id} for update`
        const flooding = bodies.map(async body => {
          const answer = await callBack(inboundUrl, whatsapp, body)
          answers.push(answer)
        })
        for (let round = 0; round < 3; round++) {
          const calm = [
            says(other.from, `Hello ${round}`, `wamid.calm.${table}.${round}`),
            says(newPhone(), 'New here', `wamid.calm.new.${table}.${round}`),
          ]
          expect((await Promise.all(calm)).map(({ status }) => status)).toEqual([200, 200])
        }
        await eventually('most are rejected, and only a few wait', () => answers.length >= flood - 8)
        expect(await says(other.from, 'STOP', `wamid.calm.${table}.stop`)).toMatchObject({ status: 200 })
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503))
        for (const answer of answers) expectTakenOrToComeAgain(answer)
        void Promise.all(flooding)
      })
      await eventually('all are answered', () => answers.length === flood, 15_000)
      answers = await Promise.all(bodies.map(body => callBack(inboundUrl, whatsapp, body)))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      if (table === 'conversations')
        for (let n = 0; n < flood; n++) expect(await messagesOf(`wamid.flood.${table}.${n}`)).toBe(1)
      else expect((await world.expect(200, 'GET', `/v1/customers/${held.customerId}`)).optedOutAt).not.toBeNull()
    },
  )

  test('asks for a retry of the status of a locked message and records those of others soon', async () => {
    const talks = await Promise.all(Array.from({ length: 4 }, (_, n) => known(`wamid.status.${n}`)))
    const messages = await Promise.all(
      talks.map(({ conversationId }, n) =>
        world.expect(201, 'POST', `/v1/conversations/${conversationId}/messages`, { body: { text: `Answer ${n}` } }),
      ),
    )
    const sent = await Promise.all(
      messages.map(({ text }) => eventually('it was sent', () => whatsapp.sent.find(one => one.text === text))),
    )
    for (const { id } of messages)
      await eventually(
        'the change is recorded',
        async () => (await world.expect(200, 'GET', `/v1/messages/${id}`)).status === 'sent',
      )
    const tell = (n: number) => callBack(inboundUrl, whatsapp, callbackOfStatus(whatsapp, sent[n]!, 'delivered'))
    await transaction(world.database.sql, async tx => {
      await tx`select 1 from messages where id = ${messages[0].id} for update`
      const waiting = tell(0)
      const from = performance.now()
      expect((await Promise.all([1, 2, 3].map(tell))).map(({ status }) => status)).toEqual([200, 200, 200])
      expect(since(from)).toBeLessThan(soonMs)
      expect(await waiting).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^[1-9]/) })
    })
    expect(await tell(0)).toMatchObject({ status: 200 })
    for (const { id } of messages)
      expect(await world.expect(200, 'GET', `/v1/messages/${id}`)).toMatchObject({ channelId, status: 'delivered' })
  })
})
