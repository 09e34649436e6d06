/** Runs commands. Failures are reported in one sentence with a status other than 0. */
import './home.ts'

import { ConfigError, readConfig } from '../../config.ts'
import { watchOutput } from './client/output.ts'
import { type Command, UsageError, usageLines, withoutArguments } from './usage.ts'

interface LoadedCommand {
  usages: readonly string[]
  command: Command
  /** Exit status if the command cannot run. Defaults to 1. */
  failureStatus?: number
}

/** A command that reads its own settings, or uses only the API of a service. It reports its own failures. */
interface LoadedClientCommand {
  usages: readonly string[]
  runClient(args: string[]): Promise<number>
}

/** Commands are loaded on demand. Containers call `health` every few seconds, and it needs few modules. */
const commands: Record<string, () => Promise<LoadedCommand | LoadedClientCommand>> = {
  start: async () => {
    const { start, startUsage } = await import('./start.ts')
    return { usages: [startUsage], command: start }
  },
  migrate: async () => plainCommand('migrate', (await import('./migrate.ts')).migrateCommand),
  cells: async () => {
    const { cells, cellsUsages } = await import('./cells.ts')
    return { usages: cellsUsages, command: cells }
  },
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
  restore: async () => {
    const { restore, restoreUsages } = await import('./restore.ts')
    return { usages: restoreUsages, command: restore }
  },
  verify: async () => {
    const { verify, verifyUsages } = await import('./verify.ts')
    return { usages: verifyUsages, command: verify, failureStatus: 2 }
  },
  doctor: async () => {
    const { doctor, doctorUsages } = await import('./doctor.ts')
    return { usages: doctorUsages, runClient: doctor }
  },
  queues: async () => {
    const { queues, queuesUsages } = await import('./queues.ts')
    return { usages: queuesUsages, command: queues }
  },
  pause: async () => {
    const { pause, pauseUsages } = await import('./pause.ts')
    return { usages: pauseUsages, command: pause }
  },
  resume: async () => {
    const { resume, resumeUsages } = await import('./pause.ts')
    return { usages: resumeUsages, command: resume }
  },
  openapi: async () => plainCommand('openapi', (await import('./openapi.ts')).openapi),
  health: async () => plainCommand('health', (await import('./health.ts')).health),
  version: async () => plainCommand('version', (await import('./version.ts')).version),
  listen: () => loadClientCommand('listen'),
  trigger: () => loadClientCommand('trigger'),
  'send-event': () => loadClientCommand('send-event'),
  bench: async () => {
    const [{ runClientCommand }, { bench, benchUsage }] = await Promise.all([
      import('./client/index.ts'),
      import('./client/bench.ts'),
    ])
    return { usages: [benchUsage], runClient: args => runClientCommand({ usage: benchUsage, run: bench }, args) }
  },
  mcp: async () => {
    const [{ runClientCommand }, { mcp, mcpUsage }] = await Promise.all([
      import('./client/index.ts'),
      import('./mcp/index.ts'),
    ])
    return { usages: [mcpUsage], runClient: args => runClientCommand({ usage: mcpUsage, run: mcp }, args) }
  },
  demo: async () => {
    const { demo, demoUsage } = await import('./demo/index.ts')
    return { usages: [demoUsage], command: demo }
  },
}

const plainCommand = (name: string, work: Parameters<typeof withoutArguments>[1]): LoadedCommand => ({
  usages: [name],
  command: withoutArguments(name, work),
})

const loadClientCommand = async (name: 'listen' | 'trigger' | 'send-event'): Promise<LoadedClientCommand> => {
  const { clientCommands, runClientCommand } = await import('./client/index.ts')
  const command = clientCommands[name]
  return { usages: [command.usage], runClient: args => runClientCommand(command, args) }
}

