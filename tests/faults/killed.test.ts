/** Tests of processes killed with SIGKILL under load. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts'
import { ownProcess } from '../../src/platform/local-processes.ts'
import { connect } from '../../src/platform/postgres/client.ts'
import { type ServiceProcess, spawnProcess, startProcess } from '../support/process.ts'
import { respond, startReceiver } from '../support/receiver.ts'
import { eventually } from '../support/world.ts'
import { prove } from './faults.ts'
import {
  after,
  connectionsLost,
  expectAllToldTo,
  expectBooksToBalance,
  expectNothingLost,
  maxWait,
  newDataDir,
  openShop,
  recordedOf,
  sendOrder,
  shopSettings,
  startLoad,
  useProcesses,
} from './support.ts'

setDefaultTimeout(60_000)

const { start, atEnd } = useProcesses()

/** Lease of a dead process, plus one second, plus half a second for a busy machine. */
const maxTakeoverMs = 5000 + 1000 + 500

test.each([
  ['kill -9 of the service', {}],
  ['kill -9 of a worker', { ROLES: 'worker' }],
] as const)('%s loses nothing, and the next one sends the rest', async (fault, roles) => {
  // The server reports the statements that the killed process was executing.
  const started = await start({ settings: 'ROLES' in roles ? { ROLES: 'http' } : {}, errors: ['08006'] })
  const settings = { ...started.settings, ...roles }
  const isWorker = 'ROLES' in roles
  let killed = isWorker ? await startProcess(settings) : started.service
  const url = () => {
    const { running, url } = isWorker ? started.service : killed
    return running && url !== '' ? url : null
  }
  const kill = async () => {
    await killed.end('SIGKILL')
    killed = spawnProcess(settings)
  }
  const { sent, outMs } = await prove(fault, started, kill, url)
  // The workers of a process do not affect the callers of another one.
  if (isWorker) expect(recordedOf(sent)).toHaveLength(sent.length)
  expect(outMs).toBeLessThan(maxTakeoverMs)
  expect(killed.complaints).toBe('')
})

test('a second process takes over from a killed one without errors for its own callers', async () => {
  const started = await start({ behaviours: [after(60), respond()], processes: 2, errors: connectionsLost })
  const [killed, survivor] = started.services as [ServiceProcess, ServiceProcess]
  const lost = started.load(killed, 4)
  const kept = started.load(survivor, 4)
  await started.receiver.waitFor(100, 15_000)

  await killed.end('SIGKILL')
  // A process whose heartbeat merely expires is kept for one minute.
  const isKnown = async () => (await started.sql`select from processes where pid = ${killed.pid}`).length > 0
  if (ownProcess() !== null) await eventually('its end is noticed', async () => !(await isKnown()))
  const sentBefore = kept.sent.length
  await eventually('the surviving process records events', () => kept.sent.length > sentBefore + 200)
  const sent = [...(await lost.stop()), ...(await kept.stop())]
  expect(recordedOf(kept.sent).length).toBe(kept.sent.length)
  await expectNothingLost(started, sent)
  for (const receiver of started.receivers) expect(await maxWait(started.sql, receiver)).toBeLessThan(maxTakeoverMs)
})

test('loses nothing when it is killed under load and restarted, and adopts its running embedded PostgreSQL', async () => {
  const dataDir = newDataDir()
  const receiver = await startReceiver()
  atEnd(receiver.stop, () => rmSync(dataDir, { recursive: true, force: true }))
  const { DATABASE_URL: _, ...settings } = shopSettings('', [receiver], { DATA_DIR: dataDir })
  const serverPid = () => Number(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])

  const first = await startProcess(settings)
  const shop = await openShop(first.url, [receiver])
  const server = serverPid()
  const load = startLoad(() => (first.running ? first.url : null), shop.key)
  await receiver.waitFor(30)
  await first.end('SIGKILL')
  const sent = await load.stop()
  expect(serverPid()).toBe(server)

  const second = await startProcess(settings)
  expect(serverPid()).toBe(server)
  const postgres = await startEmbeddedPostgres({ dataDir })
  const sql = connect({ url: postgres.url('customer_engagement'), applicationName: 'test', max: 2 })
  await expectBooksToBalance(sql, sent)
  await expectAllToldTo(sql, [receiver])
  const unanswered = sent.filter(({ status }) => status === null)
  expect(unanswered.length).toBeGreaterThan(0)
  for (const { order } of unanswered)
    expect([200, 201]).toContain((await sendOrder(second.url, shop.key, order)).status!)
  await sql.end()
  await postgres.release()

  expect(await second.end()).toMatchObject({ code: 0 })
  expect(existsSync(join(dataDir, 'postgres/data/postmaster.pid'))).toBe(false)
})
