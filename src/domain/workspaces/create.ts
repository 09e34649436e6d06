import { type Database, type Sql, transaction } from '../../db/client.ts'
import { isId } from '../ids.ts'
import { insertOwner } from '../members/index.ts'
import { findUserForSignIn, hashPassword, insertUser, nameFromEmail, weaknessOf } from '../users/index.ts'
import { anyWorkspaceExists, findPlan, insertWorkspace, listPlanIds, lockWorkspaces, updatePlan } from './sql.ts'

export interface NewWorkspace {
  name: string
  planId: string
  owner: { email: string; password: string }
}

/** What cannot be made as asked; the message is one sentence for the operator. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError'
}

/**
 * A workspace with its owner, who keeps an existing account and its password. Throws WorkspaceError for an unknown plan,
 * and for a new account whose password nobody may choose.
 */
export const createWorkspace = async (
  sql: Sql,
  { name, planId, owner }: NewWorkspace,
): Promise<{ id: string; ownerExisted: boolean }> => {
  const weakness = await weaknessOf(owner.password)
  const passwordHash = await hashPassword(owner.password)
  return transaction(sql, async tx => {
    await requirePlan(tx, planId)
    const created = await insertUser(tx, { email: owner.email, name: nameFromEmail(owner.email), passwordHash })
    if (created !== null && weakness !== null) throw weakPassword(weakness)
    const userId = created ?? (await findUserForSignIn(tx, owner.email))!.id
    const id = await insertWorkspace(tx, { name, planId })
    await insertOwner(tx, id, userId)
    return { id, ownerExisted: created === null }
  })
}

/** Passwords are told to no command but by this setting. */
const weakPassword = (weakness: string): WorkspaceError =>
  new WorkspaceError(`OWNER_PASSWORD ${weakness[0]!.toLowerCase()}${weakness.slice(1)}`)

/** On an empty database, the first workspace; null where one exists already. Safe to call in several processes at once. */
export const createFirstWorkspace = (sql: Database, workspace: NewWorkspace): Promise<{ id: string } | null> =>
  transaction(sql, async tx => {
    await lockWorkspaces(tx)
    return (await anyWorkspaceExists(tx)) ? null : createWorkspace(tx, workspace)
  })

/**
 * Puts a workspace on another plan, from its next request on; what exceeds the new plan stays. Answers the workspace's
 * name. Throws WorkspaceError for an unknown workspace or plan.
 */
export const changePlan = (sql: Sql, workspaceId: string, planId: string): Promise<string> =>
  transaction(sql, async tx => {
    await requirePlan(tx, planId)
    const name = isId(workspaceId) ? await updatePlan(tx, workspaceId, planId) : null
    if (name === null) {
      throw new WorkspaceError(`There is no workspace "${workspaceId}"; "workspace list" shows those there are.`)
    }
    return name
  })

const requirePlan = async (tx: Sql, planId: string): Promise<void> => {
  if (await findPlan(tx, planId)) return
  throw new WorkspaceError(`There is no plan "${planId}"; the plans are ${(await listPlanIds(tx)).join(', ')}.`)
}
