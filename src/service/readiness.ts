/** Checks whether this process can work, and reports the first problem. */
import { type Database, isConnectionError } from '../db/client.ts'
import { isMigrated, MigrationError } from '../db/migrate.ts'
import { takesWrites } from '../db/suitable.ts'
import { anyWorkspaceExists } from '../domain/workspaces/index.ts'
import type { Readiness } from '../http/pages.ts'
import { type Clock, clock as processClock } from '../platform/clock.ts'
import { onceASecond } from '../platform/once-a-second.ts'

export interface ReadinessDeps {
  sql: Database
  /** Returns true after the service was told to stop. */
  stopping: () => boolean
  /** Returns whether PostgreSQL recently rejected a write because its disk is full. */
  diskFull: () => boolean
  /** Clock whose offset from the database clock is checked. */
  clock?: Pick<Clock, 'aheadMs'>
  /** Listener and tasks. Null without the role `worker`. */
  worker: { listener: { readonly connected: boolean }; tasks: { readonly running: boolean } } | null
}

/**
 * Maximum milliseconds for an answer of the database. Health checks may time out early, and a slower database counts as
 * unavailable.
 */
const maxAnswerMs = 2000
/** Maximum seconds between the clocks of the process and the database. */
const maxApartSeconds = 60

/** Queries the database at most once a second, because the check needs no credential. */
export const createReadiness = ({
  sql,
  stopping,
  diskFull,
  worker,
  clock = processClock,
}: ReadinessDeps): Readiness => {
  const problemOfDatabase = onceASecond(() => databaseProblem(sql))
  return async () => {
    if (stopping()) return missing('The service is stopping.')
    const problem = await problemOfDatabase()
    if (problem !== null) return missing(problem)
    if (diskFull()) return missing('The disk of the database is full.')
    const seconds = Math.round(clock.aheadMs / 1000)
    if (Math.abs(seconds) > maxApartSeconds) return missing(apart(seconds))
    if (worker && !worker.listener.connected) return missing('Notifications are not being received from the database.')
    if (worker && !worker.tasks.running) return missing('The tasks are not running.')
    return { ready: true }
  }
}

/**
 * Returns a check whether the database has stopped responding. It queries at most once a second. It resolves to true
 * after a connection error, or without an answer within 2 seconds.
 */
export const createSilence = (sql: Database): (() => Promise<boolean>) =>
  onceASecond(() => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(true), maxAnswerMs)
    const asked = takesWrites(sql).then(
      () => false,
      // Any other error is an answer of the database, and the waiting call gets its own error.
      error => isConnectionError(error),
    )
    return Promise.race([promise, asked]).finally(() => clearTimeout(timer))
  })

const apart = (seconds: number): string =>
  `The clock of this process is ${Math.abs(seconds)} seconds ${seconds > 0 ? 'ahead of' : 'behind'} the clock of the database. Synchronize both, for example by NTP.`

const missing = (problem: string) => ({ ready: false as const, problem })

const databaseProblem = (sql: Database): Promise<string | null> => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(
    () => resolve(`The database has not answered within ${maxAnswerMs / 1000} seconds.`),
    maxAnswerMs,
  )
  return Promise.race([promise, problemInside(sql)]).finally(() => clearTimeout(timer))
}

/** A service without a workspace is not ready, because no one can sign in and no key can be valid. */
const problemInside = async (sql: Database): Promise<string | null> => {
  try {
    if (!(await isMigrated(sql))) return 'The database lacks migrations; run "migrate".'
    if (!(await takesWrites(sql))) return 'The database takes no writes.'
    return (await anyWorkspaceExists(sql)) ? null : noWorkspace
  } catch (error) {
    return error instanceof MigrationError ? error.message : 'The database cannot be reached.'
  }
}

/** Message for a database without a workspace. */
export const noWorkspace = 'There is no workspace yet: set OWNER_EMAIL and OWNER_PASSWORD, or run "workspace create".'
