import { type Database, transaction } from '../../platform/postgres/client.ts'
import { deleteUser } from '../users/index.ts'
import { deleteMember, selectServiceMembers } from './sql.ts'

const pageSize = 100

/** Deletes the service accounts of a workspace with their access tokens. Can be repeated after an interruption. */
export const deleteServiceAccounts = async (sql: Database, workspaceId: string): Promise<void> => {
  for (;;) {
    const found = await selectServiceMembers(sql, workspaceId, pageSize)
    for (const { id, userId } of found)
      await transaction(sql, async tx => {
        await deleteMember(tx, workspaceId, id)
        await deleteUser(tx, userId)
      })
    if (found.length === 0) return
  }
}
