/** Controls the server process of a cluster: finds it by its pid file, and starts and stops it with `pg_ctl`. */
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { canAccess, serverAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import { canConnect } from './client.ts'
import type { Cluster } from './cluster.ts'
import { codeOf, EmbeddedPostgresError } from './error.ts'
import { isServerOf, processToken } from './process.ts'
import { runAs } from './run.ts'

/** A running server. Port and status are unknown until the server has written them. */
export interface Server {
  pid: number
  port: number
  status: string | undefined
}

/** `fast` closes connections and writes a checkpoint. `immediate` stops like a crash and recovers at the next start. */
export type StopMode = 'fast' | 'immediate'

/** Options of a launch. */
export interface LaunchOptions {
  /**
   * Port to listen on. Defaults to the port of the last run, because clients may still know it, or to any free port.
   */
  port?: number
  /** Whether acknowledged commits survive a crash of the machine, as in production. */
  durable: boolean
}

const maxReadySeconds = 120
const maxStopSeconds = 25
const launchTimeoutMs = 20_000
const pollMs = 20
const maxLogBytes = 10 * 1024 * 1024

/** Returns the URL of a database in the server on this port. */
export const urlOf = (cluster: Cluster, port: number, database: string): string => {
  // Drivers disagree on whether the path of the URL is percent-decoded, and PostgreSQL silently truncates longer names.
  if (!/^[\w-]{1,63}$/.test(database)) {
    throw new EmbeddedPostgresError(
      `"${database}" is not a valid database name. Use up to 63 letters, digits, "_" and "-".`,
    )
  }
  return `postgres://postgres:${cluster.password}@127.0.0.1:${port}/${database}`
}

/** Returns the server of this cluster as soon as it answers. Undefined if none is running. */
export const runningServer = async (cluster: Cluster): Promise<Server | undefined> => {
  const deadline = Date.now() + maxReadySeconds * 1000
  for (;;) {
    const server = await findServer(cluster)
    if (!server) return undefined
    if (server.status === 'ready' && (await acceptsConnections(cluster, server.port))) return server
    // After a SIGTERM from someone else, the server accepts no new sessions and waits for the last one to end, which
    // may never happen. No process can use it in this state, so it is stopped and can be started again.
    if (server.status === 'stopping') await stopServer(cluster, 'fast')
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL was not ready after two minutes (see ${cluster.logFile}).`,
      )
    }
    await delay(pollMs)
  }
}

const acceptsConnections = (cluster: Cluster, port: number): Promise<boolean> =>
  canConnect(urlOf(cluster, port, 'postgres')).catch(error => {
    if (codeOf(error) !== '28P01') throw error
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL rejects the password in the file next to ${cluster.data}. Restore the correct password.`,
    )
  })

/** Starts the server and returns it once it answers. Call it while holding the lock, when no server is running. */
export const launchServer = async (cluster: Cluster, { port: fixed, durable }: LaunchOptions): Promise<Server> => {
  await rotateLog(cluster)
  await removeStalePidFile(cluster)
  const deadline = Date.now() + launchTimeoutMs
  for (let port = fixed ?? (await lastPort(cluster)) ?? randomPort(); ; await delay(100)) {
    const outcome = await launchOnce(cluster, port, durable)
    if (typeof outcome !== 'string') return outcome
    const isPortTaken = outcome.includes('could not create any TCP/IP sockets')
    // The child processes of a killed server have not yet noticed its end.
    const hasOrphans = outcome.includes('pre-existing shared memory block')
    if ((!isPortTaken && !hasOrphans) || Date.now() > deadline) {
      throw new EmbeddedPostgresError(`The embedded PostgreSQL did not start: ${outcome} (see ${cluster.logFile}).`)
    }
    if (isPortTaken) port = fixed ?? randomPort()
  }
}

const rotateLog = async (cluster: Cluster): Promise<void> => {
  if ((await sizeOf(cluster.logFile)) > maxLogBytes) await rename(cluster.logFile, `${cluster.logFile}.1`)
}

/**
 * Removes the pid file of a killed server. If another process or a zombie has that pid now, PostgreSQL would refuse to
 * start. PostgreSQL detects surviving child processes without the file, by their shared memory.
 */
const removeStalePidFile = async (cluster: Cluster): Promise<void> => {
  // Checked again, because a killed starter may have left a server that has only just written the file.
  if (!(await findServer(cluster))) await rm(pidFile(cluster), { force: true })
}

/** Returns the port from the command line of the last run, which the server writes to a file. */
const lastPort = async (cluster: Cluster): Promise<number | undefined> => {
  const options = await readFile(join(cluster.data, 'postmaster.opts'), 'utf8').catch(() => '')
  const [, port] = options.match(/"port=(\d+)"/) ?? []
  return port ? Number(port) : undefined
}

/**
 * Returns a port below the range for outgoing connections. Within that range, a client that retries a stopped server
 * can get the server's own port, connect to itself, and block the restart.
 */
