/** Tests that `doctor` reports each check, and what to do about a failed one. */
import { expect, test } from 'bun:test'
import {
  checkClock,
  checkDisk,
  checkDurability,
  checkExtensions,
  checkOpenFiles,
  checkRights,
  checkVersion,
  type DoctorCheck,
} from '../../../src/app/cli/doctor.ts'
import { connect } from '../../../src/platform/postgres/client.ts'
import { storeSessionSettings } from '../../../src/platform/postgres/pooler.ts'
import type { ServerState } from '../../../src/platform/postgres/server-state.ts'
import { startIdentityProvider } from '../../api/routes/accounts/identity-provider.ts'
import { pgbouncer, startPgbouncer } from '../../platform/postgres/pooler.ts'
import { runCommand } from '../../support/command.ts'
import { testServer, useDatabase } from '../../support/database.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { use } from '../../support/use.ts'
import { eventually, useWorld } from '../../support/world.ts'
import { startCollector } from '../otlp-receiver.ts'

const mail = use(startMailServer)
const key = Buffer.alloc(32, 7).toString('base64')
const world = useWorld(() => ({ SECRETS_KEY: key }))

const other = useDatabase('57P01')
const identityProvider = use(startIdentityProvider)

const examine = async (settings: Record<string, string>) => {
  const { status, out, error } = await runCommand(['doctor', '--json'], {
    DATABASE_URL: world.database.url,
    ...settings,
  })
  expect(error).toBe('')
  const checks: { name: string; result: string; detail: string }[] = JSON.parse(out)
  return { status, checks, of: (name: string) => checks.find(check => check.name === name) }
}

test('reports every check of a healthy service as ok', async () => {
  const settings = { SMTP_URL: mail.url, MAIL_FROM: 'a@shop.example', PUBLIC_URL: world.url, SECRETS_KEY: key }
  const { status, checks, of } = await examine(settings)
  expect(checks.map(({ name }) => name)).toEqual([
    'settings',
    'open files',
    'database',
    'extensions',
    'rights',
    'migrations',
    'durability',
    'pooler',
    'replica',
    'connections',
    'clock',
    'disk',
    'keys',
    'workspaces',
    'mail',
    'identity provider',
    'collector',
    'public URL',
  ])
  // The server of the tests is not durable, and its role is a superuser.
  const others = checks.filter(({ name }) => !['open files', 'durability', 'connections', 'disk'].includes(name))
  expect(others.filter(({ result }) => result !== 'ok')).toEqual([])
  expect(of('disk')).toEqual({
    name: 'disk',
    result: 'warning',
    detail: expect.stringMatching(/^The database has \d\.\d GiB\. The disk of its server is not visible from here\./),
  })
  expect(status).toBe(1)
})

const state: ServerState = {
  version: '18.1',
  isSupported: true,
  missingExtensions: [],
  off: [],
  canMigrate: true,
  forbiddenTables: [],
  databaseBytes: 3 * 2 ** 30,
}
const freeBytes = (bytes: number) => ({ folder: '/data', freeBytes: bytes })

