/** Sets up the environment of the demo: a new database, the service, an owner and the receiver. */
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { makeSignInLink } from '../../../accounts/people/index.ts'
import { createWorkspace } from '../../../accounts/workspaces/index.ts'
import { type Config, readConfig } from '../../../config.ts'
import { linkTo } from '../../../core/links.ts'
import { newSecret } from '../../../core/secrets.ts'
import { createLog } from '../../../platform/log.ts'
import { migrateDatabase, type OpenDatabase, openDatabase } from '../../database.ts'
import { startService } from '../../index.ts'
import { StartError } from '../../start-error.ts'
import { claimFolder, isClaimed } from './claim.ts'
import { makeHistory, startHistoryReceivers } from './history/index.ts'
import { historyDays } from './history/schedule.ts'
import type { Output } from './output.ts'
import type { Owner } from './owner.ts'
import { WebhookReceiver } from './receiver.ts'

export interface Environment {
  /** Base URL of the service. */
  url: string
  owner: Owner
  receiver: WebhookReceiver
  /** Description of where the data is stored. */
  data: string
  /** Returns a link that opens the dashboard signed in as the owner. */
  makeLink(): Promise<string>
  /** Shell command that creates another link. */
  linkCommand: string
  /** Stops everything, the service first. */
  close(): Promise<void>
}

const databaseName = 'demo'

/**
 * Creates the stage, with a history of 30 days if asked. `signal` ends the recording of the history. On an error,
 * everything that was started is stopped.
 */
export const openEnvironment = async (
  config: Config,
  output: Output,
  withHistory: boolean,
  signal: AbortSignal,
): Promise<Environment> => {
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    return { ...(await start(config, output, withHistory, signal, closer => closers.push(closer))), close }
  } catch (error) {
    await close()
    throw error
  }
}

const start = async (
  config: Config,
  output: Output,
  withHistory: boolean,
  signal: AbortSignal,
  onClose: (closer: () => unknown) => void,
) => {
  const port = await findPort(config)
  onClose(await claimFolder(config.dataDir))
  const { log, flush } = createLog('warn')
  onClose(flush)

  const startedAt = performance.now()
  const database = await openDatabase({ ...config, databaseUrl: null }, { name: databaseName, fresh: true })
  onClose(() => database.close())
  await migrateDatabase(database)
  output.step(
    'PostgreSQL',
    `embedded, with a new database “${databaseName}” (${formatSeconds(performance.now() - startedAt)})`,
  )

  const owner = { email: 'owner@example.com', password: newSecret('').slice(0, 20) }
  await createWorkspace(database.sql, { name: 'Demo shop', planId: 'unlimited', owner })

  const receiver = new WebhookReceiver()
  await receiver.start()
  onClose(() => receiver.stop())

  const receivers = await startHistoryReceivers()
  onClose(() => Promise.all([receivers.crm.stop(), receivers.stock.stop()]))
  const demoConfig: Config = {
    ...config,
    port,
    publicUrl: null,
    webhookAllowedPrivateTargets: new Set([receiver, receivers.crm, receivers.stock].map(({ target }) => target)),
    rateLimits: { key: null, person: null, signInAttempts: null, callbacks: null, invitations: null },
    roles: { http: true, worker: true },
  }
  if (withHistory) {
    const historyStartedAt = performance.now()
    const events = await makeHistory({ config: demoConfig, database, log, owner, receivers, signal })
    output.step(
      'History',
      `${events} events of the last ${historyDays} days (${formatSeconds(performance.now() - historyStartedAt)})`,
    )
    output.detail('invented: recorded through the interface just now, then moved into the past in this database')
  }

  const service = await startService({ config: demoConfig, databaseUrl: database.url, log })
  onClose(() => service.stop())
  output.step('Service', service.url)
  if (service.port !== config.port && config.port !== 0)
    output.detail(`port ${config.port} is in use, so a free port was chosen; set PORT=… to choose one`)
  output.step('Receiver', `${receiver.url}, which verifies signatures with its own code`)

  const data = `database “${databaseName}” of the PostgreSQL in ${join(resolve(config.dataDir), 'postgres')}`
  return {
    url: service.url,
    owner,
    receiver,
    data,
    makeLink: async () => linkTo(service.url, 'sign_in', await makeSignInLink(database.sql, owner.email)),
    linkCommand: linkCommand(config, service.port, owner),
  }
}

/** Returns the command with all settings that differ from the defaults. */
const linkCommand = ({ dataDir, host }: Config, port: number, { email }: Owner): string => {
  const defaults = readConfig({})
  const settings = [
    ...(dataDir === defaults.dataDir ? [] : [`DATA_DIR=${quoteForShell(resolve(dataDir))}`]),
    ...(host === defaults.host ? [] : [`HOST=${quoteForShell(host)}`]),
    ...(port === defaults.port ? [] : [`PORT=${port}`]),
  ]
  return [...settings, `bun src/main.ts user sign-in-link --demo --email ${email}`].join(' ')
}

/** Quotes the text as one word of a shell. */
const quoteForShell = (text: string): string => (/^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** Opens the database of the demo that runs on the data folder. Throws StartError if none is running. */
export const openRunningDemo = async (config: Config): Promise<OpenDatabase> => {
  if (!(await isClaimed(config.dataDir)))
    throw new StartError(`No demo is running on ${config.dataDir}. Set DATA_DIR to the folder of the running demo.`)
  return openDatabase({ ...config, databaseUrl: null }, { name: databaseName })
}

const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/**
 * Returns the configured port, or 0 for any free port if the default port is in use. Throws StartError if another
 * configured port is in use.
 */
const findPort = async ({ host, port }: Config): Promise<number> => {
  if (port === 0 || !(await isPortInUse(host, port))) return port
  if (port === readConfig({}).port) return 0
  throw new StartError(
    `Cannot listen on ${host}:${port} (HOST, PORT): another program uses this port. Stop it, or choose another port, such as PORT=${port === 65535 ? 3000 : port + 1}.`,
  )
}

const isPortInUse = (host: string, port: number): Promise<boolean> =>
  new Promise(resolve => {
    const probe = createServer()
    probe.once('error', error => resolve('code' in error && error.code === 'EADDRINUSE'))
    probe.listen(port, host, () => probe.close(() => resolve(false)))
  })
