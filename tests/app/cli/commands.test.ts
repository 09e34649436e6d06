import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { serverAccount } from '../../../src/platform/embedded-postgres/account.ts'
import { findBinaries } from '../../../src/platform/embedded-postgres/binaries.ts'
import { startEmbeddedPostgres } from '../../../src/platform/embedded-postgres/index.ts'
import { runAs } from '../../../src/platform/embedded-postgres/run.ts'
import { connect } from '../../../src/platform/postgres/client.ts'
import { newDataDir } from '../../faults/support.ts'
import { startTransactionPooler } from '../../platform/postgres/pooler.ts'
import { type TestDatabase, testDatabase, testServer } from '../../support/database.ts'

const root = resolve(import.meta.dir, '../../..')
let folder: string
let binary: string
let database: TestDatabase

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-binary-'))
  binary = join(folder, 'service')
  database = await testDatabase()
  // Declares a wrong password, and a user without a free connection.
  database.expectErrors('28P01', '53300')
  const { scripts } = await Bun.file(join(root, 'package.json')).json()
  const build = scripts.build.replace('bun run setup && ', '').replace('dist/customer-engagement-service', binary)
  const { exitCode, stderr } = Bun.spawnSync(['sh', '-c', build], { cwd: root })
  if (exitCode !== 0) throw new Error(stderr.toString())
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const spawn = (args: string[], env: Record<string, string> = {}, account: { uid?: number; gid?: number } = {}) =>
  Bun.spawn([binary, ...args], {
    ...account,
    cwd: folder,
    env: { PATH: process.env.PATH!, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })

const run = async (args: string[], env: Record<string, string> = {}) => {
  const child = spawn(args, env)
  const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { status: await child.exited, out, error: error.trim() }
}

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** Creates an empty database with these options. */
const madeDatabase = async (options = '') => {
  const name = `made_${randomUUID().replaceAll('-', '')}`
  await database.sql.unsafe(`create database ${name} template template0 ${options}`)
  undo.push(() => database.sql.unsafe(`drop database ${name} with (force)`))
  const url = new URL(database.url)
  url.pathname = `/${name}`
  return { name, url: url.href }
}

/** Returns the URL of a standby: a separate server, restarted like a former primary after a failover. */
const standbyUrl = async (): Promise<string> => {
  const dataDir = newDataDir()
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false })
  const url = await postgres.ensureDatabase('behind')
  await postgres.release()
  const data = join(dataDir, 'postgres/data')
  writeFileSync(join(data, 'standby.signal'), '')
  const account = await serverAccount()
  const { pgCtl } = await findBinaries(account)
  const control = (...args: string[]) => runAs(account, pgCtl, [...args, '-D', data], {})
  undo.push(async () => {
    await control('stop', '-m', 'immediate')
    rmSync(dataDir, { recursive: true, force: true })
  })
  // Uses the same port as before.
  expect(await control('restart')).toBeUndefined()
  return url
}

/** Returns the same URL for a new user who owns nothing. `options` are those of the role. */
const madeUser = async (databaseUrl: string, options = ''): Promise<string> => {
  const name = `user_${randomUUID().replaceAll('-', '')}`
  await database.sql.unsafe(`create role ${name} login password 'p' ${options}`)
  undo.unshift(() => database.sql.unsafe(`drop role ${name}`))
  const url = new URL(databaseUrl)
  url.username = name
  url.password = 'p'
  return url.href
}

/** Reads log lines until one has this message. */
const logged = async (stream: ReadableStream<Uint8Array>, message: string): Promise<Record<string, string>> => {
  let text = ''
  for await (const chunk of stream) {
    text += new TextDecoder().decode(chunk)
    const line = text
      .split('\n')
      .find(line => line.startsWith('{') && line.endsWith('}') && JSON.parse(line).msg === message)
    if (line) return JSON.parse(line)
  }
  throw new Error(`it never said "${message}": ${text}`)
}

