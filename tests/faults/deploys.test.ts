/** A release beside the one before it, on one database and under load. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { connect } from '../../src/db/client.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import { testServer } from '../support/database.ts'
import { endProcesses, startProcess } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { eventually } from '../support/world.ts'
import {
  expectAllToldTo,
  expectBooksToBalance,
  expectOnlyRecordsOrEnvelopes,
  type Load,
  openShop,
  recordedOf,
  shopSettings,
  startLoad,
} from './support.ts'

setDefaultTimeout(120_000)

const project = resolve(import.meta.dir, '../..')
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  await endProcesses()
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/**
 * The source of the commit before this one. Where there is none (a shallow clone, no repository), or it could not be
 * started beside a newer schema yet, this same source: what comes to the schema then is still news to it.
 */
const previousSource = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'previous-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  const { exitCode } = Bun.spawnSync(['sh', '-c', 'git archive HEAD~1 | tar -x -C "$0"', folder], {
    cwd: project,
    stderr: 'ignore',
  })
  if (exitCode === 0 && existsSync(join(folder, 'src/db/migration-file.ts'))) {
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
    // What `setup` makes is not in the archive.
    Bun.spawnSync([process.execPath, 'deploy/make-docs.ts'], { cwd: folder })
    return folder
  }
  console.warn('There is no previous commit to run; this source takes its place.')
  return project
}

/** What the next release might bring, to the tables that are busiest. */
const ofTheNextRelease = [
  {
    name: '998_columns',
    sql: ['customers', 'events', 'workflow_runs', 'messages', 'outbound_events', 'deliveries', 'webhooks', 'channels']
      .map(table => `alter table ${table} add column of_the_next text default 'new';`)
      .join('\n'),
  },
  {
    name: '999_filled',
    sql: `-- online
      -- step
      create index concurrently if not exists events_of_the_next on events (workspace_id, of_the_next)
      -- step: again until nothing changes
      update deliveries set of_the_next = 'filled' where ctid = any(array(
        select ctid from deliveries where of_the_next = 'new' and status = 'delivered' limit 100))`,
  },
]

test('runs an older process next to a newer one on its schema, and starts it there, without losing data', async () => {
  const previous = previousSource()
  const postgres = await testServer()
  const name = `deploys_${randomUUID().replaceAll('-', '')}`
  const url = await postgres.ensureDatabase(name)
  const sql = connect({ url, applicationName: 'test', max: 4 })
  cleanups.push(async () => {
    await sql.end({ timeout: 1 })
    await postgres.dropDatabase(name)
  })
  const receiver = await startReceiver()
  cleanups.push(receiver.stop)
  const settings = shopSettings(url, [receiver])

  let older = await startProcess(settings, previous)
  const shop = await openShop(older.url, [receiver])
  let olderTakesPart = true
  const atOlder = startLoad(() => (olderTakesPart ? older.url : null), shop.key, 4)
  await receiver.waitFor(50)

  const newer = await startProcess(settings)
  const atNewer = startLoad(() => newer.url, shop.key, 4)
  expect(await migrate(sql, async () => {}, [...migrations, ...ofTheNextRelease])).toEqual([
    '998_columns',
    '999_filled',
  ])
  await moreBy(atOlder, 50)
  await moreBy(atNewer, 50)
  await isReady(older.url)

  olderTakesPart = false
  await eventually('nobody waits for the older one', () => atOlder.inFlight === 0)
  expect(await older.end()).toMatchObject({ code: 0 })
  older = await startProcess(settings, previous)
  olderTakesPart = true
  await isReady(older.url)
  await moreBy(atOlder, 50)

  // The newer one goes, too: what it leaves is taken up by the older one.
  const sentToNewer = await atNewer.stop()
  await newer.end()
  await moreBy(atOlder, 20)
  const sent = [...(await atOlder.stop()), ...sentToNewer]
  expectOnlyRecordsOrEnvelopes(sent)
  await expectBooksToBalance(sql, sent)
  await expectAllToldTo(sql, [receiver])
})

/** A machine that is busy may take its time for the answer. */
const isReady = (url: string) => eventually('it is ready', async () => (await fetch(`${url}/readyz`)).ok)

/** Until so many more were recorded. */
const moreBy = (load: Load, count: number) => {
  const wanted = recordedOf(load.sent).length + count
  return eventually(`${count} more are recorded`, () => recordedOf(load.sent).length >= wanted, 20_000)
}
