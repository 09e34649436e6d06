/** The server process of a cluster: found by its pid file, started and stopped by `pg_ctl`. */
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { canReach, serverAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import { answers } from './client.ts'
import type { Cluster } from './cluster.ts'
import { codeOf, EmbeddedPostgresError } from './failure.ts'
import { isServerOf, processToken } from './process.ts'
import { runAs } from './run.ts'

/** A server that lives. Port and status are known once it has written them down. */
export interface Server {
  pid: number
  port: number
  status: string | undefined
}

/** `fast` ends connections and writes a checkpoint; `immediate` stops as a crash would, and recovers at the start. */
export type StopMode = 'fast' | 'immediate'

/** What a launch may choose. */
export interface LaunchOptions {
  /** by default that of the last run, for the sake of clients that still know it, or any free one */
  port?: number
  /** as in production: a commit that was acknowledged survives a crash of the machine */
  durable: boolean
}

const maxReadySeconds = 120
const maxStopSeconds = 25
const launchAgainMs = 20_000
const pollMs = 20
const maxLogBytes = 10 * 1024 * 1024

/** The URL of a database in the server on this port. */
export const urlOf = (cluster: Cluster, port: number, database: string): string => {
  // drivers disagree on whether the path of the URL is percent-decoded, and PostgreSQL cuts longer names silently
  if (!/^[\w-]{1,63}$/.test(database)) {
    throw new EmbeddedPostgresError(
      `"${database}" cannot be a database name: up to 63 letters, digits, "_" and "-" are taken.`,
    )
  }
  return `postgres://postgres:${cluster.password}@127.0.0.1:${port}/${database}`
}

/** The server of this cluster, as soon as it answers; undefined when none is running. */
export const runningServer = async (cluster: Cluster): Promise<Server | undefined> => {
  const deadline = Date.now() + maxReadySeconds * 1000
  for (;;) {
    const server = await findServer(cluster)
    if (!server) return undefined
    if (server.status === 'ready' && (await letsUsIn(cluster, server.port))) return server
    // Somebody else's plain SIGTERM makes the server take no new sessions and wait for the last one to end, which may
    // be never. It is of use to nobody by then, so the sessions are ended and it can be started anew.
    if (server.status === 'stopping') await stopServer(cluster, 'fast')
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL has not become ready in two minutes (see ${cluster.logFile}).`,
      )
    }
    await delay(pollMs)
  }
}

const letsUsIn = (cluster: Cluster, port: number): Promise<boolean> =>
  answers(urlOf(cluster, port, 'postgres')).catch(error => {
    if (codeOf(error) !== '28P01') throw error
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL does not take the password in the file beside ${cluster.data}; put the right one there.`,
    )
  })

/** Starts the server and returns it once it answers. Call it under the lock, when none is running. */
export const launchServer = async (cluster: Cluster, { port: fixed, durable }: LaunchOptions): Promise<Server> => {
  await rotateLog(cluster)
  await dropPidOfKilledServer(cluster)
  const deadline = Date.now() + launchAgainMs
  for (let port = fixed ?? (await lastPort(cluster)) ?? randomPort(); ; await delay(100)) {
    const outcome = await launchOnce(cluster, port, durable)
    if (typeof outcome !== 'string') return outcome
    const taken = outcome.includes('could not create any TCP/IP sockets')
    // the children of a killed server have not noticed its death yet
    const haunted = outcome.includes('pre-existing shared memory block')
    if ((!taken && !haunted) || Date.now() > deadline) {
      throw new EmbeddedPostgresError(`The embedded PostgreSQL did not start: ${outcome} (see ${cluster.logFile}).`)
    }
    if (taken) port = fixed ?? randomPort()
  }
}

const rotateLog = async (cluster: Cluster): Promise<void> => {
  if ((await sizeOf(cluster.logFile)) > maxLogBytes) await rename(cluster.logFile, `${cluster.logFile}.1`)
}

/**
 * When a process has that number now, a stranger or the server's own zombie, PostgreSQL takes it for the server and
 * refuses to start. Surviving children it finds without the file, by their shared memory.
 */
const dropPidOfKilledServer = async (cluster: Cluster): Promise<void> => {
  // asked again: a starter that was killed may have left a server that has only just written the file
  if (!(await findServer(cluster))) await rm(pidFile(cluster), { force: true })
}

/** From the command line of the last run, which the server writes down itself. */
const lastPort = async (cluster: Cluster): Promise<number | undefined> => {
  const options = await readFile(join(cluster.data, 'postmaster.opts'), 'utf8').catch(() => '')
  const [, port] = options.match(/"port=(\d+)"/) ?? []
  return port ? Number(port) : undefined
}

/**
 * Below the range that systems give to outgoing connections: from inside it, a client that keeps trying to reach a
 * stopped server can be given the server's own port, connect to itself, and keep the server from coming back.
 */
