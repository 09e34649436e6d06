/** One JSON line per thing that happened, on standard output. */
import pino from 'pino'

export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error'>

/** A log, and `flush`, which resolves once all of its lines are written; the last thing before the process ends. */
export const createLog = (level: string): { log: Log; flush: () => Promise<void> } => {
  const output = new BlockOutput()
  const serializers = { error: pino.stdSerializers.err }
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers }, output)
  return { log, flush: () => output.flush() }
}

const blockLength = 16 * 1024
const maxWaitMs = 100

/**
 * Writes lines in blocks, so that a line costs a request next to nothing. Lines that nobody reads any more are dropped:
 * pino's own destination would block the process over a broken pipe, trying again for ever.
 */
class BlockOutput {
  #lines = ''
  #timer: ReturnType<typeof setTimeout> | null = null
  #broken = false

  constructor() {
    process.stdout.on('error', () => {
      this.#broken = true
    })
  }

  write(line: string): void {
    if (this.#broken) return
    this.#lines += line
    if (this.#lines.length >= blockLength) void this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), maxWaitMs)
  }

  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const block = this.#lines
    this.#lines = ''
    if (this.#broken) return Promise.resolve()
    return new Promise(resolve => process.stdout.write(block, () => resolve()))
  }
}
