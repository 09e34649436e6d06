/** Opens and migrates the database. */
import type { Config } from '../config.ts'
import { startEmbeddedPostgres } from '../platform/embedded-postgres/index.ts'
import { connect, type Database, neverReachedServer, sqlState, withRetry } from '../platform/postgres/client.ts'
import { migrate } from '../platform/postgres/migrate.ts'
import { findUnsuitability } from '../platform/postgres/suitability.ts'
import { resolveSslMode, TargetError } from '../platform/postgres/target.ts'
import { explainStartError, StartError } from './start-error.ts'
import { migrateTasks } from './tasks/index.ts'

export interface OpenDatabase {
  url: string
  sql: Database
  embedded: boolean
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
  options: { name?: string; fresh?: boolean; max?: number } = {},
): Promise<OpenDatabase> => {
  if (config.databaseUrl !== null) {
    const url = await resolveUrl(config.databaseUrl)
    const sql = await openConnection(url, options.max)
    const close = () => sql.end({ timeout: 5 })
    await requireSuitability(sql, url).catch(async error => {
      await close()
      throw error
    })
    return { url, sql, embedded: false, close }
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir })
  try {
    const url = await embedded.ensureDatabase(options.name ?? embeddedName, { fresh: options.fresh ?? false })
    const sql = await openConnection(url, options.max)
    const close = async () => {
      await sql.end({ timeout: 5 })
      await embedded.release()
    }
    return { url, sql, embedded: true, close }
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

const requireSuitability = async (sql: Database, url: string): Promise<void> => {
  const problem = await findUnsuitability(sql, url)
  if (problem !== null) throw new StartError(problem)
}

/** Connects for startup and commands. The running service uses separate pools. */
const openConnection = async (url: string, max = 2): Promise<Database> => {
  const sql = connect({ url, applicationName: 'customer-engagement', max, idleSeconds: 20 })
  try {
    await withRetry(async () => sql`select 1`, { when: neverReachedServer })
    return sql
  } catch (error) {
    await sql.end({ timeout: 1 })
    const sentence = `The database of DATABASE_URL cannot be reached: ${error instanceof Error ? error.message : error}.`
    throw explainedStates.has(sqlState(error) ?? '')
      ? explainStartError(error)
      : new StartError(sentence, { cause: error })
  }
}

/**
 * SQLSTATEs that have a message in `explainStartError`: no free connection, or a pooler that rejects our session settings.
 */
const explainedStates = new Set(['53300', '08P01'])

/**
 * Applies all pending migrations, including those of Graphile Worker. Returns the names of our applied migrations. Uses
 * new connections without a silence timeout, because a migration may take minutes.
 */
export const migrateDatabase = async ({ url }: Pick<OpenDatabase, 'url'>): Promise<string[]> => {
  const sql = connect({ url, applicationName: 'customer-engagement migrate', max: 2, silenceSeconds: 0 })
  try {
    return await migrate(sql, () => migrateTasks(url))
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