const randomPort = (): number => 15_000 + Math.floor(Math.random() * 17_000)

/** The server, or the reason why it did not come up. */
const launchOnce = async (cluster: Cluster, port: number, durable: boolean): Promise<Server | string> => {
  const logged = await sizeOf(cluster.logFile)
  // opened by us and inherited, where pg_ctl's -l would have the account open it, which needs no right to the file
  const log = await open(cluster.logFile, 'a', 0o600)
  try {
    const args = ['start', '-t', String(maxReadySeconds), '-o', serverOptions(cluster, port, durable)]
    const complaint = await pgCtl(cluster, args, log.fd)
    const server = await runningServer(cluster)
    return server ?? ((await complaintSince(cluster.logFile, logged)) || complaint || 'it ended without a word')
  } finally {
    await log.close()
  }
}

/** As pg_ctl hands them to a shell. The folder is among them, since pg_ctl would quote it so that a "$" in it acts. */
const serverOptions = (cluster: Cluster, port: number, durable: boolean): string => {
  const values = Object.entries({ ...settings, fsync: durable ? 'on' : 'off', port })
  return [`-D ${quoted(cluster.data)}`, ...values.map(([name, value]) => `-c ${quoted(`${name}=${value}`)}`)].join(' ')
}

/**
 * Whoever is erased from the tables must not live on in the log: no statement, no parameter and no row is written there, and
 * an error of a statement, which may repeat a value, is told to who sent it alone. What is said of the server stays.
 */
const silentAboutRows = {
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_min_duration_sample: '-1',
  log_transaction_sample_rate: '0',
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Of passwords that somebody sets here: ours, which is random, was set with one.
  scram_iterations: '4096',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  log_destination: 'stderr',
  ...silentAboutRows,
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The fatal message, else the last line: a missing library is complained about by the loader, not by PostgreSQL. */
const complaintSince = async (logFile: string, offset: number): Promise<string> => {
  const lines = (await readFile(logFile)).subarray(offset).toString('utf8').trim().split('\n')
  const fatal = lines.map(line => line.match(/(?:FATAL|PANIC): +(.*)/)?.[1]).find(Boolean)
  return fatal ?? lines.at(-1) ?? ''
}

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )

/** Stops the server of this cluster, if there is one, and returns when it is gone. */
export const stopServer = async (cluster: Cluster, mode: StopMode): Promise<void> => {
  let complaint: string | undefined
  // the second try costs a recovery at the next start and nothing else
  for (const means of [mode, 'immediate']) {
    if (!(await findServer(cluster))) return
    complaint = await pgCtl(cluster, ['stop', '-t', String(maxStopSeconds), '-m', means])
    if (!complaint) return
  }
  if (await findServer(cluster)) throw new EmbeddedPostgresError(`The embedded PostgreSQL does not stop: ${complaint}.`)
}

/**
 * Runs pg_ctl to its end, and returns what it complained of when it failed. It puts the server in a session of its own,
 * which neither Ctrl-C in our terminal nor our death ends. It is in one itself as well, since Ctrl-C while it waits
 * would make it undo the start. It looks ten times a second whether it is done, which makes a start and a stop last
 * 0.1 seconds each, instead of 0.05 and 0.02: once in the life of a service, that is not worth waiting by ourselves.
 */
const pgCtl = async (cluster: Cluster, args: string[], output?: number): Promise<string | undefined> => {
  const account = await serverAccount(cluster.data)
  if (!(await canReach(account, cluster.data))) {
    throw new EmbeddedPostgresError(
      `User ${account?.uid}, who owns ${cluster.data}, cannot reach it there; open its parent folders to that user or set DATABASE_URL.`,
    )
  }
  const { pgCtl } = await findBinaries(account)
  const options = { cwd: cluster.data, variables: { PGDATA: cluster.data }, detached: true, output }
  return runAs(account, pgCtl, [...args, '--wait', '--silent'], options)
}

/**
 * Read by ourselves: `pg_ctl status` takes any process with the pid for the server, be it a stranger or a zombie, and
 * tells neither port nor status.
 */
const findServer = async (cluster: Cluster): Promise<Server | undefined> => {
  const lines = await pidFileLines(cluster)
  const pid = Number(lines[0])
  if (!processToken(pid) || !isServerOf(pid, cluster.data)) return undefined
  return { pid, port: Number(lines[3]), status: lines[7]?.trim() }
}

/** Pid, folder, time of start, port, socket folder, address, shared memory key, status; the later ones come later. */
const pidFileLines = async (cluster: Cluster): Promise<string[]> =>
  (await readFile(pidFile(cluster), 'utf8').catch(() => '')).split('\n')

const pidFile = (cluster: Cluster): string => join(cluster.data, 'postmaster.pid')
