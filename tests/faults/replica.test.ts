/** Tests of reads from a standby, with a real one: own writes, a standby that is behind or away, and rejected reads. */
import { afterEach, expect, test } from 'bun:test'
import { createPools } from '../../src/app/pools.ts'
import { connect } from '../../src/platform/postgres/client.ts'
import { type LimitedPool, limitedPool } from '../../src/platform/postgres/limited-pool.ts'
import { ReplicaReads } from '../../src/platform/postgres/replica-reads.ts'
import { startProxy } from '../platform/postgres/proxy.ts'
import { endProcesses, startProcess } from '../support/process.ts'
import { use } from '../support/use.ts'
import { eventually } from '../support/world.ts'
import { startPair } from './standby.ts'
import { expectVerified, openShop, shopSettings } from './support.ts'

const pair = use(startPair)
const signal = new AbortController().signal
afterEach(endProcesses)

test('a process reads from the standby of DATABASE_REPLICA_URL, and sees its own writes', async () => {
  const url = await pair.ensureDatabase('process')
  const replicaUrl = pair.urlOfStandby('process')
  const service = await startProcess({ ...shopSettings(url, []), DATABASE_REPLICA_URL: replicaUrl })
  const shop = await openShop(service.url, [])
  const standby = connect({ url: replicaUrl, applicationName: 'test standby', max: 1 })
  let number = 0
  const writeAndRead = async () => {
    const digits = `49151${20_000_000 + number++}`
    const { id } = await shop.expect(201, service.url, 'POST', '/v1/customers', { phone: `+${digits}` })
    expect((await shop.expect(200, service.url, 'GET', `/v1/customers?q=${digits}`)).data).toMatchObject([{ id }])
  }
  await eventually(
    'the standby serves reads of the process',
    async () => {
      await writeAndRead()
      const sessions = standby`
      select from pg_stat_activity where application_name like 'customer-engagement replica reading%'`
      return sessions.then(
        rows => rows.length > 0,
        () => false,
      )
    },
    30_000,
  )
  await eventually('the process uses the standby', async () => {
    await writeAndRead()
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    return metrics.includes('\nengagement_replica_used 1\n')
  })
  await standby.end()
  expect(await service.end()).toMatchObject({ code: 0 })
  const primary = connect({ url, applicationName: 'test primary', max: 1 })
  await expectVerified(primary)
  await primary.end()
}, 60_000)

test('reads of a standby that hangs or has ended run on the primary, also those in flight', async () => {
  const url = await pair.ensureDatabase('hanging')
  const proxy = await startProxy(pair.urlOfStandby('hanging'))
  const changes: (string | null)[] = []
  const pools = createPools(url, { replicaUrl: proxy.url, onReplicaChange: reason => changes.push(reason) })
  const isStandby = (seconds = 0) =>
    pools.apiReads.run('workspace', signal, async sql => {
      const [row] = await sql<[{ standby: boolean }]>`select pg_is_in_recovery() as standby, pg_sleep(${seconds})`
      return row.standby
    })
  await eventually('reads use the standby', isStandby, 30_000)
  const { active, idle } = pools.measured.replica_position!.counts()
  expect(active + idle).toBeWithin(1, 3)

  changes.length = 0
  const standby = connect({ url: pair.urlOfStandby('hanging'), applicationName: 'test', max: 1 })
  const inFlight = isStandby(2)
  await eventually('the standby reads', async () => {
    const [row] = await standby`
      select count(*)::integer as n from pg_stat_activity where query like '%pg_sleep%' and wait_event = 'PgSleep'`
    return row!.n > 0
  })
  proxy.freeze()
  const since = performance.now()
  // The primary is idle, so its position does not reveal the standby.
  await eventually('reads use the primary', async () => !(await isStandby()))
  expect(performance.now() - since).toBeLessThan(1500)
  expect(changes).toEqual(['it does not answer'])
  expect(await inFlight).toBe(false)
  expect(performance.now() - since).toBeLessThan(9000)
  await eventually('the standby is used again', isStandby, 30_000)

  changes.length = 0
  await proxy.refuse()
  expect(await isStandby()).toBe(false)
  expect(pools.isReplicaUsed()).toBe(false)
  expect(changes).toHaveLength(1)
  await standby.end()
  await pools.service.stop(AbortSignal.abort())
  await proxy.stop()
}, 90_000)

test('reads see every earlier write, on the standby while it follows and on the primary otherwise', async () => {
  const url = await pair.ensureDatabase('reads')
  const standbyUrl = pair.urlOfStandby('reads')
  const primary = connect({ url, applicationName: 'test primary', max: 4 })
  await primary`alter system reset synchronous_standby_names`
  await primary`select pg_reload_conf()`
  await primary`create table written (n integer primary key)`
  const standby = connect({ url: standbyUrl, applicationName: 'test standby', max: 4 })
  const limited = (sql: typeof primary): LimitedPool =>
    limitedPool(sql, { total: 4, maxPerKey: 4, maxWaiting: 100, maxWaitingPerKey: 100, maxWaitMs: 5000 })
  const changes: (string | null)[] = []
  const reads = new ReplicaReads({
    replica: limited(standby),
    replicaPosition: connect({ url: standbyUrl, applicationName: 'test position', max: 1 }),
    primary: limited(primary),
    primaryPosition: primary,
    onChange: reason => changes.push(reason),
  })
  await eventually('the standby has the database', async () =>
    standby`select 1`.then(
      () => true,
      () => false,
    ),
  )
  let next = 0
  const writeAndRead = async () => {
    const n = next++
    await primary`insert into written values (${n})`
    return reads.run('workspace', signal, async sql => {
      const [row] = await sql<{ seen: boolean; standby: boolean }[]>`
        select exists (select from written where n = ${n}) as seen, pg_is_in_recovery() as standby`
      return row!
    })
  }
  // Connections that open for the first time can take longer than the wait.
  await eventually('reads use the standby', async () => (await writeAndRead()).standby)
  // A busy machine can take longer than the wait. A read then runs on the primary.
  await eventually('most reads use the standby', async () => {
    const together = await Promise.all(Array.from({ length: 40 }, writeAndRead))
    expect(together.filter(({ seen }) => !seen)).toEqual([])
    return together.filter(({ standby }) => standby).length > 20
  })

  await eventually('reads use the standby', async () => (await writeAndRead()).standby)
  await standby`select pg_wal_replay_pause()`
  changes.length = 0
  // A busy primary can take longer than the wait. A read then runs there, without a look at the standby.
  await eventually('a read finds the standby behind', async () => {
    expect(await writeAndRead()).toEqual({ seen: true, standby: false })
    return changes.length > 0
  })
  expect(changes).toEqual([expect.stringContaining('bytes behind')])
  // Later reads do not wait for it.
  const since = performance.now()
  for (let count = 0; count < 10; count++) expect(await writeAndRead()).toEqual({ seen: true, standby: false })
  expect(performance.now() - since).toBeLessThan(1000)
  await standby`select pg_wal_replay_resume()`
  await eventually('the standby is used again', () => changes.at(-1) === null)
  await eventually('reads use the standby', async () => (await writeAndRead()).standby)

  // A read that writes is rejected by the standby, and runs on the primary.
  const written = await reads.run('workspace', signal, sql => sql`insert into written values (-1) returning n`)
  expect(written).toHaveLength(1)

  changes.length = 0
  const promoted = await pair.failOver('reads')
  expect(new URL(promoted).port).toBe(new URL(standbyUrl).port)
  await primary.end({ timeout: 0 })
  await standby.end({ timeout: 0 })
  reads.stop()
}, 90_000)
