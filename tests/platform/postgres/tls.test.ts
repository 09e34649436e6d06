/** Tests TLS to a real PostgreSQL with a generated certificate, for both drivers, and the parameters of libpq. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startEmbeddedPostgres } from '../../../src/platform/embedded-postgres/index.ts'
import { connect, type Database, pgConfig } from '../../../src/platform/postgres/client.ts'
import { parseTarget, resolveSslMode } from '../../../src/platform/postgres/target.ts'
import { newDataDir } from '../../faults/support.ts'
import { selfSignedCertificate } from '../../support/certificate.ts'
import { endProcesses, startProcess } from '../../support/process.ts'
import { use } from '../../support/use.ts'

const certificate = selfSignedCertificate('localhost')
const another = selfSignedCertificate('localhost')
const elsewhere = selfSignedCertificate('db.example.com')

const socketFolder = mkdtempSync(join(tmpdir(), 'roots-'))
let admin: Database
/** A separate server, because TLS is a setting of the whole server. */
const server = use(async () => {
  const dataDir = newDataDir()
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false })
  const url = await postgres.ensureDatabase('shop')
  admin = connect({ url, applicationName: 'admin', max: 1 })
  const [row] = await admin<{ data_directory: string }[]>`show data_directory`
  const stop = async () => {
    await endProcesses()
    await admin.end()
    await postgres.release()
    for (const folder of [dataDir, socketFolder]) rmSync(folder, { recursive: true, force: true })
  }
  return { url, folder: row!.data_directory, stop }
})
beforeAll(() => serve(certificate))

const clients: { end(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end().catch(() => {})
})

/** Makes the server present this certificate, or disables TLS. */
const serve = async (given: { key: string; cert: string } | null): Promise<void> => {
  const { uid, gid } = statSync(server.folder)
  for (const [name, text] of Object.entries(given ?? {})) {
    const path = join(server.folder, `server.${name === 'key' ? 'key' : 'crt'}`)
    writeFileSync(path, text, { mode: 0o600 })
    chownSync(path, uid, gid)
  }
  await admin.unsafe(`alter system set ssl = ${given ? 'on' : 'off'}`)
  await admin`select pg_reload_conf()`
  const served = async () => (await admin<{ ssl: string }[]>`show ssl`)[0]!.ssl === (given ? 'on' : 'off')
  while (!(await served())) await Bun.sleep(10)
}

const rootOf = (given: { cert: string }): string => {
  const path = join(socketFolder, `${crypto.randomUUID()}.crt`)
  writeFileSync(path, given.cert)
  return path
}

