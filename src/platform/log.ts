/** One JSON line per thing that happened, on standard output. */
import pino from 'pino'

export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Fields of every line of a process. */
export interface ProcessFields {
  version: string
  roles: readonly string[]
}

/** A log, and `flush`, which resolves once all of its lines are written; the last thing before the process ends. */
export const createLog = (
  level: string,
  fields: ProcessFields | null = null,
): { log: Log; flush: () => Promise<void> } => {
  const output = new BlockOutput(fields)
  const serializers = { error: withoutRows }
  const log = pino({ level, base: fields, timestamp: pino.stdTimeFunctions.isoTime, serializers }, output)
  return { log, flush: () => output.flush() }
}

/**
 * An error without what PostgreSQL adds to its message: these fields hold rows and parameters, and with them words of people
 * who may ask to be erased.
 */
const withoutRows = (error: unknown): unknown => {
  // What went wrong elsewhere is told in words, or by null where nothing did.
  if (!(error instanceof Error)) return error
  const told: Record<string, unknown> = { ...pino.stdSerializers.err(error) }
  for (const field of fieldsOfRows) delete told[field]
  if (error instanceof AggregateError) told.aggregateErrors = error.errors.map(withoutRows)
  return told
}

/** As either of the drivers calls them. */
const fieldsOfRows = ['detail', 'where', 'query', 'parameters', 'args', 'internal_query', 'internalQuery']

const blockLength = 16 * 1024
const maxWaitMs = 100
/** Characters that wait for a reader who has fallen behind: half a minute of a busy service. */
const maxWaiting = 16 * 1024 * 1024

/**
 * Writes lines in blocks, one after the other, so that a line costs a request next to nothing. Lines that nobody reads any
 * more are dropped, and of a reader who has fallen behind those that would wait beyond the limit, which is told once there
 * is room: pino's own destination would block the process over a broken pipe, trying again for ever.
 */
class BlockOutput {
  #lines = ''
  #dropped = 0
  #timer: ReturnType<typeof setTimeout> | null = null
  #writing: Promise<void> | null = null
  #broken = false

  constructor(private readonly fields: ProcessFields | null) {
    process.stdout.on('error', () => {
      this.#broken = true
    })
  }

  write(line: string): void {
    if (this.#broken) return
    if (this.#lines.length >= maxWaiting) {
      this.#dropped++
      return
    }
    this.#lines += line
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
      this.#lines = this.#told()
      await new Promise<void>(resolve => process.stdout.write(block, () => resolve()))
    }
  }

  /** The line that says how many were dropped, if any were. */
  #told(): string {
    if (this.#dropped === 0) return ''
    const time = new Date().toISOString()
    const line = { level: 40, time, ...this.fields, dropped: this.#dropped, msg: 'log lines were dropped' }
    this.#dropped = 0
    return `${JSON.stringify(line)}\n`
  }
}
