/** Opens and migrates the database. */
import type { CellConfig, CitusCell, Config } from '../config.ts'
import { startEmbeddedPostgres } from '../platform/embedded-postgres/index.ts'
import { askCell } from '../platform/postgres/cells.ts'
import { makeHere } from '../platform/postgres/citus-cell.ts'
import {
  connect,
  type Database,
  isServerFailure,
  neverReachedServer,
  type Sql,
  sqlState,
  withRetry,
} from '../platform/postgres/client.ts'
import { isMigrated, migrate } from '../platform/postgres/migrate.ts'
import { hasSessionSettings, storeSessionSettings } from '../platform/postgres/pooler.ts'
import {
  isSameDatabase,
  OtherDatabase,
  readReplayedPosition,
  readReplicatedIdentity,
} from '../platform/postgres/server-identity.ts'
import { findUnsuitability } from '../platform/postgres/suitability.ts'
import { parseTarget, resolveSslMode, TargetError } from '../platform/postgres/target.ts'
import { migrateCitusCell } from './cells/citus-cell.ts'
import { completeMove } from './cells/complete-move.ts'
import { explainStartError, StartError } from './start-error.ts'
import { migrateTasks } from './tasks/index.ts'

export interface OpenDatabase {
  /** URL of the database itself. */
  url: string
  /** URL of the transaction pooler in front of it. Missing or null if there is none. */
  pooledUrl?: string | null
  sql: Database
  embedded: boolean
  /** The cell in its Citus cluster. Missing for a whole database. */
  citus?: CitusCell
  close(): Promise<void>
}

/** Name of the service's database in the embedded PostgreSQL. */
const embeddedName = 'customer_engagement'

/**
 * Opens the database of DATABASE_URL, or starts the embedded one. `name` selects another database of the embedded
 * server. Throws StartError if the database is unreachable or not suitable.
 */
export const openDatabase = async (
  config: Config,
  options: { name?: string; fresh?: boolean; max?: number; applicationName?: string } = {},
): Promise<OpenDatabase> => {
  if (config.databaseUrl !== null) {
    const main = await resolveUrl(config.databaseUrl)
    const pooledUrl = config.databaseDirectUrl === null ? null : main
    const url = config.databaseDirectUrl === null ? main : await resolveUrl(config.databaseDirectUrl)
    const sql = await openConnection(url, options)
    const close = () => sql.end({ timeout: 5 })
    await requireSuitability(sql, url).catch(async error => {
      await close()
      throw error
    })
    return { url, pooledUrl, sql, embedded: false, close }
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir })
  try {
    const url = await embedded.ensureDatabase(options.name ?? embeddedName, { fresh: options.fresh ?? false })
    const sql = await openConnection(url, options)
    const close = async () => {
      await sql.end({ timeout: 5 })
      await embedded.release()
    }
    return { url, pooledUrl: null, sql, embedded: true, close }
  } catch (error) {
    await embedded.release()
    throw error
  }
}

/** Returns the URL with `sslmode=prefer` resolved. Throws StartError for unsupported options. */
const resolveUrl = (url: string): Promise<string> =>
  resolveSslMode(url).catch(error => {
    throw error instanceof TargetError ? new StartError(error.message) : error
  })

const requireSuitability = async (sql: Database, url: string | null): Promise<void> => {
  const problem = await findUnsuitability(sql, url)
  if (problem !== null) throw new StartError(problem)
}

/** Connects for startup and commands. The running service uses separate pools. */
const openConnection = async (
  url: string,
  { max = 4, applicationName = 'customer-engagement' }: { max?: number; applicationName?: string } = {},
): Promise<Database> => {
  const sql = connect({ url, applicationName, max, idleSeconds: 20 })
  try {
    await withRetry(async () => sql`select 1`, { when: neverReachedServer })
    return sql
  } catch (error) {
    await sql.end({ timeout: 1 })
    const sentence = `The database of DATABASE_URL cannot be reached: ${messageOf(error)}.`
    throw explainedStates.has(sqlState(error) ?? '')
      ? explainStartError(error)
      : new StartError(sentence, { cause: error })
  }
}

/**
 * Checks the URL of a further cell without a connection. Throws StartError for options that are not supported, also
 * `sslmode=prefer`: whether the server offers TLS is not known while it is away.
 */
