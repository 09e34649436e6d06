/** `doctor`: checks the settings and everything that the service needs. Each line is ok, or says what to do. */
import { statfs } from 'node:fs/promises'
import { type CellConfig, type Config, ConfigError, mainCell, readConfig } from '../../config.ts'
import { Clock } from '../../platform/clock.ts'
import { verifyMailServer } from '../../platform/mailer.ts'
import { OidcProvider } from '../../platform/oidc.ts'
import { maxOpenFiles } from '../../platform/open-files.ts'
import type { Database } from '../../platform/postgres/client.ts'
import { isMigrated } from '../../platform/postgres/migrate.ts'
import { readServerState, type ServerState } from '../../platform/postgres/server-state.ts'
import { hasLimits } from '../../platform/postgres/suitability.ts'
import { readDatabaseTime } from '../../platform/postgres/time.ts'
import { readBody } from '../../platform/read-body.ts'
import { findUndecryptable, isStoredInPlaintext } from '../../privacy/re-encryption/index.ts'
import { listCells } from '../cells/citus.ts'
import { compareWorkspaces, keepOneCell, nameAllCells } from '../cells/compare-workspaces.ts'
import {
  findReplicaProblem,
  isPoolerPrepared,
  type OpenDatabase,
  openCell,
  openDatabase,
  WrongCell,
} from '../database.ts'
import { loadKeyring } from '../encryption.ts'
import { fitPool } from '../fit-pool.ts'
import { formatTable } from './table.ts'
import { parseArguments } from './usage.ts'
import { labelOf, type OpenCells, withCells } from './with-database.ts'

export const doctorUsages = ['doctor [--json], for example doctor --json'] as const

/** Result of a check. `warning`: the service works, but something should be changed. */
export interface DoctorCheck {
  /** Cell of the check. Missing with one cell, and for checks of the whole service. */
  cell?: string
  name: string
  result: 'ok' | 'warning' | 'failed'
  /** The value found, or what to do. */
  detail: string
}

const ok = (name: string, detail = ''): DoctorCheck => ({ name, result: 'ok', detail })
const warning = (name: string, detail: string): DoctorCheck => ({ name, result: 'warning', detail })
const failed = (name: string, detail: string): DoctorCheck => ({ name, result: 'failed', detail })

/** Exits with 0 if no check failed, and with 1 otherwise. Reports invalid settings as a failed check. */
export const doctor = async (args: string[]): Promise<number> => {
  const { values } = parseArguments({ args, options: { json: { type: 'boolean' } } }, doctorUsages)
  const checks = await runChecks()
  process.stdout.write(values.json ? `${JSON.stringify(checks, null, 2)}\n` : format(checks))
  return checks.some(({ result }) => result === 'failed') ? 1 : 0
}

const format = (checks: readonly DoctorCheck[]): string => {
  const cellColumn = (text: string) => (checks.some(({ cell }) => cell !== undefined) ? [text] : [])
  const rows = checks.map(({ cell = '', name, result, detail }) => [...cellColumn(cell), name, result, detail])
  return formatTable([[...cellColumn('CELL'), 'CHECK', 'RESULT', 'DETAIL'], ...rows])
}

const runChecks = async (): Promise<DoctorCheck[]> => {
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    if (error instanceof ConfigError) return [failed('settings', error.message)]
    throw error
  }
  return [
    checkSettings(config),
    checkOpenFiles(maxOpenFiles(), config.maxOutboundRequests),
    ...(await checkCells(config)),
    await checkWorkspaces(config),
    await checkMail(config),
    await checkIdentityProvider(config),
    await checkCollector(config),
    await checkPublicUrl(config),
  ]
}

const checkSettings = ({ misspelled }: Config): DoctorCheck =>
  misspelled.length === 0
    ? ok('settings')
    : warning(
        'settings',
        misspelled.map(({ name, meant }) => `${name} is not a known setting. Did you mean ${meant}?`).join(' '),
      )

