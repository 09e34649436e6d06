/** One demo at a time in a data folder: each makes the database anew, which would pull it away from under another. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isLiving, ownToken } from '../../embedded/process.ts'
import { StartError } from '../../service/problem.ts'

/** Claims the data folder for this process; answers what gives it back. Throws StartError while another demo has it. */
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
    // left behind by a demo that was killed
    await rm(note, { force: true })
    if (!(await written(note))) throw new StartError(`Another demo has just been started on ${dataDir}.`)
  }
  return () => rm(note, { force: true })
}

/** Whether a demo is running on the data folder. */
export const isClaimed = async (dataDir: string): Promise<boolean> =>
  isLiving(await readFile(noteIn(dataDir), 'utf8').catch(() => ''))

const noteIn = (dataDir: string): string => join(dataDir, 'demo.process')

/** False when the note is there already. */
const written = async (note: string): Promise<boolean> => {
  try {
    await writeFile(note, ownToken(), { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
