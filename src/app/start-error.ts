/** Explains in one sentence why the service cannot start. */

/** An error whose message is one sentence for the operator. No stack trace is needed. */
export class StartError extends Error {
  override readonly name: string = 'StartError'
}

/**
 * Converts a database error during startup into a sentence for the operator. Also checks the causes. Returns null for
 * other errors, which are faults of the service.
 */
export const explainStartError = (error: unknown): StartError | null => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : ''
    const sentence = sentences.find(([codes]) => codes.test(code))?.[1]
    if (sentence)
      return new StartError(sentence(cause.message.replace(/\s+/g, ' ').replace(/\.$/, '')), { cause: error })
  }
  return null
}

/** Messages by SQLSTATE or by error code of the driver. */
const sentences: [RegExp, (message: string) => string][] = [
  // Raised by a migration, with a message for the operator.
  [/^P0001$/, message => `${message}.`],
  [
    /^(42501|3F000)$/,
    message =>
      `The user of DATABASE_URL lacks permissions in the database: ${message}. Make it the owner of the database, or run "migrate" as the owner.`,
  ],
  [
    /^53300$/,
    message =>
      `The database has no free connection: ${message}. Close other connections, or raise max_connections or the limit of the user.`,
  ],
  [
    /^25006$/,
    message => `The database of DATABASE_URL does not accept writes: ${message}. It must be the primary, and writable.`,
  ],
  [
    /^08P01$/,
    message =>
      `The pooler of DATABASE_URL rejects session settings: ${message}. Set DATABASE_DIRECT_URL to the database itself. For session mode of PgBouncer, add statement_timeout, lock_timeout, idle_in_transaction_session_timeout, enable_seqscan, random_page_cost and jit to ignore_startup_parameters, and set them for the user with ALTER ROLE.`,
  ],
  [
    /^(53...|57P0.|08...|CONNECT_TIMEOUT|CONNECTION_[A-Z]+|ECONN[A-Z]+|EPIPE|ETIMEDOUT|E[A-Z]+UNREACH|ENOTFOUND|EAI_AGAIN)$/,
    message =>
      message.includes('remote node ') || message.includes('for node ')
        ? `A node of the Citus cluster cannot be used: ${message}. Start it, and repeat the command.`
        : `The database of DATABASE_URL cannot be used: ${message}.`,
  ],
]
