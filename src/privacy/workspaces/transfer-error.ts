/** Failure of an export, import or deletion that the operator can act on. The message is for the command line. */
export class TransferError extends Error {
  override readonly name = 'TransferError'
}

/** Returns the error of a deletion during a move. */
export const movingError = (workspaceId: string): TransferError =>
  new TransferError(
    `The workspace ${workspaceId} is being moved. Complete that with "workspace move", or end it with "workspace move --cancel".`,
  )
