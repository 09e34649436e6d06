/**
 * Tests that a lost lease does not send a message twice, with two channel actors as in two processes on one database.
 */
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { channelActors } from '../../../src/app/workers/channel.ts'
import {
  type Capabilities,
  type OutboundMessage,
  type Providers,
  providers,
  type SendError,
  type SendResult,
} from '../../../src/messaging/channels/index.ts'
import { enqueueMessages, type NewMessage, settle } from '../../../src/messaging/messages/index.ts'
import type { Database } from '../../../src/platform/postgres/client.ts'
import { readTransactionSnapshot, Watermark } from '../../../src/platform/postgres/watermark.ts'
import { startKey } from '../../../src/queue/queue.ts'
import { newWorkspace, useDatabase } from '../../support/database.ts'
import { eventually } from '../../support/world.ts'

const database = useDatabase()
let sql: Database
let workspaceId: string
let channelId: string
let customerId: string
const { signal } = new AbortController()
/** Lines of the log. */
const lines: Record<string, unknown>[] = []
const log = pino({ level: 'debug' }, { write: line => lines.push(JSON.parse(line)) })

beforeAll(async () => {
  sql = database.sql
  workspaceId = await newWorkspace(sql)
  const [channel] = await sql<{ id: string }[]>`
    insert into channels (workspace_id, kind, name) values (${workspaceId}, 'sandbox', 'Sandbox') returning id`
  const [customer] = await sql<{ id: string }[]>`
    insert into customers (workspace_id, phone) values (${workspaceId}, '+4915112345678') returning id`
  channelId = channel!.id
  customerId = customer!.id
})

const queue = async (text: string, more: Partial<NewMessage> = {}): Promise<string> => {
  const message = {
    workspaceId,
    customerId,
    channelId,
    handle: '+4915112345678',
    text,
    template: null,
    sentBy: null,
    writtenBy: null,
    skipped: null,
    ...more,
  }
  const [row] = await sql<{ id: string }[]>`with ${enqueueMessages(sql, [message])} select id from queued`
  return row!.id
}

const statusOf = async (id: string) => {
  const [row] = await sql`
    select status, provider_message_id as provider, due_at as "dueAt", send_started_at is not null as "sendStarted", retries
    from messages where id = ${id}`
  return row!
}

/** Returns the actors of a process. By default its provider does not recognise our ids. */
const actorsWith = (
  send: Providers['sandbox']['send'],
  {
    onLate,
    onHandover,
    ...capabilities
  }: Partial<Capabilities> & { onLate?: (ms: number) => void; onHandover?: (ms: number) => void } = {},
) => {
  const all = { ...providers.sandbox.capabilities, isIdempotent: false, ...capabilities }
  return channelActors({
    log,
    sql,
    watermark: new Watermark(() => readTransactionSnapshot(sql)),
    providers: { ...providers, sandbox: { ...providers.sandbox, capabilities: all, send } },
    ...(onLate && { onLate }),
    ...(onHandover && { onHandover }),
  })
}

/** Returns a process with a provider whose answers the test gives. */
const aProvider = () => {
  const handed = new Map<string, (result: SendResult) => void>()
  const handovers: number[] = []
  let count = 0
  const actors = actorsWith(
    ({ id }) => {
      count++
      return new Promise(resolve => handed.set(id, resolve))
    },
    { onHandover: ms => handovers.push(ms) },
  )
  return { actors, handed, handovers, count: () => count }
}

const actor = () => ({ kind: 'channel', workspaceId, id: channelId })

type Message = Awaited<ReturnType<ReturnType<typeof aProvider>['actors']['read']>>[number]

/** Lets a process read the due messages and send the one with this id. Resolves when its provider has it. */
const handOver = async (one: ReturnType<typeof aProvider>, id: string, read?: Message) => {
  const message = read ?? (await one.actors.read(actor(), 200, [])).find(found => found.id === id)!
  const sending = one.actors.handle(actor(), message, signal, () => {})
  const answer = await eventually('it is handed over', () => one.handed.get(id))
  return { id, sending, answer }
}

const accepted = (providerMessageId: string, status?: 'delivered'): SendResult => ({
  kind: 'accepted',
  providerMessageId,
  statuses: status ? [{ status, detail: null }] : [],
})

test('marks a message before the provider gets it, and another process that read it does not send it', async () => {
  const id = await queue('once')
  const [one, other] = [aProvider(), aProvider()]
  const [[first], [second]] = await Promise.all([one.actors.read(actor(), 10, []), other.actors.read(actor(), 10, [])])
  const { sending, answer } = await handOver(one, id, first)
  expect(await statusOf(id)).toMatchObject({ status: 'queued', sendStarted: true })

  await other.actors.handle(actor(), second!, signal, () => {})
  expect(other.count()).toBe(0)
  expect(await other.actors.read(actor(), 10, [])).toEqual([])

  answer(accepted('p1', 'delivered'))
  expect(await sending).toBe('success')
  expect(await statusOf(id)).toMatchObject({ status: 'delivered', provider: 'p1', dueAt: null })
})

