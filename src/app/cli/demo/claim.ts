/** Prevents two demos on one data folder. Each demo recreates the database, which would break a running one. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRunning, ownToken } from '../../../platform/embedded-postgres/process.ts'
import { StartError } from '../../start-error.ts'

/**
 * Claims the data folder for this process. Returns the function that releases it. Throws StartError while another demo
 * uses the folder.
 */
export const claimFolder = async (dataDir: string): Promise<() => Promise<void>> => {
  await mkdir(dataDir, { recursive: true })
  const claimFile = claimPath(dataDir)
  if (!(await createClaimFile(claimFile))) {
    const holder = await readFile(claimFile, 'utf8').catch(() => '')
    if (isRunning(holder)) {
      throw new StartError(
        `Another demo is running on ${dataDir} (process ${Number.parseInt(holder, 10)}). Stop it with Ctrl-C, or set DATA_DIR to another folder.`,
      )
    }
    // Left behind by a killed demo.
    await rm(claimFile, { force: true })
    if (!(await createClaimFile(claimFile)))
      throw new StartError(`Another demo was just started on ${dataDir}. Set DATA_DIR to another folder.`)
  }
  return () => rm(claimFile, { force: true })
}

/** Returns whether a demo is running on the data folder. */
export const isClaimed = async (dataDir: string): Promise<boolean> =>
  isRunning(await readFile(claimPath(dataDir), 'utf8').catch(() => ''))

const claimPath = (dataDir: string): string => join(dataDir, 'demo.process')

/** Creates the file. Returns false if it already exists. */
const createClaimFile = async (claimFile: string): Promise<boolean> => {
  try {
    await writeFile(claimFile, ownToken(), { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
