import { mkdir, readdir, readlink, rm, rmdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { codeOf, EmbeddedPostgresError } from './error.ts'
import { isRunning, ownToken } from './process.ts'

const maxWaitMs = 180_000
const pollMs = 25
const free = 'free'

interface LockEntry {
  number: number
  /** Token of a process, or `free`. */
  holder: string
}

/**
 * Runs `work` while holding the lock of the folder, which excludes all other holders on this machine. The lock of a
 * process that died, even by kill -9, is released. Waits at most three minutes. If the work fails, the folder is
 * removed unless another process uses it.
 *
 * The folder contains numbered entries. The highest number shows who holds the lock, or that it is free. An entry is a
 * symbolic link, because one call creates it completely and exactly once. Taking over from a dead holder creates the
 * next number and never removes the highest. If two processes see the same dead holder, only one of them succeeds. With
 * a single lock file, the slower process would remove the file that the faster one has just created.
 */
export const withLock = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  const entry = await acquire(folder)
  let result: T
  try {
    result = await work()
  } catch (error) {
    // The caller must get the error of the work, even if removing the folder fails.
    await removeLock(folder, entry).catch(() => {})
    throw error
  }
  await symlink(free, join(folder, String(entry + 1)))
  await rm(join(folder, String(entry)), { force: true })
  return result
}

const acquire = async (folder: string): Promise<number> => {
  const deadline = Date.now() + maxWaitMs
  for (;;) {
    await makeFolder(folder)
    const entries = await readEntries(folder)
    const holder = entries.map(entry => entry.holder).find(isHeld)
    if (holder === undefined) {
      const entry = Math.max(0, ...entries.map(({ number }) => number)) + 1
      if (await claim(folder, entry)) return entry
    } else if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `Process ${Number.parseInt(holder, 10)} has kept ${folder} locked for three minutes. Stop it, or set DATABASE_URL.`,
      )
    }
    await delay(pollMs)
  }
}

/**
 * Runs before every attempt, because a holder may have removed the folder. The folder can also disappear inside
 * `mkdir`, between the error that it exists and the check of its type.
 */
const makeFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

const isHeld = (holder: string): boolean => holder !== free && isRunning(holder)

const readEntries = async (folder: string): Promise<LockEntry[]> => {
  const numbers = (await namesIn(folder)).map(Number).filter(Number.isInteger)
  return Promise.all(numbers.map(async number => ({ number, holder: await readHolder(join(folder, String(number))) })))
}

/** Returns the names in the folder, or none if it was removed. */
export const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch(error => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })

const readHolder = (entry: string): Promise<string> =>
  readlink(entry).catch(error => {
    // Removed by another process, which is finished with it.
    if (codeOf(error) === 'ENOENT') return free
    throw error
  })

const claim = async (folder: string, entry: number): Promise<boolean> => {
  try {
    await symlink(ownToken(), join(folder, String(entry)))
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) return false
    throw error
  }
  const entries = await readEntries(folder)
  const isOwn = isOwner(entry, entries)
  const outdated = isOwn ? entries.map(({ number }) => number).filter(number => number !== entry) : [entry]
  await Promise.all(outdated.map(number => rm(join(folder, String(number)), { force: true })))
  return isOwn
}

/**
 * Checks a new entry. A slow claimer may create a number that was already used and removed, which a higher number
 * shows. If the whole folder was removed and numbering restarted, its number may be too high, which a lower number with
 * a holder shows. All processes create their entry first and check afterwards, so of two concurrent claimers at least
 * one sees the other.
 */
const isOwner = (entry: number, entries: LockEntry[]): boolean =>
  entries.every(({ number, holder }) => number === entry || (number < entry && !isHeld(holder))) &&
  entries.some(({ number }) => number === entry)

/**
 * Removes the own entry last, because it excludes other processes until then. A claimer that arrives before that
 * removes its entry itself, because removing it here could delete an entry that is already held.
 */
const removeLock = async (folder: string, entry: number): Promise<void> => {
  const released = (await readEntries(folder)).filter(({ holder }) => !isHeld(holder))
  await Promise.all(released.map(({ number }) => rm(join(folder, String(number)), { force: true })))
  await rm(join(folder, String(entry)), { force: true })
  await rmdir(folder)
}
