/** Failures of a command that are reported in one sentence. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError'

  /** `status` is the exit status: 1 for a failure, 2 for invalid arguments. */
  constructor(
    message: string,
    readonly status: 1 | 2 = 1,
  ) {
    super(message)
  }
}

/** Thrown if no response arrived. `reason` is a phrase for people, such as `refused`. */
export class ConnectionError extends ClientError {
  override readonly name = 'ConnectionError'

  constructor(
    readonly reason: string,
    address: string,
  ) {
    super(`${address} is not reachable (${reason}). Check the address, and that the program there is running.`)
  }
}
