/** Tests of PostgreSQL outages: a restart, a lost network, ended connections, a frozen server. Nothing is lost. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withRetry } from '../../src/platform/postgres/client.ts'
import type { ServiceProcess } from '../support/process.ts'
import { use } from '../support/use.ts'
import { startWhatsApp } from '../support/whatsapp.ts'
import { eventually } from '../support/world.ts'
import {
  after,
  booksOfMessages,
  type CalledBack,
  callBack,
  callBackUntilTaken,
  callbackOf,
  connectionsLost,
  expectNothingLost,
  expectOnlyRecordsOrEnvelopes,
  expectTakenOrToComeAgain,
  type Load,
  pause,
  recordedOf,
  type Started,
  sendOrder,
  since,
  startOwnPostgres,
  terminate,
  useProcesses,
} from './support.ts'

setDefaultTimeout(90_000)

const { start, atEnd } = useProcesses()

/** Server that only these tests use, because they restart and freeze it. */
const postgres = use(startOwnPostgres)
const whatsapp = use(startWhatsApp)

/** Maximum time until the service works again after PostgreSQL is back, in milliseconds. */
const recoveryMs = 5000

/** Polls /readyz and records the statuses without repeats. */
const watchReadiness = (service: ServiceProcess) => {
  const seen: number[] = []
  let going = true
  const done = (async () => {
    while (going) {
      const { status } = await fetch(`${service.url}/readyz`)
      if (seen.at(-1) !== status) seen.push(status)
      await pause(5)
    }
  })()
  return {
    seen,
    stop: async () => {
      going = false
      await done
    },
  }
}

/** Returns the milliseconds until an order that is sent after this call is recorded. */
const nextRecord = async (load: Load): Promise<number> => {
  const from = performance.now()
  const first = await eventually('an order is recorded', () =>
    recordedOf(load.sent).find(({ sentAt }) => sentAt > from),
  )
  return Math.round(first.answeredAt - from)
}

let people = 0

/** Sends callbacks of customers who each write one message. */
const startCallbacks = (url: string, callers = 8) => {
  const sent: { id: string; body: string; askedAt: number; answer: CalledBack }[] = []
  let going = true
  const caller = async () => {
    while (going) {
      const id = `wamid.${++people}`
      const body = callbackOf(whatsapp, { from: `+49152${String(10_000_000 + people)}`, text: 'Hello', id })
      const askedAt = performance.now()
      sent.push({ id, body, askedAt, answer: await callBack(url, whatsapp, body) })
      await pause(5)
    }
  }
  const done = Promise.all(Array.from({ length: callers }, caller))
  return {
    taken: () => sent.filter(({ answer }) => answer.status === 200),
    stop: async () => {
      going = false
      await done
      return sent
    },
  }
}

/** Fails unless each callback answered with 200 was recorded once, and each other one had to be, and can be, repeated. */
const expectCallbacksKept = async (
  { sql, callbackUrls }: Started,
  sent: Awaited<ReturnType<ReturnType<typeof startCallbacks>['stop']>>,
) => {
  for (const { answer } of sent) expectTakenOrToComeAgain(answer)
  expect(sent.map(({ answer }) => answer.status)).not.toContain(null)
  const once = (n: number) => ({ messages: n, distinct: n, customers: n, conversations: n })
  const taken = sent.filter(({ answer }) => answer.status === 200).map(({ id }) => id)
  expect(await booksOfMessages(sql, taken)).toMatchObject(once(taken.length))
  await Promise.all(sent.map(({ body }) => callBackUntilTaken(() => callbackUrls[0]!, whatsapp, body)))
  const n = sent.length
  const all = { ...once(n), allConversations: n, allCustomers: n, unread: n, told: n }
  const ids = sent.map(({ id }) => id)
  expect(await booksOfMessages(sql, ids)).toEqual(all)
}

interface Outage {
  started: Started
  load: Load
  readiness: ReturnType<typeof watchReadiness>
}

const restart = (mode: 'fast' | 'immediate') => ({
  wanted: async () => ({ url: await postgres.ensureDatabase(`restart_${mode}`) }),
  strike: () => postgres.restart(mode),
  isUnready: true,
})

const outages = {
  'PostgreSQL is restarted (fast)': restart('fast'),
  'PostgreSQL is restarted (immediate)': restart('immediate'),
  'the database is unreachable': {
    wanted: () => ({ proxied: true }),
    strike: async ({ started: { proxy }, load, readiness }: Outage) => {
      await proxy.refuse()
      const awayAt = performance.now()
      await eventually('it is not ready', () => readiness.seen.at(-1) === 503)
      const faults = () => load.sent.filter(({ status, answeredAt }) => status === 503 && answeredAt > awayAt).length
      await eventually('callers get an error', () => faults() > 8 && since(awayAt) > 3000)
      await proxy.accept()
    },
    isUnready: true,
  },
  'connections are ended repeatedly': {
    wanted: () => ({}),
    strike: async ({ started: { sql }, load }: Outage) => {
      for (let round = 0; round < 6; round++) {
        await eventually('connections are ended', async () => (await terminate(sql, 'customer-engagement%')) > 0)
        expect(await nextRecord(load)).toBeLessThan(recoveryMs)
      }
    },
    isUnready: false,
  },
}

