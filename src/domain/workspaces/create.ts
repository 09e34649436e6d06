import { type Database, type Sql, transaction } from '../../db/client.ts'
import { writeOperatorEntry } from '../audit/index.ts'
import { isId } from '../ids.ts'
import { insertOwner, inviteOwner } from '../members/index.ts'
import { sendMailSoon } from '../tasks.ts'
import {
  findAccount,
  findUserForSignIn,
  hashPassword,
  insertUser,
  isMistakable,
  mistakable,
  nameFromEmail,
  weaknessOf,
} from '../users/index.ts'
import {
  anyWorkspaceExists,
  findPlan,
  findWorkspaceName,
  insertWorkspace,
  listPlanIds,
  lockWorkspaces,
  updatePlan,
} from './sql.ts'

export interface NewWorkspace {
  name: string
  planId: string
  owner: { email: string; password: string }
  /** Mail is set up. */
  byMail?: boolean
}

/** What cannot be made as asked; the message is one sentence for the operator. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError'
}

export interface CreatedWorkspace {
  id: string
  /** Where the owner's address has an account already: its holder is invited, and nobody owns the workspace before. */
  invitation: OwnersInvitation | null
}

export interface OwnersInvitation {
  /** For the link; null where it is mailed. */
  token: string | null
  expiresAt: Date
  account: {
    createdAt: Date
    /** When its holder showed that the address is theirs. */
    confirmedAt: Date | null
    /** By whose invitation it was made; null where no invitation did. */
    madeBy: { id: string; name: string | null } | null
  }
}

/**
 * A workspace with its owner. An account that is there already may have been made by somebody else in its holder's name:
 * it is never given the workspace, but invited to it. With `byMail` whoever is the owner is written to. Throws
 * WorkspaceError for an unknown plan, and for a new account whose password nobody may choose.
 */
export const createWorkspace = async (sql: Sql, workspace: NewWorkspace): Promise<CreatedWorkspace> =>
  createHashed(sql, workspace, await hashPassword(workspace.owner.password))

/** The same, with the hash that stands for the password. */
export const createHashed = (sql: Sql, workspace: NewWorkspace, passwordHash: string): Promise<CreatedWorkspace> => {
  const { planId, owner, byMail = false } = workspace
  return transaction(sql, async tx => {
    await requirePlan(tx, planId)
    const userId = await insertOwnersAccount(tx, workspace, passwordHash)
    const id = await makeWorkspace(tx, workspace, { ownerIsInvited: userId === null })
    if (userId === null) return { id, invitation: await inviteHolder(tx, id, owner.email, byMail) }
    await insertOwner(tx, id, userId)
    return { id, invitation: null }
  })
}

/** The first entry of its audit log tells that the operator made it. */
const makeWorkspace = async (
  tx: Sql,
  { name, planId }: NewWorkspace,
  { ownerIsInvited }: { ownerIsInvited: boolean },
) => {
  const id = await insertWorkspace(tx, { name, planId })
  const detail = { name, plan: planId, ownerIsInvited }
  await writeOperatorEntry(tx, id, { action: 'createWorkspace', target: { type: 'workspace', id }, detail })
  return id
}

/** Null where the address has an account already. */
const insertOwnersAccount = async (tx: Sql, { owner, byMail }: NewWorkspace, passwordHash: string) => {
  if (isMistakable(owner.email)) throw unusable('OWNER_EMAIL', mistakable)
  const userId = await insertUser(tx, { email: owner.email, name: nameFromEmail(owner.email), passwordHash })
  const weakness = userId === null ? null : await weaknessOf(owner.password)
  if (weakness !== null) throw unusable('OWNER_PASSWORD', weakness)
  if (userId !== null && byMail) await sendMailSoon(tx, { kind: 'confirmation', userId })
  return userId
}

/** Of a setting: no command is told of an owner by other means. */
const unusable = (setting: string, fault: string): WorkspaceError =>
  new WorkspaceError(`${setting} ${fault[0]!.toLowerCase()}${fault.slice(1)}`)

const inviteHolder = async (
  tx: Sql,
  workspaceId: string,
  email: string,
  byMail: boolean,
): Promise<OwnersInvitation> => {
  const known = await findUserForSignIn(tx, email)
  const { createdAt, confirmedAt, madeByWorkspace } = (await findAccount(tx, known!.id))!
  const invited = await inviteOwner(tx, { workspaceId, email: known!.email, byMail })
  const madeBy = madeByWorkspace && { id: madeByWorkspace, name: await findWorkspaceName(tx, madeByWorkspace) }
  return { ...invited, account: { createdAt, confirmedAt, madeBy: madeBy || null } }
}

/**
 * On an empty database, the first workspace; null where one exists already. Safe to call in several processes at once.
 * Nobody can have been invited before: an account that is there is the owner's.
 */
export const createFirstWorkspace = (sql: Database, workspace: NewWorkspace): Promise<{ id: string } | null> =>
  transaction(sql, async tx => {
    await lockWorkspaces(tx)
    if (await anyWorkspaceExists(tx)) return null
    await requirePlan(tx, workspace.planId)
    const { email, password } = workspace.owner
    const made = await insertOwnersAccount(tx, workspace, await hashPassword(password))
    const userId = made ?? (await findUserForSignIn(tx, email))!.id
    const id = await makeWorkspace(tx, workspace, { ownerIsInvited: false })
    await insertOwner(tx, id, userId)
    return { id }
  })

/**
 * Puts a workspace on another plan, from its next request on; what exceeds the new plan stays. Answers the workspace's
 * name. Throws WorkspaceError for an unknown workspace or plan.
 */
export const changePlan = (sql: Sql, workspaceId: string, planId: string): Promise<string> =>
  transaction(sql, async tx => {
    await requirePlan(tx, planId)
    const changed = isId(workspaceId) ? await updatePlan(tx, workspaceId, planId) : null
    if (changed === null) {
      throw new WorkspaceError(`There is no workspace "${workspaceId}"; "workspace list" shows those there are.`)
    }
    const target = { type: 'workspace', id: workspaceId } as const
    if (changed.isChanged)
      await writeOperatorEntry(tx, workspaceId, { action: 'changePlan', target, detail: { plan: planId } })
    return changed.name
  })

const requirePlan = async (tx: Sql, planId: string): Promise<void> => {
  if (await findPlan(tx, planId)) return
  throw new WorkspaceError(`There is no plan "${planId}"; the plans are ${(await listPlanIds(tx)).join(', ')}.`)
}
