/** Tests of PostgreSQL outages: a crash, a lost network, ended connections, a frozen server. Nothing is lost. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts'
import { transaction, withRetry } from '../../src/platform/postgres/client.ts'
import type { ServiceProcess } from '../support/process.ts'
import { use } from '../support/use.ts'
import { startWhatsApp } from '../support/whatsapp.ts'
import { eventually } from '../support/world.ts'
import { type Fault, prove } from './faults.ts'
import {
  after,
  booksOfMessages,
  type CalledBack,
  callBack,
  callBackUntilTaken,
  callbackOf,
  connectionsLost,
  expectOnlyRecordsOrEnvelopes,
  expectTakenOrToComeAgain,
  type Load,
  pause,
  recordedOf,
  repeat,
  type Started,
  since,
  startOwnPostgres,
  terminate,
  useProcesses,
} from './support.ts'

setDefaultTimeout(150_000)

const { start, atEnd } = useProcesses()

/** Server that only these tests use, because they restart and freeze it. */
const postgres = use(startOwnPostgres)
const whatsapp = use(startWhatsApp)

/** Maximum time until the service has replaced connections that hang, in milliseconds. */
const silenceMs = 25_000

/** Time for which each lock is held, in milliseconds. */
const lockedMs = 200

/** Maximum time until the service works again after PostgreSQL is back, in milliseconds. */
const recoveryMs = 5000

/** Polls /readyz and records the statuses without repeats. */
const watchReadiness = (service: ServiceProcess) => {
  const seen: number[] = []
  const stop = repeat(1, async () => {
    const { status } = await fetch(`${service.url}/readyz`)
    if (seen.at(-1) !== status) seen.push(status)
    await pause(5)
  })
  return { seen, stop }
}

/** Returns the milliseconds until an order that is sent after this call is recorded. */
const nextRecord = async (load: Load): Promise<number> => {
  const from = performance.now()
  const first = await eventually('an order is recorded', () =>
    recordedOf(load.sent).find(({ sentAt }) => sentAt > from),
  )
  return Math.round(first.answeredAt - from)
}

/** Number of customers who wrote so far. */
let people = 0

/** Sends callbacks of customers who each write one message. */
const startCallbacks = (url: string) => {
  const sent: { id: string; body: string; askedAt: number; answer: CalledBack }[] = []
  const stop = repeat(8, async () => {
    const id = `wamid.${++people}`
    const body = callbackOf(whatsapp, { from: `+49152${String(10_000_000 + people)}`, text: 'Hello', id })
    const askedAt = performance.now()
    sent.push({ id, body, askedAt, answer: await callBack(url, whatsapp, body) })
    await pause(5)
  })
  return { sent, stop, taken: () => sent.filter(({ answer }) => answer.status === 200) }
}

/** Fails unless each callback answered with 200 was recorded once, and each other one had to be, and can be, repeated. */
const expectCallbacksKept = async (
  { sql, callbackUrls }: Started,
  { sent, taken }: ReturnType<typeof startCallbacks>,
) => {
  for (const { answer } of sent) expectTakenOrToComeAgain(answer)
  expect(sent.map(({ answer }) => answer.status)).not.toContain(null)
  const once = (n: number) => ({ messages: n, distinct: n, customers: n, conversations: n })
  const idsOfTaken = taken().map(({ id }) => id)
  expect(await booksOfMessages(sql, idsOfTaken)).toMatchObject(once(idsOfTaken.length))
  await Promise.all(sent.map(({ body }) => callBackUntilTaken(() => callbackUrls[0]!, whatsapp, body)))
  const all = { allConversations: people, allCustomers: people, unread: people, told: people }
  const ids = sent.map(({ id }) => id)
  expect(await booksOfMessages(sql, ids)).toEqual({ ...once(sent.length), ...all })
}

/** Tables with rows that the work on an order reads or changes. */
const hotTables = [
  ...'workspaces customers event_usage hourly_stat_changes workflows workflow_runs channels conversations'.split(' '),
  ...'messages outbound_events webhooks webhook_health deliveries leases processes'.split(' '),
]

