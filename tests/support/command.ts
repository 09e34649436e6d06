/** Runs commands in this process, as the command line does. */
import { run } from '../../src/app/cli/index.ts'

interface Outcome {
  status: number
  out: string
  error: string
}

/** Runs the work and returns its status with what it writes to standard output and standard error. */
export const capture = async (work: () => Promise<number>): Promise<Outcome> => {
  const written = { stdout: '', stderr: '' }
  const streams = ['stdout', 'stderr'] as const
  const originals = streams.map(name => process[name].write)
  for (const name of streams)
    process[name].write = ((text: string) => {
      written[name] += text
      return true
    }) as typeof process.stdout.write
  try {
    return { status: await work(), out: written.stdout, error: written.stderr }
  } finally {
    for (const [index, name] of streams.entries()) process[name].write = originals[index]!
  }
}

/** Runs a command line with only these settings in the environment. */
export const runCommand = async (args: string[], settings: Record<string, string> = {}): Promise<Outcome> => {
  const before = { ...process.env }
  const replace = (environment: NodeJS.ProcessEnv) => {
    for (const name of Object.keys(process.env)) delete process.env[name]
    Object.assign(process.env, environment)
  }
  replace({ PATH: before.PATH, HOME: before.HOME, ...settings })
  try {
    const { error, ...outcome } = await capture(() => run(args))
    return { ...outcome, error: error.trim() }
  } finally {
    replace(before)
  }
}
