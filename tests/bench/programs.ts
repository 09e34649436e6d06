/** Runs the benchmark programs as separate processes, so that one cannot slow down another's event loop. */
import { join } from 'node:path'

const folder = import.meta.dir
export const projectFolder = join(folder, '../..')

/** Returns wall-clock milliseconds with fractions, comparable between processes of one machine. */
export const clock = (): number => performance.timeOrigin + performance.now()

/** Runs a program of this folder with `task` as its argument. Returns the JSON value on its standard output. */
export const runProgram = async <Task, Result>(file: string, task: Task): Promise<Result> => {
  const child = Bun.spawn([process.execPath, join(folder, file), JSON.stringify(task)], {
    cwd: projectFolder,
    env: childEnvironment({}),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`${file} ended with ${child.exitCode}`)
  return JSON.parse(text) as Result
}

/** Returns the task that this program was started with. */
export const taskOfProgram = <Task>(): Task => JSON.parse(process.argv[2] ?? 'null') as Task

/** Drops all settings of our own environment, so that the figures are those of the defaults. */
export const childEnvironment = (settings: Record<string, string>): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  // The same value as in the scripts of package.json.
  BUN_CONFIG_MAX_HTTP_REQUESTS: '4096',
  ...settings,
})
