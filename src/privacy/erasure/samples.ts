/**
 * Personal data in the planner statistics of PostgreSQL. PostgreSQL samples column values and keeps them until the next
 * ANALYZE, which can take months. Most personal columns are not sampled (`set statistics 0` in `sql/`). Columns that statements search
 * must be sampled, so their tables are analysed after an erasure.
 */

import { clock } from '../../platform/clock.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { analyse } from '../../platform/postgres/statistics.ts'
import { enqueue } from '../../queue/tasks.ts'

/** Tables with personal columns that are sampled. */
export const sampledTables = ['customers', 'handles', 'conversations', 'messages', 'events'] as const

const hourMs = 3_600_000

/**
 * Enqueues one task at the end of the hour, for all customers erased within it. A table is therefore analysed at most
 * 24 times a day.
 */
export const enqueueRenewSamples = async (sql: Sql): Promise<void> => {
  const now = clock.now()
  const end = Math.ceil((now + 1) / hourMs) * hourMs
  await enqueue(sql, 'renew_samples', {}, `samples:${new Date(end).toISOString()}`, end - now)
}

/** Analyses the tables again, so that the samples contain no erased data. */
export const renewSamples = async (sql: Sql): Promise<void> => {
  for (const table of sampledTables) await analyse(sql, table, { skipLocked: false })
}
