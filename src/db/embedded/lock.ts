import { mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { codeOf, EmbeddedPostgresError } from './failure.ts'
import { isLiving, ownToken } from './process.ts'

const PATIENCE_MS = 180_000
const POLL_MS = 25
const FREE = 'free'

/**
 * Runs `work` while no other holder of the same folder, in this or another process of this machine, runs theirs.
 * A holder that died, even by kill -9, does not keep the others out. Waits at most three minutes.
 *
 * The folder holds numbered turns; the highest one says who holds the lock, or that it is free. A turn is a symbolic
 * link because one call creates it whole and only once. Taking over from a dead holder creates the next turn and
 * never removes the highest, so of two that see the same dead holder one wins; with a single lock file the slower
 * one would remove the file the faster one has just made.
 */
export const withLock = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  const turn = await acquire(folder)
  try {
    return await work()
  } finally {
    await symlink(FREE, join(folder, String(turn + 1)))
    await rm(join(folder, String(turn)), { force: true })
  }
}

const acquire = async (folder: string): Promise<number> => {
  await mkdir(folder, { recursive: true })
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const last = await lastTurn(folder)
    if (last.holder === FREE || !isLiving(last.holder)) {
      const turn = last.number + 1
      if (await claim(folder, turn)) return turn
    } else if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `Process ${Number.parseInt(last.holder, 10)} has kept ${folder} locked for three minutes; end it, or set DATABASE_URL.`,
      )
    }
    await delay(POLL_MS)
  }
}

const lastTurn = async (folder: string): Promise<{ number: number; holder: string }> => {
  const number = Math.max(0, ...(await readdir(folder)).map(Number).filter(Number.isInteger))
  return { number, holder: number === 0 ? FREE : await holderOf(join(folder, String(number))) }
}

const holderOf = (turn: string): Promise<string> =>
  readlink(turn).catch(error => {
    // replaced by a higher one meanwhile: claiming the next number will fail, and the folder is read again
    if (codeOf(error) === 'ENOENT') return FREE
    throw error
  })

const claim = async (folder: string, turn: number): Promise<boolean> => {
  try {
    await symlink(ownToken(), join(folder, String(turn)))
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
  return isHighest(folder, turn)
}

/** A slow claimer may re-create a turn that has been played and cleared away; the higher one tells it so. */
const isHighest = async (folder: string, turn: number): Promise<boolean> => {
  const highest = (await lastTurn(folder)).number === turn
  const outdated = highest ? (await readdir(folder)).filter(name => name !== String(turn)) : [String(turn)]
  await Promise.all(outdated.map(name => rm(join(folder, name), { force: true })))
  return highest
}
