import { chmod, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Account, canAccess } from './account.ts'
import { codeOf, EmbeddedPostgresError } from './error.ts'

const folderName = 'customer-engagement-service'

/**
 * Returns a folder owned by root that the account can access. Creates it if necessary. It holds files whose original
 * location the account cannot access.
 */
export const sharedFolder = async (account: Account): Promise<string> => {
  for (const folder of [join('/var/lib', folderName), join(tmpdir(), folderName)]) {
    if ((await isOwnedByRoot(folder)) && (await canAccess(account, folder))) return folder
  }
  throw new EmbeddedPostgresError(
    'The user that runs the embedded PostgreSQL for root cannot access the project, /var/lib or the temporary folder. Start the service as another user, or set DATABASE_URL.',
  )
}

/**
 * Checks that only root can change the folder. Everyone can write to the temporary folder, so files of other users must
 * not be run or filled with data.
 */
const isOwnedByRoot = async (folder: string): Promise<boolean> => {
  try {
    await mkdir(folder)
    await chmod(folder, 0o755)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return false
  }
  const [parent, stats] = await Promise.all([lstat(dirname(folder)), lstat(folder)])
  const replaceable = (parent.mode & 0o022) !== 0 && (parent.mode & 0o1000) === 0
  return !replaceable && stats.isDirectory() && stats.uid === 0 && (stats.mode & 0o022) === 0
}