const usage = async (): Promise<string> => `Usage: customer-engagement-service <command>

  start                 run the service (settings: docs/configuration.md)
  migrate               run the database migrations
  cells list            list the databases that have workspaces, with their state
  cells create          create a cell in a Citus cluster
  cells move, drain     move a cell, or all cells of a node, to another node
  workspace create      create a workspace and its owner
  workspace list        list all workspaces with their plans
  workspace plan set    change the plan of a workspace
  workspace sso optional  allow passwords in a workspace that requires single sign-on
  workspace export      write a workspace to standard output
  workspace import      create a workspace from an exported file
  workspace move        move a workspace to another cell while the service runs
  workspace delete      delete a workspace with all its data
  user list             list all accounts
  user password reset   create a password reset link
  user sign-in-link     create a sign-in link
  user disable, enable  disable or enable an account
  secrets reencrypt     encrypt all stored secrets with the first key
  restore release       send or skip the due work of a restored database
  verify                check that all records are complete and match the counters
  doctor                check the settings and everything that the service needs
  queues                list the due work by queue (--watch)
  pause, resume         stop and continue deliveries, messages, runs or campaigns
  openapi               print the published document
  health                check whether the local service is running
  version               print the version (same as --version)
${(await hasEmbeddedPostgres()) ? demoLine : ''}
Commands for a running service, here or elsewhere, with an access token:
  listen                forward outbound events to a program on this machine
  trigger               cause an outbound event of a type in the sandbox
  send-event            record an event of a customer
  bench                 measure a service in a workspace with only sandbox channels
  mcp                   serve the operations as tools (Model Context Protocol)

Other commands read their settings from the environment. "<command> --help" shows the arguments.
`

/** Help for a command that does not exist in the compiled binary. It is listed only if it is available. */
const demoLine = '  demo                  run the demo and open its dashboard\n'

const hasEmbeddedPostgres = async () =>
  (await import('../../platform/embedded-postgres/index.ts')).embeddedPostgresIsInstalled()

/** Runs one command and returns the exit status. */
export const run = async (args: string[]): Promise<number> => {
  const [name = '', ...rest] = args
  // `start` continues without a reader of its log.
  if (name !== 'start') watchOutput()
  if (name === 'help' || isHelp(name)) return help(rest)
  if (name === '--version' || (name === 'version' && rest.length === 0)) return (await import('./version.ts')).version()
  if (!Object.hasOwn(commands, name)) return unknownCommand(name)
  if (rest.some(isHelp)) return help(args.filter(argument => !isHelp(argument)))
  let failureStatus = 1
  try {
    const loaded = await commands[name]!()
    if ('runClient' in loaded) return await loaded.runClient(rest)
    const { command } = loaded
    failureStatus = loaded.failureStatus ?? failureStatus
    // Validates arguments before settings, and both before anything is done.
    const work = command(rest)
    return await work(readConfig())
  } catch (error) {
    const reported = await toOperatorError(error)
    if (reported === null && failureStatus === 1) throw error
    if (reported === null) process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
    if (reported === null) return failureStatus
    process.stderr.write(`${reported.message}\n`)
    return reported instanceof UsageError ? 2 : failureStatus
  }
}

const isHelp = (argument: string): boolean => argument === '--help' || argument === '-h'

/** Prints help to standard output, either for all commands or for one. */
const help = async ([name, ...action]: string[]): Promise<number> => {
  if (name !== undefined && !Object.hasOwn(commands, name)) return unknownCommand(name)
  process.stdout.write(name === undefined ? await usage() : `${await describeUsage(name, action)}\n`)
  return 0
}

/** Returns the usage of the action that the first words name, or of all actions. Arguments can follow the action. */
const describeUsage = async (name: string, action: string[]): Promise<string> => {
  const { usages } = await commands[name]!()
  for (let length = action.length; length > 0; length--) {
    const words = [name, ...action.slice(0, length)].join(' ')
    const matching = usages.filter(usage => usage.startsWith(words))
    if (matching.length > 0) return usageLines(matching)
  }
  return usageLines(usages)
}

const unknownCommand = async (name: string): Promise<number> => {
  process.stderr.write(name === '' ? await usage() : `Unknown command "${name}".\n\n${await usage()}`)
  return 2
}

/** Returns the error to report. Null for a fault of the service. */
const toOperatorError = async (error: unknown): Promise<Error | null> => {
  if (error instanceof UsageError || error instanceof ConfigError) return error
  return (await import('./failures.ts')).toOperatorError(error)
}
