/** Tests of several processes with one channel. The provider does not know our ids, and each message is sent once. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { slow } from '../support/stand-in.ts'
import { startWhatsApp } from '../support/whatsapp.ts'
import { eventually } from '../support/world.ts'
import { callBackUntilTaken, callbackOf, useProcesses } from './support.ts'

setDefaultTimeout(90_000)

const { start, atEnd } = useProcesses()

const customers = 200

test('sends no message twice when a frozen process resumes after a takeover, and when a process is killed', async () => {
  const whatsapp = await startWhatsApp()
  atEnd(whatsapp.stop)
  const { sql, services, shop, callbackUrls } = await start({ behaviours: [], processes: 2, whatsapp })
  const messages = Array.from({ length: customers }, (_, n) => ({ from: `+49154${10_000_000 + n}`, text: 'Hello' }))
  await callBackUntilTaken(() => callbackUrls[0]!, whatsapp, callbackOf(whatsapp, ...messages))
  const conversations = await sql<{ id: string }[]>`select id from conversations order by id`
  expect(conversations).toHaveLength(customers)
  whatsapp.behave(slow(30))

  /** Sends one reply per conversation, alternating between the processes, 20 at a time. */
  const replies: string[] = []
  const reply = async (from: number, to: number, by = services) => {
    for (let n = from; n < to; n += 20) {
      const some = conversations.slice(n, Math.min(n + 20, to)).map(({ id }, at) => {
        const text = `Reply ${replies.length}`
        replies.push(text)
        const body = { text, idempotencyKey: text }
        return shop.expect(201, by[at % by.length]!.url, 'POST', `/v1/conversations/${id}/messages`, body)
      })
      await Promise.all(some)
    }
  }
  /** Returns the process that holds the lease of the channel. */
  const holder = () =>
    eventually('a process has the channel', async () => {
      const rows = await sql<{ pid: number }[]>`
        select p.pid from leases l join processes p on p.id = l.holder where l.kind = 'channel'`
      return services.find(({ pid }) => rows.some(row => row.pid === pid))
    })
  const otherThan = (one: unknown) => services.find(service => service !== one)!
  const none = (what: string, condition: string) =>
    eventually(
      what,
      async () => (await sql.unsafe(`select from messages where ${condition} limit 1`)).length === 0,
      30_000,
    )
  const statuses = async () => {
    const rows = await sql<{ status: string; count: number }[]>`
      select status, count(*)::integer as count from messages where direction = 'outbound' group by status`
    return { sent: 0, unknown: 0, ...Object.fromEntries(rows.map(({ status, count }) => [status, count])) }
  }
  const sentTexts = () => whatsapp.sent.map(({ text }) => text)

  await reply(0, customers / 2)
  await whatsapp.untilSent(10)
  const frozen = await holder()
  frozen.signal('SIGSTOP')
  atEnd(() => frozen.signal('SIGCONT'))
  await reply(customers / 2, customers, [otherThan(frozen)])
  await eventually('the other process has taken over', async () => (await holder()) !== frozen, 20_000)
  await none('messages not yet started are sent', `status = 'queued' and send_started_at is null`)
  frozen.signal('SIGCONT')
  // The frozen process settles its own in-flight messages, because it knows their results.
  await none('every message has its outcome', 'due_at is not null')
  expect(sentTexts().toSorted()).toEqual(replies.toSorted())
  const before = await statuses()
  expect(before.sent + before.unknown).toBe(customers)

  await reply(0, customers)
  await whatsapp.untilSent(customers + 10)
  const killed = await holder()
  const other = otherThan(killed)
  // Pauses the other process until it is known which messages the killed one had started.
  other.signal('SIGSTOP')
  atEnd(() => other.signal('SIGCONT'))
  await killed.end('SIGKILL')
  const begun = await sql<{ id: string }[]>`
    update messages set due_at = now() where send_started_at is not null and status = 'queued' returning id`
  other.signal('SIGCONT')
  await none('every message has its outcome', 'due_at is not null')
  const texts = sentTexts()
  expect(new Set(texts).size).toBe(texts.length)
  expect(await statuses()).toEqual({
    sent: before.sent + customers - begun.length,
    unknown: before.unknown + begun.length,
  })
  const rows = await sql<{ text: string }[]>`select text from messages where status = 'sent'`
  expect(rows.filter(({ text }) => !texts.includes(text))).toEqual([])
})
