import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { namesIn } from './lock.ts'
import { isRunning, ownToken } from './process.ts'

/**
 * Records that this process uses the server. Returns the path of the record for `removeUser`. A process can have
 * several. All data is in the file name, because creating an empty file is atomic.
 */
export const addUser = async (folder: string): Promise<string> => {
  await mkdir(folder, { recursive: true })
  const recordPath = join(folder, `${ownToken()}.${randomBytes(4).toString('hex')}`)
  await writeFile(recordPath, '')
  return recordPath
}

/** Removes a record and those of dead processes. Returns whether a running process still uses the server. */
export const removeUser = async (folder: string, recordPath: string): Promise<{ inUse: boolean }> => {
  await rm(recordPath, { force: true })
  // The data may have been removed while the service was running.
  const names = await namesIn(folder)
  const dead = names.filter(name => !isRunning(name.slice(0, name.lastIndexOf('.'))))
  await Promise.all(dead.map(name => rm(join(folder, name), { force: true })))
  return { inUse: names.length > dead.length }
}
