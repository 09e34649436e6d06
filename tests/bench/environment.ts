/** The benchmark environment: the service as an operator runs it, a separate PostgreSQL, and a receiver. */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createWorkspace } from '../../src/accounts/workspaces/index.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts'
import { connect, type Database } from '../../src/platform/postgres/client.ts'
import type { LoadResult } from './hammer.ts'
import type { LoadTask } from './load.ts'
import { childEnvironment, projectFolder, runProgram } from './programs.ts'
import type { ReceiverState } from './receiver.ts'

/** Calls the service as the owner of a workspace. Fails unless the status is 2xx. */
// biome-ignore lint/suspicious/noExplicitAny: a bench reads whatever the answer holds, and fails where it does not
export type Call = (method: string, path: string, body?: unknown) => Promise<any>

export interface BenchWorkspace {
  id: string
  apiKey: string
  /** The owner, signed in with `benchPassword`. */
  owner: { email: string; token: string }
  call: Call
  /** Creates, publishes and enables a workflow, and returns its id. */
  workflow(name: string, definition: object): Promise<string>
  /** Sends events to the process at `port`. Each call uses its own keys and new phones. */
  record(port: number, load: RecordLoad): Promise<LoadResult>
}

type RecordLoad = Pick<LoadTask, 'connections' | 'seconds'> & Partial<Pick<LoadTask, 'knownCustomers' | 'newShare'>>

/** Number of existing customers of most measurements, and the share of events that create another one. */
export const knownCustomers = 10_000
const newShare = 0.2
/** Warm-up of every load. */
export const warmUpSeconds = 0.5

/** The measured process, in both roles. */
export interface BenchService {
  url: string
  port: number
  residentMiB(): Promise<number>
  /** Returns its processor time so far. */
  cpuMs(): Promise<number>
}

export interface Environment {
  /** URL of the service's database. */
  databaseUrl: string
  sql: Database
  readonly service: BenchService
  receiver: {
    url(path: string): string
    /** Returns the number of requests answered since the last `take`. */
    count(): Promise<number>
    /** Returns the state so far and resets it. Records each arrival from now on if `noteArrivals` is set. */
    take(noteArrivals?: boolean): Promise<ReceiverState>
  }
  /**
   * Starts another process on the same database with its own settings. By default it only answers requests. `flags` are
   * Bun's command-line flags.
   */
  serviceWith(settings: Record<string, string>, flags?: string[]): Promise<BenchService & { stop(): Promise<void> }>
  /** Returns the processor time of all PostgreSQL processes so far. */
  postgresCpuMs(): Promise<number>
  /** Ends `service` with SIGKILL and starts it again at another address. Resolves when it listens. */
  killAndRestart(): Promise<void>
  /** Creates a separate workspace for a measurement. */
  workspace(name: string): Promise<BenchWorkspace>
  close(): Promise<void>
}

/** The temporary folder is unsuitable: on many machines it is in memory, where a flush costs nothing. */
const dataDir = join(projectFolder, '.data/bench')
/** Password of every owner that the benchmark creates. */
export const benchPassword = 'correct horse battery'

