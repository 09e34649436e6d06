/** Runs the tests that deno.json names with Deno, the second runtime. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { eventually } from '../support/world.ts'

const root = resolve(import.meta.dirname, '../..')
/** Time limit, far above the time of a run alone, because other files are tested in parallel. */
const maxMs = 300_000
const maxTestMs = maxMs + 5000

/** Returns the installed Deno for this machine, or null if there is none. */
const findDeno = (): string | null => {
  const manifest = createRequire(import.meta.url).resolve('deno/package.json')
  const fromDeno = createRequire(manifest)
  const { optionalDependencies } = fromDeno(manifest) as { optionalDependencies: Record<string, string> }
  for (const name of Object.keys(optionalDependencies)) {
    try {
      return join(dirname(fromDeno.resolve(`${name}/package.json`)), process.platform === 'win32' ? 'deno.exe' : 'deno')
    } catch {
      // The package is for another machine.
    }
  }
  return null
}

const deno = findDeno()

interface Task {
  /** Output so far. */
  output: string
  ended: Promise<number | null>
  /** Sends a signal to all processes of the group, as Ctrl-C does. */
  signal(name: NodeJS.Signals): void
}

/** Runs a task of deno.json in a separate process group. The group is killed after the time limit. */
const runTask = (args: string[], settings: Record<string, string> = {}): Task => {
  const child = spawn(deno!, ['task', ...args], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', DENO_DIR: join(root, '.data/deno'), DENO_NO_UPDATE_CHECK: '1', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const signal = (name: NodeJS.Signals) => void process.kill(-child.pid!, name)
  const timer = setTimeout(() => signal('SIGKILL'), maxMs)
  const ended = new Promise<number | null>(ended => child.once('close', ended)).finally(() => clearTimeout(timer))
  const task: Task = { output: '', ended, signal }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', piece => {
      task.output += piece
    })
  return task
}

describe.skipIf(deno === null)('under Deno', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'deno-test-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test(
    'the tests of the main job, delivery attempts and their safeguards pass',
    async () => {
      const task = runTask(['test:deno'])
      // Failures follow the passed tests in the output.
      expect(await task.ended, task.output.slice(task.output.indexOf(' ERRORS ') + 1)).toBe(0)
      const [, files, tests] = /^ok \| (\d+) passed \((\d+) steps\) \| 0 failed/m.exec(task.output) ?? []
      expect(Number(files), task.output).toBeGreaterThanOrEqual(27)
      expect(Number(tests), task.output).toBeGreaterThanOrEqual(600)
    },
    maxTestMs,
  )

  test(
    'the demo reaches every expected count',
    async () => {
      const task = runTask(['demo', '--exit'], { DATA_DIR: folder, PORT: '0' })
      expect(await task.ended, task.output).toBe(0)
      expect(task.output).toContain('All counts match the expected counts.')
    },
    maxTestMs,
  )

  test(
    'the service starts, and stops cleanly on Ctrl-C',
    async () => {
      const task = runTask(['start'], { DATA_DIR: folder, PORT: '0' })
      const isOver = task.ended.then(() => true)
      const hasStarted = () => task.output.includes('"msg":"started"')
      await eventually('it has started', () => hasStarted() || Promise.race([isOver, false]), maxMs)
      if (hasStarted()) task.signal('SIGINT')
      await task.ended
      expect(task.output).toContain('"msg":"stopped"')
    },
    maxTestMs,
  )
})
