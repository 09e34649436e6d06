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
  /** a process, or FREE */
  holder: string
}

/**
 * Runs `work` while no other holder of the same folder, in this or another process of this machine, runs theirs.
 * A holder that died, even by kill -9, does not keep the others out. Waits at most three minutes. Work that failed
 * leaves no folder behind, unless somebody else has a use for it.
 *
 * The folder holds numbered turns; the highest one says who holds the lock, or that it is free. A turn is a symbolic
 * link because one call creates it whole and only once. Taking over from a dead holder creates the next turn and
 * never removes the highest, so of two that see the same dead holder one wins; with a single lock file the slower
 * one would remove the file the faster one has just made.
 */
export const withLock = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  const turn = await acquire(folder)
  let result: T
  try {
    result = await work()
  } catch (error) {
    // why the work failed is what its caller must hear, whatever becomes of the folder
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

/** Each time, since a holder may have cleared it away: also between being told that it exists and looking what it is. */
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
    // cleared away meanwhile: whoever did so is done with it
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
 * A slow claimer may create a turn that has been played and cleared away, which a higher one tells it; or, where the
 * folder was cleared away whole and counting began anew, one that is too high, which a lower one that is held tells it.
 * Everybody creates first and looks afterwards, so of two at once at least one sees the other.
 */
const isMine = (turn: number, turns: Turn[]): boolean =>
  turns.every(({ number, holder }) => number === turn || (number < turn && !isHeld(holder))) &&
  turns.some(({ number }) => number === turn)

/**
 * The own turn goes last, for it keeps the others out until then. A claimer that has come meanwhile takes its turn away
 * itself: removed later, it could be one that somebody holds.
 */
const clearAway = async (folder: string, turn: number): Promise<void> => {
  const over = (await turnsIn(folder)).filter(({ holder }) => !isHeld(holder))
  await Promise.all(over.map(({ number }) => rm(join(folder, String(number)), { force: true })))
  await rm(join(folder, String(turn)), { force: true })
  await rmdir(folder)
}
