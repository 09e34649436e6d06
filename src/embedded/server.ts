import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { canReach, serverAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import { answers } from './client.ts'
import type { Cluster } from './cluster.ts'
import { codeOf, EmbeddedPostgresError } from './failure.ts'
import { freePort } from './port.ts'
import { isLiving, isServerOf, processToken } from './process.ts'
import { runAs } from './run.ts'

/** A server that lives. Port and readiness are known once it has written them down. */
export interface Server {
  pid: number
  port: number
}

/** `fast` ends connections and writes a checkpoint; `immediate` stops as a crash would, and recovers at the start. */
export type StopMode = 'fast' | 'immediate'

const maxReadyMs = 120_000
const launchAgainMs = 20_000
const maxStopMs = 25_000
const pollMs = 20
const maxLogBytes = 10 * 1024 * 1024

/** What a launch may choose. */
export interface LaunchOptions {
  /** by default that of the last run, for the sake of clients that still know it, or any free one */
  port?: number
  /** as in production: a commit that was acknowledged survives a crash of the machine */
  durable: boolean
}

const settings = ({ durable }: LaunchOptions) => ({
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  fsync: durable ? 'on' : 'off',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  log_destination: 'stderr',
})

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
export const runningServer = (cluster: Cluster): Promise<Server | undefined> => untilAnswering(cluster, () => false)

/**
 * Starts the server in a session of its own, so that neither Ctrl-C in our terminal nor our death ends it, and
 * returns once it answers. Call it under the lock, when none is running.
 */
export const launchServer = async (cluster: Cluster, options: LaunchOptions): Promise<Server> => {
  await rotateLog(cluster)
  await dropMisleadingPidFile(cluster)
  const deadline = Date.now() + launchAgainMs
  for (;;) {
    const outcome = await launchOnce(cluster, {
      ...options,
      port: options.port ?? (await freePort(await lastPort(cluster))),
    })
    if (typeof outcome !== 'string') return outcome
    if (!passing.test(outcome) || Date.now() > deadline) {
      throw new EmbeddedPostgresError(`The embedded PostgreSQL did not start: ${outcome} (see ${cluster.logFile}).`)
    }
    await delay(100)
  }
}

/**
 * A server that was killed leaves its pid behind. When that number has gone to an unrelated process, PostgreSQL takes
 * it for the server and refuses to start. With a dead pid it copes itself, and looks for surviving children as well.
 */
const dropMisleadingPidFile = async (cluster: Cluster): Promise<void> => {
  const [pid] = await pidFileLines(cluster)
  if (processToken(Number(pid))) await rm(pidFile(cluster), { force: true })
}

/** Somebody was faster with the port, or the children of a killed server have not noticed its death yet. */
const passing = /could not create any TCP\/IP sockets|pre-existing shared memory block/

/** Stops the server of this cluster, if there is one, and returns when it is gone. */
export const stopServer = async (cluster: Cluster, mode: StopMode): Promise<void> => {
  const server = await findServer(cluster)
  const token = server && processToken(server.pid)
  if (!token) return
  signal(server.pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
  if (await isGone(token, maxStopMs)) return
  // costs a recovery at the next start and nothing else
  signal(server.pid, 'SIGQUIT')
  if (await isGone(token, maxStopMs)) return
  throw new EmbeddedPostgresError(`The embedded PostgreSQL, process ${server.pid}, does not stop.`)
}

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    // it has ended by itself
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

const isGone = async (token: string, patience: number): Promise<boolean> => {
  const deadline = Date.now() + patience
  while (isLiving(token)) {
    if (Date.now() > deadline) return false
    await delay(pollMs)
  }
  return true
}

/** The server, or the reason why it did not come up. */
const launchOnce = async (cluster: Cluster, options: LaunchOptions & { port: number }): Promise<Server | string> => {
  const logged = await sizeOf(cluster.logFile)
  const postmaster = await spawnServer(cluster, options)
  const server = await untilAnswering(cluster, () => postmaster.exitCode === null && postmaster.signalCode === null)
  return server ?? complaintSince(cluster.logFile, logged)
}

const spawnServer = async (cluster: Cluster, options: LaunchOptions & { port: number }) => {
  const account = await serverAccount(cluster.data)
  if (!(await canReach(account, cluster.data))) {
    throw new EmbeddedPostgresError(
      `User ${account?.uid}, who owns ${cluster.data}, cannot reach it there; open its parent folders to that user or set DATABASE_URL.`,
    )
  }
  const { postgres } = await findBinaries(account)
  const args = Object.entries({ ...settings(options), port: options.port }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  // opened by us, so that the account needs no right to the file
  const log = await open(cluster.logFile, 'a', 0o600)
  try {
    const child = await runAs(account, postgres, ['-D', cluster.data, ...args], {
      cwd: cluster.data,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    child.unref()
    return child
  } finally {
    await log.close()
  }
}

/** Waits while there is a server, or one is expected to appear; undefined when there is not. */
const untilAnswering = async (cluster: Cluster, isExpected: () => boolean): Promise<Server | undefined> => {
  const deadline = Date.now() + maxReadyMs
  for (;;) {
    const expected = isExpected()
    const server = await findServer(cluster)
    if (server?.ready && (await letsUsIn(cluster, server.port))) return server
    if (server?.stopping) hurry(server.pid)
    if (!server && !expected) return undefined
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL has not become ready in two minutes (see ${cluster.logFile}).`,
      )
    }
    await delay(pollMs)
  }
}

/**
 * Somebody else's plain SIGTERM makes the server take no new sessions and wait for the last one to end, which may be
 * never. It is of use to nobody by then, so the sessions are ended and it can be started anew.
 */
const hurry = (pid: number): void => signal(pid, 'SIGINT')

const letsUsIn = (cluster: Cluster, port: number): Promise<boolean> =>
  answers(urlOf(cluster, port, 'postgres')).catch(error => {
    if (codeOf(error) !== '28P01') throw error
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL does not take the password in the file beside ${cluster.data}; put the right one there.`,
    )
  })

const findServer = async (cluster: Cluster): Promise<(Server & { ready: boolean; stopping: boolean }) | undefined> => {
  const lines = await pidFileLines(cluster)
  const pid = Number(lines[0])
  if (!processToken(pid) || !isServerOf(pid, cluster.data)) return undefined
  const status = lines[7]?.trim()
  return { pid, port: Number(lines[3]), ready: status === 'ready', stopping: status === 'stopping' }
}

const pidFile = (cluster: Cluster): string => join(cluster.data, 'postmaster.pid')

/** Pid, folder, time of start, port, socket folder, address, shared memory key, status; the later ones come later. */
const pidFileLines = async (cluster: Cluster): Promise<string[]> =>
  (await readFile(pidFile(cluster), 'utf8').catch(() => '')).split('\n')

/** From the command line of the last run, which the server writes down itself. */
const lastPort = async (cluster: Cluster): Promise<number | undefined> => {
  const options = await readFile(join(cluster.data, 'postmaster.opts'), 'utf8').catch(() => '')
  const [, port] = options.match(/"port=(\d+)"/) ?? []
  return port ? Number(port) : undefined
}

const rotateLog = async (cluster: Cluster): Promise<void> => {
  if ((await sizeOf(cluster.logFile)) > maxLogBytes) await rename(cluster.logFile, `${cluster.logFile}.1`)
}

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )

/** The fatal message, else the last line: a missing library is complained about by the loader, not by PostgreSQL. */
const complaintSince = async (logFile: string, offset: number): Promise<string> => {
  const lines = (await readFile(logFile)).subarray(offset).toString('utf8').trim().split('\n')
  const fatal = lines.map(line => line.match(/(?:FATAL|PANIC): +(.*)/)?.[1]).find(Boolean)
  return fatal ?? (lines.at(-1) || 'it ended without a word')
}