/** Starts the environment. `log` is called for each step. */
export const startEnvironment = async (log: (line: string) => void): Promise<Environment> => {
  await mkdir(dataDir, { recursive: true })
  const closing: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step()
  }
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log })
    closing.push(() => postgres.release())
    const databaseUrl = await freshDatabase(postgres, closing)
    const receiver = await startReceiver(closing)
    const startMain = () =>
      startService(databaseUrl, 'service.log', { WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target })
    let service = await startMain()
    closing.push(() => service.stop('SIGTERM'))
    const sql = connect({ url: databaseUrl, applicationName: 'bench' })
    closing.push(() => sql.end({ timeout: 1 }))
    await assertDurable(sql)
    log(`the service, process ${service.pid}, listens on ${service.url}`)
    let others = 0
    const serviceWith = async (settings: Record<string, string>, flags?: string[]) => {
      const other = await startService(databaseUrl, `service-${++others}.log`, { ROLES: 'http', ...settings }, flags)
      closing.push(() => other.stop('SIGTERM'))
      return { ...other, stop: () => other.stop('SIGTERM') }
    }
    const killAndRestart = async () => {
      await service.stop('SIGKILL')
      service = await startMain()
    }
    const workspace = (name: string) => newWorkspace(sql, service.url, name)
    return {
      databaseUrl,
      sql,
      get service() {
        return service
      },
      receiver,
      serviceWith,
      postgresCpuMs: () => postgresCpuMs(sql),
      killAndRestart,
      workspace,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const freshDatabase = async (postgres: EmbeddedPostgres, closing: (() => Promise<unknown>)[]): Promise<string> => {
  const name = `bench_${randomUUID().replaceAll('-', '')}`
  const admin = connect({ url: postgres.url('postgres'), applicationName: 'bench', max: 1 })
  // Drops the databases of killed runs. A database in use belongs to a running benchmark.
  for (const { datname } of await admin`select datname from pg_database where datname like 'bench\\_%'`)
    await admin.unsafe(`drop database ${datname}`).catch(() => {})
  closing.push(async () => {
    await admin.unsafe(`drop database if exists ${name} with (force)`)
    await admin.end()
  })
  return postgres.ensureDatabase(name)
}

const startReceiver = async (closing: (() => Promise<unknown>)[]) => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'receiver.ts')], {
    cwd: projectFolder,
    env: childEnvironment({}),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  closing.push(() => ended(child, 'SIGKILL'))
  const { value } = await child.stdout.getReader().read()
  const target = `127.0.0.1:${new TextDecoder().decode(value).trim()}`
  const control = async (action: string) => (await fetch(`http://${target}/control/${action}`)).json()
  return {
    target,
    url: (path: string) => `http://${target}${path}`,
    count: () => control('count') as Promise<number>,
    take: (noteArrivals = false) => control(noteArrivals ? 'note' : 'take') as Promise<ReceiverState>,
  }
}

/** Rate limits are off unless the settings enable them. */
const startService = async (
  databaseUrl: string,
  logName: string,
  settings: Record<string, string>,
  flags = serviceFlags(),
) => {
  const logFile = join(dataDir, logName)
  await rm(logFile, { force: true })
  const child = Bun.spawn([process.execPath, ...flags, join(projectFolder, 'src/main.ts'), 'start'], {
    cwd: projectFolder,
    env: childEnvironment({
      DATABASE_URL: databaseUrl,
      PORT: '0',
      RATE_LIMIT_KEY: '0',
      RATE_LIMIT_PERSON: '0',
      RATE_LIMIT_SIGN_IN: '0',
      RATE_LIMIT_CALLBACKS: '0',
      SECRETS_KEY: Buffer.alloc(32, 'bench').toString('base64'),
      ...settings,
    }),
    stdout: Bun.file(logFile),
    stderr: 'inherit',
  })
  const stop = (signal: NodeJS.Signals) => ended(child, signal)
  try {
    const url = await startedAt(logFile, child)
    const { pid } = child
    const port = Number(new URL(url).port)
    return { url, port, pid, residentMiB: () => residentMiB(pid), cpuMs: () => cpuMs(pid), stop }
  } catch (error) {
    await stop('SIGTERM')
    throw error
  }
}

/** Flags for the analysis of a figure: `BENCH_SERVICE_FLAGS="--cpu-prof --cpu-prof-dir=/tmp/profile"`. */
const serviceFlags = (): string[] => process.env.BENCH_SERVICE_FLAGS?.split(' ') ?? []

