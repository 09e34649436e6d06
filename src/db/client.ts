import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import postgres from 'postgres'
import { parseJson } from '../platform/json.ts'
import { targetOf } from './target.ts'

/** A pool of connections to one database. */
export type Database = postgres.Sql

/** A pool or a transaction: queries take either, so any of them can be composed into one commit. */
export type Sql = postgres.Sql | postgres.TransactionSql

/** A part of a statement, to be put into another. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

/** What a pool is made from. */
export interface ConnectOptions {
  /** `postgres://user:password@host:port/database`, with the parameters of libpq that `target.ts` reads. */
  url: string
  /** Most connections open at once; 10 by default. They are opened when needed. */
  max?: number
  /**
   * A server that says nothing for so long while it owes an answer is taken for gone; 35 by default, above the longest
   * that a statement may last. 0 = never.
   */
  silenceSeconds?: number
  /**
   * Seconds that a query waits for the connections that are open while PostgreSQL refuses another one (53300), or takes
   * none within 5 seconds. By default it fails immediately.
   */
  refusedSeconds?: number
  /** Milliseconds that a statement may last; 30 seconds by default. */
  maxStatementMs?: number
  /** Milliseconds that a statement may wait for a lock; 10 seconds by default. */
  maxLockMs?: number
  /** Seconds after which a connection that is not needed is closed; by default it is kept. */
  idleSeconds?: number
  /** Shown in `pg_stat_activity`. */
  applicationName: string
  /** Receives the server's notices; by default they are dropped. */
  onnotice?: (notice: postgres.Notice) => void
}

/**
 * Opens a pool; connects with the first query. `int8` arrives as a number, or as a string beyond 2^53; `timestamptz` as
 * a Date; `numeric` as a string; a whole number of JSON that a double would round as a bigint; `null` stays null, and `undefined` as a parameter throws. A Date[] or boolean[] cannot
 * be a parameter: the driver takes the type of the first element for that of the whole; send texts and cast the array.
 * In an array that is read, a null element arrives as the text `NULL`: read it as json.
 */
export const connect = (options: ConnectOptions): Database => {
  const { host, port, user, password, database, ssl, parameters } = targetOf(options.url)
  const settings = {
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ssl,
    max: options.max ?? 10,
    connect_timeout: 5,
    silence_timeout: options.silenceSeconds ?? 35,
    ...(options.refusedSeconds !== undefined && { refused_patience: options.refusedSeconds }),
    ...(options.idleSeconds !== undefined && { idle_timeout: options.idleSeconds }),
    backoff: reconnectDelay,
    // A query queued behind a slow one on the same connection waits for it although another connection is free.
    max_pipeline: 0,
    onnotice: options.onnotice ?? (() => {}),
    types: { int8, json: jsonType },
    connection: {
      application_name: options.applicationName,
      TimeZone: 'UTC',
      statement_timeout: options.maxStatementMs ?? 30_000,
      lock_timeout: options.maxLockMs ?? 10_000,
      idle_in_transaction_session_timeout: 30_000,
      ...planning,
      ...parameters,
    },
  }
  return postgres(settings)
}

/**
 * How PostgreSQL is to guess. Every statement of ours is about a page of rows, found by an index; the planner does not
 * know how small a page is where the limit is a parameter, or how large a table was made since it planned, and would at
 * times go through all of it. A table that no index leads into is read whole all the same. Compiling a plan takes longer
 * than carrying out any of ours.
 */
const planning = { enable_seqscan: 'off', random_page_cost: 1.1, jit: 'off' }

