/** Tests of two processes on one database with racing calls. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { spawnProcess, startProcess } from '../support/process.ts'
import {
  expectAllToldTo,
  expectBooksToBalance,
  type Order,
  openShop,
  owner,
  type Sent,
  type Started,
  sendOrder,
  useProcesses,
} from './support.ts'

setDefaultTimeout(60_000)

describe('starting', () => {
  const { prepare } = useProcesses()

  test('starts three processes on an empty database: one migrates and one creates the workspace', async () => {
    const { sql, receiver, settings } = await prepare({ empty: true })
    const services = await Promise.all([1, 2, 3].map(() => startProcess(settings)))

    const said = (msg: string) => services.filter(({ lines }) => lines.some(line => line.msg === msg)).length
    expect(said('database migrated')).toBe(1)
    expect(said('first workspace created')).toBe(1)
    const [made] = await sql`
      select (select count(*)::integer from workspaces) as workspaces, (select count(*)::integer from users) as users,
        (select array_agg(email) from users) as emails, (select count(*)::integer from processes) as processes`
    expect({ ...made }).toEqual({ workspaces: 1, users: 1, emails: [owner.email], processes: 3 })
    for (const { url } of services) expect((await fetch(`${url}/readyz`)).status).toBe(200)

    const shop = await openShop(services[0]!.url, [receiver])
    const sent = await Promise.all(
      Array.from({ length: 30 }, (_, index) => sendOrder(services[index % 3]!.url, shop.key)),
    )
    await expectBooksToBalance(sql, sent)
    await expectAllToldTo(sql, [receiver])
    for (const service of services) expect(service.complaints).toBe('')
  })

  test('exits with one error message when the port is in use, and leaves the work to the first process', async () => {
    const { receiver, settings } = await prepare({ empty: true })
    const first = await startProcess(settings)
    const shop = await openShop(first.url, [receiver])
    const { port } = new URL(first.url)
    const second = spawnProcess({ ...settings, PORT: port })
    expect(await second.ended).toMatchObject({ code: 1 })
    expect(second.complaints).toBe(
      `Cannot listen on 127.0.0.1:${port} (HOST, PORT): another program uses this port; stop it, or set PORT to a free port.\n`,
    )
    await sendOrder(first.url, shop.key)
    await receiver.waitFor(1, 2000)
  })
})

describe('200 concurrent events', () => {
  const { start } = useProcesses(afterAll)
  let { sql, services, shop } = {} as Started
  beforeAll(async () => {
    ;({ sql, services, shop } = await start({ behaviours: [], processes: 2 }))
  })

  const tally = (sent: Sent[]) => {
    const counts: Record<string, number> = {}
    for (const { status } of sent) counts[String(status)] = (counts[String(status)] ?? 0) + 1
    return counts
  }

  /** Sends `count` orders concurrently, spread over the processes. */
  const sendAtOnce = (count: number, processes: number, order: (index: number) => Order) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        sendOrder(services[(index * 7) % processes]!.url, shop.key, order(index)),
      ),
    )

  const customersWith = async (phone: string) => (await sql`select id from customers where phone like ${phone}`).length

  test.each([1, 2])('with one idempotency key are recorded as one event (processes: %i)', async processes => {
    const order = { idempotencyKey: `same-${processes}`, phone: `+4915299000${processes}` }
    const sent = await sendAtOnce(200, processes, () => order)
    expect(tally(sent)).toEqual({ '201': 1, '200': 199 })
    expect(new Set(sent.map(({ body }) => body.event.id)).size).toBe(1)
    expect(sent.filter(({ status, body }) => body.recorded !== (status === 201))).toEqual([])
    const rows = await sql`select id from events where idempotency_key = ${order.idempotencyKey}`
    expect(rows.length).toBe(1)
    expect(await customersWith(order.phone)).toBe(1)
    await expectBooksToBalance(sql, sent)
  })

  test.each([1, 2])(
    'without keys, for one new phone, are 200 events of one customer (processes: %i)',
    async processes => {
      const phone = `+4915299100${processes}`
      const sent = await sendAtOnce(200, processes, () => ({ idempotencyKey: null, phone }))
      expect(tally(sent)).toEqual({ '201': 200 })
      expect(new Set(sent.map(({ body }) => body.event.customerId)).size).toBe(1)
      expect(await customersWith(phone)).toBe(1)
      await expectBooksToBalance(sql, sent)
    },
  )

  test('or 80, each with the opt-in of the same new customer, are as many events', async () => {
    const phone = '+49152993001'
    const sent = await sendAtOnce(80, 2, index => ({ phone, optIn: { evidence: `box ${index}` } }))
    expect(tally(sent)).toEqual({ '201': 80 })
    expect(await customersWith(phone)).toBe(1)
  })

  test('with 20 keys, each for a different phone, are 20 events of 20 customers', async () => {
    const sent = await sendAtOnce(200, 2, index => ({
      idempotencyKey: `mixed-${index % 20}`,
      phone: `+49152992${String(index % 20).padStart(3, '0')}`,
    }))
    expect(tally(sent)).toEqual({ '201': 20, '200': 180 })
    expect(await customersWith('+49152992%')).toBe(20)
    await expectBooksToBalance(sql, sent)
  })

  test('count once each for the month', async () => {
    const [counted] = await sql`
      select (select count(*)::integer from events) as events, (select sum(recorded)::integer from event_usage) as used`
    expect(counted!.used).toBe(counted!.events)
  })
})
