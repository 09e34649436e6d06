/** The commands, and what becomes of their failures: one sentence, and a status that is not 0. */
import './home.ts'

import { ConfigError, readConfig } from '../config.ts'
import { MigrationError } from '../db/migrate.ts'
import { AccountError } from '../domain/accounts/index.ts'
import { WorkspaceError } from '../domain/workspaces/index.ts'
import { embeddedPostgresIsInstalled } from '../embedded/index.ts'
import { StartError, startProblem } from '../service/problem.ts'
import { dashboard } from './dashboard.ts'
import { demo, demoUsage } from './demo/index.ts'
import { health } from './health.ts'
import { migrateCommand } from './migrate.ts'
import { openapi } from './openapi.ts'
import { secrets, secretsUsages } from './secrets.ts'
import { start } from './start.ts'
import { type Command, UsageError, usageLines, withoutArguments } from './usage.ts'
import { user, userUsages } from './user.ts'
import { workspace, workspaceUsages } from './workspace.ts'

const commands: Record<string, { usages: readonly string[]; command: Command }> = {
  start: { usages: ['start'], command: withoutArguments('start', start) },
  migrate: { usages: ['migrate'], command: withoutArguments('migrate', migrateCommand) },
  workspace: { usages: workspaceUsages, command: workspace },
  user: { usages: userUsages, command: user },
  secrets: { usages: secretsUsages, command: secrets },
  openapi: { usages: ['openapi'], command: withoutArguments('openapi', openapi) },
  dashboard: { usages: ['dashboard'], command: withoutArguments('dashboard', dashboard) },
  health: { usages: ['health'], command: withoutArguments('health', health) },
  demo: { usages: [demoUsage], command: demo },
}

const usage = (): string => `Usage: customer-engagement-service <command>

  start                 run the service (settings: see the README)
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
  dashboard             print the bundled dashboard as an archive, for the binary
  health                ask whether the service of this machine lives
${embeddedPostgresIsInstalled() ? demoLine : ''}
Every command reads its settings from the environment; "<command> --help" shows its arguments.
`

/** The demo needs what the compiled binary does not hold, which therefore does not speak of it. */
const demoLine = '  demo                  show the main job on real-looking orders\n'

/** Runs one command; answers the exit status. */
export const run = async (args: string[]): Promise<number> => {
  const [name = '', ...rest] = args
  if (name === 'help' || isHelp(name)) return help(rest)
  if (!Object.hasOwn(commands, name)) return unknown(name)
  if (rest.some(isHelp)) return help([name])
  try {
    // Arguments are judged before settings, and both before anything is done.
    const work = commands[name]!.command(rest)
    return await work(readConfig())
  } catch (error) {
    const told = isForOperator(error) ? error : startProblem(error)
    if (told === null) throw error
    process.stderr.write(`${told.message}\n`)
    return told instanceof UsageError ? 2 : 1
  }
}

const isHelp = (argument: string): boolean => argument === '--help' || argument === '-h'

/** What is asked for goes to standard output: everything, or how one command is called. */
const help = ([name]: string[]): number => {
  if (name !== undefined && !Object.hasOwn(commands, name)) return unknown(name)
  process.stdout.write(name === undefined ? usage() : `${usageLines(commands[name]!.usages)}\n`)
  return 0
}

const unknown = (name: string): number => {
  process.stderr.write(name === '' ? usage() : `There is no command "${name}".\n\n${usage()}`)
  return 2
}

const isForOperator = (error: unknown): error is Error =>
  [ConfigError, StartError, MigrationError, WorkspaceError, AccountError, UsageError].some(
    kind => error instanceof kind,
  ) ||
  (error instanceof Error && error.name === 'EmbeddedPostgresError')
