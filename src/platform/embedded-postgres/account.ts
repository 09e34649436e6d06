import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { EmbeddedPostgresError } from './error.ts'

/** Operating system user that runs the server. */
export interface Account {
  uid: number
  gid: number
}

const read = 4
const execute = 1

/**
 * Returns the user that must run a server with this data folder, or with a new one if `data` is missing. Undefined
 * means the user of this process. PostgreSQL refuses to run as root, so root runs it as the owner of the data, or as
 * `postgres` or `nobody`.
 */
export const serverAccount = async (data?: string): Promise<Account | undefined> => {
  if (process.getuid?.() !== 0) return undefined
  if (!data) return unprivilegedAccount()
  const { uid, gid } = await stat(data)
  if (uid !== 0) return { uid, gid }
  throw new EmbeddedPostgresError(
    `PostgreSQL cannot run as root, and root owns ${data}. Change its owner to another user.`,
  )
}

const unprivilegedAccount = async (): Promise<Account> => {
  const users = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map(line => line.split(':'))
  for (const wanted of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find(([name]) => name === wanted) ?? []
    if (Number(uid) > 0 && Number(gid) > 0) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL cannot run as root, and this machine has no user postgres or nobody. Start the service as another user, or set DATABASE_URL.',
  )
}

/** Returns whether the account can enter every folder down to `path`, and read and enter `path` itself. */
export const canAccess = async (account: Account | undefined, path: string): Promise<boolean> => {
  if (!account) return true
  const real = await realpath(path)
  if (!(await hasPermission(account, real, read | execute))) return false
  for (let folder = dirname(real); ; folder = dirname(folder)) {
    if (!(await hasPermission(account, folder, execute))) return false
    if (folder === dirname(folder)) return true
  }
}

const hasPermission = async (account: Account, path: string, wanted: number): Promise<boolean> => {
  const { mode, uid, gid } = await stat(path)
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0
  return ((mode >> shift) & wanted) === wanted
}