const randomPort = (): number => 15_000 + Math.floor(Math.random() * 17_000)

/** Returns the server, or the reason why it did not start. */
const launchOnce = async (cluster: Cluster, port: number, durable: boolean): Promise<Server | string> => {
  const logOffset = await sizeOf(cluster.logFile)
  // The child inherits the open file. With the -l option of pg_ctl, the account would need permission to open it.
  const log = await open(cluster.logFile, 'a', 0o600)
  try {
    const args = ['start', '-t', String(maxReadySeconds), '-o', serverOptions(cluster, port, durable)]
    const errorText = await pgCtl(cluster, args, log.fd)
    const server = await runningServer(cluster)
    return server ?? ((await errorSince(cluster.logFile, logOffset)) || errorText || 'it ended without a message')
  } finally {
    await log.close()
  }
}

/**
 * Returns the options as pg_ctl passes them to a shell. The folder is included, because pg_ctl would quote it in a way
 * that expands a "$".
 */
const serverOptions = (cluster: Cluster, port: number, durable: boolean): string => {
  const values = Object.entries({ ...settings, ...(!durable && notDurable), port })
  return [`-D ${quoted(cluster.data)}`, ...values.map(([name, value]) => `-c ${quoted(`${name}=${value}`)}`)].join(' ')
}

/**
 * Settings that keep personal data out of the server log, because an erased person must not remain there. No statement,
 * parameter or row is logged. Errors of statements may contain values, so only the client gets them. Messages about the
 * server itself are logged.
 */
const withoutRowData = {
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
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Applies to passwords that people set here. Our own password is random and uses 1.
  scram_iterations: '4096',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  log_destination: 'stderr',
  ...withoutRowData,
}

/** After a crash of the machine, pages may be lost or written in part. */
const notDurable = { fsync: 'off', full_page_writes: 'off' }

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/**
 * Returns the fatal message, or the last line. A missing library is reported by the loader and not by PostgreSQL. The
 * sessions of a killed server report their end in the same log.
 */
const errorSince = async (logFile: string, offset: number): Promise<string> => {
  const lines = (await readFile(logFile)).subarray(offset).toString('utf8').trim().split('\n')
  const fatal = lines.map(line => line.match(/(?:FATAL|PANIC): +(?! |terminating connection)(.*)/)?.[1]).find(Boolean)
  return fatal ?? lines.at(-1) ?? ''
}

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )

/** Stops the server of this cluster if it is running. Returns when it has ended. */
export const stopServer = async (cluster: Cluster, mode: StopMode): Promise<void> => {
  let errorText: string | undefined
  // The second attempt only costs a recovery at the next start.
  for (const stopMode of [mode, 'immediate']) {
    if (!(await findServer(cluster))) return
    errorText = await pgCtl(cluster, ['stop', '-t', String(maxStopSeconds), '-m', stopMode])
    if (!errorText) return
  }
  if (await findServer(cluster)) throw new EmbeddedPostgresError(`The embedded PostgreSQL does not stop: ${errorText}.`)
}

/**
 * Runs pg_ctl until it ends. Returns its error message on failure. pg_ctl starts the server in a new session, so
 * neither Ctrl-C in our terminal nor our exit ends it. pg_ctl also gets a session, because Ctrl-C while it waits would
 * undo the start. pg_ctl checks the server ten times a second, so a start and a stop take 0.1 seconds each instead of
 * 0.05 and 0.02. This happens once per service and does not justify custom code.
 */
const pgCtl = async (cluster: Cluster, args: string[], output?: number): Promise<string | undefined> => {
  const account = await serverAccount(cluster.data)
  if (!(await canAccess(account, cluster.data))) {
    throw new EmbeddedPostgresError(
      `User ${account?.uid}, who owns ${cluster.data}, cannot access it. Give that user access to its parent folders, or set DATABASE_URL.`,
    )
  }
  const { pgCtl } = await findBinaries(account)
  const options = { cwd: cluster.data, variables: { PGDATA: cluster.data }, detached: true, output }
  return runAs(account, pgCtl, [...args, '--wait', '--silent'], options)
}

/**
 * Reads the pid file directly. `pg_ctl status` accepts any process with the pid as the server, also another program or
 * a zombie, and reports neither port nor status.
 */
const findServer = async (cluster: Cluster): Promise<Server | undefined> => {
  const lines = await pidFileLines(cluster)
  const pid = Number(lines[0])
  if (!processToken(pid) || !isServerOf(pid, cluster.data)) return undefined
  return { pid, port: Number(lines[3]), status: lines[7]?.trim() }
}

/**
 * Returns the lines of the pid file: pid, folder, start time, port, socket folder, address, shared memory key, status.
 * The server writes the later lines later.
 */
const pidFileLines = async (cluster: Cluster): Promise<string[]> =>
  (await readFile(pidFile(cluster), 'utf8').catch(() => '')).split('\n')

const pidFile = (cluster: Cluster): string => join(cluster.data, 'postmaster.pid')