/** Waits until the service has started and returns the address from its log. */
const startedAt = async (logFile: string, child: Bun.Subprocess): Promise<string> => {
  for (let waited = 0; waited < 30_000; waited += 50) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}; see ${logFile}`)
    const text = await readFile(logFile, 'utf8').catch(() => '')
    for (const line of text.split('\n')) {
      if (line.includes('"msg":"started"') && line.endsWith('}')) return JSON.parse(line).url
    }
    await Bun.sleep(50)
  }
  throw new Error(`the service did not start; see ${logFile}`)
}

const ended = async (child: Bun.Subprocess, signal: NodeJS.Signals): Promise<void> => {
  child.kill(signal)
  await child.exited
}

/** Fails unless PostgreSQL flushes. Figures without flushing would be worthless. */
const assertDurable = async (sql: Database): Promise<void> => {
  const [row] = await sql`
    select current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
      current_setting('full_page_writes') as full_page_writes,
      (select count(*)::integer from pg_class where relpersistence <> 'p'
        and relname in ('events', 'customers', 'event_usage', 'outbound_events', 'deliveries', 'delivery_attempts')) as unlogged`
  const found = JSON.stringify(row)
  if (found !== '{"fsync":"on","synchronous_commit":"on","full_page_writes":"on","unlogged":0}')
    throw new Error(`PostgreSQL is not set to be durable: ${found}`)
}

const residentMiB = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null)
  const kib = status
    ? /VmRSS:\s+(\d+)/.exec(status)?.[1]
    : await new Response(Bun.spawn(['ps', '-o', 'rss=', '-p', String(pid)]).stdout).text()
  return Number(kib) / 1024
}

/** Returns the processor time of all threads, including ended ones. `/proc` counts in hundredths of a second. */
const cpuMs = async (pid: number): Promise<number> => {
  const fields = await statOf(pid)
  return fields === null ? Number.NaN : 10 * (Number(fields[11]) + Number(fields[12]))
}

/**
 * Returns the fields of Linux's process status, starting with the state. Null if there is no such process, and on other
 * systems.
 */
const statOf = async (pid: number): Promise<string[] | null> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Returns the time of a process of one thread, in more detail than `cpuMs`. */
const threadCpuMs = async (pid: number): Promise<number> => {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => null)
  return text === null ? cpuMs(pid) : Number(text.split(' ', 1)[0]) / 1e6
}

/** Returns the time of the PostgreSQL main process and its children, running and ended. */
export const postgresCpuMs = async (sql: Database): Promise<number> => {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const parent = Number((await statOf(row!.pid))?.[1])
  const list = Bun.spawn(['ps', '-o', 'pid=', '--ppid', String(parent)])
  const children = (await new Response(list.stdout).text()).trim().split(/\s+/)
  const times = (await Promise.all(children.map(pid => threadCpuMs(Number(pid))))).filter(ms => !Number.isNaN(ms))
  const gone = await statOf(parent)
  const ofGone = gone === null ? Number.NaN : 10 * (Number(gone[13]) + Number(gone[14]))
  return times.reduce((sum, ms) => sum + ms, ofGone)
}

/** Creates a workspace in this database, or in a further cell of it. The service at `url` uses it. */
export const newWorkspace = async (
  sql: Database,
  url: string,
  name: string,
  cell: Database = sql,
): Promise<BenchWorkspace> => {
  const email = `${name.replaceAll(/\W/g, '-')}-${randomUUID()}@bench.example`
  const owner = { email, password: benchPassword }
  const { id } = await createWorkspace(sql, { name, planId: 'unlimited', owner }, cell)
  const { token } = await ask(url, 'POST', '/v1/auth/sign-in', {}, { email, password: benchPassword })
  const call: Call = (method, path, body) => ask(url, method, path, { Authorization: `Bearer ${token}` }, body)
  const { key: apiKey } = await call('POST', '/v1/api-keys', { name: 'bench' })
  let calls = 0
  return {
    id,
    apiKey,
    owner: { email, token },
    call,
    workflow: async (name, definition) => {
      const { id } = await call('POST', '/v1/workflows', { name, definition })
      await call('POST', `/v1/workflows/${id}/publish`)
      await call('PATCH', `/v1/workflows/${id}`, { enabled: true })
      return id
    },
    record: (port, load) => {
      const task = { port, apiKey, warmUpSeconds, knownCustomers, newShare, ...load, call: calls++ }
      return runProgram<LoadTask, LoadResult>('load.ts', task)
    },
  }
}

const ask = async (url: string, method: string, path: string, headers: Record<string, string>, body?: unknown) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? null : JSON.parse(text)
}
