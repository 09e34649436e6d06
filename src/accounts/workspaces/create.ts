import { isId } from '../../core/ids.ts'
import { CellUnavailable } from '../../platform/postgres/cells.ts'
import { type Database, type Sql, transaction } from '../../platform/postgres/client.ts'
import { enqueueMail } from '../../queue/tasks.ts'
import { writeOperatorEntry } from '../audit/index.ts'
import { insertOwner, inviteOwner } from '../members/index.ts'
import {
  findAccount,
  findUserForSignIn,
  findWeakness,
  hashPassword,
  insertUser,
  isMisleading,
  misleadingMessage,
  nameFromEmail,
} from '../users/index.ts'
import {
  anyWorkspaceExists,
  clearSsoRequirement,
  findPlan,
  findWorkspaceName,
  insertWorkspace,
  listPlanIds,
  lockWorkspaces,
  selectWorkspaces,
  updatePlan,
} from './sql.ts'
import { findPortableWorkspace, type PortableWorkspace } from './transfer-sql.ts'

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
  invitation: OwnerInvitation | null
}

export interface OwnerInvitation {
  /** Token for the link; null if the link is mailed. */
  token: string | null
  expiresAt: Date
  account: {
    createdAt: Date
    /** Time at which the holder confirmed the address; null if they have not. */
    confirmedAt: Date | null
    /** Workspace whose invitation created the account; null if none did. */
    createdBy: { id: string; name: string | null } | null
  }
}

/**
 * Creates a workspace with its owner. An existing account may have been created by another person in the holder's name.
 * It is therefore invited and does not become the owner directly. With `byMail`, the owner gets a mail. Throws
 * `WorkspaceError` for an unknown plan, and for a new account with an unacceptable password. `cell` has the workspace,
 * and `sql` the directory. Both have nothing of the workspace after a failure, except if the second of their two commits
 * fails: a workspace without members then remains, and a repetition creates another one.
 */
export const createWorkspace = async (sql: Sql, workspace: NewWorkspace, cell: Sql = sql): Promise<CreatedWorkspace> =>
  createWithHash(sql, workspace, await hashPassword(workspace.owner.password), cell)

/** Creates a workspace with a precomputed password hash. */
export const createWithHash = (
  sql: Sql,
  workspace: NewWorkspace,
  passwordHash: string,
  cell: Sql = sql,
): Promise<CreatedWorkspace> => {
  const { planId, owner, byMail = false } = workspace
  return transaction(sql, async tx => {
    await requirePlan(tx, planId)
    const userId = await createOwnerAccount(tx, workspace, passwordHash)
    // The directory's statements succeed before the commit of the cell.
    return transaction(cell === sql ? tx : cell, async one => {
      const id = await insertAuditedWorkspace(one, workspace, { ownerIsInvited: userId === null })
      if (userId === null) return { id, invitation: await inviteAccountHolder(tx, id, owner.email, byMail) }
      await insertOwner(tx, id, userId)
      return { id, invitation: null }
    })
  })
}

const nullIfUnavailable = (error: unknown): null => {
  if (error instanceof CellUnavailable) return null
  throw error
}

