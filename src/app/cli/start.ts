/** `start`: runs the service. */
import { setTimeout as sleep } from 'node:timers/promises'
import manifest from '../../../package.json' with { type: 'json' }
import { issueAccessToken } from '../../accounts/tokens/index.ts'
import { anyWorkspaceExists, createFirstWorkspace } from '../../accounts/workspaces/index.ts'
import { type CellConfig, type Config, mainCell } from '../../config.ts'
import { newSecret } from '../../core/secrets.ts'
import { createLog, type Log } from '../../platform/log.ts'
import { type Database, isServerFailure } from '../../platform/postgres/client.ts'
import { hasLimits } from '../../platform/postgres/suitability.ts'
import { findCells } from '../cells/citus.ts'
import { servedDashboard } from '../dashboard.ts'
import {
  findReplicaProblem,
  migrateDatabase,
  type OpenDatabase,
  openCell,
  openDatabase,
  preparePooler,
  requirePlan,
} from '../database.ts'
import { loadKeyring, warnAboutSecrets } from '../encryption.ts'
import { fitPool } from '../fit-pool.ts'
import { startService } from '../index.ts'
import { noWorkspace } from '../readiness.ts'
import { StartError } from '../start-error.ts'
import { showOwner } from './show-owner.ts'
import { createStopSignal, waitForAbort } from './signals.ts'
import { type Command, parseArguments } from './usage.ts'

export const startUsage = 'start [--hold]'

/** Parses the arguments. `--hold` holds all sending until `restore release`. */
export const start: Command = args => {
  const { values } = parseArguments({ args, options: { hold: { type: 'boolean' } } }, [startUsage])
  return config => run(config, values.hold ?? false)
}

/** Runs until SIGTERM, SIGINT or SIGHUP. A second signal ends the process immediately. */
const run = async (config: Config, hold: boolean): Promise<number> => {
  const stopSignal = createStopSignal()
  const roles = Object.entries(config.roles).flatMap(([role, isOn]) => (isOn ? [role] : []))
  const { log, flush } = createLog(
    config.logLevel,
    { version: manifest.version, roles },
    isServerFailure,
    config.logFormat,
  )
  for (const { name, meant } of config.misspelled)
    log.warn({ name }, `${name} is not a known setting. Did you mean ${meant}?`)
  const dashboard = config.roles.http ? loadDashboard(log) : null
  const database = await openDatabase(config)
  try {
    // Checked even if the first workspace exists, so that the error appears at the start with the wrong setting. An
    // empty database gets its plans from the migrations, so the check is repeated.
    await requirePlan(database.sql, config)
    const applied = await migrateDatabase(database)
    await requirePlan(database.sql, config)
    await findWorkspaceCell(config, database)
    if (!(await hasLimits(database.sql)))
      log.warn({}, 'the pooler ignores statement_timeout and lock_timeout; set them for the user with ALTER ROLE')
    if (applied.length > 0) log.info({ applied }, 'database migrated')
    if (!(await preparePooler(database)))
      log.warn({}, 'sessions of the pooler do not have the settings of this service yet; let it reconnect')
    if (config.databaseReplicaUrl !== null) {
      const reason = await findReplicaProblem(database.sql, config.databaseReplicaUrl)
      if (reason !== null) log.warn({ reason }, 'the standby of DATABASE_REPLICA_URL cannot be used yet')
    }
    const keyring = await loadKeyring(config, database.embedded)
    await warnAboutSecrets(database.sql, keyring, log)
    const { size: poolSize, warnings } = await fitPool(database.sql, config.databasePoolSize)
    if (!database.embedded) for (const warning of warnings) log.warn({}, warning)
    const service = await startService({
      config: { ...config, cells: await fitCells(config, log) },
      databaseUrl: database.url,
      pooledUrl: database.pooledUrl ?? null,
      log,
      keyring,
      poolSize,
      hold,
    })
    // Runs after the successful start, because the password is shown only once.
    await ensureFirstWorkspace(config, database, log, service.url).catch(async error => {
      await service.stop()
      throw error
    })
    await dashboard
    log.info({ url: service.url, pid: process.pid }, 'started')
    await waitForAbort(stopSignal)
    log.info({}, 'stopping')
    await service.stop(undefined, config.shutdownDelay)
    log.info({}, 'stopped')
    return 0
  } finally {
    await flush()
    await database.close()
    exitSoon()
  }
}

