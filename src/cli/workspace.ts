/** `workspace create`, `workspace list`, `workspace plan set`: manage workspaces as the operator. */
import { type Config, ConfigError } from '../config.ts'
import type { Database } from '../db/client.ts'
import { fullAllowances } from '../domain/entitlements/index.ts'
import { linkTo } from '../domain/links.ts'
import { changePlan, createWorkspace, type OwnersInvitation, selectWorkspaces } from '../domain/workspaces/index.ts'
import { migrateDatabase, openDatabase, requirePlan } from '../service/database.ts'
import { columns, shown } from './table.ts'
import { type Command, parsedArguments, UsageError } from './usage.ts'
import { hintAtAddress, publicUrlOf } from './user.ts'

const usages = {
  create: 'workspace create --name NAME [--plan PLAN], with OWNER_EMAIL and OWNER_PASSWORD in the environment',
  list: 'workspace list',
  'plan set': 'workspace plan set --workspace ID --plan PLAN',
} as const

/** All usages. */
export const workspaceUsages = Object.values(usages)

type Action = keyof typeof usages

type Options = { name?: string; plan?: string; workspace?: string }

/** Runs an action with the settings and the database. Returns the output. */
type Work = (config: Config) => (sql: Database) => Promise<string>

/** Parses and runs one of the actions. Required settings are checked before the database is opened. */
export const workspace: Command = args => {
  const { action, options } = readArguments(args)
  const work = works[action](options)
  return async config => {
    const act = work(config)
    const database = await openDatabase(config)
    try {
      await migrateDatabase(database)
      process.stdout.write(await act(database.sql))
      return 0
    } finally {
      await database.close()
    }
  }
}

const readArguments = (args: string[]): { action: Action; options: Options } => {
  const { values, positionals } = parsedArguments(
    { args, allowPositionals: true, options: optionTypes },
    workspaceUsages,
  )
  const action = positionals.join(' ')
  if (!isAction(action)) {
    const said = action === '' ? 'What about workspaces?' : `There is no "workspace ${action}".`
    throw new UsageError(said, workspaceUsages)
  }
  const surplus = Object.keys(values).find(option => !usages[action].includes(`--${option} `))
  if (surplus !== undefined) throw new UsageError(`--${surplus} has no meaning here.`, [usages[action]])
  return { action, options: values }
}

const optionTypes = { name: { type: 'string' }, plan: { type: 'string' }, workspace: { type: 'string' } } as const

const isAction = (text: string): text is Action => Object.hasOwn(usages, text)

/**
 * Creates a workspace. The owner comes from OWNER_EMAIL and OWNER_PASSWORD, because other users of the machine can see
 * a password on the command line.
 */
const create = (options: Options): Work => {
  const name = options.name?.trim()
  if (!name || name.length > 100) throw new UsageError('--name must be a text of 1 to 100 characters.', [usages.create])
  return config => {
    const { owner } = config
    if (!owner) throw new ConfigError('Set OWNER_EMAIL and OWNER_PASSWORD to the owner of the new workspace.')
    return async sql => {
      if (options.plan === undefined) await requirePlan(sql, config)
      const { id, invitation } = await createWorkspace(sql, {
        name,
        planId: options.plan ?? config.workspacePlan,
        owner,
        byMail: config.mail !== null,
      })
      const ownership = invitation ? invitationInWords(owner.email, invitation, config) : `Its owner is ${owner.email}.`
      return `Workspace ${id} was made. ${ownership}\n`
    }
  }
}

/** Describes who created the account, because it may not have been the owner of the address. */
const invitationInWords = (email: string, { token, expiresAt, account }: OwnersInvitation, config: Config): string => {
  const { createdAt, confirmedAt, madeBy } = account
  const maker = madeBy
    ? `by an invitation of the workspace ${madeBy.id} (${shown(madeBy.name ?? 'gone')})`
    : 'by the operator'
  const proven = confirmedAt
    ? `its address was confirmed by mail on ${dayOf(confirmedAt)}`
    : 'its address was never confirmed by mail'
  const handed =
    token === null
      ? `An invitation is mailed to ${email} by the running service`
      : `Give this invitation, which is good once until ${dayOf(expiresAt)}, to ${email} alone`
  const link = token === null ? '' : `\n${linkTo(publicUrlOf(config), 'invitation', token)}${hintAtAddress(config)}`
  return `${email} has an account already, made on ${dayOf(createdAt)} ${maker}; ${proven}. The workspace has no owner before its holder has accepted, signed in or with the password of that account; OWNER_PASSWORD was not used.\n${handed}.${link}`
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

const list = (): Work => () => async sql => {
  const rows = (await selectWorkspaces(sql)).map(({ id, name, planId, members, createdAt }) => [
    id,
    planId,
    String(members),
    createdAt.toISOString().slice(0, 10),
    name,
  ])
  return rows.length === 0 ? 'There is no workspace yet; "workspace create" makes one.\n' : columns([heads, ...rows])
}

const heads = ['ID', 'PLAN', 'MEMBERS', 'CREATED', 'NAME']

const setPlan = ({ workspace: id, plan }: Options): Work => {
  if (!id || !plan) throw new UsageError(`${id ? '--plan' : '--workspace'} is missing.`, [usages['plan set']])
  return () => async sql => {
    const name = await changePlan(sql, id, plan)
    const full = await fullAllowances(sql, id)
    const none = 'It holds from the next request on.'
    const some = `Nothing was switched off, but no more can be added of: ${full.join(', ')}.`
    return `Workspace ${id} (${shown(name)}) is on the plan ${plan}. ${full.length > 0 ? some : none}\n`
  }
}

const works: Record<Action, (options: Options) => Work> = { create, list, 'plan set': setPlan }