/** Checks the limit of open files. `files` is null if the system reports none. */
export const checkOpenFiles = (files: number | null, maxOutboundRequests: number): DoctorCheck => {
  const needed = `at least ${2 * maxOutboundRequests} (ulimit -n)`
  if (files === null) return warning('open files', `The system does not report the limit. It must be ${needed}.`)
  return files >> 1 >= maxOutboundRequests
    ? ok('open files', String(files))
    : warning('open files', `The limit is ${files}. Raise it to ${needed}.`)
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Returns the first sentence of a failed request. The next sentences of the runtime are advice for developers. */
const firstSentenceOf = (error: unknown): string => `${sentenceOf(error).split(/[.?!](?:\s|$)/, 1)[0]}.`

/** Checks the database of each cell. */
const checkCells = async (config: Config): Promise<DoctorCheck[]> => {
  const check = async (name: string, open: () => Promise<OpenDatabase>) =>
    (await checkDatabase(config, open)).map(one => ({ ...labelOf(config, name).field, ...one }))
  const checkFurther = (cell: CellConfig) => check(cell.name, () => openCell(cell))
  const main = check(mainCell, () => openDatabase(config))
  const further = async () => (await Promise.all((await listCells(config)).map(checkFurther))).flat()
  const noCells = (error: unknown) => [failed('cells', sentenceOf(error))]
  return (await Promise.all([main, further().catch(noCells)])).flat()
}

/** Checks that each workspace of the directory is in one cell. */
const checkWorkspaces = async (config: Config): Promise<DoctorCheck> => {
  const noCheck = warning('workspaces', 'This check needs all databases, with all migrations.')
  let check = noCheck
  const compare = async (open: OpenCells) => {
    if (open.away.length > 0 || !(await areMigrated(open.cells))) return 0
    const {
      lost: [lost],
      shared: [shared],
    } = await compareWorkspaces(open.sql, open.cells)
    if (lost) check = failed('workspaces', `No cell has the workspace ${lost}, which has members: ${nameAllCells}.`)
    else if (shared)
      check = failed(
        'workspaces',
        `The cells "${shared.cells.join('" and "')}" have the same workspace ${shared.id}: ${keepOneCell}.`,
      )
    else check = ok('workspaces')
    return 0
  }
  // The other checks name what else is wrong with a database.
  await withCells(config, compare).catch(error => {
    if (error instanceof WrongCell) check = failed('workspaces', error.message)
  })
  return check
}

const areMigrated = async (cells: readonly { sql: Database }[]): Promise<boolean> =>
  (await Promise.all(cells.map(({ sql }) => isMigrated(sql)))).every(Boolean)

/** Opening the database also checks its encoding, that it is the writable primary, and the mode of a pooler. */
const checkDatabase = async (config: Config, open: () => Promise<OpenDatabase>): Promise<DoctorCheck[]> => {
  let database: OpenDatabase
  try {
    database = await open()
  } catch (error) {
    return [failed('database', sentenceOf(error))]
  }
  try {
    return await checkOpened(config, database)
  } catch (error) {
    return [failed('database', sentenceOf(error))]
  } finally {
    await database.close()
  }
}

const checkOpened = async (config: Config, database: OpenDatabase): Promise<DoctorCheck[]> => {
  const { sql, embedded } = database
  const state = await readServerState(sql)
  const clock = new Clock()
  await clock.compare(() => readDatabaseTime(sql))
  const migrated = await isMigrated(sql)
  const { warnings } = await fitPool(sql, config.databasePoolSize)
  return [
    checkVersion(state),
    checkExtensions(state, migrated),
    checkRights(state, migrated),
    migrated ? ok('migrations') : failed('migrations', 'Migrations are pending. Run "migrate".'),
    checkDurability(state),
    await checkPooler(database),
    // Only `main` has a standby.
    ...(database.pooledUrl === undefined ? [] : [await checkReplica(config, database)]),
    warnings.length === 0 || embedded ? ok('connections') : warning('connections', warnings.join(' ')),
    checkClock(clock.aheadMs),
    checkDisk(state, embedded ? { folder: config.dataDir, freeBytes: await readFreeBytes(config.dataDir) } : null),
    ...(migrated ? [await checkKeys(config, sql)] : []),
  ]
}

/** Checks the version of PostgreSQL. */
export const checkVersion = ({ isSupported, version }: ServerState): DoctorCheck =>
  isSupported
    ? ok('database', `PostgreSQL ${version}`)
    : failed('database', `PostgreSQL 18 or newer is required, not ${version}. Upgrade PostgreSQL.`)

/** Checks the settings of PostgreSQL without which a crash could lose committed records. */
export const checkDurability = ({ off }: ServerState): DoctorCheck =>
  off.length === 0 ? ok('durability') : failed('durability', `Turn these settings of PostgreSQL on: ${off.join(', ')}.`)

/**
 * Checks the sessions of a transaction pooler, or those of a pooler in session mode, which looks like a direct
 * connection.
 */
const checkPooler = async (database: OpenDatabase): Promise<DoctorCheck> => {
  if (!database.pooledUrl)
    return (await hasLimits(database.sql))
      ? ok('pooler', 'session mode, or none')
      : warning('pooler', 'The pooler ignores statement_timeout and lock_timeout. Set them with ALTER ROLE.')
  try {
    return (await isPoolerPrepared(database))
      ? ok('pooler', 'transaction mode')
      : warning(
          'pooler',
          'Sessions of the pooler lack the settings of the service. Start it, then let the pooler reconnect.',
        )
  } catch (error) {
    return failed('pooler', sentenceOf(error))
  }
}

/** The service works without its standby, but not with a wrong one. */
const checkReplica = async ({ databaseReplicaUrl }: Config, { sql }: OpenDatabase): Promise<DoctorCheck> => {
  if (databaseReplicaUrl === null) return ok('replica', 'DATABASE_REPLICA_URL is not set')
  try {
    const problem = await findReplicaProblem(sql, databaseReplicaUrl)
    return problem === null
      ? ok('replica')
      : warning('replica', `The standby cannot be used (${problem}), and the primary has all reads. Repair it.`)
  } catch (error) {
    return failed('replica', sentenceOf(error))
  }
}

/** Checks the extensions. The first migration can create missing ones. */
export const checkExtensions = ({ missingExtensions: missing }: ServerState, migrated: boolean): DoctorCheck => {
  if (missing.length === 0) return ok('extensions')
  const statements = missing.map(name => `create extension ${name};`).join(' ')
  return migrated
    ? failed('extensions', `Run: ${statements}`)
    : warning('extensions', `"migrate" creates them if its role may. Otherwise run: ${statements}`)
}

/** Checks the rights of the role. Only a migration creates tables. */
export const checkRights = ({ canMigrate, forbiddenTables }: ServerState, migrated: boolean): DoctorCheck => {
  if (forbiddenTables.length > 0)
    return failed('rights', `The user of DATABASE_URL must read and write: ${forbiddenTables.join(', ')}.`)
  if (canMigrate || migrated) return ok('rights')
  return failed('rights', 'The user of DATABASE_URL cannot create tables. Run "migrate" with a role that can.')
}

/** Maximum milliseconds between the clocks without a warning, and above which the service is not ready. */
const clockLimits = { warning: 5000, failed: 60_000 }

/** Checks the difference to the clock of the database. */
export const checkClock = (aheadMs: number): DoctorCheck => {
  const text = `${Math.abs(aheadMs)} ms ${aheadMs < 0 ? 'behind' : 'ahead of'} the database`
  if (Math.abs(aheadMs) <= clockLimits.warning) return ok('clock', text)
  const check = Math.abs(aheadMs) > clockLimits.failed ? failed : warning
  return check('clock', `This machine is ${text}. Synchronize both clocks, for example by NTP.`)
}

const gib = 2 ** 30

const readFreeBytes = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Checks the disk of the embedded database. `disk` is null for another server, whose disk is not visible from here. */
export const checkDisk = (
  { databaseBytes }: ServerState,
  disk: { folder: string; freeBytes: number } | null,
): DoctorCheck => {
  const size = `${(databaseBytes / gib).toFixed(1)} GiB`
  if (disk === null)
    return warning('disk', `The database has ${size}. The disk of its server is not visible from here. Monitor it.`)
  return disk.freeBytes >= gib
    ? ok('disk', `the database has ${size}, ${(disk.freeBytes / gib).toFixed(1)} GiB are free`)
    : failed('disk', `Less than 1 GiB is free in DATA_DIR (${disk.folder}). Free space.`)
}

const checkKeys = async (config: Config, sql: Database): Promise<DoctorCheck> => {
  try {
    // All cells have the keys of `main`, which is embedded without a URL.
    const keyring = await loadKeyring(config, config.databaseUrl === null)
    const kinds = await findUndecryptable(sql, keyring)
    if (kinds.length > 0)
      return failed('keys', `SECRETS_KEY cannot decrypt: ${kinds.join(', ')}. Restore the key that encrypted them.`)
    if (keyring === null) return warning('keys', 'SECRETS_KEY is not set: webhook secrets are stored in plain text.')
    return (await isStoredInPlaintext(sql))
      ? warning('keys', 'Some webhook secrets are in plain text. Run "secrets reencrypt".')
      : ok('keys')
  } catch (error) {
    return failed('keys', sentenceOf(error))
  }
}

const checkMail = async ({ mail }: Config): Promise<DoctorCheck> => {
  if (mail === null) return warning('mail', 'SMTP_URL is not set: no e-mail is sent, and links are printed.')
  const problem = await verifyMailServer(mail)
  return problem === null ? ok('mail') : failed('mail', `${problem} Check SMTP_URL.`)
}

const checkIdentityProvider = async ({ oidc }: Config): Promise<DoctorCheck> => {
  const name = 'identity provider'
  if (oidc === null) return ok(name, 'OIDC_ISSUER is not set')
  try {
    await new OidcProvider(oidc).check()
    return ok(name, oidc.issuer)
  } catch (error) {
    return failed(name, `${firstSentenceOf(error)} Check OIDC_ISSUER and the network.`)
  }
}

/** Sends an export without spans. A redirect is not followed, because it could lead the headers to another host. */
const checkCollector = async ({ tracing }: Config): Promise<DoctorCheck> => {
  if (tracing === null) return ok('collector', 'OTEL_EXPORTER_OTLP_ENDPOINT is not set')
  const headers = { ...tracing.headers, 'Content-Type': 'application/x-protobuf' }
  try {
    const signal = AbortSignal.timeout(requestMs)
    const { ok: isOk, status } = await fetch(`${tracing.endpoint}/v1/traces`, {
      method: 'POST',
      headers,
      signal,
      redirect: 'manual',
    })
    return isOk
      ? ok('collector', tracing.endpoint)
      : warning('collector', `It answers ${status}. Check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS.`)
  } catch (error) {
    return warning('collector', `${firstSentenceOf(error)} Check OTEL_EXPORTER_OTLP_ENDPOINT. Spans are dropped.`)
  }
}

/** Milliseconds until a request of a check is aborted. */
const requestMs = 5000

/** Maximum size of an answer that is read. The address can lead to any site. */
const maxAnswerBytes = 1000

/** Requests `/healthz`, as people and providers would reach it. */
const checkPublicUrl = async ({ publicUrl }: Config): Promise<DoctorCheck> => {
  if (publicUrl === null)
    return warning('public URL', 'PUBLIC_URL is not set: links and callbacks of providers use HOST and PORT.')
  const url = `${publicUrl}/healthz`
  try {
    const signal = AbortSignal.timeout(requestMs)
    const response = await fetch(url, { signal, redirect: 'manual' })
    const body = await readBody(response.body, { maxBytes: maxAnswerBytes, signal }).catch(() => null)
    const isService = response.ok && body !== null && Buffer.from(body).toString() === '{"status":"ok"}'
    return isService
      ? ok('public URL', publicUrl)
      : failed('public URL', `${url} answers ${response.status}, not the service. Check PUBLIC_URL and the proxy.`)
  } catch {
    return failed('public URL', `${url} cannot be reached from here. Start the service, or check PUBLIC_URL.`)
  }
}
