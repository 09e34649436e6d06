/** Looks after the statistics of young tables every few seconds: Graphile Worker's schedule knows only minutes. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/client.ts'
import { analyseYoung } from '../db/statistics.ts'
import { type Part, simplePart } from '../platform/part.ts'

/** Milliseconds from one look to the next. */
const lookMs = 2000

/** Runs for as long as it is started. */
export const youngTables = (sql: Database): Part => {
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  const run = async () => {
    while (!stopping.signal.aborted) {
      // A database that is away, or a table that is locked, is looked at again.
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
