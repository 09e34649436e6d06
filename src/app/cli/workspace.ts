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
import { requirePlan } from '../database.ts'
import { formatDay, formatTable, sanitize } from './table.ts'
import { exampleId, transferCommands, transferUsages } from './transfer.ts'
import { type Command, findAction, parseArguments, UsageError } from './usage.ts'
import { addressHint, resolvePublicUrl } from './user.ts'
import { labelOf, type OpenCells, requireCellName, withMigration } from './with-database.ts'

const usages = {
  create:
    'workspace create --name NAME [--plan PLAN] [--cell CELL] [--json], with OWNER_EMAIL and OWNER_PASSWORD in the environment, for example workspace create --name Shop --plan starter',
  list: 'workspace list [--json], for example workspace list --json',
  'plan set': `workspace plan set --workspace ID --plan PLAN [--json], for example workspace plan set --workspace ${exampleId} --plan growth`,
  'sso optional': `workspace sso optional --workspace ID [--json], for example workspace sso optional --workspace ${exampleId}`,
} as const

/** All usages. */
export const workspaceUsages = [...Object.values(usages), ...transferUsages]

type Action = keyof typeof usages

type Options = { name?: string; plan?: string; workspace?: string; cell?: string; json?: boolean }

/** Output of an action: for people, and with --json one object per line. */
interface Output {
  text: string
  json: readonly object[]
}

/** Runs an action with the settings and the cells. */
type ActionHandler = (config: Config) => (cells: OpenCells) => Promise<Output>

/** Parses and runs one of the actions. Required settings are checked before the database is opened. */
export const workspace: Command = args => {
  const [name = '', ...rest] = args
  if (isTransfer(name)) return transferCommands[name](rest)
  const parsed = parseArguments({ args, allowPositionals: true, options: optionTypes }, workspaceUsages)
  const options = parsed.values
  const handler = handlers[findAction('workspace', usages, parsed, workspaceUsages)](options)
  return async config => {
    const runAction = handler(config)
    return withMigration(config, async cells => {
      const { text, json } = await runAction(cells)
      process.stdout.write(options.json ? json.map(one => `${JSON.stringify(one)}\n`).join('') : text)
      return cells.status
    })
  }
}

const optionTypes = {
  name: { type: 'string' },
  plan: { type: 'string' },
  workspace: { type: 'string' },
  cell: { type: 'string' },
  json: { type: 'boolean' },
} as const

const isTransfer = (text: string): text is keyof typeof transferCommands => Object.hasOwn(transferCommands, text)

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
    const cell = requireCellName(config, options.cell ?? config.workspaceCell)
    return async cells => {
      const { sql } = cells
      const cellSql = cells.named(cell)
      if (options.plan === undefined) await requirePlan(sql, config)
      const { id, invitation } = await createWorkspace(
        sql,
        { name, planId: options.plan ?? config.workspacePlan, owner, byMail: config.mail !== null },
        cellSql,
      )
      const { column, field } = labelOf(config, cell)
      const place = column.map(one => ` in the cell ${one}`).join('')
      const ownership = invitation
        ? describeInvitation(owner.email, invitation, config)
        : `Its owner is ${owner.email}.`
      return {
        text: `Workspace ${id} was created${place}. ${ownership}\n`,
        json: [{ ...field, workspaceId: id, owner: owner.email, invitation: invitation && toJson(invitation, config) }],
      }
    }
  }
}

const toJson = ({ token, expiresAt, account }: OwnerInvitation, config: Config) => ({
  link: linkOf(token, config),
  isMailed: token === null,
  expiresAt,
  account,
})

const linkOf = (token: string | null, config: Config): string | null =>
  token === null ? null : linkTo(resolvePublicUrl(config), 'invitation', token)

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
  const link = token === null ? '' : `\n${linkOf(token, config)}${addressHint(config)}`
  return `${email} already has an account, created on ${formatDay(createdAt)} ${creator}; ${confirmation}. The workspace has no owner until this person accepts the invitation, signed in or with the password of the account. OWNER_PASSWORD was not used.\n${instruction}.${link}`
}

const list = (): ActionHandler => config => async cells => {
  const members = await countMembers(cells.sql)
  const inCells = await cells.each(async ({ sql, label }) =>
    (await selectWorkspaces(sql)).map(({ id, planId, ...workspace }) => {
      const { people, services } = members.get(id) ?? { people: 0, services: 0 }
      return { ...label.field, workspaceId: id, plan: planId, ...workspace, members: people, serviceAccounts: services }
    }),
  )
  const found = inCells.flat()
  const rows = found.map(
    ({ cell, workspaceId, plan, members: people, serviceAccounts, createdAt, name, closedFor }) => {
      const state = closedFor === null ? name : `${name} (incomplete ${closedFor})`
      return [
        ...(cell === undefined ? [] : [cell]),
        workspaceId,
        plan,
        String(people),
        String(serviceAccounts),
        formatDay(createdAt),
        state,
      ]
    },
  )
  const none = 'There are no workspaces yet. Create one with "workspace create".\n'
  return {
    text: rows.length === 0 ? none : formatTable([[...labelOf(config, 'CELL').column, ...headings], ...rows]),
    json: found,
  }
}

const headings = ['ID', 'PLAN', 'MEMBERS', 'SERVICE ACCOUNTS', 'CREATED', 'NAME']

const setPlan = ({ workspace: id, plan }: Options): ActionHandler => {
  if (!id || !plan)
    throw new UsageError(`The option ${id ? '--plan' : '--workspace'} is missing.`, [usages['plan set']])
  return () => async cells => {
    const sql = await cells.ofWorkspace(id)
    const name = await changePlan(sql, id, plan)
    const exhausted = await findExhaustedAllowances(sql, id)
    const none = 'It applies from the next request.'
    const some = `All resources stay enabled. These allowances are used up: ${exhausted.join(', ')}.`
    return {
      text: `Workspace ${id} (${sanitize(name)}) now has the plan ${plan}. ${exhausted.length > 0 ? some : none}\n`,
      json: [{ workspaceId: id, name, plan, exhaustedAllowances: exhausted }],
    }
  }
}

const makeSsoOptional = ({ workspace: id }: Options): ActionHandler => {
  if (!id) throw new UsageError('The option --workspace is missing.', [usages['sso optional']])
  return () => async cells => {
    const name = await allowPasswords(await cells.ofWorkspace(id), id)
    return {
      text: `Members of the workspace ${id} (${sanitize(name)}) can sign in without single sign-on.\n`,
      json: [{ workspaceId: id, name, requireSso: false }],
    }
  }
}

const handlers: Record<Action, (options: Options) => ActionHandler> = {
  create,
  list,
  'plan set': setPlan,
  'sso optional': makeSsoOptional,
}
