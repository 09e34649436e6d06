import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { migrateTasks } from '../../../src/app/tasks/index.ts'
import { connect } from '../../../src/platform/postgres/client.ts'
import { startTransactionPooler } from '../../platform/postgres/pooler.ts'
import { runCommand } from '../../support/command.ts'
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
    const owner = { email: 'owner@example.com', password: 'long enough for all' }
    const env = { DATABASE_URL: url, OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password, PORT: '0' }
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
    const headers = { 'Content-Type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(owner) }
    const signIn = await fetch(`${address}/v1/auth/sign-in`, init)
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

  test('explains that it contains no PostgreSQL, also for the demo, and leaves no files after a failed start', async () => {
    const usage = { status: 2, out: '', error: expect.stringMatching(/\nUsage: start \[--hold\]$/) }
    expect(await run(['start', '--port'], { PORT: 'http', DATA_DIR: 'new/data' })).toEqual(usage)
    const { status, error } = await run(['start'], { DATA_DIR: 'new/data' })
    expect(status).toBe(1)
    expect(error).toMatch(/^This installation has no embedded PostgreSQL .*Set DATABASE_URL.*\.$/)
    expect(readdirSync(folder)).not.toContain('new')
    expect((await run(['help'])).out).not.toContain('demo')
    expect(await run(['demo'])).toMatchObject({
      status: 1,
      error:
        'The demo requires the embedded PostgreSQL, which this installation does not include. Run it from the source with "bun run demo".',
    })
  })

  test('ignores .env and bunfig.toml in its working directory, and warns of a probably misspelled setting', async () => {
    await Bun.write(join(folder, '.env'), 'PORT=not-a-port\n')
    await Bun.write(join(folder, 'bunfig.toml'), 'preload = ["./missing.ts"]\n')
    const { status, out, error } = await run(['start'], { DATABSE_URL: 'postgres://a:b@localhost/c' })
    expect(out).toContain('DATABSE_URL is not a known setting. Did you mean DATABASE_URL?')
    expect({ status, error }).toEqual({ status: 1, error: expect.stringContaining('DATABASE_URL') })
    expect(error).not.toContain('PORT')
  })
})

describe('an impossible start explains the reason in one sentence, with status 1', () => {
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

  /** Returns the URL of the database with changes. */
  const changed = (changes: Partial<Pick<URL, 'password' | 'pathname'>>) =>
    Object.assign(new URL(database.url), changes).href
  const migratedWith = async (change: (sql: TestDatabase['sql']) => Promise<unknown>) => {
    const made = await testDatabase()
    undo.push(made.drop)
    await change(made.sql)
    return made.url
  }
  const unsuitable: [string, () => string | Promise<string>, string | RegExp][] = [
    ['unreachable', () => 'postgres://u:p@127.0.0.1:1/x', /^The database of DATABASE_URL cannot be reached: .*\.$/],
    [
      'with a wrong password',
      () => changed({ password: 'wrong' }),
      /^The database .*password authentication failed.*\.$/,
    ],
    ['missing', () => changed({ pathname: '/missing' }), /^The database .*does not exist\.$/],
    [
      'with an encoding other than UTF-8',
      async () => (await madeDatabase("encoding 'SQL_ASCII' locale 'C'")).url,
      'The database of DATABASE_URL has the encoding SQL_ASCII. Create one with "create database NAME encoding \'UTF8\' template template0".',
    ],
    [
      'read-only',
      async () => {
        const { name, url } = await madeDatabase()
        await database.sql.unsafe(`alter database ${name} set default_transaction_read_only = on`)
        return url
      },
      'The database of DATABASE_URL is read-only for its user. Turn default_transaction_read_only off for both.',
    ],
    [
      'without the permission to create tables',
      async () => madeUser((await madeDatabase()).url),
      'The user of DATABASE_URL lacks permissions in the database: permission denied for schema public. Make it the owner of the database, or run "migrate" as the owner.',
    ],
    [
      'without extensions that its user can create',
      async () => {
        const { url } = await madeDatabase()
        // Only a role that may create schemas can create the schema of the tasks.
        await migrateTasks(url)
        const limited = await madeUser(url, 'bypassrls')
        const { username } = new URL(limited)
        const admin = connect({ url, applicationName: 'test', max: 1 })
        await admin.unsafe(`grant all on schema public, graphile_worker to ${username};
          grant all on all tables in schema graphile_worker to ${username}`)
        await admin.end()
        return limited
      },
      'The database needs the extensions pg_trgm and btree_gin, which come with PostgreSQL: have somebody who may install them and run "create extension pg_trgm; create extension btree_gin" (now: permission denied to create extension "pg_trgm").',
    ],
    [
      'without ownership of the task tables',
      () => madeUser(database.url),
      'The user of DATABASE_URL does not own the task tables, which have row security. Make it the owner of the database or a member of that role, or give it bypassrls.',
    ],
    [
      'without a free connection',
      () => madeUser(database.url, `connection limit 1 in role ${new URL(database.url).username}`),
      /^The database has no free connection: too many connections for role "[a-z0-9_]+"\. .*\.$/,
    ],
    [
      'behind a pooler in transaction mode',
      async () => {
        const pooler = await startTransactionPooler(database.url)
        undo.push(pooler.stop)
        return pooler.url
      },
      /^DATABASE_URL leads to a pooler in transaction or statement mode.*\.$/,
    ],
    [
      'with an incompatible migration of a newer build',
      () =>
        migratedWith(
          sql => sql`insert into schema_migrations (name, least_compatible) values ('999_from_the_future', '999')`,
        ),
      'The database has the migration 999_from_the_future, which requires a build with migration 999 or newer. Use a newer build.',
    ],
    [
      'with the schema of a build before the first release',
      () =>
        migratedWith(async sql => {
          await sql`delete from schema_migrations`
          await sql`insert into schema_migrations (name) values ('001_workspaces_users_sessions'), ('002_api_keys')`
        }),
      'The database has the schema of a build before the first release, which cannot be migrated; use an empty database (DATABASE_URL, or a new DATA_DIR).',
    ],
    [
      'with a table of migrations that lacks columns',
      () => migratedWith(sql => sql`alter table schema_migrations drop column checksum, drop column least_compatible`),
      /^The database has the schema of a build before the first release.*\.$/,
    ],
  ]
  test.each(unsuitable)('a database that is %s', async (_, urlOf, error) => {
    expect(await runCommand(['migrate'], { DATABASE_URL: await urlOf() })).toEqual({
      status: 1,
      out: '',
      error: typeof error === 'string' ? error : expect.stringMatching(error),
    })
  })

  test.each([
    ['nope.invalid', 'HOST must be a name or an address of this machine, not "nope.invalid".'],
    [
      '192.0.2.1',
      'Cannot listen on 192.0.2.1:0 (HOST, PORT): this machine does not have this address; set HOST to one of its addresses.',
    ],
  ])('HOST=%s, which is not an address of this machine', async (HOST, error) => {
    const settings = { DATABASE_URL: database.url, HOST, PORT: '0', LOG_LEVEL: 'silent' }
    expect(await run(['start'], settings)).toEqual({ status: 1, out: '', error })
  })
})

