/** Prevents two demos on one data folder. Each demo recreates the database, which would break a running one. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isLiving, ownToken } from '../../embedded/process.ts'
import { StartError } from '../../service/problem.ts'

/**
 * Claims the data folder for this process. Returns the function that releases it. Throws StartError while another demo
 * uses the folder.
 */
export const claimFolder = async (dataDir: string): Promise<() => Promise<void>> => {
  await mkdir(dataDir, { recursive: true })
  const note = noteIn(dataDir)
  if (!(await written(note))) {
    const holder = await readFile(note, 'utf8').catch(() => '')
    if (isLiving(holder)) {
      throw new StartError(
        `Another demo is running on ${dataDir} (process ${Number.parseInt(holder, 10)}); end it with Ctrl-C, or set DATA_DIR to another folder.`,
      )
    }
    // Left behind by a killed demo.
    await rm(note, { force: true })
    if (!(await written(note))) throw new StartError(`Another demo has just been started on ${dataDir}.`)
  }
  return () => rm(note, { force: true })
}

/** Returns whether a demo is running on the data folder. */
export const isClaimed = async (dataDir: string): Promise<boolean> =>
  isLiving(await readFile(noteIn(dataDir), 'utf8').catch(() => ''))

const noteIn = (dataDir: string): string => join(dataDir, 'demo.process')

/** Creates the file. Returns false if it already exists. */
const written = async (note: string): Promise<boolean> => {
  try {
    await writeFile(note, ownToken(), { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