const examined: [DoctorCheck, DoctorCheck['result'], string][] = [
  [checkOpenFiles(1000, 500), 'ok', '1000'],
  [checkOpenFiles(999, 500), 'warning', 'The limit is 999. Raise it to at least 1000 (ulimit -n).'],
  [checkOpenFiles(null, 500), 'warning', 'The system does not report the limit. It must be at least 1000 (ulimit -n).'],
  [checkVersion(state), 'ok', 'PostgreSQL 18.1'],
  [
    checkVersion({ ...state, isSupported: false, version: '17.6' }),
    'failed',
    'PostgreSQL 18 or newer is required, not 17.6. Upgrade PostgreSQL.',
  ],
  [checkDurability(state), 'ok', ''],
  [
    checkDurability({ ...state, off: ['autovacuum', 'fsync'] }),
    'failed',
    'Turn these settings of PostgreSQL on: autovacuum, fsync.',
  ],
  [checkExtensions(state, false), 'ok', ''],
  [
    checkExtensions({ ...state, missingExtensions: ['pg_trgm'] }, false),
    'warning',
    '"migrate" creates them if its role may. Otherwise run: create extension pg_trgm;',
  ],
  [
    checkExtensions({ ...state, missingExtensions: ['pg_trgm', 'btree_gin'] }, true),
    'failed',
    'Run: create extension pg_trgm; create extension btree_gin;',
  ],
  [checkRights(state, false), 'ok', ''],
  [checkRights({ ...state, canMigrate: false }, true), 'ok', ''],
  [
    checkRights({ ...state, canMigrate: false }, false),
    'failed',
    'The user of DATABASE_URL cannot create tables. Run "migrate" with a role that can.',
  ],
  [
    checkRights({ ...state, forbiddenTables: ['customers', 'events'] }, true),
    'failed',
    'The user of DATABASE_URL must read and write: customers, events.',
  ],
  [checkClock(5000), 'ok', '5000 ms ahead of the database'],
  [
    checkClock(-5001),
    'warning',
    'This machine is 5001 ms behind the database. Synchronize both clocks, for example by NTP.',
  ],
  [
    checkClock(60_001),
    'failed',
    'This machine is 60001 ms ahead of the database. Synchronize both clocks, for example by NTP.',
  ],
  [checkDisk(state, freeBytes(2 ** 30)), 'ok', 'the database has 3.0 GiB, 1.0 GiB are free'],
  [checkDisk(state, freeBytes(2 ** 30 - 1)), 'failed', 'Less than 1 GiB is free in DATA_DIR (/data). Free space.'],
  [
    checkDisk(state, null),
    'warning',
    'The database has 3.0 GiB. The disk of its server is not visible from here. Monitor it.',
  ],
]

test('each check is ok, or says what to do', () => {
  for (const [check, result, detail] of examined) expect(check).toEqual({ name: check.name, result, detail })
})

test('names the tables that the role cannot read and write', async () => {
  const { sql, url } = world.database
  const role = `reader_${crypto.randomUUID().replaceAll('-', '')}`
  // Row security of the task tables would reject another role before the checks.
  await sql.unsafe(`create role ${role} login bypassrls password 'p'`)
  try {
    await sql.unsafe(`grant select on all tables in schema public to ${role};
      grant insert, update, delete on events to ${role}`)
    const { of } = await examine({ DATABASE_URL: Object.assign(new URL(url), { username: role, password: 'p' }).href })
    const { result, detail } = of('rights')!
    expect(result).toBe('failed')
    expect(detail).toMatch(/^The user of DATABASE_URL must read and write: .*, customers, /)
    expect(detail).not.toContain(' events,')
  } finally {
    await sql.unsafe(`drop owned by ${role}; drop role ${role}`)
  }
})

