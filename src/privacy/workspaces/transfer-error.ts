/** Failure of an export, import or deletion that the operator can act on. The message is for the command line. */
export class TransferError extends Error {
  override readonly name = 'TransferError'
}
