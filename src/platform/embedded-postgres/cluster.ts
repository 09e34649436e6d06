import { createHash, randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Account, canAccess, serverAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import { codeOf, EmbeddedPostgresError } from './error.ts'
import { runAs } from './run.ts'
import { sharedFolder } from './shared-folder.ts'

/** Real paths of a PostgreSQL cluster. */
export interface Cluster {
  /** Data folder of PostgreSQL. */
  data: string
  /** Log of the server. */
  logFile: string
  /** Folder with one file per use, see users.ts. */
  users: string
  /** Password of the superuser `postgres`. */
  password: string
}

/**
 * Returns the cluster of a data folder (a real path) and initializes it if necessary. Call it while holding the lock.
 */
export const openCluster = async (dataDir: string, log: (line: string) => void): Promise<Cluster> => {
  const path = join(dataDir, 'postgres')
  if (!(await exists(path))) await initialise(path, log)
  return readCluster(path)
}

const readCluster = async (path: string): Promise<Cluster> => {
  const home = await realpath(path).catch(error => {
    if (codeOf(error) !== 'ENOENT') throw error
    throw new EmbeddedPostgresError(
      `The database that ${path} points to does not exist. Restore it, or delete ${path} to start with an empty database.`,
    )
  })
  return {
    data: join(home, 'data'),
    logFile: join(home, 'server.log'),
    users: join(home, 'users'),
    password: (await readFile(join(home, 'password'), 'utf8')).trim(),
  }
}

const initialise = async (path: string, log: (line: string) => void): Promise<void> => {
  const account = await serverAccount()
  const { initdb } = await findBinaries(account)
  const home = await chooseHome(path, account)
  log(`initialising a PostgreSQL cluster in ${home}`)
  await removeDrafts(home)
  await build(home, initdb, account)
  if (home !== path) await symlink(home, path)
}

/**
 * Returns the folder for the cluster. This is `path`, unless the server's account cannot access it. In that case it is
 * a folder owned by root, to which `path` becomes a link.
 */
const chooseHome = async (path: string, account: Account | undefined): Promise<string> => {
  if (!account || (await canAccess(account, dirname(path)))) return path
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 12)
  // A new name each time, because another link may still use older data under the same hash.
  return join(await sharedFolder(account), `${hash}-${randomBytes(4).toString('hex')}`)
}

/**
 * Builds the cluster under a temporary name and renames it when complete. An interrupted start leaves only a draft,
 * which is removed later.
 */
const build = async (home: string, initdb: string, account: Account | undefined): Promise<void> => {
  const draft = await mkdtemp(draftPrefix(home))
  try {
    if (account) await chmod(draft, 0o711)
    await writePassword(join(draft, 'password'), account)
    await mkdir(join(draft, 'data'), { mode: 0o700 })
    if (account) await chown(join(draft, 'data'), account.uid, account.gid)
    await runInitdb(initdb, draft, account)
    await flush(draft)
    await rename(draft, home)
    await flush(dirname(home))
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

const draftPrefix = (home: string): string => join(dirname(home), `${basename(home).replace(/-.*/, '')}.new-`)

/** Removes drafts, ignoring errors. An initdb that has outlived its parent may still be writing into one. */
const removeDrafts = async (home: string): Promise<void> => {
  const prefix = basename(draftPrefix(home))
  const drafts = (await readdir(dirname(home))).filter(name => name.startsWith(prefix))
  await Promise.allSettled(drafts.map(name => rm(join(dirname(home), name), { recursive: true, force: true })))
}

const writePassword = async (path: string, account: Account | undefined): Promise<void> => {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(24).toString('base64url')}\n`)
    if (account) await file.chown(account.uid, account.gid)
    await file.sync()
  } finally {
    await file.close()
  }
}

const runInitdb = async (initdb: string, draft: string, account: Account | undefined): Promise<void> => {
  // A password of 24 random bytes cannot be guessed. More iterations would only make each connection slower.
  const password = [`--pwfile=${join(draft, 'password')}`, '--auth=scram-sha-256', '--set=scram_iterations=1']
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const args = ['--username=postgres', ...password, ...locale, '--no-instructions', '-D', join(draft, 'data')]
  const errorText = await runAs(account, initdb, args, { cwd: draft })
  if (errorText) throw new EmbeddedPostgresError(`The embedded PostgreSQL could not be initialised: ${errorText}.`)
}

/**
 * Syncs a folder, so that its file names survive a power failure. A cluster without its password file cannot be opened.
 */
const flush = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    error => {
      if (codeOf(error) === 'ENOENT') return false
      throw error
    },
  )