describe('the binary in an otherwise empty folder', () => {
  test('migrates, creates a workspace, starts, answers, and ends with 0 on SIGTERM', async () => {
    const url = await (await testServer()).ensureDatabase('binary_test', { fresh: true })
    const env = {
      DATABASE_URL: url,
      OWNER_EMAIL: 'owner@example.com',
      OWNER_PASSWORD: 'long enough for all',
      PORT: '0',
    }
    expect(await run(['migrate'], env)).toMatchObject({ status: 0, out: expect.stringContaining('Applied 001_') })
    expect(await run(['migrate'], env)).toMatchObject({ status: 0, out: 'The database is up to date.\n' })
    expect(await run(['workspace', 'create', '--name', 'Shop', '--plan', 'starter'], env)).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^Workspace [0-9a-f-]{36} was created\. Its owner is owner@example\.com\.\n$/),
    })
    expect(await run(['workspace', 'create', '--name', 'Shop', '--plan', 'gold'], env)).toMatchObject({
      status: 1,
      error: 'There is no plan "gold". The plans are free, growth, starter, unlimited.',
    })
    const child = spawn(['start'], env)
    const { url: address } = await logged(child.stdout, 'started')
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    for (const page of ['/docs/start', '/docs/reference', '/docs/docs.css', '/docs/docs.js', '/docs/scalar.js'])
      expect((await fetch(address + page)).status, page).toBe(200)
    const body = JSON.stringify({ email: 'owner@example.com', password: 'long enough for all' })
    const signIn = await fetch(`${address}/v1/auth/sign-in`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    expect(await signIn.json()).toMatchObject({ workspace: { name: 'Shop' }, role: 'owner' })
    expect(await run(['health'], { PORT: new URL(address!).port })).toMatchObject({ status: 0 })
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    expect(await run(['health'], { PORT: new URL(address!).port })).toEqual({
      status: 1,
      out: '',
      error: `${address}/healthz is not reachable. Check HOST and PORT.`,
    })
  })

  test('explains in one sentence that it contains no PostgreSQL', async () => {
    const { status, error } = await run(['start'])
    expect(status).toBe(1)
    expect(error).toMatch(/^This installation has no embedded PostgreSQL .*Set DATABASE_URL.*\.$/)
  })

  test('refuses the demo, which needs PostgreSQL, and says where it runs', async () => {
    const { out } = await run(['help'])
    for (const command of ['start', 'migrate', 'workspace create', 'workspace plan set', 'openapi', 'health'])
      expect(out).toContain(`\n  ${command} `)
    expect(out).not.toContain('demo')
    expect(await run(['demo'])).toMatchObject({
      status: 1,
      error:
        'The demo requires the embedded PostgreSQL, which this installation does not include. Run it from the source with "bun run demo".',
    })
  })

  test('leaves no files after a failed start', async () => {
    await run(['start'], { DATA_DIR: 'new/data' })
    expect(readdirSync(folder)).not.toContain('new')
  })

  test('ignores .env and bunfig.toml in its working directory', async () => {
    await Bun.write(join(folder, '.env'), 'PORT=not-a-port\n')
    await Bun.write(join(folder, 'bunfig.toml'), 'preload = ["./missing.ts"]\n')
    expect(await run(['help'])).toMatchObject({ status: 0 })
    expect((await run(['start'])).error).not.toContain('PORT')
  })
})

