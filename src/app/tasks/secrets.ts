/**
 * Maintains stored secrets: deletes expired ones, and resumes channels whose credentials can be decrypted again.
 */
import { removeOld } from '../../core/retention.ts'
import { resumeDecryptable } from '../../messaging/channels/index.ts'
import type { Keyring } from '../../platform/encryption.ts'
import type { Log } from '../../platform/log.ts'
import type { Database } from '../../platform/postgres/client.ts'
import { createLoop, type Service } from '../../platform/service.ts'
import { deleteExpiredSecrets } from '../../webhooks/endpoints/index.ts'

/** Milliseconds between two runs. Each run makes a few lookups in small indexes. */
const intervalMs = 2000
const pageSize = 50

export interface SecretsDeps {
  sql: Database
  /** Null if there is no key. */
  keyring: Keyring | null
  log: Log
}

/** Runs from start to stop. */
export const secretMaintenance = ({ sql, keyring, log }: SecretsDeps): Service => {
  const maintain = async () => {
    await removeOld(limit => deleteExpiredSecrets(sql, limit), { limit: pageSize })
    if (keyring === null) return
    const channels = await resumeDecryptable(sql, keyring)
    if (channels > 0) log.info({ channels }, 'channels resumed: their credentials can be decrypted again')
  }
  return createLoop('secret maintenance', intervalMs, maintain, error =>
    log.debug({ error }, 'secrets could not be maintained; retrying'),
  )
}