test('says what to do about each failure', async () => {
  await world.expect(201, 'POST', '/v1/webhooks', {
    body: { url: 'https://example.com/x', events: ['message.status'] },
  })
  const { status, of } = await examine({
    SECRETS_KEY: Buffer.alloc(32, 8).toString('base64'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'a@shop.example',
    PUBLIC_URL: `${world.url}/elsewhere`,
    TRUSTED_PROXY: 'x',
  })
  expect(status).toBe(1)
  expect(of('settings')).toMatchObject({
    result: 'warning',
    detail: 'TRUSTED_PROXY is not a known setting. Did you mean TRUSTED_PROXIES?',
  })
  expect(of('keys')).toMatchObject({
    result: 'failed',
    detail: 'SECRETS_KEY cannot decrypt: webhook secrets. Restore the key that encrypted them.',
  })
  expect(of('mail')).toMatchObject({
    result: 'failed',
    detail: 'The connection to the mail server failed (ESOCKET). Check SMTP_URL.',
  })
  expect(of('public URL')).toMatchObject({ result: 'failed', detail: expect.stringContaining('not the service') })
})

test('reads only the start of what the public URL answers', async () => {
  const site = await startHttpServer((_, response) => void response.writeHead(200).write('x'.repeat(2000)))
  try {
    const { of } = await examine({ PUBLIC_URL: `http://127.0.0.1:${site.port}` })
    expect(of('public URL')).toMatchObject({ detail: expect.stringContaining('answers 200, not the service') })
  } finally {
    await site.stop()
  }
})

test('connects to the replica, the identity provider and the collector', async () => {
  let status = 200
  const collector = await startCollector(() => new Response(new Uint8Array(), { status }))
  const away = {
    DATABASE_REPLICA_URL: 'postgres://127.0.0.1:1/none',
    OIDC_ISSUER: 'http://127.0.0.1:1',
    OIDC_CLIENT_ID: 'x',
  }
  try {
    const { of } = await examine({ ...away, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })
    expect(of('replica')).toMatchObject({
      result: 'warning',
      detail: expect.stringContaining('the primary has all reads'),
    })
    expect(of('identity provider')).toMatchObject({
      result: 'failed',
      detail: expect.stringMatching(/^[^.?!]+\. Check OIDC_ISSUER and the network\.$/),
    })
    expect(of('collector')).toMatchObject({
      result: 'warning',
      detail: expect.stringMatching(/^[^.?!]+\. Check OTEL_EXPORTER_OTLP_ENDPOINT\. Spans are dropped\.$/),
    })

    identityProvider.register('http://127.0.0.1')
    const { issuer, clientId } = identityProvider
    const oidc = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId }
    const settings = { ...oidc, DATABASE_REPLICA_URL: other.url, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    const reached = await examine(settings)
    expect(reached.of('identity provider')).toMatchObject({ result: 'ok', detail: issuer })
    expect(reached.of('replica')).toMatchObject({
      result: 'failed',
      detail: 'DATABASE_REPLICA_URL must lead to a standby of the database of DATABASE_URL.',
    })
    expect(reached.of('collector')).toMatchObject({ result: 'ok', detail: collector.url })
    status = 401
    expect((await examine(settings)).of('collector')).toMatchObject({
      result: 'warning',
      detail: expect.stringContaining('It answers 401.'),
    })
  } finally {
    await collector.stop()
  }
})

test.skipIf(!pgbouncer)('connects to the transaction pooler', async () => {
  const pooler = await startPgbouncer(other.url, 'transaction', 2)
  try {
    const check = async (direct: string) => {
      const { of } = await examine({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: direct })
      return of('pooler')!
    }
    expect(await check(other.url)).toMatchObject({
      result: 'warning',
      detail: expect.stringContaining('lack the settings'),
    })
    expect(await check(world.database.url)).toMatchObject({
      result: 'failed',
      detail: expect.stringContaining('same database'),
    })
    await storeSessionSettings(other.sql)
    const pooled = connect({ url: pooler.url, applicationName: 'test', max: 1, pooled: true })
    await other.sql`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
    await eventually('the pooler has a new session', () =>
      pooled`select`.then(
        () => true,
        () => false,
      ),
    )
    await pooled.end()
    expect(await check(other.url)).toMatchObject({ result: 'ok', detail: 'transaction mode' })
  } finally {
    await pooler.stop()
  }
})

test('reports pending migrations, and invalid settings', async () => {
  const server = await testServer()
  const name = `doctor_${crypto.randomUUID().replaceAll('-', '')}`
  try {
    const { of } = await examine({ DATABASE_URL: await server.ensureDatabase(name) })
    expect(of('migrations')).toMatchObject({ result: 'failed', detail: 'Migrations are pending. Run "migrate".' })
    expect(of('extensions')).toMatchObject({
      result: 'warning',
      detail: expect.stringContaining('create extension pg_trgm; create extension btree_gin;'),
    })
  } finally {
    await server.dropDatabase(name)
  }
  const invalid = await examine({ PORT: 'x' })
  expect(invalid.checks).toEqual([
    { name: 'settings', result: 'failed', detail: 'PORT must be a whole number from 0 to 65535, not "x".' },
  ])
  const unreachable = await examine({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })
  expect(unreachable.of('database')).toMatchObject({ result: 'failed' })
  expect((await runCommand(['doctor', 'x'])).status).toBe(2)
})
