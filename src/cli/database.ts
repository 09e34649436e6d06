/** From the settings to a database that is reachable and up to date. */
import type { Config } from '../config.ts'
import { connect, type Database, neverReachedServer, retrying } from '../db/client.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import { migrateAlarms } from '../tasks/index.ts'

export interface OpenDatabase {
  url: string
  sql: Database
  embedded: boolean
  close(): Promise<void>
}

/** The name of the service's database in the embedded PostgreSQL. */
const embeddedName = 'customer_engagement'

/** A failure with one sentence for the operator; nothing else need be shown. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** Opens the database of DATABASE_URL, or starts the embedded one. `name` picks another database of the embedded server. */
export const openDatabase = async (
  config: Config,
  options: { name?: string; fresh?: boolean; max?: number } = {},
): Promise<OpenDatabase> => {
  const embedded = config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: config.dataDir }) : null
  const url =
    config.databaseUrl ??
    (await (embedded as EmbeddedPostgres).ensureDatabase(options.name ?? embeddedName, {
      fresh: options.fresh ?? false,
    }))
  const sql = connect({ url, applicationName: 'customer-engagement', max: options.max ?? 10 })
  try {
    await retrying(async () => sql`select 1`, { when: neverReachedServer })
  } catch (error) {
    await sql.end({ timeout: 1 })
    await embedded?.release()
    throw new StartError(
      `The database of DATABASE_URL cannot be reached: ${error instanceof Error ? error.message : error}.`,
      { cause: error },
    )
  }
  return {
    url,
    sql,
    embedded: embedded !== null,
    close: async () => {
      await sql.end({ timeout: 5 })
      await embedded?.release()
    },
  }
}

/** Applies every missing migration, the alarms' own included. Returns the names of ours that were applied. */
export const migrateDatabase = ({ sql, url }: OpenDatabase): Promise<string[]> => migrate(sql, () => migrateAlarms(url))
