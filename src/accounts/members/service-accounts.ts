import { type Database, transaction } from '../../platform/postgres/client.ts'
import { deleteImportedAccount, deleteServiceAccount } from '../users/index.ts'
import { deleteMember, selectJoinedMembers, selectServiceMembers } from './sql.ts'

const pageSize = 100

/** Deletes the service accounts of a workspace with their access tokens. Can be repeated after an interruption. */
export const deleteServiceAccounts = async (sql: Database, workspaceId: string): Promise<void> => {
  for (;;) {
    const found = await selectServiceMembers(sql, workspaceId, pageSize)
    for (const { id, userId } of found)
      await transaction(sql, async tx => {
        await deleteMember(tx, workspaceId, id)
        await deleteServiceAccount(tx, userId)
      })
    if (found.length === 0) return
  }
}

/**
 * Deletes the members of an incomplete import, with the accounts that it has created since its start. Can be repeated
 * after an interruption.
 */
export const deleteImportedMembers = async (sql: Database, workspaceId: string, since: Date): Promise<void> => {
  for (;;) {
    const found = await selectJoinedMembers(sql, workspaceId, pageSize)
    for (const { id, userId } of found)
      await transaction(sql, async tx => {
        await deleteMember(tx, workspaceId, id)
        await deleteImportedAccount(tx, { userId, workspaceId, since })
      })
    if (found.length === 0) return
  }
}