test('answers with 201 or a retryable 503, recovers and loses nothing in each outage under load', async () => {
  const url = await postgres.ensureDatabase('outages')
  const started = await start({ behaviours: [after(100)], errors: connectionsLost, whatsapp, url, proxied: true })
  const { service, shop, ask, sql, proxy } = started
  await ask(200, 'PATCH', `/v1/webhooks/${shop.webhooks[0]}`, { events: ['message.status', 'message.received'] })

  const connectionsEndRepeatedly = async (load: Load) => {
    for (let round = 0; round < 4; round++) {
      const ended = () => withRetry(() => terminate(sql, 'customer-engagement%'))
      await eventually('connections are ended', async () => (await ended()) > 0)
      expect(await nextRecord(load)).toBeLessThan(recoveryMs)
    }
  }
  const callersGetErrors = (load: Load, forMs = 0) => {
    const from = performance.now()
    const errors = () => load.sent.filter(({ status, answeredAt }) => status === 503 && answeredAt > from).length
    return eventually('callers get an error', () => errors() > 8 && since(from) > forMs)
  }
  const networkIsLost = async (load: Load) => {
    await proxy.refuse()
    await callersGetErrors(load, 3000)
    await proxy.accept()
  }
  const rowsAreLocked = async () => {
    for (const table of hotTables)
      await transaction(sql, async tx => {
        await tx`select from ${tx(table)} for update`
        await pause(lockedMs)
      })
  }
  /** New backends cannot allocate what their statements need, so the server answers 53200. */
  const memoryIsUsedUp = async (load: Load) => {
    const first = serverPids()[0]!
    limitMemory([first], addressSpaceOf(first) + spareBytes)
    proxy.reset()
    await callersGetErrors(load)
    limitMemory(serverPids(), 'unlimited')
  }
  const outages: [Fault, (load: Load) => Promise<unknown>][] = [
    ['connections reset', connectionsEndRepeatedly],
    ['connections refused', networkIsLost],
    // The service notices the silence itself, and new connections work.
    ['connections hang', async () => proxy.freeze()],
    ['restart of PostgreSQL', () => postgres.restart('fast')],
    ['kill -9 of PostgreSQL', killAndStart],
    ['a lock on each hot row', rowsAreLocked],
    ['out of memory', memoryIsUsedUp],
  ]
  for (const [outage, strike] of outages) {
    const callbacks = startCallbacks(started.callbackUrls[0]!)
    const readiness = watchReadiness(service)
    let stopped: Promise<void> | undefined
    const { sent, outMs } = await prove(outage, started, async load => {
      await strike(load)
      stopped = callbacks.stop()
    })
    expect(outMs, outage).toBeLessThan(outage === 'connections hang' ? silenceMs : recoveryMs)
    await eventually('it is ready again', () => readiness.seen.at(-1) === 200, recoveryMs)
    // The only outage that always lasts long enough.
    if (outage === 'connections refused') expect(readiness.seen).toContain(503)
    await readiness.stop()
    await stopped
    expectOnlyRecordsOrEnvelopes(sent)
    await withRetry(async () => sql`select 1`)
    await expectCallbacksKept(started, callbacks)
  }
  expect(service.complaints).toBe('')
  expect(await service.end()).toMatchObject({ code: 0 })
})

/** Memory that a limited backend can allocate: enough to start, and too little for the statements of an order. */
const spareBytes = 3 * 2 ** 20

/** Sets the limit as the user that runs the server. */
const limitMemory = (pids: number[], bytes: number | 'unlimited') => {
  const { uid, gid } = statSync(join(postgres.dataDir, 'postgres/data'))
  for (const pid of pids) spawnSync('prlimit', ['--pid', String(pid), `--as=${bytes}:`], { uid, gid })
}

const addressSpaceOf = (pid: number): number =>
  1024 * Number(/VmSize:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])

/** Kills the first process of the server. The others end when they notice it. */
const killAndStart = async () => {
  process.kill(serverPids()[0]!, 'SIGKILL')
  const again = await startEmbeddedPostgres({ dataDir: postgres.dataDir })
  atEnd(again.release)
}

const order = { type: 'order', phone: '+4915100000001', data: {} }
const calls: [string, string, object?][] = [
  ['POST', '/v1/events', { ...order, idempotencyKey: 'frozen' }],
  ['POST', '/v1/events', { ...order, phone: '+4915100000002' }],
  ['POST', '/v1/events/batch', { events: [{ ...order, phone: '+4915100000003' }] }],
  ['POST', '/v1/events/check', order],
  ['GET', '/v1/customers'],
  ['POST', '/v1/customers/00000000-0000-7000-8000-000000000000/opt-out', { reason: 'test' }],
]

const callAll = ({ service, shop }: Started) =>
  Promise.all(
    calls.map(async ([method, path, body]) => {
      const askedAt = performance.now()
      const headers = { 'X-API-Key': shop.key, 'Content-Type': 'application/json' }
      const response = await fetch(`${service.url}${path}`, { method, headers, body: body && JSON.stringify(body) })
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
  const areRecorded = async () => (await callAll(started)).slice(0, 3).every(({ status }) => status < 300)
  await eventually('events are recorded', areRecorded, 30_000)
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
