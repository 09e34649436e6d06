/** Updates the statistics of new tables every few seconds. The schedule of Graphile Worker only supports minutes. */
import type { Log } from '../../platform/log.ts'
import type { Database } from '../../platform/postgres/client.ts'
import { analyseNewTables } from '../../platform/postgres/statistics.ts'
import { createLoop, type Service } from '../../platform/service.ts'

/** Milliseconds between two runs. */
const intervalMs = 2000

/** Runs from start to stop. */
export const newTableStatistics = (sql: Database, log: Log): Service =>
  createLoop(
    'statistics of new tables',
    intervalMs,
    () => analyseNewTables(sql),
    error => log.debug({ error }, 'statistics of new tables could not be updated; retrying'),
  )
