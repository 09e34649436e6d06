/**
 * A restore drill with real PostgreSQL servers: a base backup under load, recovered elsewhere on a new timeline, and a
 * dump under load. The recovery is held if its heartbeat is old, and not held after a failover. The dump is held. While
 * held nothing leaves. The commands of the guide then release it, and every event is told as promised.
 */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts'
import { connect, type Database } from '../../src/platform/postgres/client.ts'
import { runCommand } from '../support/command.ts'
import { startMailServer } from '../support/mail-server.ts'
import { endProcesses, startProcess } from '../support/process.ts'
import { type Behaviour, respond, startReceiver } from '../support/receiver.ts'
import { startTwilio } from '../support/twilio.ts'
import { use } from '../support/use.ts'
import { eventually } from '../support/world.ts'
import { baseBackup, dataOf, writeFor } from './standby.ts'
import {
  eventIdOf,
  expectAllToldTo,
  expectBooksToBalance,
  expectDeliveriesToAgree,
  newDataDir,
  openShop,
  owner,
  recordedOf,
  type Sent,
  type Shop,
  sendOrder,
  shopSettings,
  startLoad,
} from './support.ts'

setDefaultTimeout(120_000)

const name = 'engagement'
/** Events that the receiver has accepted. */
const accepted = new Set<string>()
const accept: Behaviour = (socket, request) => {
  accepted.add(eventIdOf(request))
  respond()(socket, request)
}
let firstAttempts = 0
/** Fails every second first attempt, so that some deliveries are due again at any time of the load. */
const failSome: Behaviour = (socket, request) => {
  const fails = request.headers['x-service-attempt'] === '1/8' && firstAttempts++ % 2 === 0
  ;(fails ? respond(503) : accept)(socket, request)
}
const receiver = use(() => startReceiver({ behaviour: failSome }))
const twilio = use(startTwilio)
const mail = use(startMailServer)
let shop: Shop
let original: EmbeddedPostgres
let restored: EmbeddedPostgres
let sql: Database
/** Data folder of the restored server. */
let data: string
/** File of `pg_dump`, and the orders that were recorded before. */
let dump: { file: string; recorded: Sent[] }
/** Time at which the original service stopped, from performance.now(). */
let stoppedAt: number
/** Events that the receiver accepted before. */
let toldByOriginal: ReadonlySet<string>
const folders: string[] = []

/** Returns the major version of an installed program of PostgreSQL. 0 if it is missing. */
const versionOf = (program: string): number =>
  Bun.which(program) ? Number(/\) (\d+)/.exec(Bun.spawnSync([program, '--version']).stdout.toString())?.[1] ?? 0) : 0
/** Programs of an older version reject the server. */
const hasDumpPrograms = Math.min(versionOf('pg_dump'), versionOf('pg_restore')) >= 18

/** Runs a program without blocking the load. */
const runProgram = async (...command: string[]): Promise<void> => {
  const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'pipe' })
  expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, ''])
}

const folder = () => {
  const made = newDataDir()
  folders.push(made)
  return made
}

/** Takes a base backup of the running server, and recovers it as another server. */
const restoreElsewhere = async (underLoad: (backup: () => Promise<void>) => Promise<void>): Promise<void> => {
  const from = folders[0]!
  const to = folder()
  data = dataOf(to)
  await underLoad(() => baseBackup(original, from, to))
  const wal = join(from, 'postgres', 'data', 'pg_wal')
  appendFileSync(join(data, 'postgresql.auto.conf'), `restore_command = 'cp ${wal}/%f %p'\n`)
  writeFor(data, 'recovery.signal', '')
  restored = await startEmbeddedPostgres({ dataDir: to, durable: false })
  sql = connect({ url: restored.url(name), applicationName: 'test', max: 2 })
  await eventually('the server accepts writes', async () => {
    const [row] = await sql`select pg_is_in_recovery() as recovers`.catch(() => [{ recovers: true }])
    return !row!.recovers
  })
}

