import { mkdir, readdir, readlink, rm, rmdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { codeOf, EmbeddedPostgresError } from './failure.ts'
import { isLiving, ownToken } from './process.ts'

const maxWaitMs = 180_000
const pollMs = 25
const free = 'free'

interface Turn {
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
  const turn = await acquire(folder)
  let result: T
  try {
    result = await work()
  } catch (error) {
    // The caller must get the error of the work, even if removing the folder fails.
    await clearAway(folder, turn).catch(() => {})
    throw error
  }
  await symlink(free, join(folder, String(turn + 1)))
  await rm(join(folder, String(turn)), { force: true })
  return result
}

const acquire = async (folder: string): Promise<number> => {
  const deadline = Date.now() + maxWaitMs
  for (;;) {
    await makeFolder(folder)
    const turns = await turnsIn(folder)
    const holder = turns.map(turn => turn.holder).find(isHeld)
    if (holder === undefined) {
      const turn = Math.max(0, ...turns.map(({ number }) => number)) + 1
      if (await claim(folder, turn)) return turn
    } else if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `Process ${Number.parseInt(holder, 10)} has kept ${folder} locked for three minutes; end it, or set DATABASE_URL.`,
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

const isHeld = (holder: string): boolean => holder !== free && isLiving(holder)

const turnsIn = async (folder: string): Promise<Turn[]> => {
  const numbers = (await namesIn(folder)).map(Number).filter(Number.isInteger)
  return Promise.all(numbers.map(async number => ({ number, holder: await holderOf(join(folder, String(number))) })))
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch(error => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })

const holderOf = (turn: string): Promise<string> =>
  readlink(turn).catch(error => {
    // Removed by another process, which is finished with it.
    if (codeOf(error) === 'ENOENT') return free
    throw error
  })

const claim = async (folder: string, turn: number): Promise<boolean> => {
  try {
    await symlink(ownToken(), join(folder, String(turn)))
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) return false
    throw error
  }
  const turns = await turnsIn(folder)
  const mine = isMine(turn, turns)
  const outdated = mine ? turns.map(({ number }) => number).filter(number => number !== turn) : [turn]
  await Promise.all(outdated.map(number => rm(join(folder, String(number)), { force: true })))
  return mine
}

/**
 * Checks a new entry. A slow claimer may create a number that was already used and removed, which a higher number
 * shows. If the whole folder was removed and numbering restarted, its number may be too high, which a lower number with
 * a holder shows. All processes create their entry first and check afterwards, so of two concurrent claimers at least
 * one sees the other.
 */
const isMine = (turn: number, turns: Turn[]): boolean =>
  turns.every(({ number, holder }) => number === turn || (number < turn && !isHeld(holder))) &&
  turns.some(({ number }) => number === turn)

/**
 * Removes the own entry last, because it excludes other processes until then. A claimer that arrives before that
 * removes its entry itself, because removing it here could delete an entry that is already held.
 */
const clearAway = async (folder: string, turn: number): Promise<void> => {
  const over = (await turnsIn(folder)).filter(({ holder }) => !isHeld(holder))
  await Promise.all(over.map(({ number }) => rm(join(folder, String(number)), { force: true })))
  await rm(join(folder, String(turn)), { force: true })
  await rmdir(folder)
}