/** Ends the pause that a provider requested or a refusal caused. */
const noMoreRest = () => sql`
  update channels set paused_until = null, status = 'connected', status_detail = null where id = ${channelId}`

test('a missing answer of the provider reduces the concurrency limit of the channel', async () => {
  const { sending, answer } = await handOver(aProvider(), await queue('silence'))
  answer({ kind: 'unknown', detail: 'The provider did not answer.' })
  expect(await sending).toBe('none')
})

test('logs an attempt that failed at info without the text of the provider, and others at debug', async () => {
  const [failed, sent] = [
    await handOver(aProvider(), await queue('failed')),
    await handOver(aProvider(), await queue('sent')),
  ]
  failed.answer({
    kind: 'refused',
    error: { class: 'permanent', code: '21211', detail: 'To +49 is wrong', retryAfterMs: null },
  })
  sent.answer(accepted('p-log'))
  await Promise.all([failed.sending, sent.sending])
  const linesOf = (id: string) => lines.filter(({ messageId }) => messageId === id)
  const common = { msg: 'message attempted', workspaceId, channelId, durationMs: expect.any(Number) }
  expect(linesOf(failed.id)).toMatchObject([{ ...common, level: 30, status: 'failed' }])
  expect(linesOf(sent.id)).toMatchObject([{ ...common, level: 20, status: 'sent' }])
  expect(JSON.stringify(lines)).not.toContain('+49')
})

test('deferring a message twice does not remove the mark of a process that started it in the meantime', async () => {
  const id = await queue('put off')
  const [one, other] = [aProvider(), aProvider()]
  const first = await handOver(one, id)
  first.answer({ kind: 'refused', error: { class: 'retry', code: null, detail: 'Later.', retryAfterMs: 1000 } })
  await first.sending

  await sql`update messages set due_at = now() where id = ${id}`
  const second = await handOver(other, id)
  await settle(sql, [{ workspaceId, id, retries: 0, afterMs: 0 }])
  expect(await statusOf(id)).toMatchObject({ sendStarted: true, retries: 1 })
  second.answer(accepted('p4'))
  await second.sending
  expect(await statusOf(id)).toMatchObject({ status: 'sent', provider: 'p4' })
  // Only the attempt that the provider accepted is a handover.
  expect([one.handovers.length, other.handovers.length]).toEqual([0, 1])
})

test('a locked message is started and settled after it is unlocked, and others immediately', async () => {
  const one = aProvider()
  const [held, other] = [await queue('held'), await queue('other')]
  const due = (await one.actors.read(actor(), 200, [])).filter(({ id }) => [held, other].includes(id))
  /** Locks the message during the work. */
  const whileLocked = (work: () => Promise<unknown>) =>
    sql.begin(async tx => {
      await tx`select 1 from messages where id = ${held} for update`
      await work()
    })
  let sendings: Promise<unknown>[] = []
  await whileLocked(async () => {
    sendings = due.map(message => one.actors.handle(actor(), message, signal, () => {}))
    await eventually('the other is handed over', () => one.handed.has(other), 3000)
    one.handed.get(other)!(accepted(other))
    await eventually('the other is settled', async () => (await statusOf(other)).status === 'sent', 3000)
  })
  await Promise.all(sendings)
  expect(one.handed.has(held)).toBe(false)
  expect(await statusOf(held)).toMatchObject({ status: 'queued', sendStarted: false })

  const [{ sending, answer }, third] = [await handOver(one, held), await handOver(one, await queue('third'))]
  await whileLocked(async () => {
    answer(accepted(held))
    third.answer(accepted('third'))
    await eventually('the third is settled', async () => (await statusOf(third.id)).status === 'sent', 3000)
    expect(await statusOf(held)).toMatchObject({ status: 'queued' })
  })
  await Promise.all([sending, third.sending])
  expect(await statusOf(held)).toMatchObject({ status: 'sent', provider: held })
})

const accept = async () => accepted(randomUUID())
test('late messages do not count as our delay if the provider is sometimes slow, and on other channels they do', async () => {
  const late: number[] = []
  let send = accept
  const actors = actorsWith(() => send(), { isIdempotent: true, onLate: ms => late.push(ms) })
  /** Sends a message that was due long ago. */
  const sendLate = async (channel = actor()) => {
    const id = await queue('late')
    await sql`update messages set due_at = now() - interval '10 seconds' where id = ${id}`
    const message = (await actors.read(actor(), 200, [])).find(found => found.id === id)
    await actors.handle(channel, message!, signal, () => {})
  }
  const tells = async (channel = actor()) => {
    const { length } = late
    await eventually('it is reported', async () => {
      await sendLate(channel)
      return late.length > length
    })
  }
  await tells()
  expect(late[0]).toBeGreaterThan(9000)

  send = () => sleep(300).then(accept)
  for (let count = 0; count < 5; count++) await sendLate()
  send = accept
  const { length } = late
  await sendLate()
  expect(late).toHaveLength(length)
  await tells({ ...actor(), id: randomUUID() })
})

