import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from './failure.ts'
import { isLiving, ownToken } from './process.ts'

/**
 * Notes that this process uses the server, and returns the note to give back later. A process may hold several. The
 * name says it all, because creating an empty file cannot be interrupted half-way.
 */
export const addUser = async (folder: string): Promise<string> => {
  await mkdir(folder, { recursive: true })
  const note = join(folder, `${ownToken()}.${randomBytes(4).toString('hex')}`)
  await writeFile(note, '')
  return note
}

/** Takes a note back, clears away those of dead processes, and says whether any living process is left. */
export const removeUser = async (folder: string, note: string): Promise<{ inUse: boolean }> => {
  await rm(note, { force: true })
  const names = await namesIn(folder)
  const dead = names.filter(name => !isLiving(name.slice(0, name.lastIndexOf('.'))))
  await Promise.all(dead.map(name => rm(join(folder, name), { force: true })))
  return { inUse: names.length > dead.length }
}

/** None when somebody has removed the data under the running service. */
const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch(error => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
