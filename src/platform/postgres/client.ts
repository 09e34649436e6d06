import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import postgres from 'postgres'
import { parseJson } from '../json.ts'
import { cellUnavailable, setTasksSchema, WorkspaceMoving, withLinksOf } from './cells.ts'
import { parseTarget, tasksSchemaOf } from './target.ts'

/** Connection pool of one database. */
export type Database = postgres.Sql

/** Pool or transaction. Queries take either, so that any of them can be combined into one commit. */
export type Sql = postgres.Sql | postgres.TransactionSql

/** SQL fragment to embed in another statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

/** Options of `connect`. */
export interface ConnectOptions {
  /** `postgres://user:password@host:port/database`, with the libpq parameters that `target.ts` reads. */
  url: string
  /** Maximum number of open connections. Defaults to 10. Connections are opened when needed. */
  max?: number
  /**
   * Seconds without data from the server, while a query is in flight, after which the connection is treated as lost.
   * Defaults to 5 more than the maximum duration of a statement, which is 30 seconds behind a pooler. 0 disables the
   * check.
   */
  silenceSeconds?: number
  /**
   * Seconds that a query waits for the open connections while PostgreSQL refuses another one (53300), or accepts none
   * within 5 seconds. By default it fails immediately.
   */
  refusedRetrySeconds?: number
  /** Maximum duration of a statement in milliseconds. Defaults to 30 seconds. */
  maxStatementMs?: number
  /** Maximum time in milliseconds that a statement waits for a lock. Defaults to 10 seconds. */
  maxLockMs?: number
  /** Seconds after which an idle connection is closed. By default it stays open. */
  idleSeconds?: number
  /** Name shown in `pg_stat_activity`. */
  applicationName: string
  /**
   * True if the URL leads to a transaction pooler. Nothing is prepared, and sessions have the settings that
   * `storeSessionSettings` stores, instead of `maxStatementMs`, `maxLockMs` and the planner settings. Defaults to false.
   */
  pooled?: boolean
  /** Called when a query starts on an open connection, with the milliseconds that it waited for one. */
  onWait?: (ms: number) => void
  /** Called with notices of the server. By default they are dropped. */
  onnotice?: (notice: postgres.Notice) => void
}

/**
 * Creates a pool, which connects with the first query.
 *
 * `int8` is read as a number, or as a string beyond 2^53. `timestamptz` is read as a Date and `numeric` as a string. An
 * integer in JSON that a double would round is read as a bigint. `null` stays null.
 *
 * `undefined` as a parameter throws. A Date[] or boolean[] cannot be a parameter, because the driver takes the type of
 * the first element for the whole array. Send texts and cast the array. In an array that is read, a null element
 * arrives as the text `NULL`: read it as json.
 */
export const connect = (options: ConnectOptions): Database => {
  const { host, port, user, password, database, ssl, parameters } = parseTarget(options.url)
  const { maxStatementMs = defaultStatementMs } = options
  const settings = {
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ssl,
    max: options.max ?? 10,
    connect_timeout: 5,
    silence_timeout:
      options.silenceSeconds ?? (options.pooled ? defaultStatementMs : maxStatementMs) / 1000 + silenceMarginSeconds,
    ...(options.refusedRetrySeconds !== undefined && { refused_patience: options.refusedRetrySeconds }),
    ...(options.idleSeconds !== undefined && { idle_timeout: options.idleSeconds }),
    backoff: reconnectDelay,
    // With pipelining, a query behind a slow one on the same connection would wait although another connection is free.
    max_pipeline: 0,
    onnotice: options.onnotice ?? (() => {}),
    ...(options.onWait && { onwait: options.onWait }),
    types: { int8, json: jsonType },
    ...(options.pooled && { prepare: false }),
    connection: {
      application_name: options.applicationName,
      TimeZone: 'UTC',
      ...(options.pooled
        ? {}
        : {
            ...sessionSettings,
            statement_timeout: maxStatementMs,
            lock_timeout: options.maxLockMs ?? defaultLockMs,
          }),
      ...parameters,
    },
  }
  const sql = postgres(settings)
  setTasksSchema(sql, tasksSchemaOf(options.url))
  return sql
}

