/**
 * Advances workflow runs that are due: woken when an event started some, and by its own poll. A page that fails is gone
 * through one by one, so that a run which nothing can be done about does not hold up those of everybody else.
 */
import type { Database } from '../db/client.ts'
import type { ActorId } from '../db/lease.ts'
import {
  advanceDueRuns,
  advanceFirstDueRun,
  isFailureOfDatabase,
  nextRunDue,
  type RunFailures,
  type RunObserver,
} from '../domain/workflows/index.ts'
import type { Log } from '../platform/log.ts'
import { channelKind } from './channel.ts'
import { Pump } from './pump.ts'

/**
 * Runs of one turn: as many again as the last one advanced, within these. Weighing a page of the largest runs takes the
 * database long, and few of them are advanced at a time.
 */
const runsPerTurn = { min: 16, max: 200 }

/** The pump of the runs; it wakes every channel that was given messages. */
export const runs = (deps: { sql: Database; wake: (actor: ActorId) => void; log: Log }): Pump => {
  const advance = advancer(deps)
  return new Pump({
    name: 'runs',
    log: deps.log,
    turn: async () => {
      const { advanced, channels } = await advance()
      for (const { workspaceId, channelId } of channels) deps.wake({ kind: channelKind, workspaceId, id: channelId })
      return advanced
    },
    nextDue: () => nextRunDue(deps.sql),
  })
}

/** One turn of the pump: a page of runs, or, while a page that failed is gone through, one. */
const advancer = ({ sql, log }: { sql: Database; log: Log }) => {
  const failures: RunFailures = new Map()
  let page = runsPerTurn.min
  let singly = 0
  const observer: RunObserver = {
    onFailure: (error, runId, ended) =>
      ended
        ? log.error({ error, runId }, 'a run could not be advanced and was ended')
        : log.warn({ error, runId }, 'a run could not be advanced; it is tried again a little later'),
    onUnknownType: (type, runId) =>
      log.warn({ type, runId }, 'a run waits for a process that knows its next step; this one is of another release'),
  }

  return async () => {
    if (singly === 0) {
      try {
        const result = await advanceDueRuns(sql, page, observer)
        page = Math.min(Math.max(2 * result.advanced, runsPerTurn.min), runsPerTurn.max)
        return result
      } catch (error) {
        if (isFailureOfDatabase(error)) throw error
        log.warn({ error }, 'a page of runs failed; its runs are advanced one by one')
        singly = page
      }
    }
    const result = await advanceFirstDueRun(sql, failures, observer)
    singly = result.advanced === 0 ? 0 : singly - 1
    return result
  }
}
