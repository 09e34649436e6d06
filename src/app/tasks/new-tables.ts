/** Updates the statistics of new tables every few seconds. The schedule of Graphile Worker only supports minutes. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/postgres/client.ts'
import { analyseNewTables } from '../../platform/postgres/statistics.ts'
import { createService, type Service } from '../../platform/service.ts'

/** Milliseconds between two runs. */
const intervalMs = 2000

/** Runs from start to stop. */
export const newTableStatistics = (sql: Database): Service => {
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  const run = async () => {
    while (!stopping.signal.aborted) {
      // An unavailable database or a locked table is ignored, because the next run tries again.
      await analyseNewTables(sql).catch(() => {})
      await sleep(intervalMs, null, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }
  return createService('statistics of new tables', {
    start: () => {
      running ??= run()
    },
    stop: async () => {
      stopping.abort()
      await running
    },
  })
}