/** Returns the numbers of open connections of a pool: those in use and the idle ones. The patch of the driver counts. */
export const countConnections = (sql: Database): { active: number; idle: number } =>
  (sql as Database & { counts: () => { active: number; idle: number } }).counts()

/**
 * Planner settings. Every statement of this service reads a page of rows through an index.
 *
 * The planner does not know how small a page is if the limit is a parameter, or how much a table grew since planning.
 * It would then sometimes scan the whole table. A table without a suitable index is still scanned. JIT compilation
 * takes longer than any statement of this service.
 */
const planning = { enable_seqscan: 'off', random_page_cost: 1.1, jit: 'off' }

const defaultStatementMs = 30_000
const defaultLockMs = 10_000

/** Settings of every session, with their defaults. Times are in milliseconds. */
export const sessionSettings = {
  statement_timeout: defaultStatementMs,
  lock_timeout: defaultLockMs,
  idle_in_transaction_session_timeout: 30_000,
  ...planning,
}

/** Returns the settings of the driver `pg` for the database at this URL. Throws TargetError, like `connect`. */
export const pgConfig = (url: string): ClientConfig => {
  const { host, port, user, password, database, ssl, parameters } = parseTarget(url)
  return {
    host,
    port,
    user,
    password,
    database,
    ssl: ssl === 'prefer' ? { rejectUnauthorized: false } : ssl,
    ...(parameters.options !== undefined && { options: parameters.options }),
  }
}

const int8 = {
  to: 20,
  from: [20],
  parse: (text: string): number | string => (Number.isSafeInteger(Number(text)) ? Number(text) : text),
  serialize: String,
}

const jsonType = {
  to: 114,
  from: [114, 3802],
  parse: parseJson,
  serialize: (value: unknown): string => JSON.stringify(value),
}

/** Seconds after the maximum duration of a statement in which its error must arrive. */
const silenceMarginSeconds = 5

/** Returns the seconds until a lost connection is opened again: short at first, at most 2, with jitter. */
const reconnectDelay = (failures: number): number => Math.min(0.05 * 2 ** failures, 2) * (0.5 + Math.random() / 2)

/**
 * Runs `work` in the given transaction, or in a new one. Commits when `work` resolves. Rolls back when `work` throws or
 * any of its statements failed.
 *
 * Throws NOT_COMMITTED if the server answered COMMIT with anything else. Do not retry without a check: a COMMIT whose
 * response was lost may have happened.
 */
export const transaction = <T>(sql: Sql, work: (tx: Sql) => Promise<T>): Promise<T> =>
  (isTransaction(sql) ? work(sql) : sql.begin(tx => work(withLinksOf(sql, tx)))) as Promise<T>

/** Returns whether the statements belong to a transaction. */
export const isTransaction = (sql: Sql): sql is postgres.TransactionSql => 'savepoint' in sql

/**
 * Returns a value as a parameter of type jsonb (`${json(sql, x)}`) or, with a cast, json (`${json(sql, x)}::json`).
 *
 * `${JSON.stringify(x)}::json` would store a JSON *string*, because the driver serialises a json parameter again. The
 * same applies to the elements of a `::jsonb[]`. Cast texts that are JSON already with `::text::jsonb` or
 * `::text[]::jsonb[]`.
 */
export const json = (sql: Sql, value: unknown): postgres.Parameter => sql.json(value as postgres.JSONValue)

/**
 * Returns the SQLSTATE of an error that the server reported, such as `23505`. Returns undefined for any other error.
 */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof postgres.PostgresError ? error.code : undefined

/** Returns the name of the unique index that a statement violated. Returns null for another error. */
export const violatedIndex = (error: unknown): string | null =>
  (sqlState(error) === '23505' && (error as postgres.PostgresError).constraint_name) || null

/**
 * Returns whether the connection failed, not the statement. Unless `neverReachedServer` is also true, the statement may
 * have been executed.
 */
export const isConnectionError = (error: unknown): boolean =>
  neverReachedServer(error) ||
  (cellsMove && isMoved(error)) ||
  connectionCodes.has(codeOf(error)) ||
  connectionStates.test(sqlState(error) ?? '')

/**
 * Returns whether the statement was certainly not executed, because no session existed. Any statement may be retried.
 */
