import { type SpawnOptions, spawn } from 'node:child_process'
import type { Account } from './account.ts'
import { EmbeddedPostgresError } from './error.ts'

/** `output` is an open file. Without it, the output is discarded. */
type RunOptions = Pick<SpawnOptions, 'cwd' | 'detached'> & {
  output?: number
  variables?: Record<string, string>
}

/**
 * Runs a PostgreSQL program as the account until it ends. Returns its error message, or undefined on success. The
 * program does not inherit our environment. PG* and LD_* variables may belong to another PostgreSQL, and its messages
 * must be in English.
 */
export const runAs = (
  account: Account | undefined,
  program: string,
  args: string[],
  { output, variables, ...options }: RunOptions,
): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      const asUser = account ? ` as user ${account.uid}` : ''
      reject(
        new EmbeddedPostgresError(
          `${program} cannot be run${asUser}: ${reason}. To use another PostgreSQL, set DATABASE_URL.`,
        ),
      )
    }
    try {
      const child = spawn(program, args, {
        ...options,
        ...(account && { uid: account.uid, gid: account.gid }),
        env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin', ...variables },
        stdio: ['ignore', output ?? 'ignore', 'pipe'],
      })
      let errorOutput = ''
      child.stderr?.setEncoding('utf8').on('data', text => (errorOutput += text))
      child.once('error', fail).once('close', (status, signal) => {
        resolve(status === 0 ? undefined : errorOutput.split('\n')[0] || `it ended with ${signal ?? status}`)
      })
    } catch (error) {
      fail(error)
    }
  })
