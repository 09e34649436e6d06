/**
 * What PostgreSQL itself keeps of people: to plan by, it samples columns, and keeps values as they stood there until the
 * table is analysed anew, which may take months. Most personal columns are not sampled (migration 063). Those that
 * statements look for values in must be: their tables are analysed after an erasure.
 */

import type { Sql } from '../../db/client.ts'
import { analyse } from '../../db/statistics.ts'
import { clock } from '../../platform/clock.ts'
import { enqueue } from '../tasks.ts'

/** The tables with personal columns that are sampled. */
export const sampledTables = ['customers', 'handles', 'conversations', 'messages', 'events'] as const

const hourMs = 3_600_000

/** Once for all who were erased within the hour, as it ends: a table is analysed 24 times a day at most. */
export const renewSamplesSoon = async (sql: Sql): Promise<void> => {
  const now = clock.now()
  const end = Math.ceil((now + 1) / hourMs) * hourMs
  await enqueue(sql, 'renew_samples', {}, `samples:${new Date(end).toISOString()}`, end - now)
}

/** Takes the samples anew; what was erased is in none of them. */
export const renewSamples = async (sql: Sql): Promise<void> => {
  for (const table of sampledTables) await analyse(sql, table, 'wait')
}
