/** A second PostgreSQL server made from a running one: a base backup, and a standby that follows by replication. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, chownSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts'
import { connect } from '../../src/platform/postgres/client.ts'
import { eventually } from '../support/world.ts'
import { newDataDir, startOwnPostgres } from './support.ts'

/** Returns the data folder of PostgreSQL in a data folder of the service. */
export const dataOf = (dataDir: string): string => join(dataDir, 'postgres', 'data')

/** Writes a file into a data folder of PostgreSQL, for the account that runs the server. */
export const writeFor = (data: string, name: string, text: string): void => {
  writeFileSync(join(data, name), text)
  const { uid, gid } = statSync(data)
  chownSync(join(data, name), uid, gid)
}

/** Takes a base backup of the running server in `from` into the empty folder `to`, as `pg_basebackup` does. */
export const baseBackup = async (original: EmbeddedPostgres, from: string, to: string): Promise<void> => {
  const admin = connect({ url: original.url('postgres'), applicationName: 'test', max: 1 })
  await admin`select pg_backup_start('copy', true)`
  execFileSync('cp', ['-a', join(from, 'postgres'), join(to, 'postgres')])
  const [stop] = await admin<[{ label: string }]>`select labelfile as label from pg_backup_stop()`
  await admin.end()
  writeFor(dataOf(to), 'backup_label', stop.label)
  for (const file of ['data/postmaster.pid', 'data/postmaster.opts', 'users'])
    rmSync(join(to, 'postgres', file), { recursive: true, force: true })
}

/** Returns the first process and the port of the server in a data folder. Undefined until it has written them. */
const serverOf = (dataDir: string): { pid: number; port: number } | undefined => {
  try {
    const [pid, , , port] = readFileSync(join(dataOf(dataDir), 'postmaster.pid'), 'utf8')
      .split('\n')
      .map(Number)
    return pid && port ? { pid, port } : undefined
  } catch {
    return undefined
  }
}

/** A server and its standby. */
export interface Pair {
  ensureDatabase: EmbeddedPostgres['ensureDatabase']
  /** Restarts the primary before a failover. */
  restart: EmbeddedPostgres['restart']
  /** Returns the URL of a database on the standby. */
  urlOfStandby(database: string): string
  /** Kills the primary and promotes the standby. Resolves with the URL of a database when it accepts writes. */
  failOver(database: string): Promise<string>
  stop(): Promise<void>
}

/** Starts a server with a synchronous standby, so a confirmed commit is on both. */
export const startPair = async (): Promise<Pair> => {
  const primary = await startOwnPostgres()
  const dataDir = newDataDir()
  await baseBackup(primary, primary.dataDir, dataDir)
  const { hostname, port, username, password } = new URL(primary.url('postgres'))
  appendFileSync(
    join(dataOf(dataDir), 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
  )
  writeFor(dataOf(dataDir), 'standby.signal', '')
  // A server counts as started when it accepts writes, which is after the promotion. The wait has a limit, after which `promote` starts again.
  const launched = startEmbeddedPostgres({ dataDir }).catch(() => null)
  const standby = await eventually('the standby has started', () => serverOf(dataDir), 30_000)
  const urlOfStandby = (database: string) => {
    const url = new URL(primary.url(database))
    url.port = String(standby.port)
    return url.href
  }
  const admin = connect({ url: primary.url('postgres'), applicationName: 'test', max: 1 })
  await admin`alter system set synchronous_standby_names = '*'`
  await admin`select pg_reload_conf()`
  await eventually('the standby confirms commits', async () => {
    const rows = await admin`select from pg_stat_replication where sync_state = 'sync'`
    return rows.length === 1
  })
  await admin.end()
  const promote = async () => {
    const sql = connect({ url: urlOfStandby('postgres'), applicationName: 'test', max: 1 })
    await sql`select pg_promote() where pg_is_in_recovery()`
    await sql.end()
    return (await launched) ?? startEmbeddedPostgres({ dataDir })
  }
  let promoted: ReturnType<typeof promote> | undefined
  return {
    ensureDatabase: primary.ensureDatabase,
    restart: primary.restart,
    urlOfStandby,
    failOver: async database => {
      process.kill(serverOf(primary.dataDir)!.pid, 'SIGKILL')
      await (promoted ??= promote())
      return urlOfStandby(database)
    },
    stop: async () => {
      await primary.stop()
      await (promoted ??= promote()).then(({ release }) => release())
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
