/** Whether this process can do its work; where it cannot, the first thing that is missing, in words. */
import { type Database, isConnectionError } from '../db/client.ts'
import { isMigrated, MigrationError } from '../db/migrate.ts'
import { takesWrites } from '../db/suitable.ts'
import { anyWorkspaceExists } from '../domain/workspaces/index.ts'
import type { Readiness } from '../http/pages.ts'
import { type Clock, clock as processClock } from '../platform/clock.ts'
import { onceASecond } from '../platform/once-a-second.ts'

export interface ReadinessDeps {
  sql: Database
  /** True from the moment the service was told to stop. */
  stopping: () => boolean
  /** Whether PostgreSQL refused a write for want of disk space recently. */
  diskFull: () => boolean
  /** Whose difference from the database's clock is looked at. */
  clock?: Pick<Clock, 'aheadMs'>
  /** What acts, in a process that has this role. */
  worker: { listener: { readonly connected: boolean }; tasks: { readonly running: boolean } } | null
}

/** Whoever asks may give up soon, and a database that takes longer is as good as away. */
const maxAnswerMs = 2000
/** Seconds by which the clock of the process may differ from the clock of the database. */
const maxApartSeconds = 60

/** The database is asked at most once a second, as whoever asks need not say who they are. */
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

/** Asks for a sign of life, at most once a second. Resolves to true where none comes within 2 seconds. */
export const createSilence = (sql: Database): (() => Promise<boolean>) =>
  onceASecond(() => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(true), maxAnswerMs)
    const asked = takesWrites(sql).then(
      () => false,
      // An error is an answer, and the call that waits gets its own.
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

/** A service without a workspace can do nothing for anybody: nobody could sign in, and no key could be valid. */
const problemInside = async (sql: Database): Promise<string | null> => {
  try {
    if (!(await isMigrated(sql))) return 'The database lacks migrations; run "migrate".'
    if (!(await takesWrites(sql))) return 'The database takes no writes.'
    return (await anyWorkspaceExists(sql)) ? null : noWorkspace
  } catch (error) {
    return error instanceof MigrationError ? error.message : 'The database cannot be reached.'
  }
}

/** What there is to do on a database where nobody has been made owner of anything yet. */
export const noWorkspace = 'There is no workspace yet: set OWNER_EMAIL and OWNER_PASSWORD, or run "workspace create".'