describe('a provider that', () => {
  /** Returns a process whose provider answers with `answer` and has the given rate limit. */
  const aProcess = (answer: (message: OutboundMessage) => SendResult, rateLimit: Capabilities['rateLimit'] = null) => {
    const handed: { id: string; at: number }[] = []
    const actors = actorsWith(
      async message => {
        handed.push({ id: message.id, at: performance.now() })
        return answer(message)
      },
      { rateLimit },
    )
    /** Reads a page and handles it, as an activation does. */
    const work = async () => {
      const page = await actors.read(actor(), 50, [])
      await Promise.all(page.map(message => actors.handle(actor(), message, signal, () => {})))
      return page.length
    }
    return { actors, handed, work }
  }
  const taken = () => accepted(randomUUID())
  const refusing = (error: Partial<SendError>) => (): SendResult => ({
    kind: 'refused',
    error: { class: 'permanent', code: null, detail: 'No.', retryAfterMs: null, ...error },
  })
  const channel = async () => {
    const [row] = await sql`
      select status, status_detail as detail, paused_until > now() as rests from channels where id = ${channelId}`
    return row!
  }
  const endRest = () => sql`
    with woken as (update channels set paused_until = now() where id = ${channelId})
    update messages set due_at = now() where channel_id = ${channelId} and status = 'queued'`

  beforeEach(async () => {
    await sql`update messages set status = 'skipped', due_at = null where due_at is not null`
    await noMoreRest()
  })

  test('rejects our credentials sets the channel to failing, and gets one message at a time until it accepts one', async () => {
    const ids = [await queue('one'), await queue('two'), await queue('three')]
    let answer: () => SendResult = refusing({ class: 'auth', code: '190', detail: 'The token is expired.' })
    const { handed, work, actors } = aProcess(() => answer())
    await work()
    const first = handed.length
    expect(await channel()).toEqual({ status: 'failing', detail: 'The token is expired. (code 190)', rests: true })
    expect(await actors.read(actor(), 50, [])).toEqual([])
    expect(await actors.dueInMs(actor())).toBeGreaterThan(20_000)

    await endRest()
    await work()
    expect(handed).toHaveLength(first + 1)
    expect((await channel()).rests).toBe(true)

    answer = taken
    await endRest()
    await work()
    expect(await channel()).toMatchObject({ status: 'connected', detail: null })
    await eventually('the rejected ones follow', async () => {
      await work()
      const { status } = await statusOf(ids[0]!)
      return status === 'sent'
    })
    await work()
    for (const id of ids) expect(await statusOf(id)).toMatchObject({ status: 'sent' })
  })

  test('asks for a pause gets one from every process, and no message fails because of it', async () => {
    const ids = [await queue('one'), await queue('two')]
    let answer: () => SendResult = refusing({ class: 'rate', code: '130429', retryAfterMs: 60_000 })
    const [one, other] = [aProcess(() => answer()), aProcess(() => answer())]
    for (let count = 0; count < 8; count++) {
      await endRest()
      await one.work()
    }
    expect(await channel()).toMatchObject({ status: 'connected', rests: true })
    expect(await other.actors.read(actor(), 50, [])).toEqual([])
    expect(await other.actors.dueInMs(actor())).toBeGreaterThan(50_000)
    const { due } = await other.actors.findDue(startKey, 100)
    expect(due).toEqual([])
    answer = taken
    await endRest()
    await other.work()
    for (const id of ids) expect(await statusOf(id)).toMatchObject({ status: 'sent' })
  })

  test('has a rate limit gets messages evenly spaced within it', async () => {
    for (let count = 0; count < 8; count++) await queue(`paced ${count}`)
    const { handed, work } = aProcess(taken, { perSecond: 20, perHandleMs: null })
    while ((await work()) > 0);
    expect(handed).toHaveLength(8)
    expect(handed[7]!.at - handed[0]!.at).toBeGreaterThan(320)
  })

  test('reports an opt-out opts the customer out once and fails the message', async () => {
    const other = { customerId: randomUUID(), handle: '+4915112340002' }
    await sql`
      insert into customers (workspace_id, id, phone) values (${workspaceId}, ${other.customerId}, ${other.handle})`
    const id = await queue('no', other)
    const { work } = aProcess(refusing({ class: 'opted_out', code: '21610', detail: 'Not any more.' }))
    await work()
    expect(await statusOf(id)).toMatchObject({ status: 'failed', dueAt: null })
    const [customer] = await sql`
      select opted_out_at is not null as out, opt_out_reason as reason from customers where id = ${other.customerId}`
    expect(customer).toEqual({ out: true, reason: 'Not any more. (code 21610)' })
    const told = await sql`
      select 1 from outbound_events where type = 'customer.opted_out' and data ->> 'handle' = '+4915112340002'`
    expect(told).toHaveLength(1)
  })
})
