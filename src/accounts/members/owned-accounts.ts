import { directoryOf } from '../../platform/postgres/cells.ts'
import { type Database, transaction } from '../../platform/postgres/client.ts'
import { deleteImportedAccount, deleteServiceAccount } from '../users/index.ts'
import { deleteMember, selectJoinedMembers } from './sql.ts'

const pageSize = 100

/**
 * Deletes the service accounts of a workspace with their access tokens. `importedSince` is the start of an incomplete
 * import: its members are then deleted too, with the accounts that it has created. Can be repeated after an
 * interruption.
 */
export const deleteOwnedAccounts = async (
  sql: Database,
  workspaceId: string,
  importedSince: Date | null,
): Promise<void> => {
  const kinds = importedSince === null ? (['service'] as const) : (['service', 'person'] as const)
  for (;;) {
    const found = await selectJoinedMembers(sql, { workspaceId, kinds, limit: pageSize })
    for (const { id, userId } of found)
      await transaction(directoryOf(sql), async tx => {
        await deleteMember(tx, workspaceId, id)
        if (importedSince === null) await deleteServiceAccount(tx, userId)
        else await deleteImportedAccount(tx, { userId, workspaceId, since: importedSince })
      })
    if (found.length === 0) return
  }
}
