/**
 * The PostgreSQL that comes along, for a first look and for tests: the real server, one for each data folder, shared by
 * all processes that use the folder.
 *
 * Who starts it: the first process that wants it, by `pg_ctl`; the very first makes the cluster, by `initdb`. It belongs
 * to no process from then on: it survives the death of the one that started it, and Ctrl-C in its terminal.
 * Who adopts it: every process that finds it running, after a crash of all its users too.
 * Who stops it: the last process that releases it, by `pg_ctl`. A process that died without a word does not count.
 *
 * What changes who runs or uses it happens under one lock (`lock.ts`) in the data folder. Beside it, in `postgres/`, lie
 * the cluster (`cluster.ts`) with its password, the log of the server (`server.ts`), and one note for each use
 * (`users.ts`). PostgreSQL refuses to run as root: for root, another account runs it (`account.ts`), from a copy of
 * programs and data where that account cannot reach them (`binaries.ts`, `shared-folder.ts`).
 */
import { mkdir, realpath, rmdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { createDatabase, type DatabaseOptions, dropDatabase } from './client.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { asSentence } from './failure.ts'
import { withLock } from './lock.ts'
import { launchServer, runningServer, type StopMode, stopServer, urlOf } from './server.ts'
import { addUser, removeUser } from './users.ts'

export { isInstalled as embeddedPostgresIsInstalled } from './binaries.ts'

/** A running embedded server that this process uses. */
export interface EmbeddedPostgres {
  /** The connection URL of a database in it, with the password. Creates nothing; throws for names unfit for URLs. */
  url(database: string): string
  /** Creates the database when it is missing (`fresh`: drops it first; `template`: copies that one); returns its URL. */
  ensureDatabase(name: string, options?: DatabaseOptions): Promise<string>
  /** Drops the database, with every connection to it. */
  dropDatabase(name: string): Promise<void>
  /** Gives up this use; the server is stopped when no living process uses it any more. May be repeated. */
  release(): Promise<void>
  /** For fault tests: stops and starts the server for everyone who uses it, keeping port and data. */
  restart(mode?: StopMode): Promise<void>
}

/**
 * Starts the server whose data is under `<dataDir>/postgres`, or adopts it. `log` gets a line for each thing done. Not
 * `durable`, it waits for no disk: data survives the end of any process, not that of the machine. Throws an Error with
 * one sentence that can be shown as it is.
 */
export const startEmbeddedPostgres = async (options: {
  dataDir: string
  durable?: boolean
  log?: (line: string) => void
}): Promise<EmbeddedPostgres> => {
  const { durable = true, log = () => {} } = options
  const wanted = resolve(options.dataDir)
  let made: string | undefined
  try {
    made = await mkdir(wanted, { recursive: true })
    const dataDir = await realpath(wanted)
    const lock = join(dataDir, 'postgres.lock')
    return await withLock(lock, async () => {
      const cluster = await openCluster(dataDir, log)
      const port = await adoptOrLaunch(cluster, durable, log)
      return use(cluster, port, await addUser(cluster.users), { lock, durable, log })
    })
  } catch (error) {
    if (made) await removeEmpty(wanted, made)
    throw asSentence(error, wanted)
  }
}

/** The folder and those above it, up to the first that had to be made; one that holds anything stays. */
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

const use = (
  cluster: Cluster,
  port: number,
  note: string,
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
      return (released ??= withLock(lock, () => leave(cluster, note, log)))
    },
    restart(mode = 'fast') {
      return withLock(lock, async () => {
        await stopServer(cluster, mode)
        await launchServer(cluster, { port, durable })
      })
    },
  }
}

const leave = async (cluster: Cluster, note: string, log: (line: string) => void): Promise<void> => {
  const { inUse } = await removeUser(cluster.users, note)
  if (inUse) return
  await stopServer(cluster, 'fast')
  log('stopped PostgreSQL')
}
