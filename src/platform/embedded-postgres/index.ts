/**
 * Embedded PostgreSQL for evaluation and tests. It is a real server, one per data folder, shared by all processes that
 * use the folder.
 *
 * Start: the first process starts the server with `pg_ctl`; on first use, it creates the cluster with `initdb`. The
 * server is independent of that process: it survives the exit of the process and Ctrl-C in its terminal.
 * Adoption: every process that finds a running server uses it, also after all previous users have crashed.
 * Stop: the last process that releases the server stops it with `pg_ctl`. Crashed processes do not count as users.
 *
 * All changes happen under one lock (`lock.ts`) in the data folder. The folder `postgres/` next to the lock contains
 * the cluster (`cluster.ts`) with its password, the log of the server (`server.ts`), and one file per use (`users.ts`).
 * PostgreSQL refuses to run as root. For root, another account runs it (`account.ts`), from a copy of programs and data
 * if that account cannot access the originals (`binaries.ts`, `shared-folder.ts`).
 */
import { mkdir, realpath, rmdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { createDatabase, type DatabaseOptions, dropDatabase } from './client.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { toStartError } from './error.ts'
import { withLock } from './lock.ts'
import { launchServer, runningServer, type StopMode, stopServer, urlOf } from './server.ts'
import { addUser, removeUser } from './users.ts'

export { isInstalled as embeddedPostgresIsInstalled } from './binaries.ts'

/** A running embedded server that this process uses. */
export interface EmbeddedPostgres {
  /**
   * Returns the connection URL of a database, with the password. Creates nothing. Throws for names that are not allowed
   * in a URL.
   */
  url(database: string): string
  /**
   * Creates the database if it does not exist and returns its URL. `fresh` drops it first, and `template` names a
   * database to copy.
   */
  ensureDatabase(name: string, options?: DatabaseOptions): Promise<string>
  /** Drops the database and closes all connections to it. */
  dropDatabase(name: string): Promise<void>
  /** Ends this use. The server stops when no running process uses it. Calling it again has no effect. */
  release(): Promise<void>
  /** Restarts the server for all of its users, with the same port and data. Used by fault tests. */
  restart(mode?: StopMode): Promise<void>
}

/**
 * Starts or adopts the server whose data is under `<dataDir>/postgres`. `log` is called with a line for each action.
 * Without `durable`, the server does not wait for the disk: data survives the end of any process, but not a crash of
 * the machine. Throws an Error whose message is one sentence for the operator.
 */
export const startEmbeddedPostgres = async (options: {
  dataDir: string
  durable?: boolean
  log?: (line: string) => void
}): Promise<EmbeddedPostgres> => {
  const { durable = true, log = () => {} } = options
  const requestedDir = resolve(options.dataDir)
  let createdDir: string | undefined
  try {
    createdDir = await mkdir(requestedDir, { recursive: true })
    const dataDir = await realpath(requestedDir)
    const lock = join(dataDir, 'postgres.lock')
    return await withLock(lock, async () => {
      const cluster = await openCluster(dataDir, log)
      const port = await adoptOrLaunch(cluster, durable, log)
      return createHandle(cluster, port, await addUser(cluster.users), { lock, durable, log })
    })
  } catch (error) {
    if (createdDir) await removeEmpty(requestedDir, createdDir)
    throw toStartError(error, requestedDir)
  }
}

/**
 * Removes the folder and its parents up to `first`, the first folder that was created. Stops at a folder that is not
 * empty.
 */
const removeEmpty = async (folder: string, first: string): Promise<void> => {
  try {
    await rmdir(folder)
  } catch {
    return
  }
  if (folder !== first) await removeEmpty(dirname(folder), first)
}

const adoptOrLaunch = async (cluster: Cluster, durable: boolean, log: (line: string) => void): Promise<number> => {
  const running = await runningServer(cluster)
  const { pid, port } = running ?? (await launchServer(cluster, { durable }))
  const verb = running ? 'adopted the running' : 'started'
  log(`${verb} PostgreSQL, process ${pid}, on 127.0.0.1:${port} (data in ${cluster.data})`)
  return port
}

const createHandle = (
  cluster: Cluster,
  port: number,
  recordPath: string,
  { lock, durable, log }: { lock: string; durable: boolean; log: (line: string) => void },
): EmbeddedPostgres => {
  const url = (database: string) => urlOf(cluster, port, database)
  let released: Promise<void> | undefined
  return {
    url,
    async ensureDatabase(name, options = {}) {
      const created = url(name)
      await createDatabase(url('postgres'), name, options)
      return created
    },
    dropDatabase(name) {
      return dropDatabase(url('postgres'), name)
    },
    release() {
      return (released ??= withLock(lock, () => releaseUse(cluster, recordPath, log)))
    },
    restart(mode = 'fast') {
      return withLock(lock, async () => {
        await stopServer(cluster, mode)
        await launchServer(cluster, { port, durable })
      })
    },
  }
}

const releaseUse = async (cluster: Cluster, recordPath: string, log: (line: string) => void): Promise<void> => {
  const { inUse } = await removeUser(cluster.users, recordPath)
  if (inUse) return
  await stopServer(cluster, 'fast')
  log('stopped PostgreSQL')
}
