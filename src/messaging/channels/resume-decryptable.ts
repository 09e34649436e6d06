/** Resumes channels that failed because their credentials could not be decrypted. */

import type { Keyring } from '../../platform/encryption.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { smallestId } from '../../platform/postgres/ids.ts'
import { wakeChannel } from '../../queue/tasks.ts'
import { cannotDecrypt, decryptCredentials, NoCredentials } from './credentials.ts'
import { clearFailure, findFailingChannels } from './sql.ts'

const pageSize = 200

/** Called when the encryption key is available again. Returns the number of channels that resume. */
export const resumeDecryptable = async (sql: Sql, keyring: Keyring): Promise<number> => {
  let [after, resumed] = [{ workspaceId: smallestId, id: smallestId }, 0]
  for (;;) {
    const page = await findFailingChannels(sql, after, pageSize)
    for (const { workspaceId, id, credentials, statusDetail } of page) {
      if (!statusDetail?.startsWith(cannotDecrypt) || !canDecrypt(keyring, credentials, workspaceId, id)) continue
      if (!(await clearFailure(sql, { workspaceId, id, statusDetail }))) continue
      await wakeChannel(sql, workspaceId, id)
      resumed++
    }
    if (page.length < pageSize) return resumed
    after = page.at(-1)!
  }
}

const canDecrypt = (keyring: Keyring, credentials: Buffer | null, workspaceId: string, channelId: string): boolean => {
  try {
    return decryptCredentials(keyring, credentials, { workspaceId, channelId }) !== null
  } catch (error) {
    if (error instanceof NoCredentials) return false
    throw error
  }
}
