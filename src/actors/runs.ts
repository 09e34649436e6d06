/** Advances workflow runs that are due: woken when an event started some, and by its own poll. */
import type { Database } from '../db/client.ts'
import type { ActorId } from '../db/lease.ts'
import { advanceDueRuns, nextRunDue } from '../domain/workflows/index.ts'
import type { Log } from '../platform/log.ts'
import { channelKind } from './channel.ts'
import { Pump } from './pump.ts'

const runsPerTurn = 200

/** The pump of the runs; it wakes every channel that was given messages. */
export const runs = (deps: { sql: Database; wake: (actor: ActorId) => void; log: Log }): Pump =>
  new Pump({
    name: 'runs',
    log: deps.log,
    turn: async () => {
      const onBug = (error: unknown, runId: string) =>
        deps.log.error({ error, runId }, 'a run could not be advanced and was ended')
      const { advanced, channels } = await advanceDueRuns(deps.sql, runsPerTurn, onBug)
      for (const { workspaceId, channelId } of channels) deps.wake({ kind: channelKind, workspaceId, id: channelId })
      return advanced
    },
    nextDue: () => nextRunDue(deps.sql),
  })
