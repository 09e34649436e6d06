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
  /** Of these errors a repeat within half a minute is counted and not logged again: one cause fails every call alike. */
  folds: (error: unknown) => boolean = () => false,
): { log: Log; flush: () => Promise<void> } => {
  const output = new BlockOutput(fields)
  const serializers = { error: withoutRows }
  const repeats = new Repeats(folds)
  const log = pino(
    {
      level,
      base: fields,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers,
      hooks: {
        logMethod(args, method) {
          if (!repeats.take(args, told => method.apply(this, told))) method.apply(this, args)
        },
      },
    },
    output,
  )
  const flush = () => {
    repeats.tell()
    return output.flush()
  }
  return { log, flush }
}

/** Milliseconds over which repeats of an error are counted, and errors whose repeats are counted at the same time. */
const repeatsMs = 30_000
const maxRepeated = 100

/** Counts repeats of errors. The first is logged whole; the others become one line with their number and no stack. */
class Repeats {
  readonly #counted = new Map<string, { count: number; tell: (count: number) => void }>()

  constructor(private readonly folds: (error: unknown) => boolean) {}

  /** Whether the line repeats an error and need not be logged. `log` writes the line that tells how many there were. */
  take([fields, message]: readonly unknown[], log: (args: [object, string]) => void): boolean {
    const error = errorIn(fields)
    if (error === null || typeof message !== 'string' || !this.folds(error)) return false
    const name = `${message}\n${error.message}`
    const known = this.#counted.get(name)
    if (known) {
      known.count++
      return true
    }
    if (this.#counted.size >= maxRepeated) return false
    const tell = (count: number) => {
      const code = 'code' in error ? error.code : undefined
      if (count > 0) log([{ error: { type: error.name, code, message: error.message }, repeated: count }, message])
    }
    this.#counted.set(name, { count: 0, tell })
    setTimeout(() => this.#tellOne(name), repeatsMs).unref()
    return false
  }

  /** Logs the numbers of all repeats so far. */
  tell(): void {
    for (const name of [...this.#counted.keys()]) this.#tellOne(name)
  }

  #tellOne(name: string): void {
    const counted = this.#counted.get(name)
    this.#counted.delete(name)
    counted?.tell(counted.count)
  }
}

const errorIn = (fields: unknown): Error | null =>
  typeof fields === 'object' && fields !== null && 'error' in fields && fields.error instanceof Error
    ? fields.error
    : null

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
