/** The service as an operator runs it: a separate process, observed through its log, its answers and its exit. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { noteLogLine } from './errors.ts'
import { eventually } from './world.ts'

/** A line of the log. A line that is not JSON, such as the demo owner's password, has only `msg`. */
export interface LogLine {
  msg: string
  level?: number
  [field: string]: unknown
}

/** The end of a process: an exit status or a signal. */
export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface ServiceProcess {
  readonly pid: number
  /** Address that the service listens on. Empty until it has started. */
  readonly url: string
  /** Log lines so far. */
  readonly lines: readonly LogLine[]
  /** Output to standard error so far. */
  readonly complaints: string
  readonly running: boolean
  /** Resolves when the process has ended for any reason. */
  readonly ended: Promise<Ending>
  /** Resolves with the first line that has this message. Rejects with the whole log after the timeout. */
  waitForLine(msg: string, withinMs?: number): Promise<LogLine>
  signal(name: NodeJS.Signals): void
  /** Sends the signal (default SIGTERM), waits for the exit and returns the time until then in milliseconds. */
  end(name?: NodeJS.Signals, withinMs?: number): Promise<Ending & { afterMs: number }>
}

const project = resolve(import.meta.dirname, '../..')
const living = new Set<ServiceProcess>()

/**
 * Starts `src/main.ts start` on any free port and without rate limits. Resolves when the log says that it has started.
 * `folder` holds the source to run, if it is not this one. `by` is a command that starts it, such as `nohup`. `options`
 * are arguments of `start`.
 */
export const startProcess = async (
  settings: Record<string, string>,
  folder = project,
  by: string[] = [],
  options: string[] = [],
): Promise<ServiceProcess> => {
  const child = spawnProcess(settings, folder, by, options)
  await child.waitForLine('started')
  return child
}

/** Starts the process without waiting. */
export const spawnProcess = (
  settings: Record<string, string>,
  folder = project,
  by: string[] = [],
  options: string[] = [],
): ServiceProcess => {
  const { PATH = '', HOME = '' } = process.env
  const [command = '', ...args] = [...by, process.execPath, 'src/main.ts', 'start', ...options]
  const child = spawn(command, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME, ...everyProcess, ...settings },
  })
  const service = new Spawned(child, settings.DATABASE_URL)
  living.add(service)
  child.once('exit', () => living.delete(service))
  return service
}

/** Ends every running process. Called after a test, which may have failed at any point. */
export const endProcesses = async (): Promise<void> => {
  await Promise.all([...living].map(child => child.end('SIGKILL')))
}

const everyProcess = {
  PORT: '0',
  RATE_LIMIT_KEY: '0',
  RATE_LIMIT_PERSON: '0',
  RATE_LIMIT_SIGN_IN: '0',
  RATE_LIMIT_CALLBACKS: '0',
  BUN_CONFIG_MAX_HTTP_REQUESTS: '4096',
}

class Spawned implements ServiceProcess {
  readonly lines: LogLine[] = []
  complaints = ''
  url = ''
  #rest = ''
  readonly ended: Promise<Ending>

  constructor(
    private readonly child: ChildProcessByStdio<null, Readable, Readable>,
    /** Database under which the errors of the process are recorded. */
    private readonly databaseUrl: string | undefined,
  ) {
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.complaints += text
    })
    this.ended = new Promise(ended => child.once('close', (code, signal) => ended({ code, signal })))
  }

  get pid(): number {
    return this.child.pid!
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  async waitForLine(msg: string, withinMs = 20_000): Promise<LogLine> {
    const found = () => this.lines.find(line => line.msg === msg)
    const line = await eventually(`"${msg}" in the log`, () => found() ?? (!this.running && 'ended'), withinMs).catch(
      () => null,
    )
    if (line && line !== 'ended') return line
    if (!this.running) await this.ended
    const late = found()
    if (late) return late
    const log = this.lines.map(line => JSON.stringify(line)).join('\n')
    throw new Error(`The process did not log "${msg}".\n${log}\n${this.complaints}`)
  }

  /** Avoids the child's own `kill`. After a call of it, Deno reports every exit as caused by that signal. */
  signal(name: NodeJS.Signals): void {
    if (this.running) process.kill(this.pid, name)
  }

  async end(name: NodeJS.Signals = 'SIGTERM', withinMs = 30_000): Promise<Ending & { afterMs: number }> {
    const askedAt = performance.now()
    this.signal(name)
    await eventually(`the process ends after ${name}`, () => !this.running, withinMs)
    const afterMs = Math.round(performance.now() - askedAt)
    return { ...(await this.ended), afterMs }
  }

  #read(text: string): void {
    const parts = (this.#rest + text).split('\n')
    this.#rest = parts.pop()!
    for (const part of parts) {
      const line = lineFrom(part)
      this.lines.push(line)
      if (this.databaseUrl) noteLogLine(this.databaseUrl, line)
      if (line.msg === 'started') this.url = String(line.url)
    }
  }
}

const lineFrom = (text: string): LogLine => {
  try {
    return JSON.parse(text) as LogLine
  } catch {
    return { msg: text }
  }
}
