import type { Database } from '../../platform/postgres/client.ts'
import { lockTransfer, unlockTransfer } from './sql.ts'
import { TransferError } from './transfer-error.ts'

/**
 * Runs `work` while no other import or deletion of the workspace runs. The end of the process also releases the lock.
 * Throws TransferError if another one runs.
 */
export const withTransferLock = async <T>(sql: Database, workspaceId: string, work: () => Promise<T>): Promise<T> => {
  const connection = await sql.reserve()
  try {
    if (!(await lockTransfer(connection, workspaceId)))
      throw new TransferError(`Another import or deletion of the workspace ${workspaceId} is running.`)
    try {
      return await work()
    } finally {
      // If the connection is lost, the lock is released with it.
      await unlockTransfer(connection, workspaceId).catch(() => {})
    }
  } finally {
    connection.release()
  }
}
