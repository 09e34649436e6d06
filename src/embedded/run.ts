import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import type { Account } from './account.ts'
import { EmbeddedPostgresError } from './failure.ts'

/**
 * Starts a program as the account, and returns it once it runs. It inherits nothing of our environment: the PG* and
 * LD_* variables meant for another PostgreSQL on this machine would mislead it, and its messages must be English.
 */
export const runAs = (
  account: Account | undefined,
  program: string,
  args: string[],
  options: Pick<SpawnOptions, 'cwd' | 'stdio' | 'detached'>,
): Promise<ChildProcess> =>
  new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      const why = error instanceof Error ? error.message : String(error)
      const who = account ? ` as user ${account.uid}` : ''
      reject(new EmbeddedPostgresError(`${program} cannot be run${who}: ${why}; set DATABASE_URL to do without it.`))
    }
    try {
      const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' }
      const child = spawn(program, args, { ...options, env, ...(account && { uid: account.uid, gid: account.gid }) })
      child.once('error', fail).once('spawn', () => resolve(child))
    } catch (error) {
      fail(error)
    }
  })