export const neverReachedServer = (error: unknown): boolean =>
  unreachedCodes.has(codeOf(error)) || unreachedStates.has(sqlState(error) ?? '')

/** Returns whether the database rejects this service by configuration. Only an operator can change that. */
export const isAccessDenied = (error: unknown): boolean =>
  accessDeniedStates.includes(sqlState(error) ?? '') || (sqlState(error) === '42501' && isFatal(error))

/** A missing privilege is FATAL only when a session starts, never for a single statement. */
const isFatal = (error: unknown): boolean => error instanceof postgres.PostgresError && error.severity === 'FATAL'

/**
 * Returns whether the server was overloaded or a resource was locked. Covers statement and lock timeouts, deadlocks and
 * serialization failures. Also covers a lack of connections, memory or disk. Nothing was written.
 */
export const isOverload = (error: unknown): boolean => overloadStates.test(sqlState(error) ?? '')

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const unreachedCodes = new Set(['CONNECT_TIMEOUT', 'CONNECTION_ENDED', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

const connectionCodes = new Set([
  ...unreachedCodes,
  cellUnavailable,
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_SILENT',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** Whether Citus can move cells while this process runs. */
let cellsMove = false

/** Sets whether a missing table counts as a connection error: at the old node of a cell, its tables disappear. */
export const expectMoves = (areExpected: boolean): void => {
  cellsMove = areExpected
}

/** Returns whether the cell of the statement can have moved to another node of a Citus cluster. Nothing was written. */
export const isMoved = (error: unknown): boolean => movedStates.has(sqlState(error) ?? '')

/** Invalid password or missing privilege; database that was renamed or accepts no sessions. */
const accessDeniedStates = ['28P01', '28000', '3D000', '55000']

/** Raised by the placement guard (sql/cells) for a write to a cell that Citus has moved to another node. */
export const cellMoved = 'CES01'

/** The guard; a missing table, schema or function. */
const movedStates = new Set([cellMoved, '42P01', '3F000', '42883'])

/**
 * Reported before a session starts: the server is starting or stopping, or has no free connection. The guard rejects a
 * statement before it changes a row.
 */
const unreachedStates = new Set(['57P03', '53300', cellMoved])

/** Connection exceptions, and sessions ended by an administrator, a crash or a timeout. */
const connectionStates = /^(08...|57P0[1-5]|25P0[34])$/

const overloadStates = /^(57014|55P03|40001|40P01|40MOV|53...)$/

/** Returns whether a call was rejected because its workspace is being moved (`note_moved_row`). Nothing was written. */
export const isMoving = (error: unknown): boolean => error instanceof WorkspaceMoving || sqlState(error) === '40MOV'

/** Returns whether the disk of the server is full. Nothing was written. */
export const isDiskFull = (error: unknown): boolean => sqlState(error) === '53100'

/**
 * Returns whether the server or the connection failed, not the statement. Every statement would fail in the same way.
 */
export const isServerFailure = (error: unknown): boolean =>
  isConnectionError(error) || isAccessDenied(error) || isReadOnly(error) || isOverload(error)

/** Returns whether the database is read-only, for example because it became a standby. Nothing was written. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === '25006'

/** Options of `withRetry`. */
export interface RetryOptions {
  /**
   * Decides which failures are retried. Defaults to `isConnectionError`. Pass `neverReachedServer` for work that must
   * not run twice.
   */
  when?: (error: unknown) => boolean
  /** Milliseconds before each retry. */
  waits?: readonly number[]
}

/**
 * Runs `work` and, while the connection fails, retries it up to three times within about two seconds. After a restart
 * of the server, the first query on each idle connection fails.
 *
 * Use it only for work that is safe to run twice, such as a read or an insert that skips existing rows. Rejects with
 * the last error.
 */
export const withRetry = async <T>(work: () => Promise<T>, options: RetryOptions = {}): Promise<T> => {
  const { when = isConnectionError, waits = [50, 300, 1500] } = options
  for (const wait of waits) {
    try {
      return await work()
    } catch (error) {
      if (!when(error) || codeOf(error) === 'CONNECTION_ENDED') throw error
      await sleep(wait * (0.75 + Math.random() / 2))
    }
  }
  return work()
}