/** Inserts a workspace. Its first audit entry records that the operator created it. */
const insertAuditedWorkspace = async (
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
const createOwnerAccount = async (tx: Sql, { owner, byMail }: NewWorkspace, passwordHash: string) => {
  if (isMisleading(owner.email)) throw invalidSetting('OWNER_EMAIL', misleadingMessage)
  const userId = await insertUser(tx, { email: owner.email, name: nameFromEmail(owner.email), passwordHash })
  const weakness = userId === null ? null : await findWeakness(owner.password)
  if (weakness !== null) throw invalidSetting('OWNER_PASSWORD', weakness)
  if (userId !== null && byMail) await enqueueMail(tx, { kind: 'confirmation', userId })
  return userId
}

/** Names the setting in the error, because commands get the owner only from settings. */
const invalidSetting = (setting: string, fault: string): WorkspaceError =>
  new WorkspaceError(`${setting} ${fault[0]!.toLowerCase()}${fault.slice(1)}`)

const inviteAccountHolder = async (
  tx: Sql,
  workspaceId: string,
  email: string,
  byMail: boolean,
): Promise<OwnerInvitation> => {
  const holder = await findUserForSignIn(tx, email)
  const { createdAt, confirmedAt, createdByWorkspace } = (await findAccount(tx, holder!.id))!
  const invitation = await inviteOwner(tx, { workspaceId, email: holder!.email, byMail })
  const createdBy = createdByWorkspace && {
    id: createdByWorkspace,
    // The name only helps to recognize the account.
    name: await findWorkspaceName(tx, createdByWorkspace).catch(nullIfUnavailable),
  }
  return { ...invitation, account: { createdAt, confirmedAt, createdBy: createdBy || null } }
}

/**
 * Creates the first workspace, in `cell`, if there is none; returns null if one exists. Safe to call in several processes
 * concurrently, and again after a failure. Without a workspace there are no invitations, so an existing account belongs to the owner.
 */
export const createFirstWorkspace = (
  sql: Database,
  workspace: NewWorkspace,
  cell: Database = sql,
): Promise<{ id: string; ownerId: string } | null> =>
  transaction(sql, async tx => {
    await lockWorkspaces(tx)
    if (await anyWorkspaceExists(tx)) return null
    await requirePlan(tx, workspace.planId)
    const { email, password } = workspace.owner
    const createdUserId = await createOwnerAccount(tx, workspace, await hashPassword(password))
    const userId = createdUserId ?? (await findUserForSignIn(tx, email))!.id
    return transaction(cell === sql ? tx : cell, async one => {
      const id = await insertAuditedWorkspace(one, workspace, { ownerIsInvited: false })
      await insertOwner(tx, id, userId)
      return { id, ownerId: userId }
    })
  })

/**
 * Changes the plan of a workspace, effective from its next request. Records that exceed the new plan are kept. Returns
 * the workspace's name. Throws `WorkspaceError` for an unknown or closed workspace, and for an unknown plan.
 */
export const changePlan = (sql: Sql, workspaceId: string, planId: string): Promise<string> =>
  transaction(sql, async tx => {
    await requirePlan(tx, planId)
    const isChanged = isId(workspaceId) && (await updatePlan(tx, workspaceId, planId))
    // A change has locked the row, so a deletion cannot close the workspace after this check.
    const { id, name } = await requireOpen(tx, workspaceId)
    if (isChanged)
      await writeOperatorEntry(tx, id, {
        action: 'changePlan',
        target: { type: 'workspace', id },
        detail: { plan: planId },
      })
    return name
  })

/**
 * Lets members sign in without single sign-on, for the operator whose identity provider is lost. Returns the workspace's
 * name. Throws `WorkspaceError` for an unknown or closed workspace.
 */
export const allowPasswords = (sql: Sql, workspaceId: string): Promise<string> =>
  transaction(sql, async tx => {
    const isChanged = isId(workspaceId) && (await clearSsoRequirement(tx, workspaceId))
    const { id, name } = await requireOpen(tx, workspaceId)
    if (isChanged) await writeOperatorEntry(tx, id, { action: 'allowPasswords', target: { type: 'workspace', id } })
    return name
  })

/** Returns a workspace. Throws WorkspaceError if it is unknown, or if its import or deletion has not ended. */
export const requireOpen = async (sql: Sql, workspaceId: string): Promise<PortableWorkspace> => {
  const workspace = isId(workspaceId) ? await findPortableWorkspace(sql, workspaceId) : null
  if (workspace === null) throw unknownWorkspace(workspaceId)
  const { id, closedFor } = workspace
  if (closedFor === null) return workspace
  throw new WorkspaceError(`The workspace ${id} is closed: its ${closedFor} has not ended. Complete it first.`)
}

/** Returns the ids of all open workspaces, or that of `only`. Throws WorkspaceError if that is unknown or closed. */
export const findOpen = async (sql: Sql, only: string | null): Promise<string[]> =>
  only === null
    ? (await selectWorkspaces(sql)).filter(({ closedFor }) => closedFor === null).map(({ id }) => id)
    : [(await requireOpen(sql, only)).id]

export const unknownWorkspace = (id: string): WorkspaceError =>
  new WorkspaceError(`There is no workspace "${id}". "workspace list" lists all workspaces.`)

const requirePlan = async (tx: Sql, planId: string): Promise<void> => {
  if (await findPlan(tx, planId)) return
  throw new WorkspaceError(`There is no plan "${planId}". The plans are ${(await listPlanIds(tx)).join(', ')}.`)
}
