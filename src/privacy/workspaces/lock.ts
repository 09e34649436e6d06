import type { Database } from '../../platform/postgres/client.ts'
import { holdsTransferLock, lockTransfer, unlockTransfer } from './sql.ts'
import { TransferError } from './transfer-error.ts'

/** The lock of a workspace during an import, a deletion or a move. */
export interface TransferLock {
  /** Returns false if the connection with the lock was lost, so that another command can run. */
  isHeld: () => Promise<boolean>
  /** Throws TransferError if the lock is lost. */
  require: () => Promise<void>
}

/**
 * Runs `work` while no other import, deletion or move of the workspace runs. The end of the process also releases the lock.
 * Throws TransferError if another one runs.
 */
export const withTransferLock = async <T>(
  sql: Database,
  workspaceId: string,
  work: (lock: TransferLock) => Promise<T>,
): Promise<T> => {
  const connection = await sql.reserve()
  try {
    if (!(await lockTransfer(connection, workspaceId)))
      throw new TransferError(`Another import, deletion or move of the workspace ${workspaceId} is running.`)
    const isHeld = () => holdsTransferLock(connection).catch(() => false)
    const require = async () => {
      if (!(await isHeld()))
        throw new TransferError('The connection with the lock of the workspace was lost. Repeat the command.')
    }
    try {
      return await work({ isHeld, require })
    } finally {
      // If the connection is lost, the lock is released with it.
      await unlockTransfer(connection, workspaceId).catch(() => {})
    }
  } finally {
    connection.release()
  }
}