export const requireCellUrl = (cell: CellConfig): void => {
  try {
    if (parseTarget(cell.url).ssl === 'prefer')
      throw new TargetError('DATABASE_URL has sslmode=prefer. Use disable, require, verify-ca or verify-full.')
  } catch (error) {
    throw ofCell(cell, error)
  }
}

/**
 * Nodes of Citus that this process has checked for a pooler. The check takes two connections and many round trips, for which
 * a cell that moves would wait.
 */
const checkedNodes = new Set<string>()

/** Opens the database of a further cell. Throws StartError if it is unreachable or not suitable. */
export const openCell = async (cell: CellConfig, options: { applicationName?: string } = {}): Promise<OpenDatabase> => {
  const { url } = cell
  requireCellUrl(cell)
  try {
    const sql = await openConnection(url, options)
    const close = () => sql.end({ timeout: 5 })
    const node = cell.citus?.node
    await requireSuitability(sql, node !== undefined && checkedNodes.has(node) ? null : url).catch(async error => {
      await close()
      throw error
    })
    if (node !== undefined) checkedNodes.add(node)
    return { url, sql, embedded: false, close, ...(cell.citus && { citus: cell.citus }) }
  } catch (error) {
    throw ofCell(cell, error)
  }
}

/** Makes the message of an error name the cell instead of the setting of the first database. */
const ofCell = ({ name }: CellConfig, error: unknown): unknown => {
  if (!(error instanceof StartError || error instanceof TargetError)) return error
  const article = error.message.startsWith('DATABASE_URL') ? 'The' : 'the'
  const message = error.message
    .replaceAll('database of DATABASE_URL', `database of the cell "${name}"`)
    .replaceAll('DATABASE_URL', `${article} URL of the cell "${name}" in CELLS`)
  return new StartError(message, { cause: error })
}

/**
 * Checks and migrates the database of a further cell, and closes its connections. Throws StartError, like `openCell`, and
 * like `requireOtherDatabase`. `isMoved` is true for a cell of Citus that has been moved.
 */
export const prepareCell = async (cell: CellConfig, main: Database, options: CellOptions = {}): Promise<void> => {
  const cleanUp = await makeCellReady(cell, main, options)
  await cleanUp()
}

interface CellOptions {
  isMoved?: boolean
  others?: readonly NamedDatabase[]
}

/** Like `prepareCell`, but returns a function that removes what a cell of Citus does not need at its former node. */
export const makeCellReady = async (
  cell: CellConfig,
  main: Database,
  { isMoved = false, others = [] }: CellOptions = {},
): Promise<() => Promise<void>> => {
  const database = await openCell(cell)
  try {
    if (cell.citus) await makeHere(database.sql, cell.name)
    else await requireOtherDatabase({ name: cell.name, sql: database.sql }, main, others)
    // Our migrations have no time limit, so a database that goes silent would hold up the start of the cell.
    if (!(await isMigrated(database.sql))) await migrateDatabase(database)
    else if (!cell.citus) await migrateTasks(database.url)
    return cell.citus ? await completeMove(database, cell.citus, { isMoved, main }) : async () => {}
  } finally {
    await database.close()
  }
}

/** The connections of a further cell. */
export interface NamedDatabase {
  name: string
  sql: Database
}

/** Error for a URL in CELLS that does not lead to a database of its own for this cell. */
export class WrongCell extends StartError {
  override readonly name = 'WrongCell'
}

/**
 * Throws WrongCell if a further cell is the database of `main` or of another cell, also if their URLs differ, or if it is
 * the `main` of another installation. Other cells that do not respond are not compared.
 */
export const requireOtherDatabase = async (
  { name, sql }: NamedDatabase,
  main: Database,
  others: readonly NamedDatabase[],
): Promise<void> => {
  if (await isSameDatabase(sql, main))
    throw new WrongCell(`The cell "${name}" in CELLS is the database of DATABASE_URL. Name another database.`)
  if (await hasPeople(sql))
    throw new WrongCell(
      `The database of the cell "${name}" in CELLS has people, and these are only in the database of DATABASE_URL. Check both URLs.`,
    )
  for (const other of others) {
    const isSame = await askCell(other.sql, () => isSameDatabase(sql, other.sql)).catch((error: unknown) => {
      if (isServerFailure(error)) return false
      throw error
    })
    if (!isSame) continue
    const [first, second] = [name, other.name].sort()
    throw new WrongCell(`The cells "${first}" and "${second}" in CELLS are the same database. Name another database.`)
  }
}

