/** Determines how many connections a process may open, so that a second process and the operator can still connect. */
import type { Database } from '../platform/postgres/client.ts'
import { readConnections } from '../platform/postgres/suitability.ts'
import { minPoolSize } from './pools.ts'

export interface FittedPool {
  /** Maximum number of connections of this process. */
  size: number
  /** Warnings for the operator, one sentence each. */
  warnings: string[]
}

/**
 * Compares the wanted number of connections with those that PostgreSQL has for their user. These are all except the
 * reserved ones, within the limits of the user and of the database. A process uses at most half of them, so that the next
 * release can start in parallel. Warns if the connections that are in use now leave too few for this process.
 */
export const fitPool = async (sql: Database, wanted: number): Promise<FittedPool> => {
  const { open, inUse, superuser } = await readConnections(sql)
  const size = Math.max(minPoolSize, Math.min(wanted, Math.floor(open / 2)))
  const warnings: string[] = []
  if (size < wanted)
    warnings.push(
      `DATABASE_POOL_SIZE is ${wanted}, but PostgreSQL has ${open} connections for its user, and a second process requires as many. This process opens at most ${size}. Raise max_connections, or lower DATABASE_POOL_SIZE.`,
    )
  if (inUse + size > open)
    warnings.push(
      `PostgreSQL has ${open} connections for this user, ${inUse} are in use, and this process opens up to ${size}. Queries will wait for connections. Raise max_connections, lower DATABASE_POOL_SIZE, or run fewer processes.`,
    )
  if (superuser)
    warnings.push(
      'The user of the database is a superuser, who can use the reserved connections of PostgreSQL. Use a role that is not a superuser.',
    )
  return { size, warnings }
}
