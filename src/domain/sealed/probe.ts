/** Checks whether stored secrets can be decrypted, with one row of each table. */
import type { Sql } from '../../db/client.ts'
import { CannotOpen, type SealedValue, type Seals } from '../sealing.ts'
import { lowestKey, sealedTables } from './tables.ts'

/** Returns the kinds of values that could not be decrypted. */
export const unopened = async (sql: Sql, seals: Seals | null): Promise<string[]> => {
  const pages = await Promise.all(sealedTables.map(({ findPage }) => findPage(sql, lowestKey, 1)))
  const found = pages.flat().flatMap(({ values }) => values)
  return [...new Set(found.filter(value => !opens(seals, value)).map(({ kind }) => kind))]
}

const opens = (seals: Seals | null, { sealed, place }: SealedValue): boolean => {
  try {
    return seals !== null && seals.open(sealed, place) !== null
  } catch (error) {
    if (error instanceof CannotOpen) return false
    throw error
  }
}
