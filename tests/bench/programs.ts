/** The programs beside the service, each a process of its own: what one costs must not slow another's event loop. */
import { join } from 'node:path'

const folder = import.meta.dir
export const projectFolder = join(folder, '../..')

/** Wall-clock milliseconds with their fractions: comparable between the processes of one machine. */
export const clock = (): number => performance.timeOrigin + performance.now()

/** Runs a program of this folder to its end; it is told `task` and answers one JSON value on standard output. */
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

/** What a program of this folder was told. */
export const taskOfProgram = <Task>(): Task => JSON.parse(process.argv[2] ?? 'null') as Task

/** Nothing of the settings in our own environment: the figures are those of the defaults. */
export const childEnvironment = (settings: Record<string, string>): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  // As the scripts of package.json set it.
  BUN_CONFIG_MAX_HTTP_REQUESTS: '4096',
  ...settings,
})
