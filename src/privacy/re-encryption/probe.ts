/** Checks whether stored secrets can be decrypted, with one row of each table. */

import { DecryptionError, type EncryptedValue, type Keyring } from '../../platform/encryption.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { encryptedTables, lowestKey } from './tables.ts'

const readFirstValues = async (sql: Sql): Promise<EncryptedValue[]> => {
  const pages = await Promise.all(encryptedTables.map(({ findPage }) => findPage(sql, lowestKey, 1)))
  return pages.flat().flatMap(({ values }) => values)
}

/** Returns whether the oldest values are stored in plain text. */
export const isStoredInPlaintext = async (sql: Sql): Promise<boolean> =>
  (await readFirstValues(sql)).some(({ plaintext: clear }) => clear !== undefined)

/** Returns the kinds of values that could not be decrypted. */
export const findUndecryptable = async (sql: Sql, keyring: Keyring | null): Promise<string[]> => {
  const found = await readFirstValues(sql)
  return [...new Set(found.filter(value => !canDecrypt(keyring, value)).map(({ kind }) => kind))]
}

const canDecrypt = (keyring: Keyring | null, { encrypted, aad: place, plaintext: clear }: EncryptedValue): boolean => {
  if (clear !== undefined) return true
  try {
    return keyring !== null && keyring.decrypt(encrypted, place) !== null
  } catch (error) {
    if (error instanceof DecryptionError) return false
    throw error
  }
}