const urlWith = (parameters: Record<string, string>): string => {
  const url = new URL(server.url)
  url.hostname = 'localhost'
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

const isEncrypted = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'

/** Returns for each driver whether the connection is encrypted, or its error. */
const byBothDrivers = async (parameters: Record<string, string>): Promise<(boolean | string)[]> => {
  const url = await resolveSslMode(urlWith(parameters))
  const sql = connect({ url, applicationName: 'pool', max: 1 })
  const client = new Client(pgConfig(url))
  client.on('error', () => {})
  clients.push(sql, client)
  const messageOf = (error: Error) => error.message
  return [
    await sql.unsafe<{ ssl: boolean }[]>(isEncrypted).then(rows => rows[0]!.ssl, messageOf),
    await client
      .connect()
      .then(() => client.query(isEncrypted))
      .then(({ rows }) => rows[0].ssl, messageOf),
  ]
}

describe('a server with TLS', () => {
  test('is used according to sslmode', async () => {
    expect(await byBothDrivers({})).toEqual([false, false])
    expect(await byBothDrivers({ sslmode: 'disable' })).toEqual([false, false])
    expect(await byBothDrivers({ sslmode: 'prefer' })).toEqual([true, true])
    expect(await byBothDrivers({ sslmode: 'require' })).toEqual([true, true])
    for (const sslmode of ['verify-ca', 'verify-full'])
      expect(await byBothDrivers({ sslmode, sslrootcert: rootOf(certificate) })).toEqual([true, true])
  })

  test('is rejected if its certificate has another root', async () => {
    const byBoth = Array(2).fill(expect.stringMatching(/certificate/i))
    for (const sslmode of ['require', 'verify-ca', 'verify-full'])
      expect(await byBothDrivers({ sslmode, sslrootcert: rootOf(another) })).toEqual(byBoth)
    expect(await byBothDrivers({ sslmode: 'verify-full', sslrootcert: 'system' })).toEqual(byBoth)
  })

  test('is rejected only by verify-full if its certificate names another host', async () => {
    await serve(elsewhere)
    const sslrootcert = rootOf(elsewhere)
    expect(await byBothDrivers({ sslmode: 'verify-ca', sslrootcert })).toEqual([true, true])
    expect(await byBothDrivers({ sslmode: 'verify-full', sslrootcert })).toEqual(
      Array(2).fill(expect.stringMatching(/altnames|hostname|does not match/i)),
    )
    await serve(certificate)
  })

  test('works with a complete service', async () => {
    const DATABASE_URL = urlWith({ sslmode: 'verify-full', sslrootcert: rootOf(certificate) })
    const service = await startProcess({ DATABASE_URL })
    const [row] = await admin<{ open: number; plain: number }[]>`
      select count(*)::integer as open, count(*) filter (where not s.ssl)::integer as plain
      from pg_stat_activity a join pg_stat_ssl s using (pid) where a.application_name like 'customer-engagement%'`
    expect(row!.open).toBeGreaterThan(3)
    expect(row!.plain).toBe(0)
    await service.end()
  })
})

describe('a server without TLS', () => {
  beforeAll(() => serve(null))
  afterAll(() => serve(certificate))

  test('is used if sslmode allows it, and rejected by both drivers if sslmode requires TLS', async () => {
    expect(await byBothDrivers({ sslmode: 'prefer' })).toEqual([false, false])
    expect(await byBothDrivers({ sslmode: 'require' })).toEqual([
      'TLS_NOT_OFFERED: the server does not offer TLS, which sslmode asks for',
      'The server does not support SSL connections',
    ])
  })
})

test('both drivers connect through a Unix socket without TLS', async () => {
  const { port } = parseTarget(server.url)
  const socket = createServer(near => {
    const far = createConnection({ host: '127.0.0.1', port: port! })
    near.pipe(far).pipe(near)
    for (const end of [near, far]) end.on('error', () => {})
  })
  await new Promise<void>(listening => socket.listen(join(socketFolder, '.s.PGSQL.5432'), listening))
  const password = encodeURIComponent(parseTarget(server.url).password ?? '')
  const urls = [
    `postgres://postgres:${password}@${encodeURIComponent(socketFolder)}/shop?sslmode=require`,
    `postgres://postgres:${password}@/shop?host=${socketFolder}`,
  ]
  for (const url of urls) {
    const sql = connect({ url: await resolveSslMode(url), applicationName: 'pool', max: 1 })
    const client = new Client(pgConfig(url))
    clients.push(sql, client)
    await client.connect()
    expect(await sql.unsafe<{ ssl: boolean }[]>(isEncrypted).then(rows => rows[0]!.ssl)).toBe(false)
    expect((await client.query(isEncrypted)).rows).toEqual([{ ssl: false }])
  }
  socket.close()
})

describe('unsupported parameters are rejected with one sentence', () => {
  test.each([
    ['a,b/d', 'DATABASE_URL names several hosts'],
    ['a:1,b:2/d', 'DATABASE_URL names several hosts'],
    ['/d?host=a,b', 'DATABASE_URL names several hosts'],
    ['a/d?sslmode=allow', 'must be one of disable, prefer, require, verify-ca, verify-full, not "allow".'],
    ['a/d?connect_timeout=3', 'DATABASE_URL sets connect_timeout, which is not supported. Remove it.'],
    ['a/d?sslcrl=/x', 'DATABASE_URL sets sslcrl, which is not supported. Remove it.'],
    ['a/d?target_session_attrs=primary', 'DATABASE_URL sets target_session_attrs'],
    ['a/d?sslmode=verify-ca&sslrootcert=/none', 'sslrootcert in DATABASE_URL must name a readable file, not /none.'],
    [
      'a/d?sslmode=require&sslrootcert=system',
      'sslrootcert=system in DATABASE_URL needs sslmode=verify-full, not "require".',
    ],
    ['a/d?sslmode=require&sslcert=/x', 'DATABASE_URL sets only one of sslcert and sslkey. Set both or neither.'],
  ])('%s', (target, sentence) => {
    const parse = () => parseTarget(`postgres://u:s3cret@${target}`)
    expect(parse).toThrow(sentence)
    expect(parse).not.toThrow(/s3cret/)
  })

  test('other parameters reach the server', () => {
    expect(parseTarget('postgres://h:5433/d?search_path=x').parameters).toEqual({ search_path: 'x' })
    expect(parseTarget('postgres://[::1]:5433/d')).toMatchObject({ host: '::1', port: 5433, user: undefined })
  })
})
