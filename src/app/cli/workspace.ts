/** `workspace create`, `list`, `plan set`, `sso optional` and the commands of `transfer.ts`, for the operator. */

import { findExhaustedAllowances } from '../../accounts/entitlements/index.ts'
import { countMembers } from '../../accounts/members/index.ts'
import {
  allowPasswords,
  changePlan,
  createWorkspace,
  type OwnerInvitation,
  selectWorkspaces,
} from '../../accounts/workspaces/index.ts'
import { type Config, ConfigError } from '../../config.ts'
import { linkTo } from '../../core/links.ts'
import type { Database } from '../../platform/postgres/client.ts'
import { requirePlan } from '../database.ts'
import { formatTable, sanitize } from './table.ts'
import { transferCommands, transferUsages } from './transfer.ts'
import { type Command, parseArguments, UsageError } from './usage.ts'
import { addressHint, resolvePublicUrl } from './user.ts'
import { withMigration } from './with-database.ts'

const usages = {
  create: 'workspace create --name NAME [--plan PLAN], with OWNER_EMAIL and OWNER_PASSWORD in the environment',
  list: 'workspace list',
  'plan set': 'workspace plan set --workspace ID --plan PLAN',
  'sso optional': 'workspace sso optional --workspace ID ',
} as const

/** All usages. */
export const workspaceUsages = [...Object.values(usages), ...transferUsages]

type Action = keyof typeof usages

type Options = { name?: string; plan?: string; workspace?: string }

/** Runs an action with the settings and the database. Returns the output. */
type ActionHandler = (config: Config) => (sql: Database) => Promise<string>

/** Parses and runs one of the actions. Required settings are checked before the database is opened. */
export const workspace: Command = args => {
  const transfer = transferCommands.get(args[0] ?? '')
  if (transfer) return transfer(args.slice(1))
  const { action, options } = readArguments(args)
  const handler = handlers[action](options)
  return async config => {
    const runAction = handler(config)
    return withMigration(config, async ({ sql }) => {
      process.stdout.write(await runAction(sql))
      return 0
    })
  }
}

const readArguments = (args: string[]): { action: Action; options: Options } => {
  const { values, positionals } = parseArguments(
    { args, allowPositionals: true, options: optionTypes },
    workspaceUsages,
  )
  const action = positionals.join(' ')
  if (!isAction(action)) {
    const problem = action === '' ? 'The action is missing.' : `Unknown action "workspace ${action}".`
    throw new UsageError(problem, workspaceUsages)
  }
  const invalidOption = Object.keys(values).find(option => !usages[action].includes(`--${option} `))
  if (invalidOption !== undefined)
    throw new UsageError(`The option --${invalidOption} is not valid here.`, [usages[action]])
  return { action, options: values }
}

const optionTypes = { name: { type: 'string' }, plan: { type: 'string' }, workspace: { type: 'string' } } as const

const isAction = (text: string): text is Action => Object.hasOwn(usages, text)

/**
 * Creates a workspace. The owner comes from OWNER_EMAIL and OWNER_PASSWORD, because other users of the machine can see
 * a password on the command line.
 */
const create = (options: Options): ActionHandler => {
  const name = options.name?.trim()
  if (!name || name.length > 100) throw new UsageError('--name must be a text of 1 to 100 characters.', [usages.create])
  return config => {
    const { owner } = config
    if (!owner)
      throw new ConfigError('OWNER_EMAIL and OWNER_PASSWORD are not set. Set them to the owner of the new workspace.')
    return async sql => {
      if (options.plan === undefined) await requirePlan(sql, config)
      const { id, invitation } = await createWorkspace(sql, {
        name,
        planId: options.plan ?? config.workspacePlan,
        owner,
        byMail: config.mail !== null,
      })
      const ownership = invitation
        ? describeInvitation(owner.email, invitation, config)
        : `Its owner is ${owner.email}.`
      return `Workspace ${id} was created. ${ownership}\n`
    }
  }
}

/** Describes who created the account, because it may not have been the owner of the address. */
const describeInvitation = (email: string, { token, expiresAt, account }: OwnerInvitation, config: Config): string => {
  const { createdAt, confirmedAt, createdBy: madeBy } = account
  const creator = madeBy
    ? `by an invitation of the workspace ${madeBy.id} (${sanitize(madeBy.name ?? 'gone')})`
    : 'by the operator'
  const confirmation = confirmedAt
    ? `its address was confirmed by e-mail on ${formatDay(confirmedAt)}`
    : 'its address was never confirmed by e-mail'
  const instruction =
    token === null
      ? `The running service sends an invitation to ${email}`
      : `Give this invitation only to ${email}. It is valid once, until ${formatDay(expiresAt)}`
  const link = token === null ? '' : `\n${linkTo(resolvePublicUrl(config), 'invitation', token)}${addressHint(config)}`
  return `${email} already has an account, created on ${formatDay(createdAt)} ${creator}; ${confirmation}. The workspace has no owner until this person accepts the invitation, signed in or with the password of the account. OWNER_PASSWORD was not used.\n${instruction}.${link}`
}

const formatDay = (at: Date): string => at.toISOString().slice(0, 10)

const list = (): ActionHandler => () => async sql => {
  const members = await countMembers(sql)
  const rows = (await selectWorkspaces(sql)).map(({ id, name, planId, createdAt, closedFor }) => {
    const { people, services } = members.get(id) ?? { people: 0, services: 0 }
    const state = closedFor === null ? name : `${name} (incomplete ${closedFor})`
    return [id, planId, String(people), String(services), createdAt.toISOString().slice(0, 10), state]
  })
  return rows.length === 0
    ? 'There are no workspaces yet. Create one with "workspace create".\n'
    : formatTable([headings, ...rows])
}

const headings = ['ID', 'PLAN', 'MEMBERS', 'SERVICE ACCOUNTS', 'CREATED', 'NAME']

const setPlan = ({ workspace: id, plan }: Options): ActionHandler => {
  if (!id || !plan)
    throw new UsageError(`The option ${id ? '--plan' : '--workspace'} is missing.`, [usages['plan set']])
  return () => async sql => {
    const name = await changePlan(sql, id, plan)
    const exhausted = await findExhaustedAllowances(sql, id)
    const none = 'It applies from the next request.'
    const some = `All resources stay enabled. These allowances are used up: ${exhausted.join(', ')}.`
    return `Workspace ${id} (${sanitize(name)}) now has the plan ${plan}. ${exhausted.length > 0 ? some : none}\n`
  }
}

const makeSsoOptional = ({ workspace: id }: Options): ActionHandler => {
  if (!id) throw new UsageError('The option --workspace is missing.', [usages['sso optional']])
  return () => async sql => {
    const name = await allowPasswords(sql, id)
    return `Members of the workspace ${id} (${sanitize(name)}) can sign in without single sign-on.\n`
  }
}

const handlers: Record<Action, (options: Options) => ActionHandler> = {
  create,
  list,
  'plan set': setPlan,
  'sso optional': makeSsoOptional,
}
