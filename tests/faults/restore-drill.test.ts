/**
 * A restore drill with real PostgreSQL servers: a base backup under load, recovered elsewhere on a new timeline, and a
 * dump under load. The recovery is held if its heartbeat is old, and not held after a failover. The dump is held.
 */
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts'
import { connect, type Database } from '../../src/platform/postgres/client.ts'
import { endHold } from '../../src/queue/hold/index.ts'
import { runCommand } from '../support/command.ts'
import { endProcesses, startProcess } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { eventually } from '../support/world.ts'
import { baseBackup, dataOf, writeFor } from './standby.ts'
import {
  expectAllToldTo,
  expectBooksToBalance,
  newDataDir,
  openShop,
  recordedOf,
  type Sent,
  type Shop,
  sendOrder,
  shopSettings,
  startLoad,
} from './support.ts'

setDefaultTimeout(120_000)

const name = 'engagement'
const receiver = use(startReceiver)
let shop: Shop
let original: EmbeddedPostgres
let restored: EmbeddedPostgres
let sql: Database
/** Data folder of the restored server. */
let data: string
/** File of `pg_dump`, and the orders that were recorded before. */
let dump: { file: string; recorded: Sent[] }
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

const settings = (postgres: EmbeddedPostgres) => shopSettings(postgres.url(name), [receiver])
/** Fails unless the operator's command finds no difference. */
const expectToPassVerify = async (url: string) =>
  expect(await runCommand(['verify'], { DATABASE_URL: url })).toMatchObject({ status: 0, error: '' })
const isHeld = async (url: string) => (await (await fetch(`${url}/readyz`)).json()).held === true

beforeAll(async () => {
  original = await startEmbeddedPostgres({ dataDir: folder(), durable: false })
  await original.ensureDatabase(name)
  const service = await startProcess(settings(original))
  shop = await openShop(service.url, [receiver])
  await restoreElsewhere(async backup => {
    const load = startLoad(() => service.url, shop.key, 2, 20)
    await eventually('some orders are recorded', () => recordedOf(load.sent).length > 20)
    const before = recordedOf(load.sent).length
    dump = { file: join(folder(), 'engagement.dump'), recorded: recordedOf(load.sent) }
    if (hasDumpPrograms) await runProgram('pg_dump', '--format=custom', `--file=${dump.file}`, original.url(name))
    await backup()
    await eventually('more orders are recorded', () => recordedOf(load.sent).length > before + 20)
    await load.stop()
    await service.end('SIGKILL')
  })
})
afterEach(endProcesses)
afterAll(async () => {
  await sql?.end({ timeout: 1 })
  await restored?.release()
  await original?.release()
  for (const made of folders) rmSync(made, { recursive: true, force: true })
})

test('a recovery from a base backup is held, and sends everything after the release', async () => {
  const [line] = await sql`select timeline from service_identity`
  expect(line!.timeline).toBe(1)
  // The drill does not wait for ten minutes.
  await sql`update service_identity set heartbeat_at = heartbeat_at - interval '11 minutes'`
  const service = await startProcess(settings(restored))
  expect(await isHeld(service.url)).toBe(true)
  const { lines } = service
  expect(lines.find(({ reason }) => reason)?.reason).toBe('the database was restored to an earlier point in time')
  const sent = await sendOrder(service.url, shop.key)
  await expectToPassVerify(restored.url(name))

  await endHold(sql)
  await service.waitForLine('sending is released')
  await expectBooksToBalance(sql, [sent])
  await expectAllToldTo(sql, [receiver])
})

test.skipIf(!hasDumpPrograms)('a restored pg_dump is held, and sends everything after the release', async () => {
  const url = await restored.ensureDatabase('dumped')
  await runProgram('pg_restore', '--exit-on-error', `--dbname=${url}`, dump.file)
  const service = await startProcess(shopSettings(url, [receiver]))
  expect(await isHeld(service.url)).toBe(true)
  await expectToPassVerify(url)
  const sent = await sendOrder(service.url, shop.key)

  const dumped = connect({ url, applicationName: 'test', max: 2 })
  await endHold(dumped)
  await service.waitForLine('sending is released')
  await expectBooksToBalance(dumped, [...dump.recorded, sent])
  await expectAllToldTo(dumped, [receiver])
  await dumped.end()
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