describe('an invalid command line gets its usage and status 2, before any work', () => {
  test.each([
    ['dance', 'Unknown command "dance".\n\nUsage: customer-engagement-service <command>'],
    ['help dance', 'Unknown command "dance".\n\nUsage: customer-engagement-service <command>'],
    ['migrate --dry-run 3', 'migrate does not accept the argument "--dry-run". Settings come from the environment.'],
    ['openapi --json 3', 'openapi does not accept the argument "--json". Settings come from the environment.'],
    ['start now', 'Usage: start [--hold]'],
    ['start --hold=yes', 'Usage: start [--hold]'],
    ['workspace list --all', 'Usage: workspace create'],
    ['demo --fast', 'Usage: demo [--exit] [--orders FILE]'],
    ['demo surplus', 'Usage: demo [--exit] [--orders FILE]'],
    ['listen --url ftp://x', '--url must be an http or https address'],
    ['trigger', 'The type is missing. The types are message.received, '],
    ['mcp --all', "Unknown option '--all'"],
  ])('%s', async (line, error) => {
    // The setting is also invalid, but the command line is checked first.
    expect(await runCommand(line.split(' '), { PORT: 'http' })).toEqual({
      status: 2,
      out: '',
      error: expect.stringContaining(error),
    })
  })
})

describe('help needs no settings', () => {
  const printed = async (line: string) => {
    const { out, ...end } = await runCommand(line.split(' '), { PORT: 'http', DATABASE_URL: 'nonsense' })
    expect(end, line).toEqual({ status: 0, error: '' })
    return out
  }

  const clients = ['listen', 'trigger', 'send-event', 'bench', 'mcp']

  test('lists every command, and prints the help of one', async () => {
    const list = await printed('help')
    expect(list).toStartWith('Usage: customer-engagement-service <command>\n')
    for (const command of [
      'start',
      'migrate',
      'cells list',
      'cells create',
      'workspace create',
      'workspace plan set',
      'workspace sso optional',
      'openapi',
      'health',
      'demo',
      ...clients,
    ])
      expect(list).toContain(`\n  ${command} `)
    for (const line of ['--help', '-h']) expect(await printed(line)).toBe(list)
    for (const command of [
      'start',
      'migrate',
      'cells',
      'workspace',
      'openapi',
      'health',
      'version',
      'demo',
      ...clients,
    ]) {
      const one = await printed(`${command} --help`)
      expect(one).toContain(`Usage: ${command}`)
      for (const line of [`help ${command}`, `${command} surplus -h`]) expect(await printed(line)).toBe(one)
    }
    expect(await printed('workspace list --help')).toBe(
      'Usage: workspace list [--json], for example workspace list --json\n',
    )
    for (const action of ['workspace delete', 'workspace plan set']) {
      const one = await printed(`${action} --help`)
      expect(one.split('\n')).toEqual([expect.stringContaining(`Usage: ${action} `), ''])
      expect(await printed(`${action} 01981b7e-3c00-7a51-9a64-1f0f5c3d7e99 --yes --help`)).toBe(one)
    }
  })

  test('prints the version', async () => {
    const { version } = await Bun.file(join(root, 'package.json')).json()
    for (const line of ['version', '--version']) expect(await printed(line)).toBe(`${version}\n`)
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
