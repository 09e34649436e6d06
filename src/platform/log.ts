/** Logger that writes one line per entry to standard output, as JSON or as text for people. */
import pino from 'pino'

export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Fields included in every line of a process. */
export interface ProcessFields {
  version: string
  roles: readonly string[]
}

/** Creates a logger. `flush` resolves when all lines are written; call it last before the process ends. */
export const createLog = (
  level: string,
  fields: ProcessFields | null = null,
  /**
   * Selects errors whose repeats within 30 seconds are counted instead of logged. One cause often fails every call in
   * the same way.
   */
  isAggregated: (error: unknown) => boolean = () => false,
  format: 'json' | 'text' = 'json',
): { log: Log; flush: () => Promise<void> } => {
  const output = new BlockOutput(fields, format === 'text' ? formatLine : line => line)
  const serializers = { error: serializeError }
  const repeats = new Repeats(isAggregated)
  const log = pino(
    {
      level,
      base: fields,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers,
      hooks: {
        logMethod(args, method) {
          if (!repeats.suppress(args, entry => method.apply(this, entry))) method.apply(this, args)
        },
      },
    },
    output,
  )
  const flush = () => {
    repeats.report()
    return output.flush()
  }
  return { log, flush }
}

/** Returns a log that adds fields to each of its lines. */
export const withFields = (log: Log, fields: object): Log => {
  const write =
    (level: keyof Log) =>
    (first: unknown, ...others: unknown[]) =>
      typeof first === 'object'
        ? log[level]({ ...fields, ...first }, ...(others as [string]))
        : log[level](fields, first as string)
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') } as Log
}

/**
 * Milliseconds over which repeats of an error are counted, and maximum number of errors counted concurrently
 * (`maxRepeated`).
 */
const repeatsMs = 30_000
const maxRepeated = 100

/**
 * Counts repeats of errors. The first is logged completely. The others become one line with their number and the fields
 * of the first: its ids and its stack.
 */
class Repeats {
  readonly #counted = new Map<string, { count: number; report: (count: number) => void }>()

  constructor(private readonly isAggregated: (error: unknown) => boolean) {}

  /** Returns whether the line repeats an error and must not be logged. `log` later writes the line with the count. */
  suppress([fields, message]: readonly unknown[], log: (args: [object, string]) => void): boolean {
    const error = errorIn(fields)
    if (error === null || typeof message !== 'string' || !this.isAggregated(error)) return false
    const name = `${message}\n${error.message}`
    const known = this.#counted.get(name)
    if (known) {
      known.count++
      return true
    }
    if (this.#counted.size >= maxRepeated) return false
    const report = (count: number) => {
      if (count > 0) log([{ ...(fields as object), repeated: count }, message])
    }
    this.#counted.set(name, { count: 0, report })
    setTimeout(() => this.#reportOne(name), repeatsMs).unref()
    return false
  }

  /** Logs the counts of all repeats so far. */
  report(): void {
    for (const name of [...this.#counted.keys()]) this.#reportOne(name)
  }

  #reportOne(name: string): void {
    const counted = this.#counted.get(name)
    this.#counted.delete(name)
    counted?.report(counted.count)
  }
}

const errorIn = (fields: unknown): Error | null =>
  typeof fields === 'object' && fields !== null && 'error' in fields && fields.error instanceof Error
    ? fields.error
    : null

/**
 * Serializes an error without the fields that PostgreSQL adds to its message. They contain rows and parameters, and so
 * personal data that may have to be erased.
 */
const serializeError = (error: unknown): unknown => {
  // Other values are a text, or null for no error.
  if (!(error instanceof Error)) return error
  const entry: Record<string, unknown> = { ...pino.stdSerializers.err(error) }
  for (const field of rowFields) delete entry[field]
  if (error instanceof AggregateError) entry.aggregateErrors = error.errors.map(serializeError)
  return entry
}

/** Names of these fields in both drivers. */
const rowFields = ['detail', 'where', 'query', 'parameters', 'args', 'internal_query', 'internalQuery']

/** Names of the levels in lines for people, of equal length. */
const levelNames: Record<number, string> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO ',
  40: 'WARN ',
  50: 'ERROR',
  60: 'FATAL',
}

/**
 * Formats a JSON line for people: time, level, message, fields, and below them the stack. Omits the fields of the
 * process.
 */
const formatLine = (line: string): string => {
  const { level, time, msg, version: _, roles: __, error, ...fields } = JSON.parse(line)
  const stack = typeof error?.stack === 'string' ? error.stack : null
  const named = Object.entries(error === undefined || stack ? fields : { ...fields, error })
  const head = [time, levelNames[level], msg, ...named.map(([name, value]) => `${name}=${formatValue(value)}`)]
  const below = stack === null ? '' : `${stack.replace(/^/gm, '    ').replace(controls, escapeControl)}\n`
  return `${head.join(' ')}\n${below}`
}

/** A value with spaces, quotes or control characters is written as JSON, so that it cannot look like a line. */
const formatValue = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"\p{C}]+$/u.test(value) ? value : JSON.stringify(value)

/** Control characters that could change the terminal, except line breaks. */
const controls = /[^\P{Cc}\n]/gu
const escapeControl = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const blockLength = 16 * 1024
const maxWaitMs = 100
/** Maximum number of buffered characters while the reader is slow: about half a minute of a busy service. */
const maxBuffered = 16 * 1024 * 1024

/**
 * Writes lines in blocks, one block at a time, so that a line costs a request very little.
 *
 * Lines are dropped if the output is closed, or if the buffer limit is reached. A line then reports the number dropped.
 * The destination of pino would block the process on a broken pipe and retry forever.
 */
class BlockOutput {
  #lines = ''
  #dropped = 0
  #timer: ReturnType<typeof setTimeout> | null = null
  #writing: Promise<void> | null = null
  #broken = false

  constructor(
    private readonly fields: ProcessFields | null,
    private readonly format: (line: string) => string,
  ) {
    process.stdout.on('error', () => {
      this.#broken = true
    })
  }

  write(line: string): void {
    if (this.#broken) return
    if (this.#lines.length >= maxBuffered) {
      this.#dropped++
      return
    }
    this.#lines += this.format(line)
    if (this.#lines.length >= blockLength) void this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), maxWaitMs)
  }

  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null
    })
    return this.#writing
  }

  async #writeAll(): Promise<void> {
    while (this.#lines !== '' && !this.#broken) {
      const block = this.#lines
      this.#lines = this.#droppedLine()
      await new Promise<void>(resolve => process.stdout.write(block, () => resolve()))
    }
  }

  /** Returns the line with the number of dropped lines, or an empty text. */
  #droppedLine(): string {
    if (this.#dropped === 0) return ''
    const time = new Date().toISOString()
    const line = { level: 40, time, ...this.fields, dropped: this.#dropped, msg: 'log lines were dropped' }
    this.#dropped = 0
    return this.format(`${JSON.stringify(line)}\n`)
  }
}
