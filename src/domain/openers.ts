/**
 * Chooses an encryption key that every live process has. A value must not be encrypted with a key that another process
 * needs and lacks.
 */
import { type Sql, sqlState } from '../db/client.ts'
import { barOlderBuilds } from '../db/migrate.ts'
import type { Seals } from './sealing.ts'

/** Upper bound for the number of processes that share one database. */
const maxProcesses = 10_000

const insufficientPrivilege = '42501'

/**
 * Returns the key ids that each live process can decrypt with. Null stands for a process of a release that does not
 * report them.
 */
const readOpeners = async (sql: Sql): Promise<(string[] | null)[]> => {
  const rows = await sql<{ opens: string[] | null }[]>`
    (select opens from processes where alive_until > clock_timestamp() limit ${maxProcesses})
    union all (select opens from http_processes where alive_until > clock_timestamp() limit ${maxProcesses})`
  return rows.map(({ opens }) => opens)
}

/**
 * Returns the id of the encryption key: the first one that all live processes have. Returns null while values must stay
 * in plain text, because a process has no key or runs a release without encryption. After the first key id was
 * returned, builds of a release without encryption can no longer start.
 */
export const keyForAll = async (sql: Sql, seals: Seals | null): Promise<string | null> => {
  if (seals === null) return null
  const openers = await readOpeners(sql)
  if (openers.some(opens => opens === null || opens.length === 0)) return null
  await barOlderBuilds(sql, '052_secrets_sealed_for_good', '052').catch(error => {
    // The database role lacks the privilege to write this. None of those builds is running, and the operator must not
    // start one.
    if (sqlState(error) !== insufficientPrivilege) throw error
  })
  // No common key means that a process was configured with another key by mistake. Each process then uses its own first
  // key.
  return seals.ids.find(id => openers.every(opens => opens!.includes(id))) ?? seals.ids[0]!
}

/**
 * Returns a sentence that says why values cannot be encrypted with the first key. Returns null if every live process
 * has the same first key.
 */
export const objectionToFirst = async (sql: Sql, seals: Seals): Promise<string | null> => {
  const openers = await readOpeners(sql)
  if (openers.includes(null)) return 'A process of an older release is running; end it, and try again.'
  if (openers.every(opens => opens![0] === seals.ids[0])) return null
  return 'A process is running whose SECRETS_KEY does not begin with the same key; give every process the same keys in the same order, and try again.'
}