const settingsFor = (url: string) => ({
  ...shopSettings(url, [receiver], { WEBHOOK_RETRY_WAITS: Array(7).fill('1s').join() }),
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  TWILIO_API_URL: twilio.apiUrl,
  SMTP_URL: mail.url,
  MAIL_FROM: 'service@shop.example',
})
const settings = (postgres: EmbeddedPostgres) => settingsFor(postgres.url(name))
/** Fails unless the operator's command finds no difference. */
const expectToPassVerify = async (url: string) =>
  expect(await runCommand(['verify'], { DATABASE_URL: url })).toMatchObject({ status: 0, error: '' })
/** Runs `restore release` with these options. Fails unless it succeeds. */
const release = async (url: string, ...options: string[]) => {
  const { status, out, error } = await runCommand(['restore', 'release', ...options, '--json'], { DATABASE_URL: url })
  expect({ status, error }).toEqual({ status: 0, error: '' })
  return JSON.parse(out)
}
const isHeld = async (url: string) => (await (await fetch(`${url}/readyz`)).json()).held === true

/** Connects a channel of the provider, and a workflow that sends through it for every `sms.wanted`. */
const sendSms = async (url: string) => {
  const ask = (status: number, method: string, path: string, body?: unknown) =>
    shop.expect(status, url, method, path, body)
  const credentials = twilio.credentials
  const { id: channelId } = await ask(201, 'POST', '/v1/channels', { kind: 'twilio_sms', name: 'SMS', credentials })
  const steps = { sms: { type: 'send_message', text: 'Thank you', channelId, next: null } }
  const definition = { trigger: { eventType: 'sms.wanted' }, start: 'sms', steps }
  const { id } = await ask(201, 'POST', '/v1/workflows', { name: 'SMS', definition })
  await ask(200, 'POST', `/v1/workflows/${id}/publish`)
  await ask(200, 'PATCH', `/v1/workflows/${id}`, { enabled: true })
}

beforeAll(async () => {
  original = await startEmbeddedPostgres({ dataDir: folder(), durable: false })
  await original.ensureDatabase(name)
  const service = await startProcess(settings(original))
  shop = await openShop(service.url, [receiver])
  await sendSms(service.url)
  await restoreElsewhere(async backup => {
    const load = startLoad(() => service.url, shop.key, 2, 20)
    await eventually('some orders are recorded', () => recordedOf(load.sent).length > 20)
    const before = recordedOf(load.sent).length
    dump = { file: join(folder(), 'engagement.dump'), recorded: recordedOf(load.sent) }
    if (hasDumpPrograms) await runProgram('pg_dump', '--format=custom', `--file=${dump.file}`, original.url(name))
    const running = connect({ url: original.url(name), applicationName: 'test', max: 1 })
    const told = await running<{ id: string }[]>`select id from outbound_events where type = 'message.status'`
    await running.end()
    await backup()
    await eventually('more orders are recorded', () => recordedOf(load.sent).length > before + 20)
    await eventually('every event of the dump was told', () => told.every(({ id }) => accepted.has(id)))
    await load.stop()
    await service.end('SIGKILL')
    stoppedAt = performance.now()
  })
  await isQuiet()
  toldByOriginal = new Set(accepted)
  receiver.behave(accept)
})
afterEach(async () => {
  await endProcesses()
  await isQuiet()
})
afterAll(async () => {
  await sql?.end({ timeout: 1 })
  await restored?.release()
  await original?.release()
  for (const made of folders) rmSync(made, { recursive: true, force: true })
})

/** Resolves when no request of an ended process is open at the receiver. */
const isQuiet = () => eventually('the receiver has no connection', () => receiver.openConnections === 0)

/** Waits until the process has checked the hold. It writes a heartbeat at a check if the last is ten seconds old. */
const untilChecked = async (sql: Database) => {
  const [old] = await sql<[{ at: Date }]>`
    update service_identity set heartbeat_at = heartbeat_at - interval '10 seconds' returning heartbeat_at as at`
  await eventually('the hold is checked', async () => {
    const [row] = await sql`select from service_identity where heartbeat_at > ${old.at} + interval '10 seconds'`
    return row !== undefined
  })
}