/** Milliseconds that the start waits for the number of connections of a cell. */
const maxFitMs = 2000

/**
 * Limits the connections of each further cell to those that its database has. A cell that does not respond keeps the
 * setting, and its start reports the problem. The databases of a Citus cluster are shared by cells, so theirs are not
 * compared.
 */
const fitCells = (config: Config, log: Log): Promise<CellConfig[]> => {
  const fit = async (cell: CellConfig): Promise<CellConfig> => {
    const { sql, close } = await openCell(cell)
    try {
      const { size, warnings } = await fitPool(sql, config.databasePoolSize)
      for (const warning of warnings) log.warn({ cell: cell.name }, warning)
      return { ...cell, poolSize: size }
    } finally {
      await close()
    }
  }
  return Promise.all(
    config.cells.map(cell => Promise.race([fit(cell).catch(() => cell), sleep(maxFitMs, cell, { ref: false })])),
  )
}

/** Returns the cell that WORKSPACE_CELL names. Null is `main`. Throws StartError if there is no such cell. */
const findWorkspaceCell = async (config: Config, main: OpenDatabase): Promise<CellConfig | null> => {
  const { workspaceCell } = config
  if (workspaceCell === mainCell) return null
  const cell = (await findCells(config, main)).find(({ name }) => name === workspaceCell)
  if (cell) return cell
  throw new StartError(`WORKSPACE_CELL is "${workspaceCell}", but there is no such cell. Run "cells list".`)
}

/** Runs `work` with the database of the cell that WORKSPACE_CELL names. `main` is that of the directory. */
const withCell = async <T>(config: Config, main: OpenDatabase, work: (cell: Database) => Promise<T>): Promise<T> => {
  const cell = await findWorkspaceCell(config, main)
  if (!cell) return work(main.sql)
  const { sql, close } = await openCell(cell)
  try {
    return await work(sql)
  } finally {
    await close()
  }
}

/** Loads the dashboard. A failure is logged and does not stop the service. */
const loadDashboard = (log: Log): Promise<void> =>
  servedDashboard.load().then(
    isAvailable => log.debug({ isAvailable }, 'dashboard loaded'),
    error => log.warn({ error }, 'the dashboard could not be loaded'),
  )

/**
 * Ends the process after half a second, because a connection to an unresponsive server could keep it alive much longer.
 */
const exitSoon = () => setTimeout(() => process.exit(), 500).unref()

/** Days until the token that the first start shows expires. */
const firstTokenDays = 30

/**
 * Creates the first workspace in an empty database. Its owner comes from the settings. With the embedded database and
 * no setting, a demo owner is created, and shown once with an access token for the first commands.
 */
const ensureFirstWorkspace = async (config: Config, main: OpenDatabase, log: Log, url: string): Promise<void> => {
  const { sql, embedded } = main
  const owner = config.owner ?? (embedded ? { email: 'owner@example.com', password: newSecret('').slice(0, 20) } : null)
  // The cell of the first workspace is not needed later, so the start does not depend on it.
  if (await anyWorkspaceExists(sql)) return
  if (!owner) return log.warn({}, noWorkspace)
  const created = await withCell(config, main, cell =>
    createFirstWorkspace(
      sql,
      {
        name: config.workspaceName,
        planId: config.workspacePlan,
        owner,
        // E-mails to the demo owner would reach no one.
        byMail: config.mail !== null && config.owner !== null,
      },
      cell,
    ),
  )
  if (!created) return
  log.info({ workspaceId: created.id, owner: owner.email }, 'first workspace created')
  if (config.owner) return
  const holder = { userId: created.ownerId, workspaceId: created.id }
  const { token } = await issueAccessToken(sql, {
    ...holder,
    name: 'getting started',
    access: 'write',
    days: firstTokenDays,
  })
  showOwner({ ...owner, token, url }, config)
}