test.each(Object.entries(outages))(
  'answers with 201 or a retryable 503, recovers and loses nothing when %s under load',
  async (_, { wanted, strike, isUnready }) => {
    const started = await start({
      behaviours: [after(100)],
      errors: connectionsLost,
      whatsapp,
      ...(await wanted()),
    })
    const { service, receiver, shop, ask, sql } = started
    await ask(200, 'PATCH', `/v1/webhooks/${shop.webhooks[0]}`, { events: ['message.status', 'message.received'] })
    const load = started.load()
    const callbacks = startCallbacks(started.callbackUrls[0]!)
    const readiness = watchReadiness(service)
    await receiver.waitFor(50, 15_000)
    await eventually('callbacks are accepted', () => callbacks.taken().length > 50)

    await strike({ started, load, readiness })
    const backAt = performance.now()
    const told = receiver.requests.length
    await nextRecord(load)
    await receiver.waitFor(told + 1, recoveryMs)
    await eventually('callbacks too', () => callbacks.taken().some(({ askedAt }) => askedAt > backAt), recoveryMs)
    await eventually('it is ready again', () => readiness.seen.at(-1) === 200, recoveryMs)
    expect(since(backAt)).toBeLessThan(recoveryMs)

    await readiness.stop()
    const [sent, calledBack] = [await load.stop(), await callbacks.stop()]
    expectOnlyRecordsOrEnvelopes(sent)
    if (isUnready) expect(readiness.seen).toContain(503)
    await withRetry(async () => sql`select 1`)
    await expectCallbacksKept(started, calledBack)
    await expectNothingLost(started, sent)
    expect(service.complaints).toBe('')
    expect(await service.end()).toMatchObject({ code: 0 })
  },
)

test('reconnects a disconnected listener before the next webhook is late', async () => {
  const { sql, service, shop, receiver } = await start({ errors: connectionsLost })
  for (let round = 0; round < 5; round++) {
    await eventually('the listener is cut off', async () => (await terminate(sql, '%listener')) === 1)
    const { sentAt } = await sendOrder(service.url, shop.key)
    await receiver.waitFor(round + 1)
    expect(since(sentAt)).toBeLessThan(2000)
  }
  await eventually('the listener is back', async () => (await fetch(`${service.url}/readyz`)).ok)
})

const calls: [string, string, object?][] = [
  ['POST', '/v1/events', { type: 'order', phone: '+4915100000001', data: {}, idempotencyKey: 'frozen' }],
  ['POST', '/v1/events', { type: 'order', phone: '+4915100000002', data: {} }],
  ['POST', '/v1/events/batch', { events: [{ type: 'order', phone: '+4915100000003', data: {} }] }],
  ['POST', '/v1/events/check', { type: 'order', phone: '+4915100000004', data: {} }],
  ['GET', '/v1/customers'],
  ['POST', '/v1/customers/00000000-0000-7000-8000-000000000000/opt-out', { reason: 'test' }],
]

const callAll = ({ service, shop }: Started) =>
  Promise.all(
    calls.map(async ([method, path, body]) => {
      const askedAt = performance.now()
      const response = await fetch(`${service.url}${path}`, {
        method,
        headers: { 'X-API-Key': shop.key, 'Content-Type': 'application/json' },
        body: body && JSON.stringify(body),
      })
      const { error } = await response.json()
      return { path, status: response.status, afterMs: performance.now() - askedAt, reason: error?.details?.reason }
    }),
  )

test('answers every call with 503 within 10 seconds while PostgreSQL is frozen, and recovers with it', async () => {
  const started = await start({ behaviours: [], url: await postgres.ensureDatabase('frozen') })
  await callAll(started)
  const pids = serverPids()
  expect(pids.length).toBeGreaterThan(5)
  const send = (signal: NodeJS.Signals) => Bun.spawnSync(['kill', `-${signal}`, ...pids.map(String)])
  atEnd(() => send('SIGCONT'))
  send('SIGSTOP')
  for (const { path, status, afterMs, reason } of await callAll(started)) {
    expect([path, status, reason]).toEqual([path, 503, 'database_unavailable'])
    expect(afterMs, path).toBeLessThan(10_000)
  }
  send('SIGCONT')
  await eventually('the service is ready', async () => (await fetch(`${started.service.url}/readyz`)).ok, 30_000)
  await eventually(
    'events are recorded',
    async () => (await callAll(started)).slice(0, 3).every(({ status }) => status === 201 || status === 200),
    30_000,
  )
})

/** Returns the processes of the own server: the first one and its children. */
const serverPids = (): number[] => {
  const pidFile = join(postgres.dataDir, 'postgres/data/postmaster.pid')
  const first = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  const parentOf = (pid: number) => {
    try {
      return Number(/\) \S+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))![1])
    } catch {
      return null
    }
  }
  const all = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return [first, ...all.map(Number).filter(pid => parentOf(pid) === first)]
}
