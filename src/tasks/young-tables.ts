/** Updates the statistics of new tables every few seconds. The schedule of Graphile Worker only supports minutes. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/client.ts'
import { analyseYoung } from '../db/statistics.ts'
import { type Part, simplePart } from '../platform/part.ts'

/** Milliseconds between two runs. */
const lookMs = 2000

/** Runs from start to stop. */
export const youngTables = (sql: Database): Part => {
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  const run = async () => {
    while (!stopping.signal.aborted) {
      // An unavailable database or a locked table is ignored, because the next run tries again.
      await analyseYoung(sql).catch(() => {})
      await sleep(lookMs, null, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }
  return simplePart('statistics of young tables', {
    start: () => {
      running ??= run()
    },
    stop: async () => {
      stopping.abort()
      await running
    },
  })
}
