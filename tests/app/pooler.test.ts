/** Tests of a service behind a transaction pooler (PgBouncer). They are skipped where it is not installed. */
import { afterEach, describe, expect, test } from 'bun:test'
import { createPools } from '../../src/app/pools.ts'
import { connect } from '../../src/platform/postgres/client.ts'
import { hasSessionSettings, storeSessionSettings } from '../../src/platform/postgres/pooler.ts'
import { isSameDatabase } from '../../src/platform/postgres/server-identity.ts'
import { openShop, sendOrder, shopSettings } from '../faults/support.ts'
import { pgbouncer, startPgbouncer } from '../platform/postgres/pooler.ts'
import { useDatabase } from '../support/database.ts'
import { endProcesses, startProcess } from '../support/process.ts'
import { use } from '../support/use.ts'
import { eventually, newPhone, startWorld } from '../support/world.ts'

describe.skipIf(!pgbouncer)('behind PgBouncer in transaction mode', () => {
  const database = useDatabase()
  const pooler = use(() => startPgbouncer(database.url, 'transaction', 2))
  afterEach(endProcesses)

  /** Returns the URL of a database through the pooler. */
  const through = (directUrl: string): string => {
    const url = new URL(directUrl)
    url.host = new URL(pooler.url).host
    return url.href
  }

  test('sessions get the settings of the role, and the pooler leads to the same database', async () => {
    await storeSessionSettings(database.sql)
    await storeSessionSettings(database.sql)
    const pooled = connect({ url: through(database.url), applicationName: 'test', max: 4, pooled: true })
    // Sessions that began before have other settings until the pooler closes them.
    await database.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name = 'test'`
    await eventually('a new session', () => hasSessionSettings(pooled).catch(() => false))
    expect(await isSameDatabase(pooled, database.sql)).toBe(true)
    await pooled.end()
  })

  test('records, changes, reads and delivers with many connections on two sessions', async () => {
    await using world = await startWorld({}, { pools: url => createPools(url, { pooledUrl: through(url) }) })
    // A locked row holds up the recording of other workspaces for this time, which the pooler would not apply.
    const direct = createPools(world.database.url, { pooledUrl: through(world.database.url) })
    const [limit] = await direct.recording`show lock_timeout`
    expect(limit).toEqual({ lock_timeout: '1s' })
    await direct.service.stop(AbortSignal.abort())
    await world.workflow({
      trigger: { eventType: 'order.created' },
      start: 'wait',
      steps: { wait: { type: 'delay', for: '1ms', next: null } },
    })
    const record = (n: number) =>
      world.call('POST', '/v1/events', {
        as: 'key',
        body: { type: 'order.created', phone: newPhone(), idempotencyKey: `order-${n}`, data: { n } },
      })
    const replies = await Promise.all(Array.from({ length: 100 }, (_, n) => record(n)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
    const { sql } = world.database
    const [events] = await sql`select count(*)::integer as n from events`
    expect(events!.n).toBe(100)
    const lists = await Promise.all(
      ['events', 'customers', 'workflows', 'webhooks', 'members'].flatMap(path =>
        Array.from({ length: 4 }, () => world.call('GET', `/v1/${path}`)),
      ),
    )
    expect(new Set(lists.map(({ status }) => status))).toEqual(new Set([200]))
    await eventually('all runs have ended', async () => {
      const [row] = await sql`select count(*)::integer as n from workflow_runs where status = 'done'`
      return row!.n === 100
    })
    // Every change that was confirmed is committed, although BEGIN and COMMIT share sessions with other clients.
    const changed = await Promise.all(
      Array.from({ length: 20 }, (_, n) => world.call('PATCH', '/v1/workspace', { body: { name: `Shop ${n}` } })),
    )
    expect(new Set(changed.map(({ status }) => status))).toEqual(new Set([200]))
    const [audited] = await sql`select count(*)::integer as n from audit_entries where action = 'changeWorkspace'`
    expect(audited!.n).toBe(20)
  }, 60_000)

  test('a process uses the pooler of DATABASE_URL, and records through DATABASE_DIRECT_URL', async () => {
    const service = await startProcess({
      ...shopSettings(through(database.url), []),
      DATABASE_DIRECT_URL: database.url,
    })
    const shop = await openShop(service.url, [])
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        expect((await sendOrder(service.url, shop.key)).status).toBe(201)
        await shop.expect(200, service.url, 'GET', '/v1/customers')
      }),
    )
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    const shared = ['acting', 'changing', 'reading', 'chores']
    const opened = [...metrics.matchAll(/^engagement_connections\{(.*)\} (\d+)$/gm)]
      .filter(([, labels]) => shared.some(pool => labels!.includes(`pool="${pool}"`)))
      .reduce((sum, [, , count]) => sum + Number(count), 0)
    expect(opened).toBeGreaterThan(2)
    const rows = await database.sql<{ pool: string; sessions: number }[]>`
      select split_part(application_name, ' ', 2) as pool, count(*)::integer as sessions from pg_stat_activity
      where datname = current_database() and application_name like 'customer-engagement %' group by pool`
    // The pooler has two sessions for them, whose names are those of the last connections.
    const sessions = rows.filter(({ pool }) => shared.includes(pool)).reduce((sum, row) => sum + row.sessions, 0)
    expect(sessions).toBeLessThanOrEqual(2)
    expect(rows.find(({ pool }) => pool === 'recording')?.sessions).toBeGreaterThan(0)
    expect(await service.end()).toMatchObject({ code: 0 })
  })
})
