/**
 * Personal data in the planner statistics of PostgreSQL. PostgreSQL samples column values and keeps them until the next
 * ANALYZE, which can take months. Most personal columns are not sampled (migration 063). Columns that statements search
 * must be sampled, so their tables are analysed after an erasure.
 */

import type { Sql } from '../../db/client.ts'
import { analyse } from '../../db/statistics.ts'
import { clock } from '../../platform/clock.ts'
import { enqueue } from '../tasks.ts'

/** Tables with personal columns that are sampled. */
export const sampledTables = ['customers', 'handles', 'conversations', 'messages', 'events'] as const

const hourMs = 3_600_000

/**
 * Enqueues one task at the end of the hour, for all customers erased within it. A table is therefore analysed at most
 * 24 times a day.
 */
export const renewSamplesSoon = async (sql: Sql): Promise<void> => {
  const now = clock.now()
  const end = Math.ceil((now + 1) / hourMs) * hourMs
  await enqueue(sql, 'renew_samples', {}, `samples:${new Date(end).toISOString()}`, end - now)
}

/** Analyses the tables again, so that the samples contain no erased data. */
export const renewSamples = async (sql: Sql): Promise<void> => {
  for (const table of sampledTables) await analyse(sql, table, 'wait')
}
