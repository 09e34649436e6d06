/** `start`: runs the service. */
import manifest from '../../package.json' with { type: 'json' }
import type { Config } from '../config.ts'
import { isFailureOfServer } from '../db/client.ts'
import { limitsHold } from '../db/suitable.ts'
import { newSecret } from '../domain/secrets.ts'
import { anyWorkspaceExists, createFirstWorkspace } from '../domain/workspaces/index.ts'
import { createLog, type Log } from '../platform/log.ts'
import { migrateDatabase, type OpenDatabase, openDatabase, requirePlan } from '../service/database.ts'
import { fitPool } from '../service/fit.ts'
import { startService } from '../service/index.ts'
import { noWorkspace } from '../service/readiness.ts'
import { openSeals, tellOfSeals } from '../service/seals.ts'
import { showOwner } from './shown-once.ts'
import { aborted, stopRequested } from './signals.ts'

/** Runs until SIGTERM, SIGINT or SIGHUP. A second signal ends the process immediately. */
export const start = async (config: Config): Promise<number> => {
  const stop = stopRequested()
  const roles = Object.entries(config.roles).flatMap(([role, isOn]) => (isOn ? [role] : []))
  const { log, flush } = createLog(config.logLevel, { version: manifest.version, roles }, isFailureOfServer)
  for (const { name, meant } of config.misspelled) log.warn({ name }, `${name} is no setting. Did you mean ${meant}?`)
  const database = await openDatabase(config)
  try {
    // Checked even if the first workspace exists, so that the error appears at the start with the wrong setting. An
    // empty database gets its plans from the migrations, so the check is repeated.
    await requirePlan(database.sql, config)
    const applied = await migrateDatabase(database)
    await requirePlan(database.sql, config)
    if (!(await limitsHold(database.sql)))
      log.warn({}, 'the pooler drops statement_timeout and lock_timeout; give them to the user by ALTER ROLE')
    if (applied.length > 0) log.info({ applied }, 'the database was brought up to date')
    const seals = await openSeals(config, database.embedded)
    await tellOfSeals(database.sql, seals, log)
    const { size: poolSize, warnings } = await fitPool(database.sql, config.databasePoolSize)
    if (!database.embedded) for (const warning of warnings) log.warn({}, warning)
    const service = await startService({ config, databaseUrl: database.url, log, seals, poolSize })
    // Runs after the successful start, because the password is shown only once.
    await makeFirstWorkspace(config, database, log).catch(async error => {
      await service.stop()
      throw error
    })
    log.info({ url: service.url, pid: process.pid }, 'started')
    await aborted(stop)
    log.info({}, 'stopping')
    await service.stop(undefined, config.shutdownDelay)
    log.info({}, 'stopped')
    return 0
  } finally {
    await flush()
    await database.close()
    endSoon()
  }
}

/**
 * Ends the process after half a second, because a connection to an unresponsive server could keep it alive much longer.
 */
const endSoon = () => setTimeout(() => process.exit(), 500).unref()

/**
 * Creates the first workspace in an empty database. Its owner comes from the settings. With the embedded database and
 * no setting, a demo owner is created and shown once.
 */
const makeFirstWorkspace = async (config: Config, { sql, embedded }: OpenDatabase, log: Log): Promise<void> => {
  const owner = config.owner ?? (embedded ? { email: 'owner@example.com', password: newSecret('').slice(0, 20) } : null)
  if (!owner) {
    if (!(await anyWorkspaceExists(sql))) log.warn({}, noWorkspace)
    return
  }
  const made = await createFirstWorkspace(sql, {
    name: config.workspaceName,
    planId: config.workspacePlan,
    owner,
    // E-mails to the demo owner would reach no one.
    byMail: config.mail !== null && config.owner !== null,
  })
  if (!made) return
  log.info({ workspaceId: made.id, owner: owner.email }, 'the first workspace was made')
  if (!config.owner) showOwner(owner, config)
}
