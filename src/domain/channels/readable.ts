/** Resumes channels that failed because their credentials could not be decrypted. */
import type { Sql } from '../../db/client.ts'
import type { Seals } from '../sealing.ts'
import { wakeChannel } from '../tasks.ts'
import { cannotBeRead, NoCredentials, openCredentials } from './credentials.ts'
import { findFailingChannels, markReadable } from './sql.ts'

const pageSize = 200
const lowest = '00000000-0000-0000-0000-000000000000'

/** Called when the encryption key is available again. Returns the number of channels that resume. */
export const goOnWithReadable = async (sql: Sql, seals: Seals): Promise<number> => {
  let [after, woken] = [{ workspaceId: lowest, id: lowest }, 0]
  for (;;) {
    const page = await findFailingChannels(sql, after, pageSize)
    for (const { workspaceId, id, credentials, statusDetail } of page) {
      if (!statusDetail?.startsWith(cannotBeRead) || !isReadable(seals, credentials, workspaceId, id)) continue
      if (!(await markReadable(sql, { workspaceId, id, statusDetail }))) continue
      await wakeChannel(sql, workspaceId, id)
      woken++
    }
    if (page.length < pageSize) return woken
    after = page.at(-1)!
  }
}

const isReadable = (seals: Seals, credentials: Buffer | null, workspaceId: string, channelId: string): boolean => {
  try {
    return openCredentials(seals, credentials, { workspaceId, channelId }) !== null
  } catch (error) {
    if (error instanceof NoCredentials) return false
    throw error
  }
}
