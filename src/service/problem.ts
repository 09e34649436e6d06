/** Explains in one sentence why the service cannot start. */

/** An error whose message is one sentence for the operator. No stack trace is needed. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/**
 * Converts a database error during startup into a sentence for the operator. Also checks the causes. Returns null for
 * other errors, which are faults of the service.
 */
export const startProblem = (error: unknown): StartError | null => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : ''
    const sentence = sentences.find(([codes]) => codes.test(code))?.[1]
    if (sentence) return new StartError(sentence(cause.message.replace(/\.$/, '')), { cause: error })
  }
  return null
}

/** Messages by SQLSTATE or by error code of the driver. */
const sentences: [RegExp, (said: string) => string][] = [
  // Raised by a migration, with a message for the operator.
  [/^P0001$/, said => `${said}.`],
  [
    /^(42501|3F000)$/,
    said =>
      `The user of DATABASE_URL lacks rights in the database: ${said}; let it own the database, or run "migrate" as the user that does.`,
  ],
  [
    /^53300$/,
    said =>
      `The database has no connection left for the service: ${said}; end some of the others, or raise max_connections or the limit of the user.`,
  ],
  [/^25006$/, said => `The database of DATABASE_URL takes no writes: ${said}; it must be the primary, and writable.`],
  [
    /^08P01$/,
    said =>
      `The pooler of DATABASE_URL does not take the settings of a session: ${said}; in PgBouncer, name statement_timeout, lock_timeout, idle_in_transaction_session_timeout, enable_seqscan, random_page_cost and jit in ignore_startup_parameters, and give them to the user by ALTER ROLE.`,
  ],
  [
    /^(53...|57P0.|08...|CONNECT_TIMEOUT|CONNECTION_[A-Z]+|ECONN[A-Z]+|EPIPE|ETIMEDOUT|E[A-Z]+UNREACH|ENOTFOUND|EAI_AGAIN)$/,
    said => `The database of DATABASE_URL cannot be used: ${said}.`,
  ],
]