/** Returns whether a database has accounts of people. */
const hasPeople = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<[{ isMigrated: boolean }]>`select to_regclass('users') is not null as "isMigrated"`
  return row.isMigrated && (await sql`select from users limit 1`).length > 0
}

/**
 * SQLSTATEs that have a message in `explainStartError`: no free connection, or a pooler that rejects our session settings.
 */
const explainedStates = new Set(['53300', '08P01'])

/**
 * Prepares the pooler of DATABASE_URL, if there is one: stores the settings of its sessions. Throws StartError if it
 * leads to another database than DATABASE_DIRECT_URL, before anything is stored. Returns false if its sessions do not
 * have the settings yet.
 */
export const preparePooler = (database: OpenDatabase): Promise<boolean> =>
  withPooler(database, true, async pooled => {
    await storeSessionSettings(database.sql)
    return hasSessionSettings(pooled)
  })

/**
 * Returns whether the sessions of the pooler have the settings. Changes nothing. Throws StartError, like
 * `preparePooler`.
 */
export const isPoolerPrepared = (database: OpenDatabase): Promise<boolean> =>
  withPooler(database, true, hasSessionSettings)

/** Runs `work` with a connection of the pooler, if there is one. Otherwise returns `without`. */
const withPooler = async <T>(
  { sql, pooledUrl }: OpenDatabase,
  without: T,
  work: (pooled: Database) => Promise<T>,
): Promise<T> => {
  if (!pooledUrl) return without
  const pooled = connect({ url: pooledUrl, applicationName: 'customer-engagement start', max: 1, pooled: true })
  try {
    if (!(await isSameDatabase(sql, pooled)))
      throw new StartError('DATABASE_URL and DATABASE_DIRECT_URL must lead to the same database of the same server.')
    return await work(pooled)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`The database of DATABASE_URL cannot be reached: ${messageOf(error)}.`, { cause: error })
  } finally {
    await pooled.end({ timeout: 1 })
  }
}

/**
 * Returns why the standby of DATABASE_REPLICA_URL cannot be used now, or null if it can. Throws StartError if the URL
 * leads to another database, whose rows the service would serve.
 */
export const findReplicaProblem = async (sql: Database, url: string): Promise<string | null> => {
  const identity = await readReplicatedIdentity(sql)
  const standby = connect({ url, applicationName: 'customer-engagement start', max: 1, maxStatementMs: 5000 })
  try {
    await readReplayedPosition(standby, identity)
    return null
  } catch (error) {
    if (error instanceof OtherDatabase)
      throw new StartError('DATABASE_REPLICA_URL must lead to a standby of the database of DATABASE_URL.')
    return messageOf(error)
  } finally {
    await standby.end({ timeout: 1 })
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Applies all pending migrations, including those of Graphile Worker. Returns the names of our applied migrations. Uses
 * new connections without a silence timeout, because a migration may take minutes.
 */
export const migrateDatabase = async ({ url, citus }: Pick<OpenDatabase, 'url' | 'citus'>): Promise<string[]> => {
  if (citus) {
    const applied = await migrateCitusCell(citus.coordinatorUrl, citus.name)
    await completeMoveAt(url, citus)
    return applied
  }
  const sql = connect({ url, applicationName: 'customer-engagement migrate', max: 2, silenceSeconds: 0 })
  try {
    return await migrate(sql, () => migrateTasks(url))
  } finally {
    await sql.end({ timeout: 5 })
  }
}

const completeMoveAt = async (url: string, cell: CitusCell): Promise<void> => {
  const sql = connect({ url, applicationName: 'customer-engagement move', max: 2 })
  try {
    await (await completeMove({ sql, url }, cell))()
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/**
 * Throws StartError if WORKSPACE_PLAN is not a plan in the database. Does nothing before the first migration, when the
 * plans are still unknown.
 */
export const requirePlan = async (sql: Database, { workspacePlan }: Config): Promise<void> => {
  const [row] = await sql`select to_regclass('plans') is not null as plans`
  if (!row!.plans) return
  const plans = (await sql<{ id: string }[]>`select id from plans order by id`).map(({ id }) => id)
  if (plans.includes(workspacePlan)) return
  throw new StartError(`WORKSPACE_PLAN must be one of ${plans.join(', ')}, not "${workspacePlan}".`)
}
