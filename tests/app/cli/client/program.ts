/** Runs the bundled client commands under Node.js, as the npm package does. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { eventually } from '../../../support/world.ts'

const entry = resolve(import.meta.dir, '../../../../src/app/cli/client/main.ts')

let bundle: Promise<string> | undefined

/** Bundles the client once for all tests of the file. */
const bundled = (): Promise<string> =>
  (bundle ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'client-bundle-'))
    const { outputs } = await Bun.build({ entrypoints: [entry], target: 'node', outdir: folder, naming: 'main.mjs' })
    return outputs[0]!.path
  })())

export interface Line {
  time: string
  type: string
  id: string
  status: number | string
  durationMs: number
  verified?: boolean
}

/** A running client command. */
export interface Program {
  /** Standard output and standard error so far. */
  readonly out: string
  readonly error: string
  /** Lines of JSON so far, with `--json`. */
  readonly events: Line[]
  until(what: string, probe: (program: Program) => boolean, withinMs?: number): Promise<unknown>
  /** Sends SIGINT, and returns the exit status and the milliseconds until the exit. */
  interrupt(): Promise<{ status: number | null; ms: number }>
  /** Exit status. */
  readonly ended: Promise<number | null>
}

const children = new Set<ChildProcessByStdio<null, Readable, Readable>>()

/** Ends every program. */
export const endPrograms = (): void => {
  for (const child of children) child.kill('SIGKILL')
}

/** Starts a command for the service. */
export const startProgram = async (url: string, token: string, args: string[]): Promise<Program> => {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, CUSTOMER_ENGAGEMENT_URL: url, CUSTOMER_ENGAGEMENT_TOKEN: token }
  const child = spawn('node', [await bundled(), ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  const ended = new Promise<number | null>(end => child.once('close', status => end(status)))
  void ended.then(() => children.delete(child))
  let [out, error] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (error += text))
  const program: Program = {
    get out() {
      return out
    },
    get error() {
      return error
    },
    get events() {
      const lines = out.split('\n').slice(0, -1)
      return lines.filter(line => line.startsWith('{')).map(line => JSON.parse(line) as Line)
    },
    until: (what, probe, withinMs = 20_000) =>
      eventually(what, () => probe(program), withinMs).catch(failure => {
        throw new Error(`${failure.message}\n${out}\n${error}`)
      }),
    interrupt: async () => {
      const askedAt = performance.now()
      child.kill('SIGINT')
      return { status: await ended, ms: performance.now() - askedAt }
    },
    ended,
  }
  return program
}

/** Starts `listen --json` and waits until it has a position in the stream. */
export const startListening = async (url: string, token: string, args: string[] = []): Promise<Program> => {
  const program = await startProgram(url, token, ['listen', '--json', ...args])
  await program.until('it listens', ({ error }) => error.includes('Ready.'))
  return program
}
