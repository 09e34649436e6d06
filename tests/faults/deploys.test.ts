/** Test of a release that runs next to the previous one, on one database and under load. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { migrate } from '../../src/platform/postgres/migrate.ts'
import { migrations } from '../../src/platform/postgres/migrations.ts'
import { startProcess } from '../support/process.ts'
import { eventually } from '../support/world.ts'
import { report } from './faults.ts'
import {
  expectAllToldTo,
  expectBooksToBalance,
  expectOnlyRecordsOrEnvelopes,
  type Load,
  openShop,
  recordedOf,
  startLoad,
  useProcesses,
} from './support.ts'

setDefaultTimeout(120_000)

const project = resolve(import.meta.dir, '../..')
const { prepare, atEnd } = useProcesses()

/**
 * Returns the source of the previous commit. Without one, or if it has other migrations, returns the current source.
 * The schema change below is new to both.
 */
const previousSource = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'previous-'))
  atEnd(() => rmSync(folder, { recursive: true }))
  Bun.spawnSync(['sh', '-c', 'git archive HEAD~1 | tar -x -C "$0"', folder], { cwd: project, stderr: 'ignore' })
  const isSame = (path: string) =>
    readFileSync(join(folder, path), 'utf8') === readFileSync(join(project, path), 'utf8')
  // Before the first release, a commit may change a migration.
  const files = existsSync(join(folder, 'sql'))
    ? readdirSync(join(folder, 'sql')).filter(name => name.endsWith('.sql'))
    : []
  if (files.length === 0 || !files.every(name => isSame(`sql/${name}`))) return project
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
  // The archive does not contain the files that its `setup` generates after the installation.
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  Bun.spawnSync([process.execPath, scripts.setup.split(' ').at(-1)], { cwd: folder })
  return folder
}

/** Example schema changes of a next release, on the busiest tables. */
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
  const { sql, receiver, settings } = await prepare({ empty: true })

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
  await eventually('no process waits for the older one', () => atOlder.inFlight() === 0)
  expect(await older.end()).toMatchObject({ code: 0 })
  older = await startProcess(settings, previous)
  olderTakesPart = true
  await isReady(older.url)
  await moreBy(atOlder, 50)

  // The newer process stops too, and the older one continues its work.
  const sentToNewer = await atNewer.stop()
  await newer.end()
  const overAt = Date.now()
  await moreBy(atOlder, 20)
  const sent = [...(await atOlder.stop()), ...sentToNewer]
  expectOnlyRecordsOrEnvelopes(sent)
  await expectBooksToBalance(sql, sent)
  await expectAllToldTo(sql, [receiver])
  report('two versions', sent.length, [receiver.requests], overAt)
})

/** Polls, because a busy machine may respond slowly. */
const isReady = (url: string) => eventually('it is ready', async () => (await fetch(`${url}/readyz`)).ok)

/** Waits until `count` more orders are recorded. */
const moreBy = (load: Load, count: number) => {
  const wanted = recordedOf(load.sent).length + count
  return eventually(`${count} more are recorded`, () => recordedOf(load.sent).length >= wanted, 20_000)
}
