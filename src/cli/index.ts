/** The commands, and what becomes of their failures: one sentence, and a status that is not 0. */
import { ConfigError, readConfig } from '../config.ts'
import { embeddedPostgresIsInstalled } from '../db/embedded.ts'
import { MigrationError } from '../db/migrate.ts'
import { WorkspaceError } from '../domain/workspaces/index.ts'
import { StartError } from './database.ts'
import { demo } from './demo/index.ts'
import { health } from './health.ts'
import { migrateCommand } from './migrate.ts'
import { openapi } from './openapi.ts'
import { start } from './start.ts'
import { UsageError, workspace } from './workspace.ts'

const commands = { start, migrate: migrateCommand, workspace, openapi, health, demo } as const

const usage = (): string => `Usage: customer-engagement-service <command>

  start                 run the service (settings: see the README)
  migrate               bring the database up to date and stop
  workspace create      make a workspace and its owner
  workspace list        show every workspace and its plan
  workspace plan set    put a workspace on another plan
  openapi               print the published document
  health                ask whether the service of this machine lives
${embeddedPostgresIsInstalled() ? demoLine : ''}
Every command reads its settings from the environment.
`

/** The demo needs what the compiled binary does not hold, which therefore does not speak of it. */
const demoLine = '  demo                  show the main job on real-looking orders\n'

/** Runs one command; answers the exit status. */
export const run = async (args: string[]): Promise<number> => {
  const [name = '', ...rest] = args
  if (['help', '--help', '-h'].includes(name)) {
    process.stdout.write(usage())
    return 0
  }
  if (!Object.hasOwn(commands, name)) {
    process.stderr.write(name === '' ? usage() : `There is no command "${name}".\n\n${usage()}`)
    return 2
  }
  try {
    return await commands[name as keyof typeof commands](readConfig(), rest)
  } catch (error) {
    if (!isForOperator(error)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  }
}

const isForOperator = (error: unknown): error is Error =>
  [ConfigError, StartError, MigrationError, WorkspaceError, UsageError].some(kind => error instanceof kind) ||
  (error instanceof Error && error.name === 'EmbeddedPostgresError')
