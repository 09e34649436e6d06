/**
 * Errors that PostgreSQL and the service log while a test uses a database. `TestDatabase.drop` fails on every error
 * that the test did not declare with `expectErrors`.
 */
import { open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Database } from '../../src/platform/postgres/client.ts'

/** A logged error: a statement's error in PostgreSQL's log, or a line of the service's log at level `error`. */
interface LoggedError {
  /** SQLSTATE or driver code. Null for a line of the service without a code. */
  code: string | null
  message: string
}

/** A line of the service's log, in pino's format. */
interface LogLine {
  level?: number
  msg: string
  error?: unknown
}

const errorLevel = 50
const ofServices = new Map<string, LoggedError[]>()

/** Makes every server process log each error with its database, SQLSTATE and application. Needs a superuser. */
export const logErrors = async (sql: Database): Promise<void> => {
  const [{ log_line_prefix: prefix } = { log_line_prefix: '' }] = await sql<{ log_line_prefix: string }[]>`
    show log_line_prefix`
  if (prefix === linePrefix) return
  await sql`alter role all set log_min_messages = 'error'`
  await sql`alter role all set log_min_error_statement = 'error'`
  await sql.unsafe(`alter system set log_line_prefix = '${linePrefix}'`)
  await sql`select pg_reload_conf()`
}

const linePrefix = '%d|%e|%a|'

/** Records a log line at level `error` of the service that uses the database at `url`. */
export const noteLogLine = (url: string, line: LogLine): void => {
  if ((line.level ?? 0) < errorLevel) return
  const name = nameOf(url)
  const known = ofServices.get(name)
  const error = { code: codeOf(line.error), message: `${line.msg}: ${JSON.stringify(line.error ?? line)}` }
  if (known) known.push(error)
  else ofServices.set(name, [error])
}

/** A destination for pino that records the errors of the service that uses the database at `url`. */
export const errorLog = (url: string): { write(line: string): void } => ({
  write: line => {
    if (process.env.TEST_LOG) process.stdout.write(line)
    noteLogLine(url, JSON.parse(line))
  },
})

const nameOf = (url: string): string => new URL(url).pathname.slice(1)

/** Returns the code of a logged error, or of its cause. */
const codeOf = (error: unknown): string | null => {
  if (typeof error !== 'object' || error === null) return null
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? codeOf(error.cause) : null
}

/** Reads what PostgreSQL logs about one database from now on. */
export class ErrorWatch {
  readonly #expected: string[] = []
  private constructor(
    private readonly name: string,
    private readonly logFile: string,
    private readonly from: number,
  ) {}

  /** Starts a watch. `sql` is a connection to the server of the database at `url`. */
  static async start(sql: Database, url: string): Promise<ErrorWatch> {
    const [row] = await sql<{ data_directory: string }[]>`show data_directory`
    const logFile = join(dirname(row!.data_directory), 'server.log')
    return new ErrorWatch(nameOf(url), logFile, await sizeOf(logFile))
  }

  /** Declares errors: SQLSTATEs, driver codes, or the first words of messages in the service's log. */
  expect(...errors: string[]): void {
    this.#expected.push(...errors)
  }

  /** Returns all undeclared errors so far as one text. Empty if there are none. */
  async unexpected(): Promise<string> {
    const ofPostgres = errorsIn((await readFile(this.logFile)).subarray(this.from).toString('utf8'), this.name)
    const all = [...ofPostgres, ...(ofServices.get(this.name) ?? [])]
    ofServices.delete(this.name)
    const unexpected = all
      .filter(({ code, message }) => !this.#expected.some(one => one === code || message.startsWith(one)))
      .map(({ code, message }) => ({ title: `${code ?? 'no code'} ${message.split('\n')[0]}`, message }))
      .filter(({ title, message }) => !expectedAnywhere.test(title) && !isRolledBackBatch(title, message))
    return [...Map.groupBy(unexpected, ({ title }) => title)]
      .map(([title, same]) => `${same.length} times: ${title.slice(0, shown)}\n${same[0]!.message.slice(0, shown)}`)
      .join('\n')
  }
}

/**
 * Errors that any test may provoke. `nowait` statements find a locked row, and their callers retry. Reads are cancelled
 * because the caller has disconnected. Event batches roll back after a lost race.
 */
const expectedAnywhere = /^(55P03 could not obtain lock on row|57014 canceling statement due to user request)/

/** Recognizes the statement of `rollBackIfIncomplete` (src/events/sql.ts) by its column. */
const isRolledBackBatch = (title: string, message: string): boolean =>
  title.startsWith('22012 division by zero') && message.includes('is_complete')

/** Maximum number of characters shown of an error and its statement. */
const shown = 600

const sizeOf = async (path: string): Promise<number> => {
  const file = await open(path)
  try {
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}

/** Application name of a test's own statements. The test receives their errors directly. */
export const ofTest = 'test'

/** Returns the errors of one database in a piece of PostgreSQL's log, each with its statement. */
const errorsIn = (log: string, name: string): LoggedError[] => {
  const found: LoggedError[] = []
  let last: LoggedError | null = null
  for (const line of log.split('\n')) {
    const [, database, code, application, kind, text] =
      /^([^|]*)\|(\w{5})\|([^|]*)\|(ERROR|FATAL|PANIC|STATEMENT): +(.*)$/.exec(line) ?? []
    if (kind === undefined) {
      // The further lines of a statement begin with a tab.
      if (last && line.startsWith('\t')) last.message += `\n${line}`
      else last = null
    } else if (database !== name || application === ofTest) last = null
    else if (kind === 'STATEMENT') {
      if (last) last.message += `\n${text}`
    } else found.push((last = { code: code!, message: `${text} (${application})` }))
  }
  return found
}
