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
  /** True if SMTP is configured. */
  byMail?: boolean
}

/** Error with one sentence for the operator. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError'
}

export interface CreatedWorkspace {
  id: string
  /**
   * Set if the owner's address already has an account. Its holder is invited, and the workspace has no owner until they
   * accept.
   */
  invitation: OwnersInvitation | null
}

export interface OwnersInvitation {
  /** Token for the link; null if the link is mailed. */
  token: string | null
  expiresAt: Date
  account: {
    createdAt: Date
    /** Time at which the holder confirmed the address; null if they have not. */
    confirmedAt: Date | null
    /** Workspace whose invitation created the account; null if none did. */
    madeBy: { id: string; name: string | null } | null
  }
}

/**
 * Creates a workspace with its owner. An existing account may have been created by another person in the holder's name.
 * It is therefore invited and does not become the owner directly. With `byMail`, the owner gets a mail. Throws
 * `WorkspaceError` for an unknown plan, and for a new account with an unacceptable password.
 */
export const createWorkspace = async (sql: Sql, workspace: NewWorkspace): Promise<CreatedWorkspace> =>
  createHashed(sql, workspace, await hashPassword(workspace.owner.password))

/** Creates a workspace with a precomputed password hash. */
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

/** Inserts a workspace. Its first audit entry records that the operator created it. */
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

/** Returns null if the address already has an account. */
const insertOwnersAccount = async (tx: Sql, { owner, byMail }: NewWorkspace, passwordHash: string) => {
  if (isMistakable(owner.email)) throw unusable('OWNER_EMAIL', mistakable)
  const userId = await insertUser(tx, { email: owner.email, name: nameFromEmail(owner.email), passwordHash })
  const weakness = userId === null ? null : await weaknessOf(owner.password)
  if (weakness !== null) throw unusable('OWNER_PASSWORD', weakness)
  if (userId !== null && byMail) await sendMailSoon(tx, { kind: 'confirmation', userId })
  return userId
}

/** Names the setting in the error, because commands get the owner only from settings. */
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
 * Creates the first workspace in an empty database; returns null if one exists. Safe to call in several processes
 * concurrently. Without a workspace there are no invitations, so an existing account belongs to the owner.
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
 * Changes the plan of a workspace, effective from its next request. Records that exceed the new plan are kept. Returns
 * the workspace's name. Throws `WorkspaceError` for an unknown workspace or plan.
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
