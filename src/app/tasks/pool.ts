/**
 * Connections of Graphile Worker. Its loop retries only the error "cannot connect now". After another error it prints a
 * stack to standard error and ends all workers. Connection errors, and those of a server without memory, disk space or
 * connections, are therefore translated to "cannot connect now".
 */
import pg from 'pg'
import { isConnectionError, pgConfig } from '../../platform/postgres/client.ts'

/** Creates a pool that survives a restart of PostgreSQL. */
export const createPool = (url: string, applicationName: string, max: number): pg.Pool => {
  const pool = new pg.Pool({
    ...pgConfig(url),
    application_name: applicationName,
    max,
    connectionTimeoutMillis: 5000,
    statement_timeout: 30_000,
    // `statement_timeout` has no effect if the server is unreachable.
    query_timeout: 35_000,
    Client: RetryableClient,
  })
  // A failed idle connection is replaced when the next one is needed.
  pool.on('error', () => {})
  // Without a listener, a connection that fails during use would end the process.
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

class RetryableClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const { query, connect } = this
    this.query = ((...args: unknown[]) =>
      asCannotConnectNow(
        requireCommit(args[0], Reflect.apply(query, this, translateCallbackError(args))),
      )) as typeof this.query
    this.connect = ((...args: unknown[]) =>
      asCannotConnectNow(Reflect.apply(connect, this, translateCallbackError(args)))) as typeof this.connect
  }
}

const cannotConnectNow = '57P03'

const translate = (error: unknown): unknown => {
  if (error instanceof Error && (isConnectionError(error) || lacksServer(error) || connectionLost.test(error.message)))
    Object.assign(error, { code: cannotConnectNow })
  return error
}

/**
 * Returns whether the server ended or refused the session (FATAL), or lacked a resource for the statement (class 53:
 * memory, disk space, connections). Nothing was written.
 */
const lacksServer = (error: Error): boolean =>
  error instanceof pg.DatabaseError && (error.severity === 'FATAL' || error.code?.startsWith('53') === true)

/** Messages of connection errors to which `pg` gives no code. */
const connectionLost =
  /Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Client was closed|Query read timeout/

/**
 * Throws if COMMIT was answered with ROLLBACK. PostgreSQL does this for a failed transaction, and `pg` treats it as
 * success.
 */
const requireCommit = (text: unknown, result: unknown): unknown =>
  result instanceof Promise && typeof text === 'string' && /^\s*commit\b/i.test(text)
    ? result.then((done: pg.QueryResult) => {
        if (done.command === 'COMMIT') return done
        throw new Error(`The transaction was not committed: the server answered COMMIT with ${done.command}.`)
      })
    : result

const asCannotConnectNow = (result: unknown): unknown =>
  result instanceof Promise
    ? result.catch((error: unknown) => {
        throw translate(error)
      })
    : result

const translateCallbackError = (args: unknown[]): unknown[] => {
  const last = args.at(-1)
  if (typeof last !== 'function') return args
  return [...args.slice(0, -1), (error: unknown, ...rest: unknown[]) => last(error && translate(error), ...rest)]
}
