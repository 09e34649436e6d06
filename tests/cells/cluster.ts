/** A Citus cluster for tests: a coordinator and two workers, run from the PostgreSQL with Citus at CITUS_PREFIX. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, chmod, chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCitusCell } from '../../src/app/cells/citus-cell.ts'
import { serverAccount } from '../../src/platform/embedded-postgres/account.ts'
import { runAs } from '../../src/platform/embedded-postgres/run.ts'
import { placedUrl } from '../../src/platform/postgres/citus.ts'
import { connect, type Database } from '../../src/platform/postgres/client.ts'
import type { TestDatabase } from '../support/database.ts'
import { freePort } from '../support/http-server.ts'
import { atEnd } from '../support/use.ts'

/** Folder with `bin/` of a PostgreSQL that has Citus. Null without one: tests that need a cluster are then skipped. */
export const citusPrefix = process.env.CITUS_PREFIX || null

export interface CitusNode {
  host: string
  port: number
  /** URL of the service's database at this node. */
  url: string
  /** Pool of that database. */
  sql: Database
  /** Ends the node like a machine that is lost. */
  kill(): Promise<void>
  /** Starts the node after `kill`. */
  start(): Promise<void>
  /** Returns the log of the node so far. */
  log(): Promise<string>
}

export interface CitusCluster {
  coordinator: CitusNode
  workers: CitusNode[]
  /** Starts a server of the same PostgreSQL that is no node of the cluster and has no Citus. */
  startPlain(): Promise<CitusNode>
  stop(): Promise<void>
}

const database = 'engagement'
const host = '127.0.0.1'
/** Temporary folder that is on a disk, also where the usual one is in memory. */
const onDisk = '/var/tmp'

/**
 * Starts an empty cluster in a temporary folder. `stop` ends it and removes the folder. A durable one waits for the disk,
 * and has the memory of the embedded PostgreSQL.
 */
export const startCitus = async ({ durable = false } = {}): Promise<CitusCluster> => {
  if (citusPrefix === null || !existsSync(join(citusPrefix, 'bin/initdb')))
    throw new Error('CITUS_PREFIX must name a folder with bin/initdb of a PostgreSQL that has Citus.')
  const folder = await mkdtemp(join(durable ? onDisk : tmpdir(), 'citus-'))
  const account = await serverAccount()
  if (account) await chown(folder, account.uid, account.gid)
  await chmod(folder, 0o700)
  const memory: Settings = durable ? { shared_buffers: '256MB' } : { fsync: 'off', shared_buffers: '32MB' }
  const started: CitusNode[] = []
  const start = async (name: string, settings: Settings): Promise<CitusNode> => {
    const node = await startNode(folder, name, { ...settings, ...memory })
    started.push(node)
    return node
  }
  const [coordinator, ...workers] = await Promise.all(['coordinator', 'one', 'two'].map(name => start(name, ofNodes)))
  for (const node of [coordinator!, ...workers]) await node.sql`create extension citus`
  await coordinator!.sql`select citus_set_coordinator_host(${host}, ${coordinator!.port})`
  for (const { port } of workers) await coordinator!.sql`select citus_add_node(${host}, ${port})`
  return {
    coordinator: coordinator!,
    workers,
    startPlain: () => start('plain', ofAll),
    stop: async () => {
      await Promise.all(
        started.map(async node => {
          await node.sql.end({ timeout: 1 })
          await node.kill()
        }),
      )
      await rm(folder, { recursive: true })
    },
  }
}

let shared: Promise<CitusCluster> | undefined

/** Returns a new cell, in a cluster that all tests of this process share. Errors in the logs of its nodes are ignored. */
export const citusDatabase = async (): Promise<TestDatabase> => {
  shared ??= startCitus().then(cluster => {
    atEnd(cluster.stop)
    return cluster
  })
  const { coordinator } = await shared
  const name = `t${randomUUID().slice(0, 8)}`
  await coordinator.sql`create extension if not exists pg_trgm`
  await coordinator.sql`create extension if not exists btree_gin`
  const url = placedUrl(coordinator.url, await createCitusCell(coordinator.url, name))
  const sql = connect({ url, applicationName: 'test' })
  return { url, sql, expectErrors: () => {}, drop: () => sql.end({ timeout: 1 }) }
}

type Settings = Record<string, string | number>

const ofAll: Settings = { max_connections: 200 }

const ofNodes: Settings = {
  ...ofAll,
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_prepared_transactions: 200,
  max_worker_processes: 16,
  'citus.node_conninfo': 'sslmode=disable',
}

const startNode = async (folder: string, name: string, settings: Settings): Promise<CitusNode> => {
  const [data, logFile, port] = [join(folder, name), join(folder, `${name}.log`), await freePort()]
  const account = await serverAccount()
  const run = async (program: string, ...args: string[]) => {
    const problem = await runAs(account, join(citusPrefix!, 'bin', program), args, { cwd: folder })
    if (problem) throw new Error(`${program}: ${problem}\n${await readFile(logFile, 'utf8').catch(() => '')}`)
  }
  const start = () => run('pg_ctl', 'start', '-w', '-D', data, '-l', logFile)
  await run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync')
  const lines = Object.entries({ ...settings, port, listen_addresses: host, unix_socket_directories: data })
  await appendFile(join(data, 'postgresql.conf'), lines.map(([key, value]) => `${key} = '${value}'\n`).join(''))
  await start()
  const url = (name: string) => `postgres://postgres@${host}:${port}/${name}`
  const maintenance = connect({ url: url('postgres'), applicationName: 'test', max: 1 })
  await maintenance.unsafe(`create database ${database}`)
  await maintenance.end()
  return {
    host,
    port,
    url: url(database),
    sql: connect({ url: url(database), applicationName: 'test', max: 4 }),
    kill: () => run('pg_ctl', 'stop', '-D', data, '-m', 'immediate'),
    start,
    log: () => readFile(logFile, 'utf8'),
  }
}
