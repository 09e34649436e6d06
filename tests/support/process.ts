/** The service as an operator runs it: a process of its own, to be looked at through its log, its answers and its end. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { noteLogLine } from './errors.ts'
import { eventually } from './world.ts'

/** One line of the log. What is no JSON, such as the demo owner's password, has only `msg`. */
export interface LogLine {
  msg: string
  level?: number
  [field: string]: unknown
}

/** How a process ended: by itself with a status, or by a signal. */
export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface ServiceProcess {
  readonly pid: number
  /** Where it listens; empty until it has started. */
  readonly url: string
  /** What it has logged so far. */
  readonly lines: readonly LogLine[]
  /** What it has written to standard error so far. */
  readonly complaints: string
  readonly running: boolean
  /** Resolves when it has ended, by itself or otherwise. */
  readonly ended: Promise<Ending>
  /** Resolves with the first line that has this message; fails with the log when none comes. */
  waitForLine(msg: string, withinMs?: number): Promise<LogLine>
  signal(name: NodeJS.Signals): void
  /** Sends the signal (SIGTERM unless told otherwise) and waits for the end, which came after so many milliseconds. */
  end(name?: NodeJS.Signals, withinMs?: number): Promise<Ending & { afterMs: number }>
}

const project = resolve(import.meta.dirname, '../..')
const living = new Set<ServiceProcess>()

/**
 * Starts `src/main.ts start` on any free port and without rate limits; resolves when it says that it has started.
 * `folder` holds the source to be run, when it is not this one; `by` is the command that is to run it, as `nohup`.
 */
export const startProcess = async (
  settings: Record<string, string>,
  folder = project,
  by: string[] = [],
): Promise<ServiceProcess> => {
  const child = spawnProcess(settings, folder, by)
  await child.waitForLine('started')
  return child
}

/** The same, without waiting. */
export const spawnProcess = (settings: Record<string, string>, folder = project, by: string[] = []): ServiceProcess => {
  const { PATH = '', HOME = '' } = process.env
  const [command = '', ...args] = [...by, process.execPath, 'src/main.ts', 'start']
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

/** Ends every process that is still running; for after a test, which may have failed anywhere. */
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
    /** Its errors are kept under this database. */
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

  /** Not by the child's own `kill`, after which Deno takes every end for one by that signal. */
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
