/** Who of the living processes can open what is sealed: nothing may be sealed that one of them must open and cannot. */
import { type Sql, sqlState } from '../db/client.ts'
import { barOlderBuilds } from '../db/migrate.ts'
import type { Seals } from './sealing.ts'

/** No more processes than this share a database. */
const maxProcesses = 10_000

const insufficientPrivilege = '42501'

/** What each living process says that it opens; null of one that is of a release that does not say. */
const readOpeners = async (sql: Sql): Promise<(string[] | null)[]> => {
  const rows = await sql<{ opens: string[] | null }[]>`
    (select opens from processes where alive_until > clock_timestamp() limit ${maxProcesses})
    union all (select opens from http_processes where alive_until > clock_timestamp() limit ${maxProcesses})`
  return rows.map(({ opens }) => opens)
}

/**
 * The id of the key to seal under what each process must open: the first that all of them have. Null while it is kept in
 * clear: there is no key, or a process that has none or is of a release that knows nothing of it. Once it was answered,
 * no build of such a release can be started any more.
 */
export const keyForAll = async (sql: Sql, seals: Seals | null): Promise<string | null> => {
  if (seals === null) return null
  const openers = await readOpeners(sql)
  if (openers.some(opens => opens === null || opens.length === 0)) return null
  await barOlderBuilds(sql, '052_secrets_sealed_for_good', '052').catch(error => {
    // A role that may not say so: none of those builds is running, and the operator starts none.
    if (sqlState(error) !== insufficientPrivilege) throw error
  })
  // Where processes share no key, one of them was given another by mistake, and each does as it can.
  return seals.ids.find(id => openers.every(opens => opens!.includes(id))) ?? seals.ids[0]!
}

/** What is wrong with sealing everything under the first of the keys, in a sentence; null where every process does so. */
export const objectionToFirst = async (sql: Sql, seals: Seals): Promise<string | null> => {
  const openers = await readOpeners(sql)
  if (openers.includes(null)) return 'A process of an older release is running; end it, and try again.'
  if (openers.every(opens => opens![0] === seals.ids[0])) return null
  return 'A process is running whose SECRETS_KEY does not begin with the same key; give every process the same keys in the same order, and try again.'
}
