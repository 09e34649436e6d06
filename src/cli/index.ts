/** Runs commands. Failures are reported in one sentence with a status other than 0. */
import './home.ts'

import { ConfigError, readConfig } from '../config.ts'
import { type Command, UsageError, usageLines, withoutArguments } from './usage.ts'

interface Loaded {
  usages: readonly string[]
  command: Command
}

/** Commands are loaded on demand. Containers call `health` every few seconds, and it needs few modules. */
const commands: Record<string, () => Promise<Loaded>> = {
  start: async () => plain('start', (await import('./start.ts')).start),
  migrate: async () => plain('migrate', (await import('./migrate.ts')).migrateCommand),
  workspace: async () => {
    const { workspace, workspaceUsages } = await import('./workspace.ts')
    return { usages: workspaceUsages, command: workspace }
  },
  user: async () => {
    const { user, userUsages } = await import('./user.ts')
    return { usages: userUsages, command: user }
  },
  secrets: async () => {
    const { secrets, secretsUsages } = await import('./secrets.ts')
    return { usages: secretsUsages, command: secrets }
  },
  openapi: async () => plain('openapi', (await import('./openapi.ts')).openapi),
  dashboard: async () => plain('dashboard', (await import('./dashboard.ts')).dashboard),
  health: async () => plain('health', (await import('./health.ts')).health),
  version: async () => plain('version', (await import('./version.ts')).version),
  demo: async () => {
    const { demo, demoUsage } = await import('./demo/index.ts')
    return { usages: [demoUsage], command: demo }
  },
}

const plain = (name: string, work: Parameters<typeof withoutArguments>[1]): Loaded => ({
  usages: [name],
  command: withoutArguments(name, work),
})

const usage = async (): Promise<string> => `Usage: customer-engagement-service <command>

  start                 run the service (settings: docs/configuration.md)
  migrate               bring the database up to date and stop
  workspace create      make a workspace and its owner
  workspace list        show every workspace and its plan
  workspace plan set    put a workspace on another plan
  user list             show every account
  user password reset   make a link to another password
  user sign-in-link     make a link that signs somebody in
  user disable, enable  keep somebody out, and let them in again
  secrets reencrypt     encrypt what is stored under the first key
  openapi               print the published document
  health                ask whether the service of this machine lives
  version               print the version, as --version does
${(await hasSources()) ? dashboardLine : ''}${(await hasEmbeddedPostgres()) ? demoLine : ''}
Every command reads its settings from the environment; "<command> --help" shows its arguments.
`

/** Help for commands that do not exist in the compiled binary. They are listed only if they are available. */
const dashboardLine = '  dashboard             print the bundled dashboard as an archive, for the binary\n'
const demoLine = '  demo                  show it at work, and open the dashboard on that\n'

const hasSources = async () => (await import('../service/dashboard.ts')).hasDashboardSources()

const hasEmbeddedPostgres = async () => (await import('../embedded/index.ts')).embeddedPostgresIsInstalled()

/** Runs one command and returns the exit status. */
export const run = async (args: string[]): Promise<number> => {
  const [name = '', ...rest] = args
  if (name === 'help' || isHelp(name)) return help(rest)
  if (name === '--version' || (name === 'version' && rest.length === 0)) return (await import('./version.ts')).version()
  if (!Object.hasOwn(commands, name)) return unknown(name)
  if (rest.some(isHelp)) return help(args.filter(argument => !isHelp(argument)))
  try {
    const { command } = await commands[name]!()
    // Validates arguments before settings, and both before anything is done.
    const work = command(rest)
    return await work(readConfig())
  } catch (error) {
    const told = await toldToOperator(error)
    if (told === null) throw error
    process.stderr.write(`${told.message}\n`)
    return told instanceof UsageError ? 2 : 1
  }
}

const isHelp = (argument: string): boolean => argument === '--help' || argument === '-h'

/** Prints help to standard output, either for all commands or for one. */
const help = async ([name, ...action]: string[]): Promise<number> => {
  if (name !== undefined && !Object.hasOwn(commands, name)) return unknown(name)
  process.stdout.write(name === undefined ? await usage() : `${await usageOf(name, action)}\n`)
  return 0
}

/** Returns the usage of the requested action, or of all actions. */
const usageOf = async (name: string, action: string[]): Promise<string> => {
  const { usages } = await commands[name]!()
  const meant = usages.filter(usage => usage.startsWith([name, ...action].join(' ')))
  return usageLines(meant.length > 0 ? meant : usages)
}

const unknown = async (name: string): Promise<number> => {
  process.stderr.write(name === '' ? await usage() : `There is no command "${name}".\n\n${await usage()}`)
  return 2
}

/** Returns the error to report. Null for a fault of the service. */
const toldToOperator = async (error: unknown): Promise<Error | null> => {
  if (error instanceof UsageError || error instanceof ConfigError) return error
  return (await import('./failures.ts')).toldToOperator(error)
}