describe('an impossible start explains the reason in one sentence, with status 1', () => {
  test('a wrong setting', async () => {
    expect(await run(['start'], { PORT: 'http' })).toMatchObject({
      status: 1,
      error: 'PORT must be a whole number from 0 to 65535, not "http".',
    })
  })

  test('an unknown plan, also if the first workspace exists, and before any migration', async () => {
    const url = await (await testServer()).ensureDatabase('plan_test', { fresh: true })
    const start = { DATABASE_URL: url, WORKSPACE_PLAN: 'gold', PORT: '0', LOG_LEVEL: 'silent' }
    const env = { ...start, OWNER_EMAIL: 'owner@example.com', OWNER_PASSWORD: 'long enough for all' }
    const refusal = {
      status: 1,
      out: '',
      error: 'WORKSPACE_PLAN must be one of free, growth, starter, unlimited, not "gold".',
    }
    expect(await run(['start'], env)).toEqual(refusal)
    expect(await run(['workspace', 'list'], env)).toMatchObject({
      out: expect.stringMatching(/^There are no workspaces yet/),
    })
    expect(await run(['workspace', 'create', '--name', 'Shop'], env)).toEqual(refusal)
    expect(await run(['workspace', 'create', '--name', 'Shop', '--plan', 'free'], env)).toMatchObject({ status: 0 })

    const sql = connect({ url, applicationName: 'test', max: 1 })
    const last = (await sql`delete from schema_migrations where name = (select max(name) from schema_migrations)`).count
    expect(last).toBe(1)
    expect(await run(['start'], start)).toEqual(refusal)
    await sql.end()
  })

  test('an unreachable database', async () => {
    const { status, error } = await run(['start'], { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x' })
    expect(status).toBe(1)
    expect(error).toMatch(/^The database of DATABASE_URL cannot be reached: .*\.$/)
  })

  test('a wrong password, or a database that does not exist', async () => {
    const wrong = new URL(database.url)
    wrong.password = 'wrong'
    expect(await run(['start'], { DATABASE_URL: wrong.href })).toMatchObject({
      status: 1,
      error: expect.stringMatching(/^The database .*password authentication failed.*\.$/),
    })
    const missing = new URL(database.url)
    missing.pathname = '/missing'
    expect(await run(['start'], { DATABASE_URL: missing.href })).toMatchObject({
      status: 1,
      error: expect.stringMatching(/^The database .*does not exist\.$/),
    })
  })

  describe.each(['start', 'migrate'])('%s on an unsuitable database:', command => {
    const refused = async (url: string) => {
      const { status, out, error } = await run([command], { DATABASE_URL: url, PORT: '0', LOG_LEVEL: 'silent' })
      expect({ status, out }).toEqual({ status: 1, out: '' })
      return error
    }

    test('one whose encoding is not UTF-8', async () => {
      const other = await madeDatabase("encoding 'SQL_ASCII' locale 'C'")
      expect(await refused(other.url)).toBe(
        'The database of DATABASE_URL has the encoding SQL_ASCII. Create one with "create database NAME encoding \'UTF8\' template template0".',
      )
    })

    test('one that is read-only', async () => {
      const other = await madeDatabase()
      await database.sql.unsafe(`alter database ${other.name} set default_transaction_read_only = on`)
      expect(await refused(other.url)).toBe(
        'The database of DATABASE_URL is read-only for its user. Turn default_transaction_read_only off for both.',
      )
    })

    test('one that is a standby', async () => {
      expect(await refused(await standbyUrl())).toBe(
        'DATABASE_URL leads to a standby, which does not accept writes. It must lead to the primary.',
      )
    })

    test('one whose user cannot create tables', async () => {
      const other = await madeDatabase()
      expect(await refused(await madeUser(other.url))).toBe(
        'The user of DATABASE_URL lacks permissions in the database: permission denied for schema public. Make it the owner of the database, or run "migrate" as the owner.',
      )
    })

    test('one without a free connection', async () => {
      expect(
        await refused(await madeUser(database.url, `connection limit 1 in role ${new URL(database.url).username}`)),
      ).toMatch(/^The database has no free connection: too many connections for role "[a-z0-9_]+"\. .*\.$/)
    })

    test('one behind a pooler in transaction mode', async () => {
      const pooler = await startTransactionPooler(database.url)
      undo.push(pooler.stop)
      expect(await refused(pooler.url)).toMatch(/^DATABASE_URL leads to a pooler in transaction or statement mode.*\.$/)
    })
  })

  test('a port that another program uses', async () => {
    const taken = await new Promise<Server>(resolve => {
      const server = createServer().listen(0, '127.0.0.1', () => resolve(server))
    })
    const { port } = taken.address() as { port: number }
    const { status, error } = await run(['start'], {
      DATABASE_URL: database.url,
      PORT: String(port),
      LOG_LEVEL: 'silent',
    })
    taken.close()
    expect(status).toBe(1)
    expect(error).toBe(
      `Cannot listen on 127.0.0.1:${port} (HOST, PORT): another program uses this port; stop it, or set PORT to a free port.`,
    )
  })

  test.each([
    ['nope.invalid', 'HOST must be a name or an address of this machine, not "nope.invalid".'],
    [
      '192.0.2.1',
      'Cannot listen on 192.0.2.1:0 (HOST, PORT): this machine does not have this address; set HOST to one of its addresses.',
    ],
  ])('HOST=%s, which is not an address of this machine', async (HOST, error) => {
    expect(await run(['start'], { DATABASE_URL: database.url, HOST, PORT: '0', LOG_LEVEL: 'silent' })).toEqual({
      status: 1,
      out: '',
      error,
    })
  })

  test('a database with an incompatible migration of a newer build', async () => {
    const newer = await testDatabase()
    await newer.sql`insert into schema_migrations (name, least_compatible) values ('999_from_the_future', '999')`
    const { status, error } = await run(['start'], { DATABASE_URL: newer.url })
    await newer.drop()
    expect(status).toBe(1)
    expect(error).toBe(
      'The database has the migration 999_from_the_future, which requires a build with migration 999 or newer. Use a newer build.',
    )
  })

  test('a database with the schema of a build before the first release', async () => {
    const early = await testDatabase()
    await early.sql`delete from schema_migrations`
    await early.sql`insert into schema_migrations (name) values ('001_workspaces_users_sessions'), ('002_api_keys')`
    for (const command of ['start', 'migrate'])
      expect(await run([command], { DATABASE_URL: early.url })).toEqual({
        status: 1,
        out: '',
        error:
          'The database has the schema of a build before the first release, which cannot be migrated; use an empty database (DATABASE_URL, or a new DATA_DIR).',
      })
    await early.drop()
  })
})

test('a start warns of a probably misspelled setting before it fails without it', async () => {
  const { status, out, error } = await run(['start'], { DATABSE_URL: 'postgres://a:b@localhost/c' })
  expect(out).toContain('DATABSE_URL is not a known setting. Did you mean DATABASE_URL?')
  expect({ status, error }).toEqual({ status: 1, error: expect.stringContaining('DATABASE_URL') })
})

describe('an invalid command line gets its usage and status 2, before any work', () => {
  // The setting is also invalid, but the command line is checked first.
  const env = { PORT: 'http', DATA_DIR: 'typed' }

  test.each([[['dance']], [['help', 'dance']]])('an unknown command: %j', async args => {
    expect(await run(args, env)).toMatchObject({
      status: 2,
      out: '',
      error: expect.stringContaining('Unknown command "dance".\n\nUsage: customer-engagement-service <command>'),
    })
  })

  test.each([
    ['migrate', '--dry-run'],
    ['health', 'please'],
    ['openapi', '--json'],
  ])('%s %s', async (command, surplus) => {
    expect(await run([command, surplus, '3'], env)).toEqual({
      status: 2,
      out: '',
      error: `${command} does not accept the argument "${surplus}". Settings come from the environment.\nUsage: ${command}`,
    })
    expect(readdirSync(folder)).not.toContain('typed')
  })

  test.each([[['start', '--port']], [['start', 'now']], [['start', '--hold=yes']]])('%j', async args => {
    const { status, out, error } = await run(args, env)
    expect({ status, out, usage: error.split('\n').at(-1) }).toEqual({
      status: 2,
      out: '',
      usage: 'Usage: start [--hold]',
    })
    expect(readdirSync(folder)).not.toContain('typed')
  })

  test.each([
    ['workspace', 'Usage: workspace create', ['workspace', 'list', '--all']],
    ['workspace', 'Usage: workspace plan set', ['workspace', 'plan', 'set', '--plan', 'free']],
    ['demo', 'Usage: demo [--exit] [--orders FILE]', ['demo', '--fast']],
    ['demo', 'Usage: demo [--exit] [--orders FILE]', ['demo', 'surplus']],
  ])('%s: %s', async (_, usage, args) => {
    expect(await run(args, env)).toMatchObject({ status: 2, out: '', error: expect.stringContaining(usage) })
  })
})

describe('help needs no settings', () => {
  const env = { PORT: 'http', DATABASE_URL: 'nonsense' }

  test.each(['help', '--help', '-h'])('%s lists every command', async word => {
    const { status, out, error } = await run([word], env)
    expect({ status, error }).toEqual({ status: 0, error: '' })
    expect(out).toStartWith('Usage: customer-engagement-service <command>\n')
  })

  test.each(['start', 'migrate', 'workspace', 'openapi', 'health', 'version', 'demo'])(
    '%s --help prints the help of the command',
    async command => {
      const asked = await run([command, '--help'], env)
      expect(asked).toEqual({ status: 0, out: expect.stringContaining(`Usage: ${command}`), error: '' })
      expect(await run(['help', command], env)).toEqual(asked)
      expect(await run([command, 'surplus', '-h'], env)).toEqual(asked)
    },
  )

  test.each(['version', '--version'])('%s prints the version', async word => {
    const { version } = await Bun.file(join(root, 'package.json')).json()
    expect(await run([word], env)).toEqual({ status: 0, out: `${version}\n`, error: '' })
  })

  test('a subcommand prints its own help', async () => {
    const { out } = await run(['workspace', 'list', '--help'], env)
    expect(out).toBe('Usage: workspace list\n')
  })
})

/** Runs like a container: an empty environment, and no entry in the user database. */
test.skipIf(process.getuid!() !== 0)(
  'the binary starts as a user without an entry in the user database and without HOME',
  async () => {
    chmodSync(folder, 0o755)
    const owner = { OWNER_EMAIL: 'owner@example.com', OWNER_PASSWORD: 'long enough for all' }
    const child = spawn(['start'], { DATABASE_URL: database.url, PORT: '0', ...owner }, { uid: 54321, gid: 54321 })
    const { url } = await logged(child.stdout, 'started')
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  },
)
