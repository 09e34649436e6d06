/** Tests of several processes with one channel. The provider does not know our ids, and each message is sent once. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import type { Database } from '../../src/platform/postgres/client.ts'
import { testDatabase } from '../support/database.ts'
import { endProcesses, type ServiceProcess, startProcess } from '../support/process.ts'
import { slow } from '../support/stand-in.ts'
import { startWhatsApp, type WhatsApp } from '../support/whatsapp.ts'
import { eventually } from '../support/world.ts'
import { callBackUntilTaken, callbackOf, connectWhatsApp, openShop, shopSettings, whatsAppSettings } from './support.ts'

setDefaultTimeout(90_000)

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  await endProcesses()
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const customers = 200

/** Starts two processes and creates the conversations, each opened by its customer. */
const setUp = async () => {
  const [database, whatsapp] = await Promise.all([testDatabase(), startWhatsApp()])
  cleanups.push(database.drop, whatsapp.stop)
  const { sql } = database
  const settings = { ...shopSettings(database.url, []), ...whatsAppSettings(whatsapp) }
  const services = [await startProcess(settings), await startProcess(settings)]
  const shop = await openShop(services[0]!.url, [])
  const channel = await connectWhatsApp(shop.expect, services[0]!.url, whatsapp)
  const messages = Array.from({ length: customers }, (_, n) => ({ from: `+49154${10_000_000 + n}`, text: 'Hello' }))
  await callBackUntilTaken(() => services[0]!.url + channel.path, whatsapp, callbackOf(whatsapp, ...messages))
  const conversations = await sql<{ id: string }[]>`select id from conversations order by id`
  expect(conversations).toHaveLength(customers)
  whatsapp.behave(slow(30))
  /** Sends one reply per conversation, alternating between the processes. */
  const answer = (from: number, to: number, by: ServiceProcess[] = services) =>
    Promise.all(
      conversations.slice(from, to).map(({ id }, n) =>
        shop.expect(201, by[n % by.length]!.url, 'POST', `/v1/conversations/${id}/messages`, {
          text: `Reply ${from + n}`,
          idempotencyKey: `reply-${from + n}`,
        }),
      ),
    )
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
  cleanups.push(() => frozen.signal('SIGCONT'))
  await answer(customers / 2, customers, [other])
  await eventually('the other process has taken over', async () => (await holderOf(sql, services)) === other, 20_000)
  await eventually(
    'messages not yet started are sent',
    async () => {
      const [row] = await sql`
        select not exists (select 1 from messages where status = 'queued' and begun_at is null) as done`
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
  cleanups.push(() => other.signal('SIGCONT'))
  await killed.end('SIGKILL')
  const begun = await sql<{ id: string }[]>`
    update messages set due_at = now() where begun_at is not null and status = 'queued' returning id`
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
