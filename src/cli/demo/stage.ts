/** Sets up the environment of the demo: a new database, the service, an owner and the receiver. */
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { type Config, readConfig } from '../../config.ts'
import { makeSignInLink } from '../../domain/accounts/index.ts'
import { linkTo } from '../../domain/links.ts'
import { newSecret } from '../../domain/secrets.ts'
import { createWorkspace } from '../../domain/workspaces/index.ts'
import { createLog } from '../../platform/log.ts'
import { migrateDatabase, type OpenDatabase, openDatabase } from '../../service/database.ts'
import { startService } from '../../service/index.ts'
import { StartError } from '../../service/problem.ts'
import { claimFolder, isClaimed } from './claim.ts'
import type { Owner } from './owner.ts'
import { WebhookReceiver } from './receiver.ts'
import type { Story } from './story.ts'

export interface Stage {
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

/** Creates the stage. On an error, everything that was started is stopped. */
export const openStage = async (config: Config, story: Story): Promise<Stage> => {
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    return { ...(await build(config, story, closer => closers.push(closer))), close }
  } catch (error) {
    await close()
    throw error
  }
}

const build = async (config: Config, story: Story, onClose: (closer: () => unknown) => void) => {
  const port = await choosePort(config)
  onClose(await claimFolder(config.dataDir))
  const { log, flush } = createLog('warn')
  onClose(flush)

  const began = performance.now()
  const database = await openDatabase({ ...config, databaseUrl: null }, { name: databaseName, fresh: true })
  onClose(() => database.close())
  await migrateDatabase(database)
  story.step('PostgreSQL', `embedded, with a new database “${databaseName}” (${seconds(performance.now() - began)})`)

  const owner = { email: 'owner@example.com', password: newSecret('').slice(0, 20) }
  await createWorkspace(database.sql, { name: 'Demo shop', planId: 'unlimited', owner })

  const receiver = new WebhookReceiver()
  await receiver.start()
  onClose(() => receiver.stop())

  const service = await startService({
    config: {
      ...config,
      port,
      publicUrl: null,
      webhookAllowedPrivateTargets: new Set([receiver.target]),
      rateLimits: { key: null, person: null, signInTries: null, callbacks: null, invitations: null },
      roles: { http: true, worker: true },
    },
    databaseUrl: database.url,
    log,
  })
  onClose(() => service.stop())
  story.step('Service', service.url)
  if (service.port !== config.port && config.port !== 0)
    story.detail(`port ${config.port} is used by another program, so a free one was taken; PORT=… chooses one`)
  story.step('Receiver', `${receiver.url}, which checks signatures with code of its own`)

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
  const usual = readConfig({})
  const settings = [
    ...(dataDir === usual.dataDir ? [] : [`DATA_DIR=${quoted(resolve(dataDir))}`]),
    ...(host === usual.host ? [] : [`HOST=${quoted(host)}`]),
    ...(port === usual.port ? [] : [`PORT=${port}`]),
  ]
  return [...settings, `bun src/main.ts user sign-in-link --demo --email ${email}`].join(' ')
}

/** Quotes the text as one word of a shell. */
const quoted = (text: string): string => (/^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** Opens the database of the demo that runs on the data folder. Throws StartError if none is running. */
export const openRunningDemo = async (config: Config): Promise<OpenDatabase> => {
  if (!(await isClaimed(config.dataDir)))
    throw new StartError(`No demo is running on ${config.dataDir}; set DATA_DIR to the folder of the one you mean.`)
  return openDatabase({ ...config, databaseUrl: null }, { name: databaseName })
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/**
 * Returns the configured port, or 0 for any free port if the default port is in use. Throws StartError if another
 * configured port is in use.
 */
const choosePort = async ({ host, port }: Config): Promise<number> => {
  if (port === 0 || !(await isTaken(host, port))) return port
  if (port === readConfig({}).port) return 0
  throw new StartError(
    `Cannot listen on ${host}:${port} (HOST, PORT): another program uses this port; stop it, or choose another one, such as PORT=${port === 65535 ? 3000 : port + 1}.`,
  )
}

const isTaken = (host: string, port: number): Promise<boolean> =>
  new Promise(resolve => {
    const probe = createServer()
    probe.once('error', error => resolve('code' in error && error.code === 'EADDRINUSE'))
    probe.listen(port, host, () => probe.close(() => resolve(false)))
  })
