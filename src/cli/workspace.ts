/** `workspace create`, `workspace list`, `workspace plan set`: what the operator does to workspaces. */
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import type { Database } from '../db/client.ts'
import { fullAllowances } from '../domain/entitlements/index.ts'
import { changePlan, createWorkspace, listWorkspaces } from '../domain/workspaces/index.ts'
import { migrateDatabase, openDatabase, requirePlan } from './database.ts'

/** Arguments that cannot be used; the message is one sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const usages = {
  create: 'workspace create --name NAME [--plan PLAN], with OWNER_EMAIL and OWNER_PASSWORD in the environment',
  list: 'workspace list',
  'plan set': 'workspace plan set --workspace ID --plan PLAN',
} as const

type Action = keyof typeof usages

type Options = { name?: string; plan?: string; workspace?: string }

/** What an action does with the database; answers what the operator reads. */
type Work = (sql: Database) => Promise<string>

/** Runs one of the actions; answers the exit status. Arguments are judged before the database is opened. */
export const workspace = async (config: Config, args: string[]): Promise<number> => {
  const { action, options } = readArguments(args)
  const work = works[action](config, options)
  const database = await openDatabase(config)
  try {
    await migrateDatabase(database)
    process.stdout.write(await work(database.sql))
    return 0
  } finally {
    await database.close()
  }
}

const readArguments = (args: string[]): { action: Action; options: Options } => {
  const { values, positionals } = parsed(args)
  const action = positionals.join(' ')
  if (!isAction(action)) {
    const said = action === '' ? 'What about workspaces?' : `There is no "workspace ${action}".`
    throw new UsageError(`${said}\n${usageOf(...actions)}`)
  }
  const surplus = Object.keys(values).find(option => !usages[action].includes(`--${option} `))
  if (surplus !== undefined) throw new UsageError(`--${surplus} has no meaning here.\n${usageOf(action)}`)
  return { action, options: values }
}

const optionTypes = { name: { type: 'string' }, plan: { type: 'string' }, workspace: { type: 'string' } } as const

const parsed = (args: string[]) => {
  try {
    return parseArgs({ args, allowPositionals: true, options: optionTypes })
  } catch (error) {
    // The first sentence names the option; those after it speak to programmers.
    const [reason] = error instanceof Error ? error.message.split(/(?<=\.) |\n/, 1) : []
    throw new UsageError(`${reason ?? 'The options cannot be read.'}\n${usageOf(...actions)}`)
  }
}

const actions = Object.keys(usages) as Action[]

const isAction = (text: string): text is Action => Object.hasOwn(usages, text)

const usageOf = (...shown: Action[]): string => shown.map(action => `Usage: ${usages[action]}`).join('\n')

/** The owner comes from OWNER_EMAIL and OWNER_PASSWORD: a password on the command line would be seen by everybody. */
const create = (config: Config, options: Options): Work => {
  const name = options.name?.trim()
  if (!name || name.length > 100) throw new UsageError('--name must be a text of 1 to 100 characters.')
  const { owner } = config
  if (!owner) throw new UsageError('Set OWNER_EMAIL and OWNER_PASSWORD to the owner of the new workspace.')
  return async sql => {
    if (options.plan === undefined) await requirePlan(sql, config)
    const { id, ownerExisted } = await createWorkspace(sql, {
      name,
      planId: options.plan ?? config.workspacePlan,
      owner,
    })
    const ownership = ownerExisted ? `${owner.email} keeps the password they have` : `Its owner is ${owner.email}`
    return `Workspace ${id} was made. ${ownership}.\n`
  }
}

const list = (): Work => async sql => {
  const rows = (await listWorkspaces(sql)).map(({ id, name, planId, members, createdAt }) => [
    id,
    planId,
    String(members),
    createdAt.toISOString().slice(0, 10),
    name,
  ])
  return rows.length === 0 ? 'There is no workspace yet; "workspace create" makes one.\n' : table([heads, ...rows])
}

const heads = ['ID', 'PLAN', 'MEMBERS', 'CREATED', 'NAME']

const table = (rows: string[][]): string => {
  const widths = heads.map((_, column) => Math.max(...rows.map(row => row[column]!.length)))
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')
  return rows.map(row => `${line(row).trimEnd()}\n`).join('')
}

const setPlan = (_: Config, { workspace: id, plan }: Options): Work => {
  if (!id || !plan) throw new UsageError(`${id ? '--plan' : '--workspace'} is missing.\n${usageOf('plan set')}`)
  return async sql => {
    const name = await changePlan(sql, id, plan)
    const full = await fullAllowances(sql, id)
    const none = 'It holds from the next request on.'
    const some = `Nothing was switched off, but no more can be added of: ${full.join(', ')}.`
    return `Workspace ${id} (${name}) is on the plan ${plan}. ${full.length > 0 ? some : none}\n`
  }
}

const works: Record<Action, (config: Config, options: Options) => Work> = { create, list, 'plan set': setPlan }