/** The settings of the driver `pg` for the database at this URL. Throws TargetError, as `connect` does. */
export const forPg = (url: string): ClientConfig => {
  const { host, port, user, password, database, ssl, parameters } = targetOf(url)
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

/** Seconds until a lost connection is tried again: soon at first, never more than 2, and not all at the same moment. */
const reconnectDelay = (failures: number): number => Math.min(0.05 * 2 ** failures, 2) * (0.5 + Math.random() / 2)

/**
 * Runs `work` in a transaction: in the one it is given, else in a new one. Commits when `work` resolves, rolls back when
 * it throws or when any of its statements failed, and throws NOT_COMMITTED where the server answered COMMIT with anything
 * else. Not to be repeated blindly: a lost COMMIT may have happened.
 */
export const transaction = <T>(sql: Sql, work: (tx: Sql) => Promise<T>): Promise<T> =>
  ('savepoint' in sql ? work(sql) : sql.begin(work)) as Promise<T>

/**
 * A value as a parameter of type jsonb (`${json(sql, x)}`) or, with a cast, json (`${json(sql, x)}::json`).
 * `${JSON.stringify(x)}::json` would store a JSON *string*: the driver serialises once more for a json parameter, and so
 * for the elements of a `::jsonb[]`; texts that are JSON already go by way of `::text::jsonb` or `::text[]::jsonb[]`.
 */
export const json = (sql: Sql, value: unknown): postgres.Parameter => sql.json(value as postgres.JSONValue)

/** The SQLSTATE of an error that the server reported, such as `23505`; undefined for any other error. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof postgres.PostgresError ? error.code : undefined

/** The connection failed, not the statement; whether the statement was executed is unknown unless neverReachedServer. */
export const isConnectionError = (error: unknown): boolean =>
  neverReachedServer(error) || connectionCodes.has(codeOf(error)) || isStateOfConnection(sqlState(error) ?? '')

/** The same of the SQLSTATE that the server answered, for errors of another driver. */
export const isStateOfConnection = (state: string): boolean =>
  connectionStates.test(state) || unreachedStates.has(state)

/** The statement was certainly not executed, because there was no session to execute it: anything may be repeated. */
export const neverReachedServer = (error: unknown): boolean =>
  unreachedCodes.has(codeOf(error)) || unreachedStates.has(sqlState(error) ?? '')

/** Whoever looks after the database keeps this service out; that does not pass by itself. */
export const isBarred = (error: unknown): boolean =>
  barredStates.includes(sqlState(error) ?? '') || (sqlState(error) === '42501' && endedTheSession(error))

/** A right that was missing ends a session that wants to begin, and no statement of one. */
const endedTheSession = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.severity === 'FATAL'

/**
 * The server had too much to do, or somebody held what was needed: out of time, in all or waiting for a lock; out of
 * connections, memory or disk; a deadlock or a serialisation failure that nobody repeated. Nothing was written.
 */
export const isOverload = (error: unknown): boolean => overloadStates.test(sqlState(error) ?? '')

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const unreachedCodes = new Set(['CONNECT_TIMEOUT', 'CONNECTION_ENDED', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

const connectionCodes = new Set([
  ...unreachedCodes,
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

/** A password or a right that is not good, or no longer; a database that was renamed or takes no sessions. */
const barredStates = ['28P01', '28000', '3D000', '55000']

/** Said in place of a session, before any statement: starting or stopping, or all slots taken. */
const unreachedStates = new Set(['57P03', '53300'])

/** Besides those: connection exceptions, and sessions ended by an administrator, a crash or a timeout. */
const connectionStates = /^(08...|57P0[1-5]|25P0[34])$/

const overloadStates = /^(57014|55P03|40001|40P01|53...)$/

/** The disk of the server is full. Nothing was written. */
export const isDiskFull = (error: unknown): boolean => sqlState(error) === '53100'

/** The server or the way to it failed, not what was asked of it: every statement would fail alike. */
export const isFailureOfServer = (error: unknown): boolean =>
  isConnectionError(error) || isBarred(error) || isReadOnly(error) || isOverload(error)

/** The database takes no writes for now, as one that was made a standby does. Nothing was written. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === '25006'

/** How `retrying` repeats. */
export interface RetryOptions {
  /** Which failures are repeated; by default isConnectionError. Pass neverReachedServer for what must not run twice. */
  when?: (error: unknown) => boolean
  /** Milliseconds before each repeat. */
  waits?: readonly number[]
}

/**
 * Runs `work` and, while the connection fails, up to three times more within about two seconds: idle connections that
 * died with a restart are noticed by the first query on each. Only for what is safe to run twice, as a read or an
 * insert that skips what exists. Rejects with the last error.
 */
export const retrying = async <T>(work: () => Promise<T>, options: RetryOptions = {}): Promise<T> => {
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
