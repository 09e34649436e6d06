/**
 * Chooses an encryption key that every live process has. A value must not be encrypted with a key that another process
 * needs and lacks.
 */

import type { Keyring } from '../platform/encryption.ts'
import type { Sql } from '../platform/postgres/client.ts'

/** Upper bound for the number of processes that share one database. */
const maxProcesses = 10_000

/** Returns the key ids that each live process can decrypt with. */
const readProcessKeyIds = async (sql: Sql): Promise<string[][]> => {
  const rows = await sql<{ keyIds: string[] }[]>`
    (select key_ids as "keyIds" from processes where alive_until > clock_timestamp() limit ${maxProcesses})
    union all (select key_ids from http_processes where alive_until > clock_timestamp() limit ${maxProcesses})`
  return rows.map(({ keyIds }) => keyIds)
}

/**
 * Returns the id of the encryption key: the first one that all live processes have. Returns null while values must stay
 * in plain text, because a process has no key.
 */
export const chooseKeyId = async (sql: Sql, keyring: Keyring | null): Promise<string | null> => {
  if (keyring === null) return null
  const processKeyIds = await readProcessKeyIds(sql)
  if (processKeyIds.some(keyIds => keyIds.length === 0)) return null
  // No common key means that a process was configured with another key by mistake. Each process then uses its own first
  // key.
  return keyring.ids.find(id => processKeyIds.every(keyIds => keyIds.includes(id))) ?? keyring.ids[0]!
}

/**
 * Returns a sentence that says why values cannot be encrypted with the first key. Returns null if every live process
 * has the same first key.
 */
export const findFirstKeyConflict = async (sql: Sql, keyring: Keyring): Promise<string | null> => {
  const processKeyIds = await readProcessKeyIds(sql)
  if (processKeyIds.every(keyIds => keyIds[0] === keyring.ids[0])) return null
  return 'Another process has a SECRETS_KEY with another first key. Give every process the same keys in the same order, and try again.'
}