/** A delivery, or an outbound event whose deliveries were not created. */
interface Due {
  id: string | null
  eventId: string
  dueAt: Date
}

/**
 * Starts a held process, and adds work of every kind. Fails if anything leaves although it is due, or if the preview does not
 * list it. Returns what was told before, the order that was recorded, and the deliveries that are due.
 */
const expectHeld = async (sql: Database, url: string) => {
  const leaving = () => ({ requests: receiver.requests.length, messages: twilio.requests.length, mails: mail.tries })
  const before = leaving()
  const told = await sql<{ id: string }[]>`select id from deliveries where status = 'delivered'`
  const due = await sql<Due[]>`
    select id, event_id as "eventId", due_at as "dueAt" from deliveries where due_at is not null
    union all
    select null, id, created_at from outbound_events where fanned_out_at is null and type = 'message.status'`
  const deliveries = due.filter(({ id }) => id !== null).length
  expect(deliveries).toBeGreaterThan(0)
  const service = await startProcess(settingsFor(url))
  expect(await isHeld(service.url)).toBe(true)
  const sent = await sendOrder(service.url, shop.key)
  await shop.expect(201, service.url, 'POST', '/v1/events', { type: 'sms.wanted', phone: '+4915119999999', data: {} })
  await shop.expect(202, service.url, 'POST', '/v1/auth/forgot-password', { email: owner.email })
  await eventually('the deliveries are due', () => due.every(({ dueAt }) => dueAt.getTime() < Date.now()))
  // At a check the process would start to send, and then poll every second at the latest.
  for (let checks = 0; checks < 2; checks++) await untilChecked(sql)
  expect(leaving()).toEqual(before)
  const preview = await release(url, '--preview')
  expect(preview.held).toBe(true)
  const counts = Object.fromEntries(
    preview.due.map(({ kind, count }: { kind: string; count: number }) => [kind, count]),
  )
  const [stored] = await sql`select count(*)::integer as messages from messages where due_at < now()`
  expect(stored!.messages).toBeGreaterThanOrEqual(2)
  expect(counts).toMatchObject({ deliveries, messages: stored!.messages, mails: 1 })
  await expectToPassVerify(url)
  expect(await isHeld(service.url)).toBe(true)
  expect(leaving()).toEqual(before)
  return { service, before, told: told.map(({ id }) => id), sent, due }
}

type Held = Awaited<ReturnType<typeof expectHeld>>

/**
 * Fails unless everything that was held leaves once, except the skipped deliveries. The original has sent the skipped
 * deliveries, and the restored database has a record of each. It sends no delivery again that was sent before the restore.
 */
const expectToldAsPromised = async (sql: Database, { before, told, due }: Held, skipped: Due[] = []) => {
  await eventually('every delivery is settled', async () => {
    const [row] = await sql`
      select not exists (select from deliveries where due_at is not null)
        and not exists (select from outbound_events where fanned_out_at is null) as done`
    return row!.done as boolean
  })
  const requests = receiver.requests.slice(before.requests).map(({ headers }) => headers['x-service-delivery']!)
  const rows = await sql<{ id: string; eventId: string; status: string; error: string | null }[]>`
    select id, event_id as "eventId", status, error from deliveries`
  const isTold = new Set(told)
  const isSkipped = new Set(skipped.map(({ eventId }) => eventId))
  const expected = rows.filter(({ id, eventId }) => !isTold.has(id) && !isSkipped.has(eventId)).map(({ id }) => id)
  expect(requests.toSorted()).toEqual(expected.toSorted())
  const heldEvents = new Set(due.map(({ eventId }) => eventId))
  expect(rows.filter(({ eventId }) => heldEvents.has(eventId))).toHaveLength(due.length)
  for (const { eventId, status, error } of rows) {
    const record = { status: 'failed', error: expect.stringMatching(/^skipped_after_restore/) }
    expect({ status, error }).toEqual(isSkipped.has(eventId) ? record : { status: 'delivered', error: null })
  }
  expect(skipped.filter(({ eventId }) => !toldByOriginal.has(eventId))).toEqual([])
  await eventually('the mail is sent', () => mail.tries === before.mails + 1)
  expect(twilio.requests).toHaveLength(before.messages + 1)
}

