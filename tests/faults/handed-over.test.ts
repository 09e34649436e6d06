/** Tests of several processes with one channel. The provider does not know our ids, and each message is sent once. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Database } from '../../src/platform/postgres/client.ts'
import type { ServiceProcess } from '../support/process.ts'
import { slow } from '../support/stand-in.ts'
import { startWhatsApp, type WhatsApp } from '../support/whatsapp.ts'
import { eventually } from '../support/world.ts'
import { callBackUntilTaken, callbackOf, useProcesses } from './support.ts'

setDefaultTimeout(90_000)

const { start, atEnd } = useProcesses()

const customers = 200

/** Starts two processes and creates the conversations, each opened by its customer. */
const setUp = async () => {
  const whatsapp = await startWhatsApp()
  atEnd(whatsapp.stop)
  const { sql, services, shop, callbackUrls } = await start({ behaviours: [], processes: 2, whatsapp })
  const messages = Array.from({ length: customers }, (_, n) => ({ from: `+49154${10_000_000 + n}`, text: 'Hello' }))
  await callBackUntilTaken(() => callbackUrls[0]!, whatsapp, callbackOf(whatsapp, ...messages))
  const conversations = await sql<{ id: string }[]>`select id from conversations order by id`
  expect(conversations).toHaveLength(customers)
  whatsapp.behave(slow(30))
  /** Sends one reply per conversation, alternating between the processes, 20 at a time. */
  const answer = async (from: number, to: number, by: ServiceProcess[] = services) => {
    const reply = (n: number) =>
      shop.expect(201, by[n % by.length]!.url, 'POST', `/v1/conversations/${conversations[n]!.id}/messages`, {
        text: `Reply ${n}`,
        idempotencyKey: `reply-${n}`,
      })
    for (let n = from; n < to; n += 20)
      await Promise.all(Array.from({ length: Math.min(20, to - n) }, (_, at) => reply(n + at)))
  }
  return { sql, whatsapp, services, answer }
}

const allSettled = (sql: Database, withinMs = 30_000) =>
  eventually(
    'every message has its outcome',
    async () => {
      const [row] = await sql`
        select not exists (select 1 from messages where due_at is not null)
          and (select count(*) from messages where direction = 'outbound') = ${customers} as done`
      return row!.done as boolean
    },
    withinMs,
  )

const statusesOf = async (sql: Database) => {
  const rows = await sql<{ status: string; count: number }[]>`
    select status, count(*)::integer as count from messages where direction = 'outbound' group by status`
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

const expectEachOnce = ({ sent }: WhatsApp) => {
  expect(sent.map(({ text }) => text).toSorted()).toEqual(
    Array.from({ length: customers }, (_, n) => `Reply ${n}`).toSorted(),
  )
}

test('sends each message written through two processes once, whichever process has the channel', async () => {
  const { sql, whatsapp, answer } = await setUp()
  await answer(0, customers)
  await allSettled(sql)
  expectEachOnce(whatsapp)
  expect(await statusesOf(sql)).toEqual({ sent: customers })
})

/** Returns the process that holds the lease of the channel. */
const holderOf = async (sql: Database, services: ServiceProcess[]): Promise<ServiceProcess | undefined> => {
  const rows = await sql<{ pid: number }[]>`
    select p.pid from leases l join processes p on p.id = l.holder where l.kind = 'channel'`
  return services.find(({ pid }) => rows.some(row => row.pid === pid))
}

test('sends nothing twice when a frozen process resumes after another has taken over', async () => {
  const { sql, whatsapp, services, answer } = await setUp()
  await answer(0, customers / 2)
  await whatsapp.untilSent(10)
  const frozen = await eventually('one process has the channel', () => holderOf(sql, services))
  const other = services.find(service => service !== frozen)!
  frozen.signal('SIGSTOP')
  atEnd(() => frozen.signal('SIGCONT'))
  await answer(customers / 2, customers, [other])
  await eventually('the other process has taken over', async () => (await holderOf(sql, services)) === other, 20_000)
  await eventually(
    'messages not yet started are sent',
    async () => {
      const [row] = await sql`
        select not exists (select 1 from messages where status = 'queued' and send_started_at is null) as done`
      return row!.done as boolean
    },
    30_000,
  )
  frozen.signal('SIGCONT')
  // The frozen process settles its own in-flight messages, because it knows their results.
  await allSettled(sql)
  expectEachOnce(whatsapp)
  const { sent = 0, unknown = 0, ...others } = await statusesOf(sql)
  expect(others).toEqual({})
  expect(sent + unknown).toBe(customers)
})

test('marks messages with an unknown outcome after a kill, and sends the rest once', async () => {
  const { sql, whatsapp, services, answer } = await setUp()
  await answer(0, customers)
  await whatsapp.untilSent(10)
  const killed = await eventually('one process has the channel', () => holderOf(sql, services))
  const other = services.find(service => service !== killed)!
  // Pauses the other process until it is known which messages the killed one had started.
  other.signal('SIGSTOP')
  atEnd(() => other.signal('SIGCONT'))
  await killed.end('SIGKILL')
  const begun = await sql<{ id: string }[]>`
    update messages set due_at = now() where send_started_at is not null and status = 'queued' returning id`
  other.signal('SIGCONT')
  await allSettled(sql)
  const texts = whatsapp.sent.map(({ text }) => text)
  expect(new Set(texts).size).toBe(texts.length)
  const { sent = 0, unknown = 0, ...others } = await statusesOf(sql)
  expect(others).toEqual({})
  expect(unknown).toBe(begun.length)
  expect(sent).toBe(customers - begun.length)
  const rows = await sql<{ text: string }[]>`select text from messages where status = 'sent'`
  expect(rows.filter(({ text }) => !texts.includes(text))).toEqual([])
})
