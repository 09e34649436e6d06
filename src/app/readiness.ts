/** Checks whether this process can work, and reports the first problem. */

import { anyWorkspaceExists } from '../accounts/workspaces/index.ts'
import type { Readiness } from '../api/pages/pages.ts'
import { cacheForSecond } from '../platform/cache-for-second.ts'
import { type Clock, clock as processClock } from '../platform/clock.ts'
import { type Database, isConnectionError } from '../platform/postgres/client.ts'
import { isMigrated, MigrationError } from '../platform/postgres/migrate.ts'
import { acceptsWrites } from '../platform/postgres/suitability.ts'

export interface ReadinessDeps {
  sql: Database
  /** Returns whether the cell has started. Defaults to true. */
  isStarted?: (() => boolean) | undefined
  /** Returns whether the database is known not to respond. Defaults to false. */
  isAway?: () => boolean
  /** Returns whether the service is stopping. */
  stopping: () => boolean
  /** Returns whether PostgreSQL recently rejected a write because its disk is full. */
  diskFull: () => boolean
  /** Clock whose offset from the database clock is checked. */
  clock?: Pick<Clock, 'aheadMs'>
  /** Returns whether all sending is held after a restore. */
  held?: () => boolean
  /** Returns the kinds of work that are paused in all workspaces. */
  paused?: () => readonly string[]
  /** Returns the listener and the tasks. Null without the role `worker`, and while sending is held. */
  worker: () => { listener: { readonly connected: boolean }; tasks: { readonly running: boolean } } | null
}

/**
 * Maximum milliseconds for an answer of the database. Health checks may time out early, and a slower database counts as
 * unavailable.
 */
const maxAnswerMs = 2000
/** Maximum seconds between the clocks of the process and the database. */
const maxClockOffsetSeconds = 60

/** Queries the database at most once a second, because the check needs no credential. */
export const createReadiness = ({
  sql,
  isStarted = () => true,
  isAway = () => false,
  stopping,
  diskFull,
  held = () => false,
  paused = () => [],
  worker: runningWorker,
  clock = processClock,
}: ReadinessDeps): Readiness => {
  const checkDatabase = cacheForSecond(() => findProblemInTime(sql))
  return async () => {
    if (stopping()) return notReady('The service is stopping.')
    if (!isStarted()) return notReady('The database could not be used since the start of this process.')
    if (isAway()) return notReady('The database does not respond.')
    const problem = await checkDatabase()
    if (problem !== null) return notReady(problem)
    if (diskFull()) return notReady('The disk of the database is full.')
    const seconds = Math.round(clock.aheadMs / 1000)
    if (Math.abs(seconds) > maxClockOffsetSeconds) return notReady(clockProblem(seconds))
    const worker = runningWorker()
    if (worker && !worker.listener.connected) return notReady('Notifications are not being received from the database.')
    if (worker && !worker.tasks.running) return notReady('The tasks are not running.')
    const kinds = paused()
    return { ready: true, ...(held() && { held: true as const }), ...(kinds.length > 0 && { paused: kinds }) }
  }
}

/**
 * Returns the readiness of a process with several cells: that of the first, or of the first that is ready while the first
 * is not.
 */
export const readinessOf =
  (cells: () => readonly { readiness: Readiness }[]): Readiness =>
  async () => {
    const [first, ...others] = cells().map(({ readiness }) => readiness())
    const state = await first!
    return state.ready ? state : ((await Promise.all(others)).find(({ ready }) => ready) ?? state)
  }

/**
 * Returns a check whether the database has stopped responding. It queries at most once a second. It resolves to true
 * after a connection error, or without an answer within 2 seconds.
 */
export const createOutageCheck = (sql: Database): (() => Promise<boolean>) =>
  cacheForSecond(() => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(true), maxAnswerMs)
    const query = acceptsWrites(sql).then(
      () => false,
      // Any other error is an answer of the database, and the waiting call gets its own error.
      error => isConnectionError(error),
    )
    return Promise.race([promise, query]).finally(() => clearTimeout(timer))
  })

const clockProblem = (seconds: number): string =>
  `The clock of this process is ${Math.abs(seconds)} seconds ${seconds > 0 ? 'ahead of' : 'behind'} the clock of the database. Synchronize both, for example by NTP.`

const notReady = (problem: string) => ({ ready: false as const, problem })

const findProblemInTime = (sql: Database): Promise<string | null> => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(
    () => resolve(`The database has not answered within ${maxAnswerMs / 1000} seconds.`),
    maxAnswerMs,
  )
  return Promise.race([promise, findProblem(sql)]).finally(() => clearTimeout(timer))
}

/** A service without a workspace is not ready, because no one can sign in and no key can be valid. */
const findProblem = async (sql: Database): Promise<string | null> => {
  try {
    if (!(await isMigrated(sql))) return 'The database lacks migrations. Run "migrate".'
    if (!(await acceptsWrites(sql))) return 'The database does not accept writes.'
    return (await anyWorkspaceExists(sql)) ? null : noWorkspace
  } catch (error) {
    return error instanceof MigrationError ? error.message : 'The database cannot be reached.'
  }
}

/** Message for a database without a workspace. */
export const noWorkspace = 'There are no workspaces yet. Set OWNER_EMAIL and OWNER_PASSWORD, or run "workspace create".'