test('a recovery from a base backup is held, and sends everything after the release', async () => {
  const [line] = await sql`select timeline from service_identity`
  expect(line!.timeline).toBe(1)
  // The drill does not wait for ten minutes.
  await sql`update service_identity set heartbeat_at = heartbeat_at - interval '11 minutes'`
  const url = restored.url(name)
  const held = await expectHeld(sql, url)
  const { lines } = held.service
  expect(lines.find(({ reason }) => reason)?.reason).toBe('the database was restored to an earlier point in time')

  expect(await release(url)).toEqual({ released: true, skipped: null })
  await held.service.waitForLine('sending is released')
  await expectBooksToBalance(sql, [held.sent])
  await expectAllToldTo(sql, [receiver])
  await expectDeliveriesToAgree(sql)
  await expectToldAsPromised(sql, held)
  await expectToPassVerify(url)
})

describe.skipIf(!hasDumpPrograms)('a restored pg_dump', () => {
  /** Restores the dump into another cluster, and starts a process. */
  const restoreDump = async (database: string) => {
    const url = await restored.ensureDatabase(database)
    await runProgram('pg_restore', '--exit-on-error', `--dbname=${url}`, dump.file)
    const dumped = connect({ url, applicationName: 'test', max: 2 })
    return { url, dumped, held: await expectHeld(dumped, url) }
  }

  test('is held, and sends everything after the release', async () => {
    const { url, dumped, held } = await restoreDump('dumped')
    expect(await release(url)).toEqual({ released: true, skipped: null })
    await held.service.waitForLine('sending is released')
    await expectBooksToBalance(dumped, [...dump.recorded, held.sent])
    await expectAllToldTo(dumped, [receiver])
    await expectDeliveriesToAgree(dumped)
    await expectToldAsPromised(dumped, held)
    await expectToPassVerify(url)
    await dumped.end()
  })

  test('is held, and skips what was due before the original stopped, with a record of each', async () => {
    const { url, dumped, held } = await restoreDump('dumped_and_skipped')
    const seconds = Math.floor((performance.now() - stoppedAt) / 1000)
    const { released, skipped } = await release(url, '--skip-older-than', `${seconds}s`)
    expect(released).toBe(true)
    const old = held.due.filter(({ dueAt }) => dueAt < new Date(skipped.dueBefore))
    expect(old.length).toBeGreaterThan(0)
    await held.service.waitForLine('sending is released')
    await expectBooksToBalance(dumped, [held.sent])
    await expectToldAsPromised(dumped, held, old)
    await expectToPassVerify(url)
    await dumped.end()
  })
})

test('a failover to a standby is not held, neither in a running process nor at a start', async () => {
  const running = await startProcess(settings(restored))
  expect(await isHeld(running.url)).toBe(false)
  writeFor(data, 'standby.signal', '')
  // The server counts as started when it accepts writes.
  const restarted = restored.restart()
  const standby = 'DATABASE_URL leads to a standby, which does not accept writes. It must lead to the primary.'
  await eventually('the standby is rejected', async () => {
    const { status, error } = await runCommand(['migrate'], { DATABASE_URL: restored.url(name) })
    return status === 1 && error === standby
  })
  await eventually('the standby is promoted', async () => {
    const [row] = await sql<{ done: boolean }[]>`
      select pg_promote() as done where pg_is_in_recovery()`.catch(() => [])
    return row?.done
  })
  await restarted
  const stored = async () => (await sql`select timeline from service_identity`)[0]!.timeline
  await eventually('the running process stores the timeline', async () => (await stored()) === 3)
  const started = await startProcess(settings(restored))
  for (const { url } of [running, started]) {
    await eventually('it is ready', async () => (await fetch(`${url}/readyz`)).ok)
    expect(await isHeld(url)).toBe(false)
  }
  const sent = [await sendOrder(running.url, shop.key), await sendOrder(started.url, shop.key)]
  await expectBooksToBalance(sql, sent)
  await expectAllToldTo(sql, [receiver])
})
